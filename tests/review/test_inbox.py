from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import read_turns, remember
from memoryapp.review import (
    accept,
    archive,
    confirm,
    count_waiting,
    drop,
    edit,
    hold,
    see,
    undo_run,
    waiting,
    waiting_ids,
)
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions
from memoryapp.store.rows import memory_row
from memoryapp.store.sessions import Session
from tests.remember.talk import LineReader, say
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory


def learn(space: Space, *lines: str, session: str = "monday") -> list[Memory]:
    """Facts that were learned from a turn of these lines, in the order of the lines."""
    say(space, "\n".join(lines), session=session)
    read_turns(space, reader=LineReader(), actor=AGENT)
    held = {memory.text: memory for memory in memories.scan(space.db) if memory.kind is Kind.FACT}
    return [held[line] for line in lines]


def texts(space: Space, **more: str) -> list[str]:
    return [fact.text for fact in waiting(space, **more).facts]  # type: ignore[arg-type]


def test_what_is_learned_waits_and_what_a_person_types_does_not(space: Space) -> None:
    learn(space, "Mara lives in Ghent.")
    remember(space, [NewMemory("Odo posts from an agent.", kind=Kind.FACT)], actor=AGENT)
    remember(space, [NewMemory("Vera types herself.", kind=Kind.FACT)], actor=PERSON)
    remember(space, [NewMemory("A note is no fact.")], actor=AGENT)
    assert sorted(texts(space)) == ["Mara lives in Ghent.", "Odo posts from an agent."]
    assert count_waiting(space) == 2


def test_facts_come_by_session_the_last_learned_first_with_their_agent(space: Space, clock: HandClock) -> None:
    sessions.open_session(space.db, Session("monday", NOON, agent="atlas"))
    learn(space, "Mara lives in Ghent.")
    clock.move(hours=1)
    learn(space, "Odo likes rain.", session="tuesday")
    clock.move(hours=1)
    learn(space, "Mara keeps bees.")
    remember(space, [NewMemory("Posted by itself.", kind=Kind.FACT)], actor=AGENT)
    page = waiting(space)
    by_session = [(fact.origin.session, fact.text) for fact in page.facts]
    assert by_session[0] == (None, "Posted by itself.")
    monday = [text for session, text in by_session if session == "monday"]
    assert monday == ["Mara keeps bees.", "Mara lives in Ghent."]
    assert by_session[-1] == ("tuesday", "Odo likes rain.")
    assert page.groups["monday"].agent == "atlas" and page.groups["monday"].count == 2
    assert texts(space, agent="atlas") == monday
    assert texts(space, session="tuesday") == ["Odo likes rain."]
    assert texts(space, session="") == ["Posted by itself."]
    posted = next(fact.id for fact in page.facts if fact.origin.session is None)
    assert page.makers[posted] == AGENT.name
    assert texts(space, agent=AGENT.name).count("Posted by itself.") == 1


@pytest.mark.parametrize("act", ["accept", "drop", "edit", "confirm", "archive"])
def test_what_a_person_did_leaves_the_inbox_and_an_undo_brings_it_back(space: Space, act: str) -> None:
    (fact,) = learn(space, "Mara lives in Ghent.")
    keys = [fact.id]
    done = {
        "accept": lambda: accept(space, keys, actor=PERSON),
        "drop": lambda: drop(space, keys, actor=PERSON),
        "edit": lambda: edit(space, fact.id, {"text": "Mara lives in Bruges."}, actor=PERSON),
        "confirm": lambda: confirm(space, keys, actor=PERSON),
        "archive": lambda: archive(space, keys, actor=PERSON),
    }[act]()
    assert texts(space) == []
    undo_run(space, done.run.id, actor=PERSON)
    assert texts(space) == ["Mara lives in Ghent."]
    assert replace(memories.get(space.db, fact.id), version=0, updated_at=NOON) == replace(
        fact, version=0, updated_at=NOON
    )


def test_accepting_confirms_once_however_many_do_it(space: Space) -> None:
    (fact,) = learn(space, "Mara lives in Ghent.")
    first = accept(space, [fact.id], actor=PERSON)
    again = accept(space, [fact.id], actor=PERSON)
    assert first.changed and not again.changed and again.memories == ()
    assert memories.get(space.db, fact.id).reinforcements == fact.reinforcements + 1


def test_dropping_leaves_what_somebody_accepted_meanwhile(space: Space) -> None:
    one, other = learn(space, "Mara lives in Ghent.", "Odo likes rain.")
    accept(space, [one.id], actor=PERSON)
    done = drop(space, [one.id, other.id], actor=PERSON)
    assert [memory.id for memory in done.memories] == [other.id]
    assert memories.get(space.db, one.id).state is State.HELD
    assert memories.get(space.db, other.id).state is State.DELETED


def test_what_an_agent_does_is_no_look_but_accepting_by_its_key_is(space: Space) -> None:
    one, other = learn(space, "Mara lives in Ghent.", "Odo likes rain.")
    confirm(space, [one.id], actor=AGENT)
    edit(space, other.id, {"tags": ["weather"]}, actor=AGENT)
    assert count_waiting(space) == 2
    accept(space, [one.id], actor=AGENT)
    assert texts(space) == ["Odo likes rain."]


def test_what_a_person_restores_was_looked_at(space: Space) -> None:
    (fact,) = learn(space, "Mara lives in Ghent.")
    drop(space, [fact.id], actor=PERSON)
    hold(space, [fact.id], actor=PERSON)
    assert memories.get(space.db, fact.id).state is State.HELD and texts(space) == []


def test_all_is_marked_as_seen_up_to_what_was_shown_and_the_mark_is_taken_back(space: Space, clock: HandClock) -> None:
    (shown,) = learn(space, "Mara lives in Ghent.")
    clock.move(minutes=1)
    learn(space, "Odo likes rain.")
    run = see(space, until=shown.created_at, actor=PERSON)
    assert texts(space) == ["Odo likes rain."]
    clock.move(minutes=1)
    with pytest.raises(Clash, match="seen already"):
        see(space, until=shown.created_at, actor=PERSON)
    with pytest.raises(BadInput):
        see(space, until=clock() + timedelta(days=1), actor=PERSON)
    second = see(space, until=clock(), actor=PERSON)
    assert texts(space) == []
    clock.move(minutes=1)
    with pytest.raises(Clash, match="undo that first"):
        undo_run(space, run.id, actor=PERSON)
    undo_run(space, second.id, actor=PERSON)
    assert texts(space) == ["Odo likes rain."]


def many(space: Space, count: int) -> None:
    now = space.clock()
    made = [
        replace(
            a_memory(f"Fact number {n} of many.", kind=Kind.FACT),
            created_at=now - timedelta(seconds=count - n),
        )
        for n in range(count)
    ]
    for start in range(0, count, 500):  # as they stand: nobody asks who wrote them
        space.db.query(
            "INSERT INTO memory $made RETURN NONE", made=[memory_row(one) for one in made[start : start + 500]]
        )


@pytest.mark.long
def test_five_thousand_wait_and_each_is_on_one_page(space: Space) -> None:
    many(space, 5_000)
    page, seen = waiting(space, limit=200), []
    assert page.total == 5_000
    while True:
        seen += [fact.id for fact in page.facts]
        if page.next is None:
            break
        page = waiting(space, after=page.next, limit=200)
    assert len(seen) == len(set(seen)) == 5_000
    assert len(waiting_ids(space)) == 1_000
    accept(space, waiting_ids(space), actor=PERSON)
    assert count_waiting(space) == 4_000


def test_a_page_goes_on_where_its_fact_was_though_that_is_gone(space: Space) -> None:
    many(space, 6)
    first = waiting(space, limit=2)
    assert first.next is not None
    rest = [fact.id for fact in waiting(space).facts[2:]]
    accept(space, [fact.id for fact in first.facts], actor=PERSON)
    assert [fact.id for fact in waiting(space, after=first.next).facts] == rest
    with pytest.raises(BadInput, match="damaged"):
        waiting(space, after="nonsense")


def test_nothing_waits_in_an_empty_space(space: Space) -> None:
    page = waiting(space)
    assert (page.facts, page.total, page.next, page.sessions) == ((), 0, None, ())
    assert count_waiting(space) == 0 and waiting_ids(space) == ()
