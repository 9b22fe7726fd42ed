"""How long work tells how far it is, and hears that it is to stop."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """Told after each step, asked before it."""

    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None:
        """`done` of `total` steps are behind us; `counts` so far."""

    def say(self, message: str) -> None:
        """What is being done now."""

    def cancelled(self) -> bool:
        """Whether a person asked it to stop."""
