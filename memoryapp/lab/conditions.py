"""What the figures of a run stand under: the model, what was searchable, the numbers, and the plan as it was run."""

from __future__ import annotations

from typing import Any

import numpy as np

from memoryapp.domain.errors import EncoderError, ModelLoading
from memoryapp.domain.memory import Kind
from memoryapp.domain.plan import numbers_as_run, with_numbers
from memoryapp.domain.strategies import Strategy
from memoryapp.index.roster import KINDS
from memoryapp.spaces import Space

PATIENCE = 90.0  # seconds that a model which is still loading is waited for
# Numbers of a space that decide how it is indexed, and so what is found; no plan has its own of these.
_INDEXING = ("window_tokens", "neighbours", "bm25_k1", "bm25_b")
_DIGEST = KINDS.index(Kind.DIGEST)


def conditions_of(space: Space, plan: Strategy, *, encoder: str) -> dict[str, Any]:
    """{"encoder", "memories": held, with a parent's, "digests", "numbers", "strategy"}. `encoder`: as `encoder_of`
    names it."""
    space.index.refresh()
    memories, digests = _counted(space)
    tuning = with_numbers(space.tuning, plan.numbers)
    return {
        "encoder": encoder,
        "memories": memories,
        "digests": digests,
        "numbers": numbers_as_run(space.tuning, plan.numbers) | {name: getattr(tuning, name) for name in _INDEXING},
        "strategy": {
            "weights": {arm.value: plan.weight(arm) for arm in plan.arms},
            "k": plan.k,
            "factors": [factor.value for factor in plan.factors],
        },
    }


def encoder_of(space: Space, *, patience: float = PATIENCE) -> str:
    """The model by which questions are compared; "" where there is none and all is answered by words. Raises
    ModelLoading where it does not come in time: figures without it would say nothing of the plan."""
    try:
        space.encoder.get(patience)
    except ModelLoading:
        raise
    except EncoderError:
        return ""
    return space.encoder.name


def _counted(space: Space) -> tuple[int, int]:
    roster = space.index.view().roster
    own = int(np.count_nonzero(roster.held)), int(np.count_nonzero(roster.held & (roster.kind == _DIGEST)))
    if space.parent is None:
        return own
    space.parent.index.refresh()
    theirs = _counted(space.parent)
    return own[0] + theirs[0], own[1] + theirs[1]
