"""Two readings in, out whether both say what has to come first, the one by asking for it and the other by a denial:
“needs two reviews before it is merged”, “may not be merged until two people have reviewed it”. Next: `restated`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared
from memoryapp.detect.amounts import differing
from memoryapp.detect.reading import Reading

_ASKED = re.compile(
    r"\b(?:must|needs?|needed|requires?|required|has to|have to|only (?:after|once|when|with))\b(?! not)", re.I
)
_DENIED = re.compile(r"\b(?:no|not|never|nothing|nobody|cannot)\b|n['’]t\b", re.IGNORECASE)
_EXCUSED = re.compile(
    r"\bneeds? not\b|(?:\b(?:not|never|cannot|no longer)|n['’]t) (?:need|have|required)\b", re.IGNORECASE
)
_UNTIL = re.compile(r"\b(?:until|unless|before|without)\b", re.IGNORECASE)
_LEAST = 0.5  # of the words of either side, that the other says too


def required_alike(one: Reading, other: Reading) -> bool:
    """False where an amount differs: then one asks for more than the other."""
    if differing(one.amounts, other.amounts) or one.turns or other.turns:
        return False
    if not (_asks(one.text) and _forbids(other.text) or _asks(other.text) and _forbids(one.text)):
        return False
    marks = compared(one.words, other.words)
    return all(sum(mark >= FOUND for mark in side) >= _LEAST * len(side) for side in (marks.ones, marks.others) if side)


def _asks(text: str) -> bool:
    return bool(_ASKED.search(text)) and not _DENIED.search(text)


def _forbids(text: str) -> bool:
    denied = _DENIED.search(text)
    return bool(denied and _UNTIL.search(text, denied.end())) and not _EXCUSED.search(text)
