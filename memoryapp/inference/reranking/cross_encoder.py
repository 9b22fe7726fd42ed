"""The packaged model reading two texts together, with what it was taught for one task: one number a label.

An embedding reads each text alone; a cross-encoder sees each word of the one beside each of the other. What was taught
is a low-rank update (Hu et al. 2021, https://arxiv.org/abs/2106.09685) of some 4 MB in place of a model of 90, in the
form that PEFT writes and `sentence_transformers.CrossEncoder(…).load_adapter` reads. It is added to the weights when
they are loaded, and costs nothing after.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.bert import Shape
from memoryapp.inference.embedding.encoder import readable
from memoryapp.inference.embedding.engine import PairReading, PairRow, load_pair_reading
from memoryapp.inference.embedding.minilm import NAME, WEIGHTS, load_tokenizer, packaged_folder
from memoryapp.program import repair_words

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ADAPTER, CONFIG, TRAINING = "adapter_model.safetensors", "adapter_config.json", "training.json"
MAX_TOKENS = 192  # of a pair with its three marks; the longer text is cut
_SHAPE = Shape(layers=6, heads=12, width=384, epsilon=1e-12)

Pairs = Sequence[tuple[str, str]]


class PackedCrossEncoder:
    """Threads may share one: the tokenizer is asked without padding or cut, which borrows nothing."""

    def __init__(self, reading: PairReading, tokenizer: Tokenizer) -> None:
        self.labels = reading.labels
        self._reading = reading
        self._tokenizer = tokenizer

    def logits(self, pairs: Pairs) -> NDArray[np.float32]:
        """(pairs, labels), in the order given."""
        return self._reading.logits([self._ids(*pair) for pair in pairs])

    def _ids(self, first: str, second: str) -> PairRow:
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
        base = packaged_folder()
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        scale = config["lora_alpha"] / config["r"]
        reading = load_pair_reading(base, shape=_SHAPE, update=folder / ADAPTER, scale=scale)
        return PackedCrossEncoder(reading, load_tokenizer(base))
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
            f"The weights in {folder} belong to another copy of {NAME} than {packaged_folder()}. To repair it: "
            f"{repair_words()}. Or train them again (training/README.md)."
        )


@cache
def base_digest() -> str:
    """Of the packaged model's weights. Raises ModelMissing."""
    return sha256((packaged_folder() / WEIGHTS).read_bytes()).hexdigest()
