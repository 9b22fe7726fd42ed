from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.golden import GoldenRun, Outcome
from memoryapp.lab import add_golden, change_since, changes_of, delete_golden, evaluate, golden_of, latest
from memoryapp.lab.evaluate import means, measure_ranks
from memoryapp.review import delete
from memoryapp.spaces import Space
from memoryapp.store import golden
from tests.lab.birds import birds
from tests.samples import NOON, PERSON, a_memory, written

CONDITIONS: dict[str, Any] = {
    "encoder": "MiniLM",
    "memories": 20,
    "digests": 0,
    "numbers": {"date_weight": 0.6, "seeds": 8},
    "strategy": {"weights": {"vector": 1.1, "keyword": 1.0}, "k": 60, "factors": ["feedback"]},
    "left_out": [],
    "notes": {},
}


def a_run(ranks: dict[str, dict[str, int | None]], *, k: int = 10, plan: str = "hybrid", **told: Any) -> GoldenRun:
    """`ranks` by golden query."""
    outcomes = tuple(Outcome(key, f"Q{key}", each, measure_ranks(each, k)) for key, each in ranks.items())
    measures = means([one.measures for one in outcomes])
    return GoldenRun("now", NOON, "mara", plan, k, measures, outcomes, CONDITIONS | told)


BEFORE = a_run({"a": {"x": 1}, "b": {"y": 2, "z": 12}, "c": {"w": None}})


def test_two_runs_alike_differ_in_nothing() -> None:
    change = changes_of(BEFORE, BEFORE)
    assert (change.shared, change.k, change.conditions, change.worse) == (3, 10, (), False)
    assert change.worse_queries == change.better_queries == ()
    assert set(change.deltas.values()) == {0.0}


def test_queries_that_moved_are_told_with_their_ranks_before_and_after() -> None:
    now = a_run({"a": {"x": 4}, "b": {"y": 2, "z": 3}, "c": {"w": 1}})
    change = changes_of(now, BEFORE)
    assert [(one.golden, one.before, one.after) for one in change.worse_queries] == [("a", 1, 4)]
    assert [(one.golden, one.query) for one in change.better_queries] == [("c", "Qc"), ("b", "Qb")]
    assert change.better_queries[1].ranks == {"y": (2, 2), "z": (12, 3)}
    assert (change.better_queries[0].before, change.better_queries[0].after) == (None, 1)
    assert change.deltas["mrr"] == pytest.approx((0.25 + 0.5 + 1) / 3 - (1 + 0.5) / 3)
    assert change.deltas["recall"] == pytest.approx((1 + 1 + 1) / 3 - (1 + 0.5 + 0) / 3)


def test_a_fall_behind_the_places_that_count_is_told_by_the_first_place() -> None:
    change = changes_of(a_run({"c": {"w": 15}}), a_run({"c": {"w": 12}}))
    assert [(one.before, one.after) for one in change.worse_queries] == [(12, 15)]
    assert change.deltas["recall"] == change.deltas["ndcg"] == 0 and not change.worse


@pytest.mark.parametrize(("lost", "worse"), [(0, False), (1, False), (2, True)])
def test_a_run_is_worse_where_a_measure_fell_by_two_hundredths(lost: int, worse: bool) -> None:
    """One of a hundred queries lost is .01 of recall, two are .02: exactly the limit."""
    before = a_run({f"{n}": {"x": 1} for n in range(100)})
    now = a_run({f"{n}": {"x": None if n < lost else 1} for n in range(100)})
    change = changes_of(now, before)
    assert change.worse is worse and change.deltas["recall"] == pytest.approx(-lost / 100)


def test_only_what_both_asked_for_the_same_is_compared() -> None:
    now = a_run({"a": {"x": 1}, "b": {"y": None, "v": None}, "d": {"u": None}})
    change = changes_of(now, BEFORE)
    assert change.shared == 1 and change.deltas["recall"] == 0 and not change.worse
    assert change.conditions == (
        "1 golden query more",
        "1 golden query fewer",
        "1 golden query asks for something else",
    )


def test_runs_that_share_nothing_say_so_and_nothing_else() -> None:
    change = changes_of(a_run({"d": {"u": None}}), a_run({"a": {"x": 1}}))
    assert (change.shared, change.deltas, change.worse) == (0, {}, False)


def test_runs_at_different_k_are_compared_at_the_smaller_one() -> None:
    few, many = a_run({"a": {"x": 30}, "b": {"y": 4}}, k=50), a_run({"a": {"x": None}, "b": {"y": 4}}, k=5)
    change = changes_of(few, many)
    assert (change.k, set(change.deltas.values())) == (5, {0.0})
    assert change.better_queries == ()  # the earlier one did not look as far as the 30th place
    assert change.conditions == ("places that count 5 → 50",)


def test_what_had_changed_is_told_in_words() -> None:
    strategy = {"weights": {"vector": 1.4, "graph": 1.25}, "k": 30, "factors": ["trust", "feedback"]}
    now = replace(
        a_run(
            {"a": {"x": 1}},
            plan="careful",
            encoder="mpnet",
            memories=1_400,
            digests=1,
            numbers={"date_weight": 0, "seeds": 8},
            strategy=strategy,
            notes={"Answered by words alone.": 2},
        )
    )
    told = changes_of(now, a_run({"a": {"x": 1}})).conditions
    assert told == (
        "plan hybrid → careful",
        "model MiniLM → mpnet",
        "vector 1.1 → 1.4",
        "keyword 1 → none",
        "graph none → 1.25",
        "k 60 → 30",
        "factors feedback → trust+feedback",
        "date_weight 0.6 → 0",
        "1 more digest",
        "1,380 more memories",
        "“Answered by words alone.” 2 times, before 0",
    )
    back = changes_of(a_run({"a": {"x": 1}}, encoder="", memories=1), now).conditions
    assert "model mpnet → none" in back and "1,399 fewer memories" in back and "1 fewer digest" in back


RANKS = st.none() | st.integers(1, 20)


@given(st.lists(st.tuples(RANKS, RANKS), min_size=1, max_size=8))
def test_what_got_worse_one_way_got_better_the_other(moves: list[tuple[int | None, int | None]]) -> None:
    before = a_run({f"{n}": {"x": was} for n, (was, _) in enumerate(moves)})
    after = a_run({f"{n}": {"x": now} for n, (_, now) in enumerate(moves)})
    there, back = changes_of(after, before), changes_of(before, after)
    assert [one.golden for one in there.worse_queries] == [one.golden for one in back.better_queries]
    assert {name: -delta for name, delta in there.deltas.items()} == pytest.approx(dict(back.deltas))
    fell = {f"{n}" for n, (was, now) in enumerate(moves) if (now or 99) > (was or 99)}
    assert {one.golden for one in there.worse_queries} == fell


def test_of_every_plan_the_last_run_is_told_with_what_changed(space: Space) -> None:
    made = birds(space, golden=3)
    evaluate(space, ["keyword", "hybrid"], actor=PERSON)
    assert [(one.run.plan, one.change) for one in latest(space)] == [("hybrid", None), ("keyword", None)]
    # Whatever says “heron” more often stands before what was meant.
    written(space.db, *(a_memory("heron heron heron") for _ in range(30)))
    (run,) = evaluate(space, ["keyword"], actor=PERSON)
    first, second = latest(space)
    assert (first.run, first.worse, second.run.plan, second.worse) == (run, True, "hybrid", False)
    assert first.change is not None and first.change.conditions == ("30 more memories",)
    assert [one.golden for one in first.change.worse_queries] == [golden_of(space)[0].golden.id]
    assert first.change.worse_queries[0].ranks == {made[0].id: (1, None)}
    assert change_since(space, run) == first.change


def test_runs_of_another_plan_or_k_are_not_what_was_before(space: Space) -> None:
    birds(space, golden=1)
    (first,) = evaluate(space, ["keyword"], k=5, actor=PERSON)
    evaluate(space, ["keyword"], k=7, actor=PERSON)
    evaluate(space, ["vector"], k=5, actor=PERSON)
    (last,) = evaluate(space, ["keyword"], k=5, actor=PERSON)
    change = change_since(space, last)
    assert change is not None and change.before == first.id
    assert change_since(space, first) is None


def test_deleting_what_is_relevant_or_the_query_makes_no_run_worse(space: Space) -> None:
    heron, bittern, *_ = birds(space, golden=2)
    add_golden(space, "where is the heron", [bittern.id], actor=PERSON)
    evaluate(space, ["keyword"], k=1, actor=PERSON)
    delete(space, [heron.id], actor=PERSON)
    delete_golden(space, golden_of(space)[1].golden.id)
    evaluate(space, ["keyword"], k=1, actor=PERSON)
    (one,) = latest(space)
    assert one.change is not None and not one.worse and one.change.shared == 0
    assert one.run.measures["recall"] == 0


def test_the_moment_of_a_run_orders_them(space: Space) -> None:
    birds(space, golden=1)
    (run,) = evaluate(space, ["keyword"], actor=PERSON)
    golden.keep_run(space.db, replace(run, id="older", at=run.at - timedelta(days=1)))
    before = golden.run_before(space.db, run)
    assert before is not None and before.id == "older" and golden.last_runs(space.db) == (run.id,)
