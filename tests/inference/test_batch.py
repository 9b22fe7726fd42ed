"""Encoding many texts, some of which fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.errors import Cancelled, ModelMissing
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.inference.embedding.hashing import HashingEncoder


class Fragile(HashingEncoder):
    """The hashing encoder at its border: `check` sees each batch and may raise; `spoil` may change its vectors."""

    def __init__(
        self,
        check: Callable[[Sequence[str]], None] = lambda texts: None,
        spoil: Callable[[Sequence[str], Vectors], Vectors] = lambda texts, vectors: vectors,
    ) -> None:
        super().__init__(64)
        self.check, self.spoil = check, spoil
        self.sizes: list[int] = []

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        self.sizes.append(len(texts))
        self.check(texts)
        return self.spoil(texts, super().encode_documents(texts))


def _refusing(bad: set[str], error: Exception) -> Fragile:
    def check(texts: Sequence[str]) -> None:
        if bad & set(texts):
            raise error

    return Fragile(check)


def _spoiling(bad: str, value: float) -> Fragile:
    def spoil(texts: Sequence[str], vectors: Vectors) -> Vectors:
        vectors[[text == bad for text in texts]] = value
        return vectors

    return Fragile(spoil=spoil)


TEXTS = [f"text number {number} " * (number % 7 + 1) for number in range(150)]


def test_vectors_come_back_in_the_order_of_the_texts() -> None:
    encoder = Fragile()
    encoded = encode_in_batches(encoder, TEXTS, batch_size=32)
    assert np.array_equal(encoded.vectors, HashingEncoder(64).encode_documents(TEXTS))
    assert encoded.failed == ()
    assert encoder.sizes == [32, 32, 32, 32, 22]


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("out of memory"), TypeError("bad\nmore"), OSError()])
def test_a_text_that_fails_alone_is_reported_and_the_rest_go_on(error: Exception) -> None:
    encoded = encode_in_batches(_refusing({TEXTS[3], TEXTS[97]}, error), TEXTS)
    assert [row for row, _ in encoded.failed] == [3, 97]
    assert all(reason.startswith(type(error).__name__) and "\n" not in reason for _, reason in encoded.failed)
    assert np.isnan(encoded.vectors[[3, 97]]).all()
    good = [row for row in range(len(TEXTS)) if row not in (3, 97)]
    assert np.array_equal(encoded.vectors[good], HashingEncoder(64).encode_documents(TEXTS)[good])


def test_a_batch_too_large_for_memory_is_halved_until_it_fits() -> None:
    def check(texts: Sequence[str]) -> None:
        if len(texts) > 10:
            raise RuntimeError("CUDA out of memory")

    encoder = Fragile(check)
    encoded = encode_in_batches(encoder, TEXTS[:64], batch_size=64)
    assert encoded.failed == ()
    assert not np.isnan(encoded.vectors).any()
    assert encoder.sizes == [64, 32, 16, 8, 8, 16, 8, 8, 32, 16, 8, 8, 16, 8, 8]


def test_one_bad_text_among_64_costs_a_dozen_calls_not_64() -> None:
    encoder = _refusing({TEXTS[40]}, ValueError("no"))
    encode_in_batches(encoder, TEXTS[:64])
    assert len(encoder.sizes) == 13


@pytest.mark.parametrize(("value", "said"), [(0.0, "zeros"), (float("nan"), "not a number"), (float("inf"), "not a")])
def test_a_vector_that_cannot_be_compared_is_refused(value: float, said: str) -> None:
    encoded = encode_in_batches(_spoiling("b", value), ["a", "b", "c"])
    assert [row for row, _ in encoded.failed] == [1]
    assert said in encoded.failed[0][1]
    assert np.isnan(encoded.vectors[1]).all()
    assert np.isfinite(encoded.vectors[[0, 2]]).all()


def test_an_encoder_that_loses_a_row_is_not_believed() -> None:
    encoded = encode_in_batches(Fragile(spoil=lambda texts, vectors: vectors[1:]), ["a", "b"])
    assert [row for row, _ in encoded.failed] == [0, 1]
    assert "shape (0, 64)" in encoded.failed[0][1]


def test_progress_counts_the_texts_that_are_done() -> None:
    seen: list[int] = []
    encode_in_batches(_refusing({TEXTS[0]}, ValueError()), TEXTS, batch_size=64, on_progress=seen.append)
    assert seen == [64, 128, 150]


def test_a_cancelled_job_stops_between_batches() -> None:
    encoder = Fragile()

    def stop(done: int) -> None:
        raise Cancelled("The person asked the job to stop.")

    with pytest.raises(Cancelled):
        encode_in_batches(encoder, TEXTS, batch_size=10, on_progress=stop)
    assert encoder.sizes == [10]


def test_an_encoder_that_is_gone_stops_everything_at_once() -> None:
    encoder = _refusing(set(TEXTS), ModelMissing("The embedding server does not answer."))
    with pytest.raises(ModelMissing):
        encode_in_batches(encoder, TEXTS)
    assert len(encoder.sizes) == 1


def test_no_texts_need_no_encoder() -> None:
    encoder = Fragile()
    encoded = encode_in_batches(encoder, [])
    assert encoded.vectors.shape == (0, 64)
    assert encoder.sizes == []


@given(st.lists(st.sampled_from("abcdefgh")), st.sets(st.sampled_from("abcdefgh")), st.integers(1, 9))
def test_exactly_the_bad_texts_fail(texts: list[str], bad: set[str], batch_size: int) -> None:
    encoded = encode_in_batches(_refusing(bad, ValueError("no")), texts, batch_size=batch_size)
    wanted = [row for row, text in enumerate(texts) if text in bad]
    assert [row for row, _ in encoded.failed] == wanted
    assert np.flatnonzero(np.isnan(encoded.vectors).any(axis=1)).tolist() == wanted
