"""A BERT's forward pass, from token ids to vectors in fp32, by numpy, for where torch is not installed.

It is `bert.py` over again, and gives its numbers to the fifth digit. A product is numpy's own, so its BLAS does the
work; everything between two products is done in place, since what it costs is the way to memory and back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memoryapp.inference.embedding.bert import Shape

Array = NDArray[np.float32]
Pair = tuple[Array, Array]  # weight (out, in) and bias (out,)

_HALF, _ROOT_HALF = np.float32(0.5), np.float32(sqrt(0.5))
# The complementary error function, Abramowitz and Stegun 7.1.26: right to 1.5e-7, about what fp32 can tell apart.
_SLOPE = np.float32(0.3275911)
_SERIES = [np.float32(c) for c in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
_ROWS_AT_ONCE = 64  # of a gelu: its dozen steps then stay within the cache


@dataclass(frozen=True, slots=True)
class Layer:
    qkv: Pair
    attended: Pair
    up: Pair
    down: Pair
    norm_1: Pair
    norm_2: Pair


@dataclass(frozen=True, slots=True)
class Bert:
    shape: Shape
    words: Array  # (vocabulary, width)
    places: Array  # (positions, width), the first token type added in
    norm: Pair
    layers: tuple[Layer, ...]


def read_weights(file: Path) -> dict[str, Array]:
    """Return the tensors of a .safetensors file as fp32. Raises OSError and safetensors' own error."""
    from safetensors.numpy import load_file

    return {
        name: np.asarray(part, dtype=np.float32) for name, part in load_file(file).items() if part.dtype.kind == "f"
    }


def build(weights: Mapping[str, Array], *, shape: Shape) -> Bert:
    """Lay the weights out for `embed`. Raises KeyError where they are not those of a BERT."""

    def pair(name: str) -> Pair:
        return weights[f"{name}.weight"], weights[f"{name}.bias"]

    def layer(at: str) -> Layer:
        parts = [pair(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
        return Layer(
            qkv=(np.concatenate([weight for weight, _ in parts]), np.concatenate([bias for _, bias in parts])),
            attended=pair(f"{at}.attention.output.dense"),
            up=pair(f"{at}.intermediate.dense"),
            down=pair(f"{at}.output.dense"),
            norm_1=pair(f"{at}.attention.output.LayerNorm"),
            norm_2=pair(f"{at}.output.LayerNorm"),
        )

    return Bert(
        shape=shape,
        words=weights["embeddings.word_embeddings.weight"],
        places=weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0],
        norm=pair("embeddings.LayerNorm"),
        layers=tuple(layer(f"encoder.layer.{number}") for number in range(shape.layers)),
    )


def embed(bert: Bert, ids: NDArray[np.int64], lengths: NDArray[np.int64]) -> Array:
    """Return unit vectors (texts, width) for `ids` (texts, tokens), padded at the end; `lengths` (texts,) ≥ 1. The
    vector is the mean over the text's own tokens."""
    own = np.arange(ids.shape[1])[None, :] < lengths[:, None]  # (texts, tokens): not padding
    x = through(bert, bert.words[ids] + bert.places[: ids.shape[1]], own)
    x *= own[:, :, None]
    total = x.sum(axis=1)
    vectors: Array = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.float32(1e-12))
    return vectors


def through(bert: Bert, embedded: Array, own: NDArray[np.bool_]) -> Array:
    """What the first norm and the layers make of `embedded` (texts, tokens, width), which is overwritten; `own`
    (texts, tokens): not padding. Returns (texts, tokens, width)."""
    texts, tokens, width = embedded.shape
    heads = bert.shape.heads
    x = embedded.reshape(texts * tokens, width)
    _norm(x, bert.norm, bert.shape.epsilon)
    hidden = None if own.all() else np.where(own, np.float32(0), np.float32(-np.inf))[:, None, None, :]
    scale = np.float32(1 / sqrt(width // heads))
    for layer in bert.layers:
        parts = linear(x, layer.qkv).reshape(texts, tokens, 3, heads, width // heads)
        q, k, v = parts.transpose(2, 0, 3, 1, 4)  # each (texts, heads, tokens, width of a head)
        q *= scale
        seen = q @ k.swapaxes(-1, -2)  # (texts, heads, tokens, tokens)
        if hidden is not None:
            seen += hidden
        _softmax(seen)
        heard = (seen @ v).transpose(0, 2, 1, 3).reshape(texts * tokens, width)
        x += linear(heard, layer.attended)
        _norm(x, layer.norm_1, bert.shape.epsilon)
        wide = linear(x, layer.up)
        gelu(wide)
        x += linear(wide, layer.down)
        _norm(x, layer.norm_2, bert.shape.epsilon)
    return x.reshape(texts, tokens, width)


def linear(x: Array, pair: Pair) -> Array:
    """x·Wᵀ + b of rows `x` (rows, in): (rows, out)."""
    y: Array = x @ pair[0].T
    y += pair[1]
    return y


def gelu(x: Array) -> None:
    """x·Φ(x) in place, of rows (rows, width): Φ by the error function, as BERT was trained, not by its tanh."""
    for at in range(0, len(x), _ROWS_AT_ONCE):
        part = x[at : at + _ROWS_AT_ONCE]
        size = np.abs(part)
        z = size * _ROOT_HALF
        t = z * _SLOPE
        t += 1
        np.reciprocal(t, out=t)
        tail = t * _SERIES[0]
        for c in _SERIES[1:]:
            tail += c
            tail *= t
        np.multiply(z, z, out=z)
        np.negative(z, out=z)
        np.exp(z, out=z)
        tail *= z  # 1 - erf(|x| / √2)
        tail *= size
        tail *= _HALF
        np.maximum(part, 0, out=part)
        part -= tail  # max(x, 0) - |x|·(1 - Φ(|x|)), which is x·Φ(x) on either side of 0


def _softmax(x: Array) -> None:
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)


def _norm(x: Array, pair: Pair, epsilon: float) -> None:
    """Layer normalisation of rows (rows, width), in place."""
    x -= x.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", x, x)[:, None]
    spread /= x.shape[1]
    spread += np.float32(epsilon)
    np.sqrt(spread, out=spread)
    x /= spread
    x *= pair[0]
    x += pair[1]
