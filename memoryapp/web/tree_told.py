"""What was done to the tree, in a sentence."""

from __future__ import annotations

from collections import Counter

from memoryapp.tree.retain import Retained
from memoryapp.web import human

_OUTCOMES = {
    "written": "accepted",
    "merged": "already there",
    "conflict": "contradicts a line: a conflict to decide",
    "unchanged": "already in the tree",
}


def retained_told(taken: Retained) -> str:
    """Of one memory where it is now; of several how many of which outcome."""
    if len(taken.items) == 1 and taken.items[0].outcome == "written":
        return f"Added to {taken.items[0].path}."
    counts: Counter[str] = Counter(one.outcome for one in taken.items)
    told = "; ".join(f"{human.number(counts[name])} {words}" for name, words in _OUTCOMES.items() if counts[name])
    return f"{told}." if told else "There was nothing to accept."
