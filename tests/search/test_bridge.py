from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind
from memoryapp.domain.results import Query
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.search import explain, search
from memoryapp.search.fusion import NO_WALK
from memoryapp.search.query import LOADING
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

FIRST = memory("Jump for Glory is a drama directed by Raoul Walsh, with Valerie Hobson.")
SECOND = memory("Betrayed was written by Raoul Walsh, with Miriam Cooper, whom he had married.")
CROWD = [memory(f"Person{n} is the spouse of the director of the Club of Town{n}.") for n in range(40)]
QUESTION = "Who is the spouse of the director of Jump for Glory?"


def test_the_second_half_of_the_answer_comes_right_after_the_first(space: Space) -> None:
    write(space, FIRST, SECOND, *CROWD)
    hits = search(space, Query(QUESTION, strategy="bridge", top_k=5)).hits
    assert [hit.memory.id for hit in hits[:2]] == [FIRST.id, SECOND.id]
    assert "raoul walsh" in {entity["name"] for entity in hits[1].evidence["entities"]}
    assert {"jump", "glory"} <= {entity["name"] for entity in hits[0].evidence["entities"]}
    by_words = search(space, Query(QUESTION, strategy="keyword", top_k=5)).hits
    assert SECOND.id not in {hit.memory.id for hit in by_words}


def test_the_share_is_that_of_the_rank_by_mass_and_all_others_stand_below(space: Space) -> None:
    write(space, FIRST, SECOND, *CROWD)
    hits = search(space, Query(QUESTION, strategy="bridge", top_k=40)).hits
    walked = [hit for hit in hits if hit.arms["graph"].rank is not None]
    for rank, hit in enumerate(walked, 1):
        assert hit.arms["graph"].share == pytest.approx(4 / (3 + hit.arms["graph"].rank), rel=1e-9)
        assert hit.arms["graph"].rank == rank
    assert hits[: len(walked)] == tuple(walked)
    assert all(hit.score < walked[-1].score for hit in hits[len(walked) :])


def test_where_no_walk_begins_words_and_meaning_rank_and_it_is_said(space: Space) -> None:
    notes = [memory(f"the queue of worker {n} is full") for n in range(30)]
    write(space, *notes)
    answer = search(space, Query("is the queue full", strategy="bridge"))
    assert answer.notes == (NO_WALK,)
    hybrid = search(space, Query("is the queue full"))
    assert [hit.memory.id for hit in answer.hits] == [hit.memory.id for hit in hybrid.hits]
    assert search(space, Query("is the queue full", strategy="bridge")).cached


def test_without_the_model_words_answer(space: Space) -> None:
    write(space, FIRST, SECOND)
    loading = replace(space, encoder=EncoderSlot("hashing-384", lambda _: load_encoder("hashing")))
    answer = search(loading, Query("Jump for Glory", strategy="bridge"))
    assert answer.notes == (LOADING,)
    assert [hit.memory.id for hit in answer.hits] == [FIRST.id]


def test_filters_bind_both_walks_and_explain_knows_the_rank(space: Space) -> None:
    fact = memory("Raoul Walsh married Miriam Cooper.", kind=Kind.FACT)
    write(space, FIRST, SECOND, fact, *CROWD)
    only = Filters(kinds=(Kind.NOTE,))
    query = Query(QUESTION, strategy="bridge", filters=only, top_k=50)
    answer = search(space, query)
    assert {hit.memory.kind for hit in answer.hits} == {Kind.NOTE}
    told = explain(space, query, SECOND.id)
    assert (told.stage, told.rank, told.score) == ("found", 2, answer.hits[1].score)
    assert explain(space, query, fact.id).stage == "filter"
