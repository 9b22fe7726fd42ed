"""A BERT's forward pass, from token ids to vectors, by torch.

Three things make it some three times as fast as the general library on a CPU: the weights are laid out once for
oneDNN (on AMD, MKL's fp32 product is slow), products run in bf16 where the CPU has it, and q, k, v are one product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

Linear = Callable[["Tensor"], "Tensor"]
MakeLinear = Callable[["Tensor", "Tensor", bool], Linear]  # (weight, bias, gelu after it?)


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers of a BERT's config.json that its forward pass needs."""

    layers: int
    heads: int
    width: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Layer:
    qkv: Linear
    attended: Linear
    up: Linear
    down: Linear
    norm_1: tuple[Tensor, Tensor]
    norm_2: tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class Bert:
    shape: Shape
    words: Tensor  # (vocabulary, width)
    places: Tensor  # (positions, width), the one token type added in
    norm: tuple[Tensor, Tensor]
    layers: tuple[Layer, ...]


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Return the tensors of `folder`/model.safetensors. Raises OSError and safetensors' own error."""
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


def build(weights: Mapping[str, Tensor], *, shape: Shape, linear: MakeLinear) -> Bert:
    """Lay the weights out for `embed`. Raises KeyError where they are not those of a BERT."""
    import torch

    def pair(name: str) -> tuple[Tensor, Tensor]:
        return weights[f"{name}.weight"], weights[f"{name}.bias"]

    def layer(at: str) -> Layer:
        parts = [pair(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
        return Layer(
            qkv=linear(torch.cat([weight for weight, _ in parts]), torch.cat([bias for _, bias in parts]), False),
            attended=linear(*pair(f"{at}.attention.output.dense"), False),
            up=linear(*pair(f"{at}.intermediate.dense"), True),
            down=linear(*pair(f"{at}.output.dense"), False),
            norm_1=pair(f"{at}.attention.output.LayerNorm"),
            norm_2=pair(f"{at}.output.LayerNorm"),
        )

    types = weights["embeddings.token_type_embeddings.weight"]
    return Bert(
        shape=shape,
        words=weights["embeddings.word_embeddings.weight"],
        places=weights["embeddings.position_embeddings.weight"] + types[0],
        norm=pair("embeddings.LayerNorm"),
        layers=tuple(layer(f"encoder.layer.{number}") for number in range(shape.layers)),
    )


def embed(bert: Bert, ids: Tensor, lengths: Tensor) -> Tensor:
    """Return unit vectors (texts, width) for `ids` (texts, tokens), padded at the end; `lengths` (texts,) ≥ 1.

    Layer: x ← norm(x + attention(x)); x ← norm(x + down(gelu(up(x)))) (Devlin et al. 2018). The vector is the
    mean over the text's own tokens. Sums and norms stay in fp32; `linear` decides how the products run.
    """
    import torch
    from torch.nn.functional import layer_norm, normalize

    _texts, tokens = ids.shape
    own = torch.arange(tokens)[None, :] < lengths[:, None]  # (texts, tokens): not padding
    x = layer_norm(bert.words[ids] + bert.places[:tokens], (bert.shape.width,), *bert.norm, bert.shape.epsilon)
    x = through(bert, x, own) * own[:, :, None]
    return normalize(x.sum(dim=1), dim=1)  # the length is 1 whatever the sum is divided by


def through(bert: Bert, x: Tensor, own: Tensor) -> Tensor:
    """What the layers make of the embedded tokens `x` (texts, tokens, width); `own` (texts, tokens): not padding."""
    from torch.nn.functional import layer_norm, scaled_dot_product_attention

    texts, tokens, width = x.shape
    shape = bert.shape
    size = (width,)
    mask = None if bool(own.all()) else own[:, None, None, :]
    x = x.view(texts * tokens, width)
    for layer in bert.layers:
        qkv = layer.qkv(x).view(texts, tokens, 3, shape.heads, width // shape.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each (texts, heads, tokens, width of a head)
        heads = scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + layer.attended(heads.transpose(1, 2).reshape(texts * tokens, width))
        x = layer_norm(x, size, *layer.norm_1, shape.epsilon)
        x = layer_norm(x + layer.down(layer.up(x)), size, *layer.norm_2, shape.epsilon)
    return x.view(texts, tokens, width)


def plain_linear(weight: Tensor, bias: Tensor, gelu: bool) -> Linear:
    """fp32 as torch does it everywhere."""
    from torch.nn.functional import gelu as activate
    from torch.nn.functional import linear

    def product(x: Tensor) -> Tensor:
        y = linear(x, weight, bias)
        return activate(y) if gelu else y

    return product


def packed_linear(dtype: Any, *, rows: int) -> MakeLinear:
    """Return a maker of products in `dtype` over weights laid out once for oneDNN, best for `rows` rows at a time.

    The two operators are torch's own compiler's, not public: torch is pinned to one version, and `precision.py`
    compares the result with `plain_linear` before using it. Raises RuntimeError or AttributeError where the build
    or the CPU has none.
    """
    import torch

    operators = torch.ops.mkldnn

    def make(weight: Tensor, bias: Tensor, gelu: bool) -> Linear:
        packed = operators._reorder_linear_weight(weight.to(dtype).contiguous(), rows)
        offset = bias.to(dtype)
        after, how = ("gelu", "none") if gelu else ("none", "")  # "none": the exact gelu, not the tanh one

        def product(x: Tensor) -> Tensor:
            y: Tensor = operators._linear_pointwise(x.to(dtype), packed, offset, after, [], how)
            return y

        return product

    return make
