"""Stretches of a text in, how alike each is to the one before it out: by the space's model, else by shared words."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.identity import content_hash
from memoryapp.encoders.batch import encode_in_batches
from memoryapp.index import tokens
from memoryapp.spaces import Space

_PATIENCE = 30.0  # seconds to wait for a model that is still loading
_OPENING = 600  # characters: how a stretch begins tells what it is about, and a longer text costs more
_REMEMBERED = 32  # texts, so that what was looked at before is not read again to be done
_MOST = 400  # stretches that are given to the model; more are compared by their words
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = 3  # of a likeness: a model need not give the same last digits twice
_remembered: OrderedDict[tuple[str, str], list[float]] = OrderedDict()  # by model and a hash of the texts
_remembering = threading.Lock()


def alike(space: Space, texts: Sequence[str]) -> list[float]:
    """For each text, 0–1, how alike it is to the one before; 0 for the first."""
    if len(texts) < 2:
        return [0.0] * len(texts)
    return [0.0, *(round(min(max(one, 0.0), 1.0), _DIGITS) for one in _by_model(space, texts) or _by_words(texts))]


def _by_model(space: Space, texts: Sequence[str]) -> list[float] | None:
    """None where the model is not usable, or does not read the language of the text."""
    if len(texts) > _MOST:
        return None
    try:
        encoder = space.encoder.get(_PATIENCE)
        if "ko" not in encoder.languages and _is_korean("".join(texts)):
            return None
        key = encoder.name, content_hash("\x1f".join(texts))
        known = _remembered.get(key)
        if known is not None:
            return known
        encoded = encode_in_batches(encoder, [text[:_OPENING] for text in texts])
    except EncoderError:
        return None
    if encoded.failed:
        return None
    found = [float(one) for one in np.einsum("ij,ij->i", encoded.vectors[:-1], encoded.vectors[1:])]
    with _remembering:
        _remembered[key] = found
        while len(_remembered) > _REMEMBERED:
            _remembered.popitem(last=False)
    return found


def _is_korean(text: str) -> bool:
    """A third of the letters are Hangul."""
    return len(_HANGUL.findall(text)) * 3 >= max(len(_LETTER.findall(text)), 1)


def _by_words(texts: Sequence[str]) -> list[float]:
    """2·|A ∩ B| / (|A| + |B|) of their terms (Dice)."""
    said = [frozenset(tokens(text)) for text in texts]
    return [2 * len(a & b) / max(len(a) + len(b), 1) for a, b in zip(said, said[1:], strict=False)]
