"""Numbers in sentences, and lists of words."""

from __future__ import annotations


def count_text(count: int, one: str, many: str = "") -> str:
    """“1 memory”, “1,200 memories”; `many` where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def ordinal(number: int) -> str:
    """1st, 2nd, 11th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def word_set(listed: str) -> frozenset[str]:
    """What white space parts."""
    return frozenset(listed.split())
