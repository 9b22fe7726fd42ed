"""Two readings in, out whether both say that the same is lacking: “out of budget”, “no money left in the budget”.

A denial has many carriers; two of them deny the same twice, and contradict nothing. Next: `parted`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared, excluding
from memoryapp.detect.amounts import differing
from memoryapp.detect.reading import Reading
from memoryapp.detect.stances import opposed

_CARRIERS = re.compile(
    r"\b(?:not|never|cannot|no(?! longer| surprise| wonder| doubt| problem| trouble)|none|nobody|nothing(?!.* than)|"
    r"neither|without|lacks?|lacking|unable|refuses?|refused|"
    r"failed to|fails to|missed|missing|short of|low on|"
    r"out of (?!town|the (?!question)|office|bed|hospital|order|date|school|work|interest|\d)|gone|"
    r"off limits|forbidden|prohibited|banned|"
    r"sold out|fully booked|used up|empty|free of|rid of|run dry|ran dry|exhausted)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:(?<!is )(?<!are )stopped|quit|gave up|given up|no longer|any ?more|ended|discontinued|dropped)\b",
    re.IGNORECASE,
)
_MOST = 0.5  # of the words of a side; of both, where they stand on two sides of a facet


def denied_alike(one: Reading, other: Reading) -> bool:
    """Whether each denies once, by whatever words, and of about the same."""
    told = [len(_CARRIERS.findall(reading.text)) + bool(_OVER.search(reading.text)) for reading in (one, other)]
    if told != [1, 1] and not (min(told) == 1 and max(told) == 2 and one.denied != other.denied):
        return False
    if (
        len(one.clauses) > 1
        or len(other.clauses) > 1
        or all("without" in reading.all_words for reading in (one, other))
    ):
        return False
    if min(told) == 0 or differing(one.amounts, other.amounts) or one.wholly != other.wholly and max(told) > 1:
        return False
    if excluding(one, other):
        return False
    alike = compared(one.words, other.words)
    shares = sorted(sum(mark >= FOUND for mark in marks) / max(1, len(marks)) for marks in (alike.ones, alike.others))
    return shares[1] >= _MOST and (shares[0] >= _MOST or not opposed(one.stances, other.stances))
