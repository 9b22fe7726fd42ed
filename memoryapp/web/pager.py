"""Where one stands in a long list: addresses of the pages before and after, no page numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.errors import BadInput


@dataclass(frozen=True, slots=True)
class Pager:
    """`newer` and `older` are addresses, "" at an end; `shown` tells what is on this page."""

    newer: str
    older: str
    shown: str
    size: int
    back: str = "Newer"
    on: str = "Older"


def place_after(text: str) -> tuple[datetime, str] | None:
    """The last one shown, (when, id), of “instant~id” in an address; None for none. Raises BadInput."""
    if not text:
        return None
    told, _, key = text.partition("~")
    try:
        at = datetime.fromisoformat(told)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise BadInput("This page's address is damaged. Start again from the first page.", field="after")
    return at, key
