from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import lab, spaces
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.domain.filters import Filters
from memoryapp.domain.golden import MEASURES
from memoryapp.domain.memory import Kind
from memoryapp.domain.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank
from memoryapp.lab import add_golden, evaluate, golden_of, save_profile
from memoryapp.lab.evaluate import measure_ranks
from memoryapp.lab.regress import is_outdated
from memoryapp.review import delete
from memoryapp.search import settle
from memoryapp.spaces import Space
from memoryapp.store import golden, usage
from tests.lab.birds import birds
from tests.samples import PERSON, a_memory, written

KEYS = st.lists(st.sampled_from("abcdefghij"), unique=True)


class Watching:
    """Asks to stop after so many looks."""

    def __init__(self, *, stop_after: int = 10_000) -> None:
        self.at, self.left, self.said = [(0, 0)], stop_after, list[str]()

    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None:
        self.at.append((done, total))

    def say(self, message: str) -> None:
        self.said.append(message)

    def cancelled(self) -> bool:
        self.left -= 1
        return self.left < 0


@given(KEYS, st.sets(st.sampled_from("abcdefghij"), min_size=1), st.integers(1, 12))
def test_the_ranks_alone_measure_what_the_whole_ranking_does(ranked: list[str], relevant: set[str], k: int) -> None:
    ranks: Mapping[str, int | None] = {key: ranked.index(key) + 1 if key in ranked else None for key in relevant}
    assert measure_ranks(ranks, k) == {
        "recall": recall_at(ranked, relevant, k),
        "mrr": reciprocal_rank(ranked, relevant),
        "ndcg": ndcg_at(ranked, relevant, k),
        "precision": precision_at(ranked, relevant, k),
    }


def test_every_golden_query_is_asked_by_every_plan_and_each_run_is_kept(space: Space) -> None:
    made = birds(space, golden=4)
    save_profile(space, "words", "hybrid;vector=0", actor=PERSON)
    runs = evaluate(space, ["keyword", "words", "rrf;k=5", "keyword"], k=5, actor=PERSON)
    assert [run.plan for run in runs] == ["keyword", "words", "rrf;k=5"]
    for run in runs:
        assert golden.run(space.db, run.id) == run
        assert (run.k, run.by, len(run.outcomes)) == (5, "mara", 4)
    by_word = runs[0]
    assert by_word.measures == {"recall": 1, "mrr": 1, "ndcg": 1, "precision": 0.2}
    assert [one.ranks for one in by_word.outcomes] == [{memory.id: 1} for memory in made[:4]]
    assert runs[2].conditions["strategy"] == {
        "weights": {"vector": 1.0, "keyword": 1.0, "graph": 0.5}, "k": 5, "factors": ["feedback"],
    }  # fmt: skip


def test_measures_add_up_by_hand(space: Space) -> None:
    """Three herons in the order of their length; what is meant stands 1st and 3rd, and something that cannot be found
    by that word."""
    short, middle, long = written(
        space.db,
        a_memory("heron"),
        a_memory("heron and one more word"),
        a_memory("heron and one more word and yet another one besides"),
    )
    (dodo,) = written(space.db, a_memory("dodo"))
    add_golden(space, "heron", [short.id, long.id, dodo.id], actor=PERSON)
    (run,) = evaluate(space, ["keyword"], k=2, actor=PERSON)
    (one,) = run.outcomes
    assert one.ranks == {short.id: 1, long.id: 3, dodo.id: None}  # looked at beyond k
    assert one.measures == pytest.approx(
        {"recall": 1 / 3, "mrr": 1, "ndcg": 1 / (1 + 1 / math.log2(3)), "precision": 1 / 2}
    )
    assert run.measures == one.measures
    assert middle.id not in one.ranks


def test_means_are_over_the_queries(space: Space) -> None:
    birds(space, golden=3)
    add_golden(space, "nothing that anybody wrote", ["bird-coot"], actor=PERSON)
    (run,) = evaluate(space, ["keyword"], k=10, actor=PERSON)
    assert run.measures["recall"] == run.measures["mrr"] == 0.75
    for name in MEASURES:
        assert run.measures[name] == pytest.approx(sum(one.measures[name] for one in run.outcomes) / 4)


def test_what_is_gone_does_not_count_and_a_query_with_nothing_left_is_left_out(space: Space) -> None:
    heron, bittern, *_ = birds(space, golden=2)
    add_golden(space, "where is the heron", [bittern.id], actor=PERSON)
    delete(space, [bittern.id], actor=PERSON)
    (run,) = evaluate(space, ["keyword"], actor=PERSON)
    (one,) = run.outcomes
    assert one.ranks == {heron.id: 1} and one.measures["recall"] == 1
    assert run.conditions["left_out"] == [golden_of(space)[1].golden.id]
    delete(space, [heron.id], actor=PERSON)
    with pytest.raises(BadInput, match="deleted or purged"):
        evaluate(space, ["keyword"], actor=PERSON)


def test_each_is_asked_with_its_own_filters(space: Space) -> None:
    heron, *_ = birds(space)
    (fact,) = written(space.db, a_memory("A heron eats fish.", kind=Kind.FACT))
    add_golden(space, "heron", [heron.id, fact.id], Filters(kinds=(Kind.FACT,)), actor=PERSON)
    (run,) = evaluate(space, ["keyword"], actor=PERSON)
    assert run.outcomes[0].ranks == {heron.id: None, fact.id: 1}


def test_no_access_is_counted(space: Space) -> None:
    birds(space, golden=3)
    evaluate(space, ["hybrid"], actor=PERSON)
    settle()
    assert not tuple(usage.scan(space.db))


def test_a_parents_memories_are_found_and_counted(space: Space) -> None:
    heron, *_ = birds(space)
    below = spaces.open_space("below", parent=space)
    written(below.db, a_memory("Nothing of the sort."))
    add_golden(below, "where is the heron", [heron.id], actor=PERSON)
    (run,) = evaluate(below, ["keyword"], actor=PERSON)
    assert run.outcomes[0].ranks == {heron.id: 1} and run.conditions["memories"] == 11


def test_without_golden_queries_it_says_how_to_make_one(space: Space) -> None:
    with pytest.raises(BadInput, match="save it as a golden query"):
        evaluate(space, ["hybrid"], actor=PERSON)


@pytest.mark.parametrize(
    ("plans", "k", "field"),
    [
        ([], 10, "/strategies"),
        (["hybrid"] * 11, 10, "/strategies"),
        (["hybrid", "hybris"], 10, "/strategies/1"),
        (["hybrid"], 0, "/k"),
        (["hybrid"], 101, "/k"),
        (["hybrid"], True, "/k"),
    ],
)
def test_what_cannot_be_run_is_refused(space: Space, plans: list[str], k: int, field: str) -> None:
    birds(space, golden=1)
    with pytest.raises(BadInput) as refused:
        evaluate(space, plans, k=k, actor=PERSON)
    assert refused.value.field == field and golden.runs(space.db) == ()


def test_it_tells_how_far_it_is_and_stops_between_two_queries(space: Space) -> None:
    birds(space, golden=3)
    watching = Watching()
    evaluate(space, ["keyword", "vector"], actor=PERSON, progress=watching)
    assert watching.at[-1] == (6, 6) and "asking by vector" in watching.said
    stopped = Watching(stop_after=4)
    with pytest.raises(Cancelled):
        evaluate(space, ["keyword", "vector"], actor=PERSON, progress=stopped)
    assert stopped.at[-1] == (4, 6)
    assert len(golden.runs(space.db)) == 2  # of the first time alone


def test_the_conditions_tell_what_the_figures_stand_under(space: Space) -> None:
    birds(space, golden=1)
    written(space.db, a_memory("A digest", kind=Kind.DIGEST))
    add_golden(space, "백로는 어디 있나", ["bird-heron"], actor=PERSON)
    (run,) = evaluate(space, ["hybrid;date_weight=0"], actor=PERSON)
    told = run.conditions
    assert (told["encoder"], told["memories"], told["digests"]) == ("hashing", 11, 1)
    assert told["numbers"]["date_weight"] == 0 and told["numbers"]["bm25_b"] == space.tuning.bm25_b
    assert set(told) == {"encoder", "memories", "digests", "numbers", "strategy", "left_out", "notes"}


def test_a_run_is_outdated_once_what_somebody_set_is_another(space: Space) -> None:
    birds(space, golden=1)
    evaluate(space, ["hybrid"], actor=PERSON)
    (run,) = golden.runs(space.db)  # as it was kept
    assert not is_outdated(space, run)
    written(space.db, a_memory("One more memory"))
    assert not is_outdated(space, run)
    written(space.db, a_memory("A digest", kind=Kind.DIGEST))
    assert is_outdated(space, run)
    assert lab.is_outdated is is_outdated
