"""Owners who share a space: what one says neither confirms nor contradicts what another said."""

from __future__ import annotations

import pytest

from memoryapp import review
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.turn import NewTurn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.remember import append_turns, candidates, read_turns, remember
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, sessions
from tests.samples import AGENT

MINA, JON, NOBODYS = "owner:user_id=mina", "owner:user_id=jon", None
RULES = reader_of("rules", model=None, worth=2.5)


def fact(text: str, session: str | None) -> NewMemory:
    return NewMemory(text=text, kind=Kind.FACT, session=session)


@pytest.mark.parametrize("other", [JON, NOBODYS], ids=["another user", "the space's own"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The office is in Seoul.", "The office is in Seoul."),
        ("The office is in Seoul.", "The office is in Busan."),
        ("The release deadline is March 5.", "The release deadline is March 6."),
        ("The team has 5 developers.", "The team has 8 developers."),
        ("Sam likes tea.", "Sam does not like tea."),
    ],
)
@pytest.mark.parametrize("at_once", [False, True], ids=["one after the other", "in one batch"])
def test_what_another_owner_said_is_neither_confirmed_nor_contradicted(
    space: Space, first: str, second: str, other: str | None, at_once: bool
) -> None:
    items = [fact(first, MINA), fact(second, other)]
    done = remember(space, items, actor=AGENT) if at_once else [remember(space, [one], actor=AGENT)[0] for one in items]
    assert [one.outcome for one in done] == [Became.WRITTEN, Became.WRITTEN]
    assert done[0].id != done[1].id
    assert not conflicts.touching(space.db, [one.id for one in done])


def test_the_same_owner_still_confirms_and_contradicts(space: Space) -> None:
    remember(space, [fact("The office is in Seoul.", JON)], actor=AGENT)
    (first,) = remember(space, [fact("The office is in Seoul.", MINA)], actor=AGENT)
    (again,) = remember(space, [fact("The office is in Seoul.", f"{MINA}&part=2")], actor=AGENT)
    (other,) = remember(space, [fact("The office is in Busan.", MINA)], actor=AGENT)
    assert again.outcome is Became.REINFORCED
    assert again.id == first.id
    assert other.outcome is Became.CONFLICT
    assert other.near == first.id


def test_a_contradiction_is_found_however_many_others_fill_the_same_slot(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(space, [fact("The office is in Busan.", f"owner:user_id=u{n}") for n in range(12)], actor=AGENT)
    (first,) = remember(space, [fact("The office is in Seoul.", MINA)], actor=AGENT)
    monkeypatch.setattr(candidates, "_READ_AT_ONCE", 2)
    monkeypatch.setattr(candidates, "NEAREST", 1)
    monkeypatch.setattr(candidates, "_compared", lambda view, vector, mask, least, mates: dict.fromkeys(mates))
    (other,) = remember(space, [fact("The office is in Daegu.", MINA)], actor=AGENT)
    assert (other.outcome, other.near) == (Became.CONFLICT, first.id)


def test_a_contradiction_is_found_however_many_others_say_what_is_nearer(space: Space) -> None:
    others = [fact("The office is in Busan.", f"owner:user_id=u{n}") for n in range(12)]
    remember(space, [*others, fact("The office is in Seoul.", MINA)], actor=AGENT)
    (said,) = remember(space, [fact("The office is in Busan.", MINA)], actor=AGENT)
    assert said.outcome is Became.CONFLICT


def test_what_one_owner_had_deleted_is_still_learned_from_another(space: Space) -> None:
    def say(session: str) -> list[str]:
        opened = sessions.open_session(space.db, sessions.Session(session, space.clock()))
        append_turns(space, opened.name, [NewTurn("I work at Acme as a designer.", speaker="Sam")], actor=AGENT)
        read_turns(space, reader=RULES, actor=AGENT, session=opened.name)
        return [
            one.id
            for one in memories.of_session(space.db, session)
            if one.kind is Kind.FACT and one.state is State.HELD
        ]

    first = say(MINA)
    assert first
    review.delete(space, first, actor=AGENT)
    assert say(MINA) == []
    assert say(JON)
