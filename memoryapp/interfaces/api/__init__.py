"""What all operations of the JSON API share. Exports `api`, mounted at /api/v1/.

Loaded on first use, because Django imports this package before its models exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoryapp.interfaces.api.assembly import api

__all__ = ["api"]


def __getattr__(name: str) -> Any:
    if name == "api":
        from memoryapp.interfaces.api.assembly import api

        return api
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
