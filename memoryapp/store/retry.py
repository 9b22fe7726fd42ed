"""Optimistic writing again: what was read is read anew where somebody else was quicker."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from memoryapp.domain.errors import Stale

T = TypeVar("T")
_TRIES = 8


def retry_stale(act: Callable[[], T], *, version: int | None = None) -> T:
    """Return what `act` returns, which reads, changes and writes. Who names no `version` asks for the act whatever the
    present state is, so it is done again. Raises Stale where a version was named, or where others were quicker each
    time."""
    for attempt in range(_TRIES - 1 if version is None else 0):
        try:
            return act()
        except Stale:
            step_aside(attempt)
    return act()


def step_aside(attempt: int) -> None:
    """Wait a moment, so that two writers that met once do not meet again: up to 2 ms, then twice as long each time."""
    time.sleep(random.uniform(0, 0.002 * 2**attempt))
