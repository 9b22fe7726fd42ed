"""An act on the tree, done again where somebody else wrote one of its nodes a moment before."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from memoryapp.domain.errors import Stale

_TRIES = 5
_Made = TypeVar("_Made")


def repeated(act: Callable[[], _Made], *, version: int | None = None) -> _Made:
    """Who names no version asks for the act whatever the present state is: it is read and written again. Raises Stale
    where a version was named, or where others were quicker each time."""
    for attempt in range(_TRIES - 1 if version is None else 0):
        try:
            return act()
        except Stale:
            time.sleep(random.uniform(0, 0.002 * 2**attempt))
    return act()
