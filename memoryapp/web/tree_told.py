"""What was done to the tree, in a sentence."""

from __future__ import annotations

from collections import Counter

from memoryapp.tree.retain import Retained
from memoryapp.web import human

_OUTCOMES = {
    "written": "taken in",
    "merged": "said there already",
    "conflict": "against a line, and put to you as a conflict",
    "unchanged": "in the tree already",
}


def retained_told(taken: Retained) -> str:
    """Of one memory where it is now; of several how many of which outcome."""
    if len(taken.items) == 1 and taken.items[0].outcome == "written":
        return f"Taken into {taken.items[0].path}."
    counts: Counter[str] = Counter(one.outcome for one in taken.items)
    told = "; ".join(f"{human.number(counts[name])} {words}" for name, words in _OUTCOMES.items() if counts[name])
    return f"{told}." if told else "There was nothing to take in."
