"""Figures that several scripts print."""

from __future__ import annotations

from typing import Any

import numpy as np


def auc(above: Any, below: Any) -> float:
    """The share of pairs, one of each, in which the one of `above` is greater; a tie counts half."""
    difference = np.asarray(above, dtype=float)[:, None] - np.asarray(below, dtype=float)[None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())
