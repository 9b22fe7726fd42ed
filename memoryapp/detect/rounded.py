"""Two readings in, out whether their amounts are one amount, told in other units or rounded: “10 miles”, “about 16
kilometres”; “71.6 kilos”, “roughly 72”. Next: `parted`.

Forms of one sort are numbers of one unit (`amounts`): an amount is another's rounding where both lie near each other
and one says of itself that it is no exact one.
"""

from __future__ import annotations

import re

from memoryapp.detect.amounts import differing
from memoryapp.detect.reading import Reading

_HEDGED = re.compile(
    r"\b(?:about|around|roughly|approximately|approx|circa|some(?= \d)|almost|nearly|close to|just (?:over|under)|"
    r"a (?:little|bit) (?:over|under|more|less)|or so|give or take|more or less|odd|ish|just shy of)\b|~|\d-?ish\b",
    re.IGNORECASE,
)
_CONVERTED = 0.015  # of one unit into another, as people do it in their heads
_HEDGE = 0.12
_SORTS = ("size ", "duration", "money", "count ", "number", "percent")


def rounded(one: Reading, other: Reading) -> bool:
    """Whether every amount by which they differ is the other's, but for rounding."""
    sorts = differing(one.amounts, other.amounts)
    if not sorts or one.turns or other.turns or one.denies != other.denies:
        return False
    hedged = bool(_HEDGED.search(one.text) or _HEDGED.search(other.text))
    return all(_near(one, other, sort, hedged=hedged) for sort in sorts)


def _near(one: Reading, other: Reading, sort: str, *, hedged: bool) -> bool:
    if not sort.removeprefix("kind ").startswith(_SORTS):
        return False
    within = _HEDGE if hedged else _CONVERTED if sort.startswith(("size ", "duration")) else 0.0
    return any(
        abs(a - b) <= within * max(a, b) for a in _numbers(one.amounts[sort]) for b in _numbers(other.amounts[sort])
    )


def _numbers(forms: frozenset[str]) -> list[float]:
    found = []
    for form in forms:
        try:
            found.append(float(form))
        except ValueError:
            continue
    return found
