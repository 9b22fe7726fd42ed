"""Words in, comparable amounts out, loosely read: “half past ten”, “a full year”, “twice a week”. Next: `signs`.

Looser than `values`, which the sure rules rest on: here a wrong reading costs a little weight, not a wrong verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memoryapp.detect.meanings import GROUP_OF
from memoryapp.detect.same_value import same_form
from memoryapp.detect.values import values
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import clean, stem

Amounts = dict[str, frozenset[str]]  # sort → forms; equal forms of one sort are equal amounts
Span = tuple[int, int]

_DAYS = {
    "second": 1 / 86_400, "minute": 1 / 1_440, "hour": 1 / 24, "day": 1, "night": 1, "morning": 1, "afternoon": 1,
    "evening": 1, "weekday": 1, "week": 7, "fortnight": 14, "month": 30.4, "quarter": 91.3, "year": 365,
}  # fmt: skip
_OFTEN = {
    "hourly": 1 / 24, "daily": 1, "nightly": 1, "weekly": 7, "fortnightly": 14, "biweekly": 14, "monthly": 30.4,
    "quarterly": 91.3, "yearly": 365, "annually": 365, "annual": 365,
}  # fmt: skip
_RATE = re.compile(
    rf"\b(?:(?P<often>{'|'.join(_OFTEN)})|(?:(?P<times>once|twice|thrice|\d+ times) )?(?P<lead>an?|per|each|every) "
    rf"(?P<gap>single |second |2nd |other |\d+ )?(?P<period>{'|'.join(_DAYS)})s?)\b",
    re.IGNORECASE,
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_UNIT = r"(?:second|minute|hour|day|week|month|quarter|year|fortnight)"
_WRITTEN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\bhalf past (\d{1,2})\b", re.I), lambda m: f"{m[1]}:30"),
    (re.compile(r"\b(?:a )?quarter past (\d{1,2})\b", re.I), lambda m: f"{m[1]}:15"),
    (re.compile(r"\b(?:a )?quarter to (\d{1,2})\b", re.I), lambda m: f"{(int(m[1]) - 2) % 12 + 1}:45"),
    (re.compile(r"\b(\d{1,2}) o'?clock\b", re.I), lambda m: f"{m[1]}:00"),
    (re.compile(r"\bChristmas Eve\b", re.I), lambda m: "24 December"),
    (re.compile(r"\bChristmas Day\b", re.I), lambda m: "25 December"),
    (re.compile(r"\bNew Year['’]s Eve\b", re.I), lambda m: "31 December"),
    (re.compile(r"\bNew Year['’]s Day\b", re.I), lambda m: "1 January"),
    (re.compile(r"\b(?:St\.? )?Valentine['’]s Day\b", re.I), lambda m: "14 February"),
    (re.compile(r"\bhalf an hour\b", re.I), lambda m: "30 minutes"),
    (re.compile(r"\bhalf a year\b", re.I), lambda m: "6 months"),
    (re.compile(r"\bhalf a day\b", re.I), lambda m: "12 hours"),
    (
        re.compile(rf"(?<!once )(?<!twice )(?<!times )\b(?:an?|one) (?:full |whole |entire |single )({_UNIT})\b", re.I),
        lambda m: f"1 {m[1]}",
    ),
    (
        re.compile(rf"\b(for|within|after|in|takes?|lasts?|nearly|about|almost|over|under|than) an? ({_UNIT})\b", re.I),
        lambda m: f"{m[1]} 1 {m[2]}",
    ),
    (re.compile(r"\b(?:single|sole)[- ](?=[a-z])", re.I), lambda m: "1 "),
    (re.compile(rf"\b(?:an?|1) ({_UNIT}) and a half\b", re.I), lambda m: f"1.5 {m[1]}s"),
    (re.compile(rf"\b(\d+) ({_UNIT}s) and a half\b", re.I), lambda m: f"{m[1]}.5 {m[2]}"),
    (
        re.compile(r"\b(\d{1,2})(:[0-5]\d)? in the (?:(morning)|(?:afternoon|evening))\b", re.I),
        lambda m: f"{m[1]}{m[2] or ''} {'am' if m[3] else 'pm'}",
    ),
    (re.compile(r"\b(\d+) and a half\b", re.I), lambda m: f"{m[1]}.5"),
    (re.compile(r"\b([gmkt])(?:iga|ega|ilo|era)bytes?\b", re.I), lambda m: f"{m[1].upper()}B"),
)
_PLAIN = frozenset(("clock", "weekday", "date", "duration", "rate", "money", "percent", "version", "number"))
_PEOPLE = frozenset(
    GROUP_OF.get(word) or stem(word)
    for word in wordset("person people member employee participant attendee staff soul head")
)
_SORTS = {"label": "number", "year": "date", "interval": "rate"}
_ALONE = frozenset(("ordinal", "host", "email", "ip", "code"))  # told apart elsewhere: never compared here


def written(text: str) -> str:
    """Cleaned text with spoken times and periods in figures."""
    line = clean(text)
    for found, figure in _WRITTEN:
        line = found.sub(figure, line)
    return line


def amounts(text: str) -> tuple[Amounts, list[Span]]:
    """The amounts of `written` text by sort, and where they stand. A closed kind is a sort (“kind editor”), and
    so is what is counted (“count dog”)."""
    held: dict[str, set[str]] = {}
    spans: list[Span] = []
    for match in _RATE.finditer(text):
        spans.append(match.span())
        if match["times"] or match["often"] or match["lead"].casefold() in ("each", "every"):
            held.setdefault("rate", set()).add(_rate(match))
    for value in values(text):
        head = value.type.partition(" ")[0]
        if head not in _ALONE:
            sort = _counted(value.type) if head in ("count", "size") else _SORTS.get(head, head)
            form = f"{float(value.form) / 86_400:.3g}" if head == "interval" else value.form
            plain = head in ("count", "size") or sort in _PLAIN
            held.setdefault(sort if plain else f"kind {sort}", set()).add(form)
        spans.append((value.start, value.end))
    return {sort: frozenset(forms) for sort, forms in held.items()}, spans


def _counted(sort: str) -> str:
    """“count person” of whoever is counted; sizes by their unit."""
    return "count person" if sort.removeprefix("count ") in _PEOPLE else sort


def differing(ones: Amounts, others: Amounts) -> list[str]:
    """The sorts of which both have amounts, none in common."""
    return [sort for sort in ones if sort in others and not _agree(sort, ones[sort], others[sort])]


def lopsided(ones: Amounts, others: Amounts) -> int:
    """How many sorts only one of them has."""
    return len(ones.keys() ^ others.keys())


def _agree(sort: str, ones: frozenset[str], others: frozenset[str]) -> bool:
    kind = sort.removeprefix("kind ")
    return any(same_form(one, other, kind) for one in ones for other in others)


def _rate(match: re.Match[str]) -> str:
    """Days from one time to the next."""
    if match["often"]:
        return f"{_OFTEN[match['often'].casefold()]:.3g}"
    said = (match["times"] or "once").casefold()
    times = _TIMES.get(said) or int(said.split()[0])
    gap = (match["gap"] or "").strip().casefold()
    every = 2 if gap in ("second", "2nd", "other") else int(gap) if gap.isdigit() else 1
    return f"{_DAYS[match['period'].casefold()] * every / max(times, 1):.3g}"
