"""Two readings in, out whether one says that it is only so, and the other that it is so of more: “supports Android
only”, “runs on both iOS and Android”; “only admins can”, “everyone can”. Next: `told`."""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared
from memoryapp.detect.reading import Reading

_ONLY = re.compile(r"\b(?:only|solely|exclusively|nobody but|no one but|nothing but|nobody except)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:any(?:one|body|thing|where)?|every(?:one|body|thing|where)?|both|all|either|whatever|whoever|no matter|"
    r"at any time|everything)\b",
    re.IGNORECASE,
)
_LEAST = 0.6  # of the words of the side that says less


def only_and_more(one: Reading, other: Reading) -> bool:
    """Whether the rest of both is of one thing: of the side that says less, most of it is said by the other."""
    for narrow, wide in ((one, other), (other, one)):
        if not _ONLY.search(narrow.text) or _ONLY.search(wide.text) or not _MORE.search(wide.text) or wide.denied:
            continue
        alike = compared(narrow.words, wide.words)
        least = min((alike.ones, alike.others), key=len)
        if len(least) > 1 and sum(mark >= FOUND for mark in least) >= _LEAST * len(least):
            return True
    return False
