"""How much of two sentences is the same, so that what several sections say is taken once."""

from __future__ import annotations

from collections.abc import Iterable

from memoryapp.index import tokens

ALIKE = 0.8  # Dice: above it a second sentence says too little that is new

Terms = frozenset[str]


def terms(text: str) -> Terms:
    """What a sentence says, as the search index reads it: stems, and the beginnings of Korean words."""
    return frozenset(tokens(text))


def repeats(new: Terms, taken: Iterable[Terms]) -> float:
    """The likeness to the first of the taken that it says again, whole or in part; 0.0 where it says none of them
    again. Likeness: Dice, 2·|A ∩ B| / (|A| + |B|). Other numbers are other news: “paid 40” is not “paid 50”."""
    for one in taken:
        size = len(new) + len(one)
        dice = 2 * len(new & one) / size if size else 0.0
        if (dice >= ALIKE or (new and new <= one)) and _numbers(new) <= _numbers(one):
            return dice
    return 0.0


def _numbers(said: Terms) -> Terms:
    return frozenset(term for term in said if any(c.isdigit() for c in term))
