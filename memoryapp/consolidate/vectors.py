"""Vectors of sentences, for the ranker that goes by them: embedded for this one plan, and not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from memoryapp.consolidate.central import Floats
from memoryapp.consolidate.sentences import Piece
from memoryapp.domain.errors import EncoderError
from memoryapp.encoders.batch import encode_in_batches
from memoryapp.spaces import Space

EMBEDDED = 3_000  # sentences of one plan: a minute of work. Of more, the ranker goes by their words
_PATIENCE = 30.0  # seconds a plan waits for a model that is still loading


def vectors_of(space: Space, pieces: Sequence[Piece]) -> dict[str, Floats]:
    """By sentence id; none where there are too many, or where no model is usable."""
    if not pieces or len(pieces) > EMBEDDED:
        return {}
    try:
        encoded = encode_in_batches(space.encoder.get(_PATIENCE), [piece.text for piece in pieces])
    except EncoderError:
        return {}
    return {} if encoded.failed else {piece.id: encoded.vectors[n] for n, piece in enumerate(pieces)}


def beside_whole(space: Space, pieces: Sequence[Piece], known: Mapping[str, Floats]) -> Floats | None:
    """The vectors of a group's sentences, and in one row more that of the group: the middle of its sections. None where
    one of these has no vector."""
    view = space.index.view()
    slots = view.roster.slots(list(dict.fromkeys(piece.section for piece in pieces)))
    if (
        not pieces
        or any(piece.id not in known for piece in pieces)
        or not slots.size
        or not view.roster.has[slots].all()
    ):
        return None
    whole = view.vectors_of(slots).astype(np.float64).sum(axis=0)
    whole /= max(float(np.linalg.norm(whole)), 1e-9)
    return np.vstack([np.array([known[piece.id] for piece in pieces], dtype=np.float64), whole[None]])
