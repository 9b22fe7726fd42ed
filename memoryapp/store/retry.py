"""Optimistic writing again: what was read is read anew where somebody else was quicker."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from memoryapp.domain.errors import LostRace, Stale

T = TypeVar("T")
_TRIES = 8


def retry_write(act: Callable[[], T], *, version: int | None = None, between: Callable[[], object] = lambda: None) -> T:
    """Return what `act` returns, which reads, changes and writes. Who names no `version` asks for the act whatever the
    present state is, so it is done again, after `between`. Raises Stale or LostRace where a version was named, or where
    others were quicker each time."""
    for attempt in range(_TRIES - 1 if version is None else 0):
        try:
            return act()
        except (Stale, LostRace):
            between()
            # Two writers that met once do not meet again: up to 2 ms, then twice as long each time.
            time.sleep(random.uniform(0, 0.002 * 2**attempt))
    return act()
