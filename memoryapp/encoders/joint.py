"""The packaged model reading two texts together. In: pairs of texts, and a file of learned updates. Out: one number
a pair.

An embedding reads each text alone; here both lie in one row of tokens, so that each word of the one is seen beside
each of the other. The updates are of low rank (Hu et al. 2021): some 3 MB in place of a model of 90. They are added to
the weights when they are loaded, and cost nothing after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelUnreadable
from memoryapp.encoders.bert import Bert, Shape, read_weights, through
from memoryapp.encoders.encoder import readable
from memoryapp.encoders.minilm import load_tokenizer, packaged_folder
from memoryapp.encoders.precision import fastest
from memoryapp.encoders.threads import use_available_cores

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

SHAPE = Shape(layers=6, heads=12, width=384, epsilon=1e-12)
LONGEST = 48  # tokens of either text; what is longer is cut
PARTS = ("qkv", "attended", "up", "down")  # the four products of a layer, as `bert.Layer` names them
_QKV = ("query", "key", "value")
_AFTER = {"attended": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense"}
_NORMS = {"norm_1": "attention.output.LayerNorm", "norm_2": "output.LayerNorm"}
_BATCH = 32  # pairs


@dataclass(frozen=True, slots=True)
class Head:
    """Two products, with tanh between, from what is seen of a pair (5 · width) to one number."""

    inner: tuple[Tensor, Tensor]
    outer: tuple[Tensor, Tensor]


class JointReader:
    """Two texts to one number (a logit), by a model that was taught to. The same for a pair in either order."""

    def __init__(self, bert: Bert, types: Tensor, head: Head, tokenizer: Tokenizer) -> None:
        self._bert = bert
        self._types = types  # (2, width): what marks a token as of the first text, and of the second
        self._head = head
        self._tokenizer = tokenizer

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """One number a pair, (len(pairs),): the mean of both orders."""
        found = np.zeros(len(pairs))
        for at in range(0, len(pairs), _BATCH):
            part = pairs[at : at + _BATCH]
            both = self._read([*part, *((other, one) for one, other in part)])
            found[at : at + len(part)] = both.reshape(2, len(part)).mean(axis=0)
        return found

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        import torch

        ids, types, own = in_one_row([(self._ids(one), self._ids(other)) for one, other in pairs])
        with torch.inference_mode():
            x = self._bert.words[ids] + self._bert.places[: ids.shape[1]] + self._types[types]
            x = torch.nn.functional.layer_norm(x, (SHAPE.width,), *self._bert.norm, SHAPE.epsilon)
            seen = seen_of(through(self._bert, x, own), types, own)
            inner = torch.tanh(torch.nn.functional.linear(seen, *self._head.inner))
            logits = torch.nn.functional.linear(inner, *self._head.outer)[:, 0]
        found: NDArray[np.float64] = logits.double().numpy()
        return found

    def _ids(self, text: str) -> list[int]:
        return ids_of(self._tokenizer, text)


def load_joint(updates: Path, folder: Path | None = None) -> JointReader:
    """The packaged model with the updates in `updates`. Raises ModelMissing, ModelUnreadable."""
    folder = folder or packaged_folder()
    try:
        from safetensors.torch import load_file

        use_available_cores()
        learned = {name: tensor.float() for name, tensor in load_file(updates).items()}
        weights = read_weights(folder)
        bert, _ = fastest(updated(weights, learned), shape=SHAPE)
        first = weights["embeddings.token_type_embeddings.weight"][0]  # which `bert.places` holds already
        head = Head(_pair(learned, "head.inner"), _pair(learned, "head.outer"))
        return JointReader(bert, learned["types"] - first, head, load_tokenizer(folder))
    except Exception as error:  # the readers of three formats each raise errors of their own
        raise ModelUnreadable(f"{updates.name} does not load ({type(error).__name__}: {error}).") from error


def ids_of(tokenizer: Tokenizer, text: str) -> list[int]:
    """With the token that opens a text and the one that closes it."""
    return tokenizer.encode(readable(text).replace("’", "'")).ids[:LONGEST]


def in_one_row(pairs: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, which text a token is of, and whether it is no padding; each (pairs, tokens). The second text's opening
    token is left out: [CLS] one [SEP] other [SEP]."""
    import torch

    lengths = [len(one) + len(other) - 1 for one, other in pairs]
    ids = torch.zeros((len(pairs), max(lengths)), dtype=torch.long)
    types = torch.zeros_like(ids)
    for row, (one, other) in enumerate(pairs):
        ids[row, : lengths[row]] = torch.tensor([*one, *other[1:]])
        types[row, len(one) : lengths[row]] = 1
    own = torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]
    return ids, types, own


def seen_of(x: Tensor, types: Tensor, own: Tensor) -> Tensor:
    """What the head sees of a pair, (pairs, 5 · width): the opening token, the mean of both texts, in what the two
    differ, in what they agree, and the highest of each column. x: (pairs, tokens, width)."""
    import torch

    means = []
    for text in (0, 1):
        mine = ((types == text) & own).to(x.dtype)[:, :, None]
        means.append((x * mine).sum(1) / mine.sum(1))
    u, v = means
    return torch.cat([x[:, 0], (u + v) / 2, (u - v).abs(), u * v * 4, (x * own[:, :, None]).amax(1)], dim=1)


def updated(weights: Mapping[str, Tensor], learned: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The model's weights with the updates added: W + B·A for each product, and the layers' norms. Raises KeyError
    where one is missing."""
    made = dict(weights)
    for layer in range(SHAPE.layers):
        at, of = f"encoder.layer.{layer}", f"layer.{layer}"
        changes = {part: learned[f"{of}.{part}.b"] @ learned[f"{of}.{part}.a"] for part in PARTS}
        for name, change in zip(_QKV, changes["qkv"].chunk(3), strict=True):
            made[f"{at}.attention.self.{name}.weight"] = weights[f"{at}.attention.self.{name}.weight"] + change
        for part, name in _AFTER.items():
            made[f"{at}.{name}.weight"] = weights[f"{at}.{name}.weight"] + changes[part]
        for norm, name in _NORMS.items():
            made[f"{at}.{name}.weight"], made[f"{at}.{name}.bias"] = _pair(learned, f"{of}.{norm}")
    return made


def _pair(tensors: Mapping[str, Tensor], name: str) -> tuple[Tensor, Tensor]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]
