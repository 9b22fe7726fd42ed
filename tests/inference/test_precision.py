"""Choosing how to compute: the fastest form that gives the same vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from memoryapp.inference.embedding import precision
from memoryapp.inference.embedding.bert import Linear, MakeLinear, Shape, plain_linear, read_weights
from memoryapp.inference.embedding.minilm import packaged_folder

if TYPE_CHECKING:  # every worker imports every file, and one of them comes to need it
    import torch

SHAPE = Shape(layers=6, heads=12, width=384, epsilon=1e-12)


@pytest.fixture(scope="module")
def weights() -> dict[str, torch.Tensor]:
    return read_weights(packaged_folder())


def _offer(monkeypatch: pytest.MonkeyPatch, *forms: tuple[str, Callable[[], MakeLinear]]) -> None:
    def offered() -> Iterator[tuple[str, Callable[[], MakeLinear]]]:
        yield from forms

    monkeypatch.setattr(precision, "_faster_forms", offered)


def _wrong(weight: torch.Tensor, bias: torch.Tensor, gelu: bool) -> Linear:
    return plain_linear(weight.flip(0), bias, gelu)


def _absent() -> MakeLinear:
    raise AttributeError("'_OpNamespace' 'mkldnn' object has no attribute '_linear_pointwise'")


def test_this_cpu_gets_the_form_it_can_do(weights: dict[str, torch.Tensor]) -> None:
    import torch

    _, name = precision.fastest(weights, shape=SHAPE)
    if torch.backends.mkldnn.is_available():
        assert name == ("bf16 packed" if precision.has_bf16() else "fp32 packed")


def test_a_cpu_without_bf16_computes_in_fp32(weights: dict[str, torch.Tensor], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "has_bf16", lambda: False)
    _, name = precision.fastest(weights, shape=SHAPE)
    assert name.startswith("fp32")


def test_a_build_without_the_operators_computes_plainly(
    weights: dict[str, torch.Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    _offer(monkeypatch, ("bf16 packed", _absent))
    assert precision.fastest(weights, shape=SHAPE)[1] == "fp32"


def test_a_form_that_gives_other_vectors_is_passed_over(
    weights: dict[str, torch.Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    _offer(monkeypatch, ("wrong", lambda: _wrong), ("right", lambda: plain_linear))
    assert precision.fastest(weights, shape=SHAPE)[1] == "right"


def test_weights_of_something_else_are_refused() -> None:
    import torch

    with pytest.raises(KeyError):
        precision.fastest({"linear.weight": torch.zeros(3)}, shape=SHAPE)
