"""How far it is, told to whoever watches, and whether they want it to stop."""

from __future__ import annotations

from typing import Any, Protocol

from memoryapp.domain.errors import Cancelled


class Progress(Protocol):
    """What a job is told, and asks, on the way."""

    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None: ...
    def say(self, message: str) -> None: ...
    def cancelled(self) -> bool: ...


class Telling:
    """Counts the steps; `progress` None: nobody watches."""

    def __init__(self, progress: Progress | None, *, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total

    def say(self, message: str) -> None:
        if self._progress is not None:
            self._progress.say(message)

    def step(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress.advance(self._done, self._total)

    def stop_if_asked(self) -> None:
        """Raises Cancelled."""
        if self._progress is not None and self._progress.cancelled():
            raise Cancelled("Stopped; no run was kept.")
