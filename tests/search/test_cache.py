from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import State
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import HYBRID, Factor
from memoryapp.search import search, settle
from memoryapp.search.cache import AnswerCache
from memoryapp.search.record import record
from memoryapp.spaces import Space
from memoryapp.store.usage import record_feedback
from tests.search.conftest import NOW, change, memory, write

NOTE = memory("We moved the queue to Redis.")
OTHER = memory("The queue runs at night.")


def answer(text: str = "x") -> Answer:
    return Answer(Query(text), (), 1.0, {}, 1, NOW)


def test_the_same_question_is_answered_without_work_for_half_an_hour(space: Space) -> None:
    write(space, NOTE, OTHER)
    first = search(space, Query("queue"))
    again = search(space, Query("  queue "))
    assert not first.cached and again.cached
    assert again.hits == first.hits
    space.clock.now += timedelta(minutes=29)  # type: ignore[attr-defined]
    assert search(space, Query("queue")).cached
    space.clock.now += timedelta(minutes=2)  # type: ignore[attr-defined]
    assert not search(space, Query("queue")).cached


def test_another_strategy_filter_depth_or_tuning_is_another_question(space: Space) -> None:
    write(space, NOTE, OTHER)
    search(space, Query("queue"))
    assert not search(space, Query("queue", strategy="rrf")).cached
    assert not search(space, Query("queue", top_k=3)).cached
    assert not search(space, Query("queue", trace=True)).cached
    assert not search(space, Query("queue", filters=Filters(tags=("x",)))).cached
    assert not search(replace(space, tuning=Tuning(vector_weight=0.2)), Query("queue")).cached
    assert not search(space, Query("queue"), strategy=replace(HYBRID, k=7)).cached


def test_any_write_makes_an_answer_stale_at_once(space: Space) -> None:
    write(space, NOTE)
    assert len(search(space, Query("queue")).hits) == 1
    write(space, OTHER)
    after = search(space, Query("queue"))
    assert not after.cached and len(after.hits) == 2
    change(space, NOTE, state=State.ARCHIVED)
    assert len(search(space, Query("queue")).hits) == 1
    search(space, Query("queue"))
    record_feedback(space.db, used=[OTHER.id], not_useful=[], now=NOW)
    voted = search(space, Query("queue"))
    assert not voted.cached
    assert voted.hits[0].factors["feedback"] > 1


def test_a_counted_access_leaves_the_answers_of_others_alone(space: Space) -> None:
    write(space, NOTE, OTHER)
    search(space, Query("queue"))
    record(space, [NOTE.id], now=NOW)
    settle()
    assert search(space, Query("queue")).cached


def test_where_strength_decides_an_access_makes_the_answer_stale(space: Space) -> None:
    write(space, NOTE, OTHER)
    by_strength = replace(HYBRID, factors=(Factor.STRENGTH,))
    before = search(space, Query("queue"), strategy=by_strength)
    record(space, [NOTE.id, OTHER.id], now=NOW)
    settle()
    after = search(space, Query("queue"), strategy=by_strength)
    assert not after.cached
    assert after.hits[0].factors["strength"] > before.hits[0].factors["strength"]


def test_the_shelf_of_a_space_is_emptied_by_a_new_stamp() -> None:
    kept = AnswerCache()
    kept.keep("a", (1,), "q", answer())
    kept.keep("b", (1,), "q", answer())
    assert kept.find("a", (2,), "q", now=NOW, minutes=30) is None
    assert kept.find("a", (1,), "q", now=NOW, minutes=30) is None
    assert kept.find("b", (1,), "q", now=NOW, minutes=30) is not None


def test_the_shelf_holds_the_answers_last_used_and_no_more() -> None:
    kept = AnswerCache(per_space=2)
    for key in ("one", "two"):
        kept.keep("a", (1,), key, answer(key))
    kept.find("a", (1,), "one", now=NOW, minutes=30)
    kept.keep("a", (1,), "three", answer("three"))
    found = [key for key in ("one", "two", "three") if kept.find("a", (1,), key, now=NOW, minutes=30)]
    assert found == ["one", "three"]
