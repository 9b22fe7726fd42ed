"""The factor recency, off unless a plan or a space asks for it: what happened of late before what happened long ago."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.roster import Roster

_DAY = 86_400.0


def recency(roster: Roster, now: datetime, *, most: float, half_life: float) -> NDArray[np.float64]:
    """1 − most·(1 − 2^(−days / half life)), (n,): 1 for the present, never less than 1 − most, so that the answer of
    last year still stands before small talk of yesterday. Days since it happened, or without a date since it was
    learned."""
    happened = np.where(np.isnan(roster.occurred), roster.created, roster.occurred)
    days = np.maximum(now.timestamp() - np.nan_to_num(happened, nan=-np.inf), 0.0) / _DAY
    factor: NDArray[np.float64] = 1 - most * (1 - np.exp2(-days / half_life))
    return factor
