"""The packaged model with updates of low rank that can learn (Hu et al. 2021, LoRA). In: pairs of texts. Out: a logit
each, and what `encoders/joint` loads.

The model's own weights stay as they are, in bf16; what learns are two thin matrices beside each product, the layers'
norms, the marks of the two texts, and the head: 1.4 million numbers of 22.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

from memoryapp.encoders.bert import read_weights
from memoryapp.encoders.joint import PARTS, SHAPE, ids_of, in_one_row, seen_of
from memoryapp.encoders.minilm import load_tokenizer, packaged_folder

RANK = 32
_INNER = 96  # numbers between the head's two products
_DROPPED = 0.1  # share of the numbers left out at random while learning
_QKV = ("query", "key", "value")
_REST = ("attention.output.dense", "intermediate.dense", "output.dense")
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


class Updated(nn.Module):
    """x·Wᵀ + b + x·Aᵀ·Bᵀ; only A and B learn, and B begins as nothing."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight, self.bias = weight.to(torch.bfloat16), bias.to(torch.bfloat16)
        self.a = nn.Parameter(torch.randn(RANK, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], RANK))

    def forward(self, x: Tensor) -> Tensor:
        x = x.to(torch.bfloat16)
        thin = linear(x, self.a.to(torch.bfloat16))
        return linear(x, self.weight, self.bias) + linear(thin, self.b.to(torch.bfloat16))


class JointNetwork(nn.Module):
    """See `encoders/joint.JointReader`, whose learning half this is."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        folder = packaged_folder()
        held = read_weights(folder)
        self._tokenizer = load_tokenizer(folder)
        self._ids: dict[str, list[int]] = {}
        self._words = held["embeddings.word_embeddings.weight"]
        self._places = held["embeddings.position_embeddings.weight"]
        self._norm = held["embeddings.LayerNorm.weight"], held["embeddings.LayerNorm.bias"]
        self.types = nn.Parameter(held["embeddings.token_type_embeddings.weight"].clone())
        self.products, self.norms = nn.ModuleList(), nn.ParameterList()
        for layer in range(SHAPE.layers):
            at = f"encoder.layer.{layer}"
            qkv = [
                torch.cat([held[f"{at}.attention.self.{name}.{kind}"] for name in _QKV]) for kind in ("weight", "bias")
            ]
            rest = [(held[f"{at}.{name}.weight"], held[f"{at}.{name}.bias"]) for name in _REST]
            self.products.append(nn.ModuleList([Updated(*qkv), *(Updated(*pair) for pair in rest)]))
            self.norms.extend(
                nn.Parameter(held[f"{at}.{name}.{kind}"].clone()) for name in _NORMS for kind in ("weight", "bias")
            )
        self.inner, self.outer = nn.Linear(5 * SHAPE.width, _INNER), nn.Linear(_INNER, 1)

    def forward(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """A logit a pair, (pairs,), of this order of the two."""
        ids, types, own = in_one_row([(self._read(one), self._read(other)) for one, other in pairs])
        count, tokens = ids.shape
        size = (SHAPE.width,)
        x = self._words[ids] + self._places[:tokens] + self.types[types]
        x = self._thinned(layer_norm(x, size, *self._norm, SHAPE.epsilon))
        for layer, products in enumerate(self.products):
            qkv, attended, up, down = products  # type: ignore[misc]
            norms: Any = [self.norms[4 * layer + n] for n in range(4)]
            q, k, v = qkv(x).view(count, tokens, 3, SHAPE.heads, -1).permute(2, 0, 3, 1, 4)
            heads = scaled_dot_product_attention(q, k, v, attn_mask=own[:, None, None, :])
            heads = heads.transpose(1, 2).reshape(count, tokens, SHAPE.width)
            x = layer_norm(x + self._thinned(attended(heads)).float(), size, *norms[:2], SHAPE.epsilon)
            x = layer_norm(x + self._thinned(down(gelu(up(x)))).float(), size, *norms[2:], SHAPE.epsilon)
        seen = self._thinned(seen_of(x, types, own))
        logits: Tensor = self.outer(torch.tanh(self.inner(seen)))[:, 0]
        return logits

    def groups(self, rate: float) -> list[dict[str, Any]]:
        """The numbers that learn, and how fast: norms and marks slower than what begins as nothing."""
        updates = [
            number for name, number in self.named_parameters() if name.startswith(("products", "inner", "outer"))
        ]
        return [{"params": updates, "lr": rate}, {"params": [self.types, *self.norms], "lr": 0.3 * rate}]

    def learned(self) -> dict[str, Tensor]:
        """In half precision, by the names that `encoders/joint` reads."""
        made = {"types": self.types}
        for layer, products in enumerate(self.products):
            for part, product in zip(PARTS, products, strict=True):  # type: ignore[call-overload]
                made |= {f"layer.{layer}.{part}.a": product.a, f"layer.{layer}.{part}.b": product.b}
            names = [f"norm_{n}.{kind}" for n in (1, 2) for kind in ("weight", "bias")]
            for n, name in enumerate(names):
                made[f"layer.{layer}.{name}"] = self.norms[4 * layer + n]
        for name, product in (("inner", self.inner), ("outer", self.outer)):
            made |= {f"head.{name}.weight": product.weight, f"head.{name}.bias": product.bias}
        return {name: number.detach().half().contiguous() for name, number in made.items()}

    def length(self, one: str, other: str) -> int:
        """Tokens of both."""
        return len(self._read(one)) + len(self._read(other))

    def _read(self, text: str) -> list[int]:
        if text not in self._ids:
            self._ids[text] = ids_of(self._tokenizer, text)
        return self._ids[text]

    def _thinned(self, x: Tensor) -> Tensor:
        return torch.dropout(x, _DROPPED, self.training)
