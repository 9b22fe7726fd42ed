from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning
from memoryapp.domain.plan import NUMBERS, PLAN_NUMBERS, numbers_as_run, read_plan
from memoryapp.domain.results import Answer, Query
from memoryapp.inference.reranking.reranker import Reranker, RerankerSlot, load_reranker, reranker_slot
from memoryapp.search import explain, forget, search
from memoryapp.search.reranker import LOADING, NO_MODEL
from memoryapp.spaces import Space
from tests.inference.test_pairs import tiny
from tests.search.conftest import memory, write

ASKED = "where do deploys run?"
BASEMENT = memory("Deploys run from the basement server.")
ATTIC = memory("Deploys run where the attic server stands.")
TEA = memory("Mina drinks tea while deploys run.")


class Reader(Reranker):
    """Gives 1 to a text that holds the word, .25 to any other; keeps what it was asked."""

    def __init__(self, word: str) -> None:
        self.name, self.word, self.read = "reader", word, list[str]()

    def worth(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += texts
        return np.array([1.0 if self.word in text else 0.25 for text in texts], dtype=np.float32)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    model = Reader("attic")
    slot = RerankerSlot("reader", load=lambda _: model)
    slot.fill()
    monkeypatch.setattr("memoryapp.search.reranker.reranker_slot", lambda: slot)
    return model


def ask(space: Space, strategy: str, **more: int) -> Answer:
    return search(space, Query(ASKED, strategy=strategy, **more))


def test_no_model_is_asked_unless_the_plan_says_so(space: Space, reader: Reader) -> None:
    write(space, BASEMENT, ATTIC)
    assert all("rerank" not in hit.factors for hit in ask(space, "hybrid").hits)
    ask(space, "hybrid;rerank=0")
    assert reader.read == []


@pytest.mark.parametrize("strategy", ["hybrid", "rrf", "keyword", "vector", "bridge"])
def test_what_it_says_is_a_factor_of_every_fusion_and_the_numbers_multiply(
    space: Space, reader: Reader, strategy: str
) -> None:
    write(space, BASEMENT, ATTIC, TEA)
    before = {hit.memory.id: hit for hit in ask(space, strategy).hits}
    hits = ask(space, f"{strategy};rerank=4").hits
    assert next(hit.memory.id for hit in hits) == ATTIC.id and len(hits) == len(before)
    for hit in hits:
        assert hit.factors["rerank"] == (5.0 if hit.memory.id == ATTIC.id else 2.0)
        assert hit.score == sum(arm.share for arm in hit.arms.values()) * math.prod(hit.factors.values())
        assert hit.score == pytest.approx(before[hit.memory.id].score * hit.factors["rerank"])
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_only_the_first_are_read_and_nobody_below_overtakes_them(space: Space, reader: Reader) -> None:
    write(space, BASEMENT, ATTIC, TEA)
    plain = [hit.memory.id for hit in ask(space, "hybrid").hits]
    reader.word = "Deploys" if plain[-1] == TEA.id else "Mina"
    hits = ask(space, "hybrid;rerank=1;rerank_top=2").hits
    assert len(reader.read) == 2
    assert {hit.memory.id for hit in hits[:2]} == set(plain[:2]) and hits[2].factors["rerank"] == 1


def test_an_explanation_tells_it_and_ranks_as_the_search_does(space: Space, reader: Reader) -> None:
    write(space, BASEMENT, ATTIC, TEA)
    plan = "hybrid;rerank=4;rerank_top=2"
    for rank, hit in enumerate(ask(space, plan).hits, start=1):
        why = explain(space, Query(ASKED, strategy=plan), hit.memory.id)
        assert (why.rank, why.score) == (rank, hit.score)
        fusion = next(step for step in why.steps if step.stage == "fusion")
        if hit.factors["rerank"] == 1:
            assert "reader read the first 2 again; this one was not among them." in fusion.told
        else:
            assert "of 1, times 4." in fusion.told and "× rerank" in fusion.told
    late = explain(space, Query(ASKED, strategy=plan, top_k=1), BASEMENT.id)
    assert late.stage == "cut" and all(lift.rank == 1 or lift.change == "top_k" for lift in late.lifts)


def test_without_a_model_the_order_stays_and_a_note_says_so(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_RERANK_MODEL", raising=False)
    write(space, BASEMENT, ATTIC)
    answer = ask(space, "hybrid;rerank=1")
    assert answer.notes == (NO_MODEL,)
    assert [hit.memory.id for hit in answer.hits] == [hit.memory.id for hit in ask(space, "hybrid").hits]


def test_while_it_loads_the_order_stays_and_the_answer_is_not_kept(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = RerankerSlot("reader", load=lambda _: Reader("attic"))
    monkeypatch.setattr("memoryapp.search.reranker.reranker_slot", lambda: slot)
    write(space, BASEMENT, ATTIC)
    assert ask(space, "hybrid;rerank=4").notes == (LOADING,)
    slot.fill()
    answer = ask(space, "hybrid;rerank=4")
    assert not answer.cached and not answer.notes and answer.hits[0].memory.id == ATTIC.id


def test_a_model_by_its_folder_reads_the_results(space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path / "reader", ("answers",))
    monkeypatch.setenv("MEMORY_RERANK_MODEL", str(folder))
    slot = reranker_slot()
    assert slot is not None and slot.wait(60) and slot.error is None
    write(space, BASEMENT, ATTIC)
    hits = ask(space, "hybrid;rerank=1").hits
    said = load_reranker(folder).worth(ASKED, [hit.memory.text for hit in hits])
    assert [hit.factors["rerank"] for hit in hits] == pytest.approx((1 + said).tolist(), abs=1e-6)
    forget(space.name)


@pytest.mark.parametrize("text", ["hybrid;rerank=2", "rrf;rerank=0.5;rerank_top=20"])
def test_it_is_written_the_way_it_is_read(text: str) -> None:
    assert str(read_plan(text)) == text


@pytest.mark.parametrize("text", ["rerank=11", "rerank=-1", "rerank=/a/model", "rerank_top=0", "rerank_top=101"])
def test_what_it_cannot_do_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="rerank"):
        read_plan(f"hybrid;{text}")


def test_the_numbers_of_a_plan_are_told_as_they_are_run() -> None:
    told = numbers_as_run(Tuning(date_weight=0.1), read_plan("hybrid;rerank=2;speaker_boost=0").numbers)
    assert set(told) == {*NUMBERS, *PLAN_NUMBERS}
    assert (told["rerank"], told["rerank_top"], told["syllables"]) == (2, 50, 0.5)
    assert (told["date_weight"], told["speaker_boost"]) == (0.1, 0)
