"""Two readings in, out whether each holds under a condition of its own: invoices under 500 and over 5,000, children and
adults, on weekdays and at weekends, no coffee after three and two cups in the morning.

A condition stands in the subject or before it, or else bounds a denial. One at the end may be the value itself: “the
deadline is before noon”. Next: `parted`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryapp.detect.bounded import bounded, told_words
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.verbs import AUXILIARY, BASES, PAST, THIRD
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_BELOW = r"under|below|less than|fewer than|up to|at most|no more than|younger than|smaller than|lighter than|within"
_ABOVE = r"over|above|more than|at least|older than|larger than|bigger than|heavier than|exceeding"
_BOUND = re.compile(
    rf"\b(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE})) (?:the age of )?[€$£]?(?P<number>\d[\d,]*(?:\.\d+)?)",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(r"\b(?:for|of|on|to|with|from) (?:[\w'-]+ ){0,3}$", re.IGNORECASE)
_SIDES = tuple(  # two of one line exclude each other, as far as they tell of whom, when or where something holds
    tuple(wordset(side) for side in line.split("|"))
    for line in (
        "weekday weekdays | weekend weekends saturday saturdays sunday sundays",
        "adult adults grown-ups | child children kids toddlers | senior seniors pensioners",
        "member members | non-member non-members nonmembers",
        "full-time fulltime | part-time parttime",
        "resident residents locals | guest guests visitor visitors tourists",
        "employee employees staff | contractor contractors freelancers interns",
        "beginner beginners | advanced experts",
        "student students | teacher teachers",
        "owner owners | tenant tenants",
        "summer | winter | spring | autumn",
        "holidays vacation | term",
        "day daytime | night nighttime",
        "morning mornings | afternoon afternoons | evening evenings",
        "low-season off-season | high-season peak",
        "new | existing",
        "free trial | premium paid paying pro enterprise",
        "eldest oldest elder older | youngest younger",
        "upstairs | downstairs",
        "upper top | lower bottom",
        "front | rear back",
        "left | right left-hand | right-hand",
        "1st first | 2nd second | 3rd third | last final | main",
        "primary | replica secondary | backup",
        "big bigger large larger | small smaller little",
        "indoor indoors inside | outdoor outdoors outside",
        "admin admins | editor editors | viewer viewers",
        "domestic | international",
    )
)
_OPENING = re.compile(
    r"^(?:on|in|at|during|before|after|when|while|if|with|without|for|under|outside|until|as long as) ", re.IGNORECASE
)
_WITH = re.compile(r"^(?P<with>with|without) (?:an? |the |any )?(?P<what>[\w-]+)", re.IGNORECASE)
_AROUND = re.compile(r"\b(?P<when>before|after) (?P<what>[\w:]+(?: [ap]\.?m\b)?)", re.IGNORECASE)
_IF = re.compile(r"^(?:if|when|as long as|while|whenever) (?P<what>.{3,60}?)(?:,| (?=(?:we|I|he|she|they)\b)|$)", re.I)


def of_two_conditions(one: Reading, other: Reading) -> bool:
    """Whether neither condition lies within the other."""
    if one.turns or other.turns or (one.wholly and other.wholly and not one.denies and not other.denies):
        return False
    return (
        _of_two_sizes(one, other)
        or _of_two_sides(one, other)
        or _on_two_openings(one, other)
        or _before_and_after(one, other)
        or _of_two_cases(one, other)
        or bounded(one, other)
        or bounded(other, one)
    )


def _of_two_sizes(one: Reading, other: Reading) -> bool:
    """“Invoices under 500”, “invoices over 5,000”."""
    a, b = _bound(one.text), _bound(other.text)
    if a is None or b is None or a[0] == b[0]:
        return False
    below, above = (a, b) if a[0] == "below" else (b, a)
    return below[1] <= above[1]


def _bound(text: str) -> tuple[str, float] | None:
    found = _BOUND.search(text)
    if found is None:
        return None
    before = text[: found.start()]
    if not (_opens(before) or _FOR_WHAT.search(before)):
        return None
    return "below" if found["below"] else "above", float(found["number"].replace(",", ""))


def _opens(before: str) -> bool:
    """Whether what stands before holds no verb, so that what follows is still in the subject."""
    found = words(before)
    return not any(
        word in AUXILIARY or (n > 0 and (word in THIRD or word in BASES or word in PAST))
        for n, word in enumerate(found)
    )


def _of_two_sides(one: Reading, other: Reading) -> bool:
    """“Adults pay 12”, “children travel free”: each in what opens the statement, and neither names both."""
    a, b = set(_opening_words(one)), set(_opening_words(other))
    for sides in _SIDES:
        found = [[n for n, side in enumerate(sides) if side & held] for held in (a, b)]
        every = [[n for n, side in enumerate(sides) if side & held.all_words] for held in (one, other)]
        if all(len(side) == 1 for side in (*found, *every)) and found[0] != found[1]:
            return True
    return False


def _opening_words(reading: Reading) -> Sequence[str]:
    """The words before the verb, with what is fronted: “in winter the cabin”, “the second bedroom”."""
    found = words(reading.text)
    first = 1 if not _OPENING.match(reading.text) else 2
    for n, word in enumerate(found):
        after_article = n and found[n - 1] in ("the", "a", "an", "my", "our", "his", "her", "their")
        if word in AUXILIARY or (n >= first and not after_article and (word in THIRD or word in BASES)):
            return found[:n]
    return found if _OPENING.match(reading.text) else found[:4]


def _on_two_openings(one: Reading, other: Reading) -> bool:
    """“With a prescription it costs 5”, “without a prescription it costs 19”."""
    a, b = _WITH.match(one.text), _WITH.match(other.text)
    return bool(
        a
        and b
        and a["with"].casefold() != b["with"].casefold()
        and one_word(a["what"].casefold(), b["what"].casefold())
    )


def _before_and_after(one: Reading, other: Reading) -> bool:
    """“Before noon the line is free”, “after noon it is busy”."""
    found = [
        {(match["when"].casefold(), match["what"].casefold()) for match in _AROUND.finditer(reading.text)}
        for reading in (one, other)
    ]
    fronted = all(_OPENING.match(reading.text) for reading in (one, other))
    return fronted and any(when != until and what == edge for when, what in found[0] for until, edge in found[1])


def _of_two_cases(one: Reading, other: Reading) -> bool:
    """“When it rains”, “when it is sunny”: two cases, each with a word of its own."""
    a, b = _IF.match(one.text), _IF.match(other.text)
    if not (a and b):
        return False
    sides = [told_words(match["what"]) for match in (a, b)]
    return _each_own(*sides)


def _each_own(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether each has a word that is like none of the other's."""
    return all(
        any(not any(one_word(a, b) for b in there) for a in here) for here, there in ((one, other), (other, one))
    )
