"""Where a value holds, as far as it says so itself: “100 requests for free accounts”, “at night”."""

from __future__ import annotations

import os
import re

from memoryapp.detect.words import content

_SCOPE = re.compile(
    r"\S (?:(?:for|during) (?!\d|a\b|an\b|all\b|every|each\b|any|"
    r"lack\b|fear\b|want\b|(?:\w+ )?reasons?\b|free(?=$|[.,;])|good\b|now\b)|on (?:week(?:days|ends)|\w+days)\b|"
    r"in the (?:morn|after|even)|"
    r"at night\b).*$",
    re.IGNORECASE,
)


def scope(text: str) -> frozenset[str]:
    """The words of its scope; empty where it holds of all."""
    found = _SCOPE.search(text)
    return content(found.group()[1:]) if found else frozenset()


def scopes_differ(one: str, other: str) -> bool:
    """Whether each holds where the other does not: of free accounts and of paying ones."""
    shared = _shared_opening(one, other)
    a, b = scope(one[shared:]), scope(other[shared:])
    return bool(a and b) and not (a <= b or b <= a)


def _shared_opening(one: str, other: str) -> int:
    """Letters of what both begin with, up to the last word of it: “the backup job for the file server runs” is no
    scope of either."""
    length = len(os.path.commonprefix((one.casefold(), other.casefold())))
    words_end = one.rfind(" ", 0, length)
    before = one.rfind(" ", 0, max(words_end, 0))
    return max(before, 0)
