"""A reranker by path. The model is a tiny one with random weights, built here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.reranking.pair_cache import PairCache
from memoryapp.inference.reranking.reranker import Reranker, RerankerSlot, load_reranker, reranker_slot
from tests.inference.test_pairs import LABELS, tiny

TEXTS = ["The pump hums at night.", "Mina likes tea.", "\ud800 nobody can read this", ""]


def test_it_loads_and_says_of_each_text_how_well_it_answers(tmp_path: Path) -> None:
    model = load_reranker(tiny(tmp_path / "reader", ("answers",)))
    made = model.worth("what hums?", TEXTS)
    assert model.name == "reader" and made.shape == (len(TEXTS),)
    assert ((made > 0) & (made < 1)).all() and len(set(made.tolist())) > 1
    assert model.worth("what hums?", []).shape == (0,)
    alone = [float(model.worth("what hums?", [text])[0]) for text in TEXTS]
    assert np.allclose(made, alone), "what is said of a text does not hang on the others"


class Counting:
    """Says of each text how long it is; keeps what it read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.read += [text for _, text in pairs]
        return np.array([[len(text)] for _, text in pairs], dtype=np.float32).reshape(len(pairs), 1)


def test_a_pair_is_read_once_and_remembered_without_its_words() -> None:
    scorer = Counting()
    model = Reranker(scorer, name="counting")
    first = model.logits("what hums?", [*TEXTS, TEXTS[0]])
    assert scorer.read == TEXTS
    assert np.array_equal(model.logits("what hums?", TEXTS), first[:-1]) and scorer.read == TEXTS
    model.logits("who likes tea?", TEXTS[:1])
    assert scorer.read == [*TEXTS, TEXTS[0]], "another question is another pair"


def test_only_so_many_pairs_are_kept_and_none_of_their_words() -> None:
    read: list[tuple[str, str]] = []

    def lengths(pairs: Sequence[tuple[str, str]]) -> list[float]:
        read.extend(pairs)
        return [float(len(text)) for _, text in pairs]

    cache = PairCache(most=3)
    pairs = [("pump", "x" * n) for n in range(10)]
    assert cache.scores(pairs, lengths) == list(range(10)) and read == pairs
    assert cache.scores([*pairs[-3:], pairs[-1]], lengths) == [7, 8, 9, 9] and read == pairs
    assert cache.scores(pairs[:1], lengths) == [0] and read == [*pairs, pairs[0]]
    assert "pump" not in repr(vars(cache))


def test_a_folder_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="MEMORY_RERANK_MODEL"):
        load_reranker(tmp_path / "nowhere")


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreadable, match="one label"):
        load_reranker(tiny(tmp_path / "three", LABELS))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnreadable):
        load_reranker(tmp_path / "empty")


def test_without_the_variable_there_is_no_slot_and_with_it_one_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMORY_RERANK_MODEL", raising=False)
    assert reranker_slot() is None
    monkeypatch.setenv("MEMORY_RERANK_MODEL", str(tmp_path / "gone"))
    slot = reranker_slot()
    assert slot is not None and slot is reranker_slot()
    assert slot.wait(30) and slot.ready is None and "no such folder" in (slot.error or "")


def test_a_broken_library_leaves_nobody_waiting(tmp_path: Path) -> None:
    def broken(path: str) -> Reranker:
        raise RuntimeError("out of order")

    slot = RerankerSlot(str(tmp_path), load=broken)
    assert slot.ready is None and slot.error is None and not slot.wait(0)
    slot.fill()
    assert slot.wait(0) and "out of order" in (slot.error or "")
