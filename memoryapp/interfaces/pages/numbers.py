"""Whole numbers out of addresses and forms. Not every text of digits is one: “²” is a digit to Python and no number."""

from __future__ import annotations

_DIGITS = 9


def whole_number(text: str, *, most: int = 10**_DIGITS - 1) -> int | None:
    """From 0 to `most`, which is below a thousand million; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        return None
    return number if (number := int(text)) <= most else None
