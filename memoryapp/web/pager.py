"""Where one stands in a long list: addresses of the pages before and after, no page numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.clock import read_instant
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
        return read_instant(told), key
    except (ValueError, BadInput):
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None
