"""Two readings in, out whether each holds at a time of its own: on weekdays and on Sundays, in the first half of the
year and from July on; what happened once and what happens again and again; two dated events. Next: `parted`.

The day is no scope where it is itself what is told (“the meeting is on Monday”): something else must differ, too.
"""

from __future__ import annotations

import re

from memoryapp.detect.amounts import differing
from memoryapp.detect.meanings import STOP
from memoryapp.detect.occasions import A_DAY, for_once, once_and_again, two_dated_events, well_again
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.words import words

_DAYS = re.compile(
    rf"\b(?:(?P<day>{A_DAY})(?P<plural>s| mornings?| evenings?| nights?| afternoons?)?|(?P<sort>weekday|weekend)s?)\b",
    re.I,
)
_WORKING = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday"))
_SORTS = {"weekday": _WORKING, "weekend": frozenset(("saturday", "sunday"))}
_TIMES = frozenset(("clock", "date", "weekday", "rate"))
_FRONTED = re.compile(
    r"^(?:in|on|at|during|before|after|since|until|from|as of|when|while|whenever|if|for) (?P<when>[^,]{2,40}?)"
    r"(?:,| (?=(?:I|we|he|she|they|it|the|my|our|his|her|their|there|[A-Z]\w+) ))",
    re.IGNORECASE,
)
_AFTER_WHAT = re.compile(
    r"^(?:after|before|once|until) (?:the |our |my |his |her |their )(?P<what>[\w-]+)(?:,| )", re.IGNORECASE
)
_PER = re.compile(
    rf"\d[\w.,-]*(?: [\w€$£]+)? (?:(?:an?|per|each|every) (?P<period>hour|day|week|month|quarter|year)|on {A_DAY}s)\b",
    re.I,
)
_OVER = re.compile(
    r"\b(?:stopped|quit|gave up|given up|sold|cancell?ed|abandoned|dropped|removed|scrapped|ended|finished|closed|died|"
    r"lost|switched|replaced (?:\w+ ){1,3}(?:with|by)|moved|left)\b",
    re.IGNORECASE,
)

# What one did at a time of life that is over, and what one has not done since.
_LONG_AGO = re.compile(
    r"\bused to\b|\b(?:in|during|throughout) (?:my|his|her|their) (?:\w+ )?(?:teens|twenties|thirties|forties|fifties|"
    r"youth|childhood)\b|\bas an? (?:child|kid|boy|girl|teenager|teen|student|young \w+)\b|"
    r"\bwhen (?:I|he|she|they|we) (?:was|were) (?:an? (?:child|kid|boy|girl|teenager|teen|student)|young|little)\b",
    re.IGNORECASE,
)
_NOT_SINCE = re.compile(
    r"\b(?:has|have)(?:n['’]t| not)\b.*\b(?:since|for (?:the (?:past|last) |over |more than |about |almost |nearly )?"
    r"(?:\w+ )?(?:years?|months|decades?)|in (?:\w+ )?(?:years|decades))\b",
    re.IGNORECASE,
)
_WAS_IN = re.compile(r"\b(?:was|were|got)\b[^.]*\bin (?P<year>(?:19|20)\d\d)\b")
_HAS_SINCE = re.compile(r"\b(?:has|have|['’]s|['’]ve)\b[^.]*\bsince (?P<year>(?:19|20)\d\d)\b")


def of_two_times(one: Reading, other: Reading) -> bool:
    if _then_not_since(one.text, other.text) or _then_not_since(other.text, one.text):
        return True
    if one.turns and _OVER.search(one.text) or other.turns and _OVER.search(other.text):
        return False
    return (
        _on_other_days(one, other)
        or _fronted_apart(one, other)
        or _after_it(one, other)
        or _after_it(other, one)
        or _per_other_period(one, other)
        or once_and_again(one, other)
        or once_and_again(other, one)
        or two_dated_events(one, other)
        or for_once(one, other)
        or well_again(one, other)
        or well_again(other, one)
    )


def _then_not_since(one: str, other: str) -> bool:
    """“Smoked in his twenties”, “has not smoked for years”; “was divorced in 2014”, “has been married since 2018”."""
    if _LONG_AGO.search(one) and _NOT_SINCE.search(other):
        return True
    then, since = _WAS_IN.search(one), _HAS_SINCE.search(other)
    return bool(then and since and then["year"] < since["year"])


def _on_other_days(one: Reading, other: Reading) -> bool:
    """“5 km on weekday mornings”, “15 km on Sundays”. An hour differs by the day only where one tells of a sort of
    day: a meeting has moved from one day to another with its hour."""
    if one.turns or other.turns or one.denied or other.denied:
        return False
    sides = [_days(reading.text) for reading in (one, other)]
    if not all(days for days, _, _ in sides) or sides[0][0] & sides[1][0]:
        return False
    sorts = [sort for sort in differing(one.amounts, other.amounts) if sort != "weekday"]
    if not sorts:
        return False
    if not _TIMES.issuperset(sorts):
        return True
    return any(of_sort for _, of_sort, _ in sides) and all(of_sort or plural for _, of_sort, plural in sides)


def _days(text: str) -> tuple[frozenset[str], bool, bool]:
    """The days; whether a sort of day is told (“weekdays”); whether it is every such day (“Sundays”)."""
    found: set[str] = set()
    sort = plural = False
    for match in _DAYS.finditer(text):
        if match["sort"]:
            found |= _SORTS[match["sort"].casefold()]
            sort = True
        else:
            found.add(match["day"].casefold())
            plural = plural or bool(match["plural"])
    return frozenset(found), sort, plural


def _fronted_apart(one: Reading, other: Reading) -> bool:
    """“In the first half of the year …”, “from July on …”: each opens with a time or case of its own."""
    if one.turns or other.turns:
        return False
    a, b = (_FRONTED.match(reading.text) for reading in (one, other))
    if not (a and b):
        return False
    left, right = (_content(match["when"]) for match in (a, b))
    if not left or not right or set(left) & other.all_words or set(right) & one.all_words:
        return False
    return not any(one_word(x, y) for x in left for y in right)


def _after_it(after: Reading, during: Reading) -> bool:
    """“The trial is free”, “after the trial it costs 9 euros a month”."""
    found = _AFTER_WHAT.match(after.text)
    if found is None or _AFTER_WHAT.match(during.text) or after.turns or during.turns:
        return False
    what = _content(found["what"])
    return bool(what) and all(word in during.all_words for word in what)


def _per_other_period(one: Reading, other: Reading) -> bool:
    """“38 hours a week”, “eight hours on Mondays”."""
    sides = [{_period(match) for match in _PER.finditer(reading.text)} for reading in (one, other)]
    sorts = set(differing(one.amounts, other.amounts))
    return all(len(side) == 1 for side in sides) and sides[0] != sides[1] and bool(sorts - _TIMES)


def _period(found: re.Match[str]) -> str:
    return (found["period"] or "day").casefold()


def _content(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP]
