"""A turn that asks is given with the next turn by another speaker, as long as that one is there to be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memoryapp import review
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.turn import NewTurn, Role, Turn, memory_of
from memoryapp.remember import append_turns
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store import sessions
from tests.search.conftest import ACTOR, NOW, MakeSpace, change, memory, write

ASKED = "Which berth did the harbour office give the heron?"
QUESTION = "berth harbour office heron"
Say = tuple[str | None, str]


def talk(*said: Say, session: str = "s", roles: tuple[Role, ...] = (), start: int = 1) -> list[Memory]:
    """Turns as memories, a minute apart, the first of them ten days ago."""
    begun = NOW - timedelta(days=10)
    made = []
    for n, (speaker, text) in enumerate(said):
        at, role = begun + timedelta(minutes=n), roles[n] if roles else Role.USER
        made.append(memory_of(Turn(derived_id(session, text), session, start + n, text, at, speaker, role)))
    return made


def asking(space: Space, text: str = QUESTION, **filters: Any) -> Hit:
    """The hit that is the question."""
    hits = search(space, Query(text, filters=Filters(**filters))).hits
    return next(hit for hit in hits if hit.memory.text == ASKED)


def replied(space: Space, **filters: Any) -> str | None:
    reply = asking(space, **filters).reply
    return None if reply is None else reply.text


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ([("Ann", ASKED), ("Ben", "The ninth.")], "The ninth."),
        ([("Ann", ASKED), ("Ann", "I forgot."), ("Ben", "The ninth.")], "The ninth."),
        ([("Ann", ASKED), ("Ann", "I forgot."), ("Ann", "Never mind."), ("Ben", "The ninth.")], None),
        ([("Ann", ASKED), ("Ann", "I forgot.")], None),
        ([("Ben", "The ninth."), ("Ann", ASKED)], None),
        ([("Ann", ASKED)], None),
        ([("Ann", ASKED), ("ANN", "It was the ninth.")], None),
        ([(None, ASKED), (None, "The ninth.")], None),
    ],
)
def test_the_reply_is_the_next_turn_by_another_speaker(space: Space, said: list[Say], reply: str | None) -> None:
    write(space, *talk(*said))
    assert replied(space) == reply


def test_without_names_the_roles_tell_who_speaks(space: Space) -> None:
    write(space, *talk((None, ASKED), (None, "The ninth."), roles=(Role.USER, Role.ASSISTANT)))
    assert replied(space) == "The ninth."


def test_a_turn_that_asks_nothing_has_no_reply(space: Space) -> None:
    write(space, *talk(("Ann", "The harbour office gave the heron a berth."), ("Ben", "The ninth.")))
    (hit, *_) = search(space, Query(QUESTION)).hits
    assert hit.memory.kind is Kind.TURN and hit.reply is None


def test_a_note_that_asks_has_no_reply(space: Space) -> None:
    asked = memory(ASKED, group="g", position=1, speaker="Ann")
    write(space, asked, memory("The ninth.", group="g", position=2, speaker="Ben"))
    assert replied(space) is None


def test_a_note_that_stands_among_turns_replies_to_nothing(space: Space) -> None:
    write(space, *talk(("Ann", ASKED)), memory("The ninth.", group="turns:s", position=2, speaker="Ben"))
    assert replied(space) is None


def test_another_session_replies_to_nothing(space: Space) -> None:
    write(space, *talk(("Ann", ASKED)), *talk(("Ben", "The ninth."), session="t", start=2))
    assert replied(space) is None


def test_a_reply_that_is_a_hit_itself_stays_one(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The harbour office gave the heron the ninth berth."))
    write(space, *said)
    hits = search(space, Query(QUESTION)).hits
    assert {hit.memory.id for hit in hits} == {one.id for one in said}
    asked = next(hit for hit in hits if hit.memory.id == said[0].id)
    assert asked.reply is not None and asked.reply.id == said[1].id


def test_filters_narrow_hits_and_not_what_is_shown_with_them(space: Space) -> None:
    write(space, *talk(("Ann", ASKED), ("Ben", "The ninth.")))
    assert replied(space, speakers=("Ann",)) == "The ninth."


def _deleted(space: Space, reply: Memory) -> None:
    review.delete(space, [reply.id], actor=ACTOR)


def _archived(space: Space, reply: Memory) -> None:
    change(space, reply, state=State.ARCHIVED)


def _expired(space: Space, reply: Memory) -> None:
    change(space, reply, expires_at=NOW - timedelta(seconds=1))


@pytest.mark.parametrize("gone", [_deleted, _archived, _expired])
@pytest.mark.parametrize("between", [(), (("Ann", "I forgot."),)])
def test_what_is_gone_is_not_shown_nor_does_what_follows_stand_in(
    space: Space, gone: Callable[[Space, Memory], None], between: tuple[Say, ...]
) -> None:
    said = talk(("Ann", ASKED), *between, ("Ben", "The ninth."), ("Cleo", "See you there."))
    write(space, *said)
    assert replied(space) == "The ninth."
    gone(space, said[1 + len(between)])
    assert replied(space) is None
    assert replied(space, states=()) is None


@pytest.mark.parametrize("gone", [_deleted, _expired])
def test_what_a_short_turn_answers_is_not_shown_either_once_it_is_gone(
    space: Space, gone: Callable[[Space, Memory], None]
) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    write(space, *said)

    def answered() -> Memory | None:
        hits = search(space, Query("the ninth")).hits
        return next(hit.answers for hit in hits if hit.memory.id == said[1].id)

    before = answered()
    assert before is not None and before.id == said[0].id
    gone(space, said[0])
    assert answered() is None


def test_a_reply_that_expires_later_is_shown_until_then(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    write(space, said[0], replace(said[1], expires_at=NOW + timedelta(hours=1)))
    assert replied(space) == "The ninth."
    space.clock.now += timedelta(hours=2)  # type: ignore[attr-defined]
    assert replied(space) is None


def test_a_purged_or_private_turn_is_not_shown(space: Space) -> None:
    sessions.open_session(space.db, sessions.Session("s", space.clock()))
    new = [
        NewTurn(ASKED, "Ann"),
        NewTurn("The ninth.", "Ben"),
        NewTurn(ASKED.replace("harbour", "port"), "Ann"),
        NewTurn("The tenth.", "Ben", private=True),
        NewTurn("See you there.", "Cleo"),
    ]
    kept = append_turns(space, "s", new, actor=ACTOR)
    hits = {hit.memory.id: hit for hit in search(space, Query("which berth did the office give the heron")).hits}
    first, other = hits[kept[0].id], hits[kept[2].id]
    assert first.reply is not None and first.reply.id == kept[1].id
    assert other.reply is None
    assert review.purge(space, kept[1].id, actor=ACTOR).complete
    assert replied(space) is None


def test_as_of_only_what_was_said_by_then_replies(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    write(space, *said)
    begun = said[0].created_at
    assert replied(space, as_of=begun + timedelta(seconds=30)) is None
    assert replied(space, as_of=begun + timedelta(minutes=2)) == "The ninth."


def test_as_of_a_reply_that_was_archived_since_reads_as_it_stood(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    write(space, *said)
    change(space, said[1], state=State.ARCHIVED, ended_at=NOW)
    assert replied(space) is None
    assert replied(space, as_of=NOW - timedelta(days=1)) == "The ninth."


def test_a_recalled_answer_keeps_it_and_a_write_takes_it_away(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    write(space, *said)
    assert replied(space) == "The ninth."
    again = search(space, Query(QUESTION))
    assert again.cached and asking(space).reply is not None
    change(space, said[1], state=State.DELETED)
    assert replied(space) is None


def test_what_is_inherited_keeps_its_reply(make_space: MakeSpace) -> None:
    parent = make_space("quay")
    child = make_space("boat", parent=parent)
    write(parent, *talk(("Ann", ASKED), ("Ben", "The ninth.")))
    hit = asking(child)
    assert hit.inherited_from == "quay"
    assert hit.reply is not None and hit.reply.text == "The ninth."


def test_a_fact_is_unchanged_by_the_question_that_its_turn_asks(space: Space) -> None:
    said = talk(("Ann", ASKED), ("Ben", "The ninth."))
    fact = memory("The heron has a berth at the harbour office.", kind=Kind.FACT)
    write(space, *said, replace(fact, origin=replace(fact.origin, turn=said[0].id)))
    hit = search(space, Query("has a berth at the harbour office")).hits[0]
    assert hit.memory.id == fact.id and hit.turn is not None
    assert hit.reply is None
    (alone,) = search(space, Query(QUESTION, filters=Filters(kinds=(Kind.FACT,)))).hits
    assert alone.reply is None
