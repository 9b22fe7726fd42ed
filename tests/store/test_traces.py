"""Traces: what agents asked and were given is kept, bounded, narrowed, counted, and gone with what was purged."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory
from memoryapp.domain.trace import KEPT_FOR, Act, Asker, Given, Result, Trace, question_id
from memoryapp.store import purge, traces
from memoryapp.store.database import Database
from memoryapp.store.traces import TraceFilter
from memoryapp.store.write import new_run
from tests.samples import a_memory, written

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINA = Actor(ActorKind.PERSON, "mina")


def a_trace(question: str = "which port does staging use?", **changes: object) -> Trace:
    one = Trace(
        id=new_id(),
        at=NOW,
        act=Act.SEARCH,
        question=question,
        of_all=True,
        asker=Asker("atlas", "pal_1a2b3c4d", "reader"),
        strategy="hybrid",
        result=Result.ANSWERED,
        given=(),
        tokens=40,
        ms=12.5,
    )
    return replace(one, **changes)  # type: ignore[arg-type]


def given(memory: Memory, **changes: object) -> Given:
    one = Given(memory.id, 9, 0.81, answer=(0, 5), content_hash=memory.content_hash[:16])
    return replace(one, **changes)  # type: ignore[arg-type]


def page(db: Database, **wanted: object) -> list[str]:
    found = traces.page(db, TraceFilter(**wanted), now=NOW, limit=50)  # type: ignore[arg-type]
    return [one.question for one in found]


def test_a_trace_comes_back_as_it_was(db: Database) -> None:
    first, second = a_memory("The staging server listens on port 8080."), a_memory("Redis is the queue.")
    written(db, first, second)
    one = a_trace(
        act=Act.CONTEXT,
        budget=800,
        cached=True,
        given=(given(second), given(first, relevance=None, layer="facts", answer=None, content_hash="")),
    )
    traces.keep(db, [one])
    assert traces.get(db, one.id) == one
    assert traces.page(db, TraceFilter(), now=NOW, limit=5) == (one,)


def test_what_was_asked_before_a_purge_is_not_written_after_it(db: Database) -> None:
    gone = a_memory("The code of the safe is nineteen eighty four.")
    written(db, gone)
    purge.purge(db, gone, run=new_run("purge", MINA, now=NOW, reason="", detail=None))
    late = a_trace("before?", at=NOW - timedelta(milliseconds=300), given=(given(gone),))
    traces.keep(db, [late, a_trace("after?", at=NOW + timedelta(milliseconds=1))])
    assert page(db) == ["after?"]


def test_a_trace_may_be_written_twice(db: Database) -> None:
    one = a_trace()
    traces.keep(db, [one])
    traces.keep(db, [one])
    assert traces.page(db, TraceFilter(), now=NOW, limit=5) == (one,)


def test_the_list_is_narrowed_and_paged_newest_first(db: Database) -> None:
    redis = a_memory("Redis is the queue.")
    written(db, redis)
    kept = [
        a_trace("one?", at=NOW - timedelta(minutes=3), given=(given(redis),)),
        a_trace("two?", at=NOW - timedelta(minutes=2), asker=Asker("scout", "pal_2b2b2b2b", "curator")),
        a_trace("three?", at=NOW - timedelta(minutes=1), act=Act.CONTEXT, result=Result.NOTHING),
    ]
    traces.keep(db, kept)
    assert page(db) == ["three?", "two?", "one?"]
    assert page(db, agent="scout") == page(db, key="pal_2b2b2b2b") == page(db, roles=("curator",)) == ["two?"]
    assert page(db, act=Act.CONTEXT) == page(db, result=Result.NOTHING) == ["three?"]
    assert page(db, memory=redis.id) == page(db, asked=question_id("ONE")) == ["one?"]
    assert page(db, since=NOW - timedelta(minutes=2)) == ["three?", "two?"]
    assert page(db, until=NOW - timedelta(minutes=2)) == ["one?"]
    last = traces.page(db, TraceFilter(), now=NOW, limit=1)[0]
    rest = traces.page(db, TraceFilter(), now=NOW, before=(last.at, last.id), limit=5)
    assert [one.question for one in rest] == ["two?", "one?"]


def test_traces_of_one_instant_are_paged_without_loss(db: Database) -> None:
    traces.keep(db, [a_trace(f"{n}?") for n in range(5)])
    seen: list[str] = []
    before = None
    while found := traces.page(db, TraceFilter(), now=NOW, before=before, limit=2):
        seen += [one.question for one in found]
        before = (found[-1].at, found[-1].id)
    assert sorted(seen) == [f"{n}?" for n in range(5)]


def test_what_is_too_old_is_not_shown_and_trimming_deletes_it_and_the_oldest_beyond_the_most(db: Database) -> None:
    traces.keep(db, [a_trace("old?", at=NOW - KEPT_FOR - timedelta(seconds=1))])
    traces.keep(db, [a_trace(f"{n}?", at=NOW - timedelta(minutes=n)) for n in range(4)])
    assert page(db) == ["0?", "1?", "2?", "3?"]
    assert len(db.query("SELECT id FROM trace")[0]) == 5
    traces.trim(db, now=NOW, most=3)
    assert page(db) == ["0?", "1?", "2?"]
    assert len(db.query("SELECT id FROM trace")[0]) == 3


def test_a_trace_is_for_those_whose_role_may_see_it(db: Database) -> None:
    one = a_trace(asker=Asker("atlas", "pal_1a2b3c4d", "curator"))
    traces.keep(db, [one])
    assert traces.get(db, one.id, roles=("curator",)) == one
    for key, roles in ((one.id, ("reader",)), ("0" * 16, None)):
        with pytest.raises(NotFound):
            traces.get(db, key, roles=roles)


def test_sums_count_by_result_and_take_medians(db: Database) -> None:
    assert traces.sums(db, TraceFilter(), now=NOW) == traces.Sums(0, {}, 0.0, 0)
    kept = [a_trace(ms=float(ms), tokens=ms) for ms in (10, 20, 90)]
    traces.keep(db, [*kept, a_trace(ms=1000, tokens=0, result=Result.NOTHING, asker=Asker("scout", "", "reader"))])
    found = traces.sums(db, TraceFilter(agent="atlas"), now=NOW)
    assert found == traces.Sums(3, {Result.ANSWERED: 3}, 20.0, 20)
    assert traces.sums(db, TraceFilter(), now=NOW).by_result == {Result.ANSWERED: 3, Result.NOTHING: 1}
    lines = traces.agents(db, TraceFilter(), now=NOW)
    assert {(one.agent, one.calls, one.unanswered) for one in lines} == {("atlas", 3, 0), ("scout", 1, 1)}


def test_a_question_is_open_until_it_is_asked_again_and_answered(db: Database) -> None:
    kept = [
        a_trace("Which port?", at=NOW - timedelta(hours=3), result=Result.NOTHING),
        a_trace("which  port", at=NOW - timedelta(hours=2), result=Result.UNCLEAR),
        a_trace("Who is Mina?", at=NOW - timedelta(hours=2), result=Result.NOTHING),
        a_trace("who is mina", at=NOW - timedelta(hours=1)),
        a_trace("tags only", of_all=False, result=Result.NOTHING),
    ]
    traces.keep(db, kept)
    (found,) = traces.open_questions(db, now=NOW)
    assert (found.text, found.times, found.trace, found.by) == ("which  port", 2, kept[1].id, "atlas")
    assert traces.open_questions(db, now=NOW, roles=("curator",)) == []


def test_a_purge_takes_the_memory_and_the_questions_that_quote_it(db: Database) -> None:
    secret, other = a_memory("The code of the safe is nineteen eighty four."), a_memory("Redis is the queue.")
    written(db, secret, other)
    both = a_trace("what is in the office?", given=(given(secret), given(other)))
    quoting = a_trace("Is it true that the code of the safe is nineteen eighty four?", given=(given(other),))
    silent = a_trace("which queue?", given=(given(other),))
    traces.keep(db, [both, quoting, silent])
    run = new_run("purge", MINA, now=NOW, reason="", detail=None)
    removed = purge.purge(db, secret, run=run)
    assert removed.traces == 2
    assert sorted(page(db)) == ["what is in the office?", "which queue?"]
    assert traces.get(db, both.id).given == (given(other),)
    assert not any(purge.leftovers(db, secret).values())


def test_a_trace_can_be_deleted_once(db: Database) -> None:
    one = a_trace()
    traces.keep(db, [one])
    traces.delete(db, one.id)
    assert page(db) == []
    with pytest.raises(NotFound):
        traces.delete(db, one.id)
