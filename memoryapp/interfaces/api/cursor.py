"""Cursors: where a page ended, as an opaque text. What is in it may change; only what we made is taken back."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import datetime
from typing import Any

from memoryapp.domain.clock import read_instant
from memoryapp.domain.errors import BadInput

LONGEST = 2_000  # characters; it may hold a name of 300, four bytes each


def write_cursor(*place: Any) -> str:
    """JSON values (text, numbers, None) → text for a URL."""
    packed = json.dumps(place, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def read_cursor(text: str | None, *shape: type | tuple[type, ...]) -> tuple[Any, ...] | None:
    """The place a cursor stands for, or None without one. `shape` gives the type of each value.

    Raises BadInput for a text that no page gave out.
    """
    if not text:
        return None
    try:
        if len(text) > LONGEST:
            raise ValueError
        place = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        fits = isinstance(place, list) and len(place) == len(shape)
        if not fits or not all(isinstance(value, kind) for value, kind in zip(place, shape, strict=True)):
            raise ValueError
    except (ValueError, binascii.Error, RecursionError):
        raise BadInput("This cursor is not one that a page of this list gave out.", field="cursor") from None
    return tuple(place)


def read_moment(text: str) -> datetime:
    """A time out of a cursor. Raises BadInput for what is none, or lies where times cannot be reckoned with."""
    try:
        return read_instant(text)
    except (ValueError, BadInput):
        raise BadInput("This cursor is not one that a page of this list gave out.", field="cursor") from None
