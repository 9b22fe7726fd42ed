"""The dates a query names, and how close each memory stands to them.

Read: 7 May 2023 · May 7th, 2023 · 2023-05-07 · 7.5.2023 · 2023년 5월 7일 · a day without a year · a month · a year ·
from one day to another · and, by relative_dates, what the clock is needed for: today, last week, 3 days ago, 지난달 ….
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memoryapp.extract.facts.calendar import Days
from memoryapp.retrieve.relative_dates import days_from, years_in

_WHOLE_NAMES = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS = _WHOLE_NAMES | {name[:3]: number for name, number in _WHOLE_NAMES.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY, _YEAR = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?", r"(?P<y>(?:19|20)\d\d)"
_DAYS = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<y>(?:19|20)\d\d)\.\s?(?P<m>\d{1,2})\.\s?(?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)",
        rf"\b{_DAY}(?:\s+of)?\s+(?P<n>{_MONTH})\b\.?(?:,?\s+{_YEAR}\b)?",
        rf"\b(?P<n>{_MONTH})\b\.?\s+(?:the\s+)?{_DAY}\b(?!:)(?:,?\s+{_YEAR}\b)?",
        r"(?:(?P<y>(?:19|20)\d\d)\s?년\s?)?(?<!\d)(?P<m>\d{1,2})\s?월\s?(?P<d>\d{1,2})\s?일",
    )
]
_WHOLE_MONTHS = [
    re.compile(pattern)
    for pattern in (
        r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>\d{1,2})(?![\d-])",
        rf"\b(?P<n>{_MONTH})\b\.?(?:,?\s+{_YEAR}\b)?",
        r"(?:(?P<y>(?:19|20)\d\d)\s?년\s?)?(?<!\d)(?P<m>\d{1,2})\s?월",
    )
]
_MAY = re.compile(r"\b(?:in|of|on|during|by|since|until|before|after|last|this|early|late|mid)[\s-]+may\b|\bmay,?\s+\d")
_RELATIVE_MAY = re.compile(r"\b(?:last|this|next|past|previous|coming|current) may\b")
# Between two days that are the ends of a range: from 3 May to 10 May, 5월 3일부터 5월 10일까지.
_BETWEEN = re.compile(r"\s*(?:,?\s*(?:to|and|until|till|through)(?:\s+the)?|[-–—~]|부터|에서)\s*")
_FROM = re.compile(r"\b(?:from|between|since)(?:\s+the)?\s*$")
_FADING = 4.0  # days over which closeness to a named day falls to 1/e
_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Span:
    """First and last day that were meant; `year` 0: that day or month of any year. `whole`: a month or a week, whose
    days all count the same; else closeness fades with the days around."""

    year: int
    month: int
    day: int
    days: int = 1
    whole: bool = False


def dates_in(query: str, *, now: datetime) -> tuple[Span, ...]:
    """Every date the query names; a month only counts where no day was named, a year by its number only where nothing
    nearer was."""
    text = query.lower()
    today = now.date()
    relative = [_span(days) for days in days_from(text, today=today)]
    read = [one for pattern in _DAYS for one in _read(pattern, text)]
    named = _ranged([(place, Span(*parts)) for place, parts in read], text, now=now)
    if not named:
        text = _RELATIVE_MAY.sub(" ", text)
        months = {
            (y, m): None for pattern in _WHOLE_MONTHS for _, (y, m, _) in _read(pattern, text) if y or not relative
        }
        named = [Span(y, m, 1, whole=True) for y, m in months]
    named += relative
    return tuple(dict.fromkeys(named or map(_span, years_in(text))))


def _span(days: Days) -> Span:
    first, last = days
    length = (last - first).days + 1
    return Span(first.year, first.month, first.day, days=length, whole=length > 1)


def _ranged(found: list[tuple[tuple[int, int], Span]], text: str, *, now: datetime) -> list[Span]:
    """Two days that the query joins as the ends of a range become one span; others stand for themselves."""
    found = sorted(found, key=lambda one: one[0])
    if len(found) == 2:
        ((start, end), first), ((begin, _), last) = found
        joined = _BETWEEN.fullmatch(text[end:begin])
        opened = _FROM.search(text[:start]) or not text[end:begin].strip().isalpha() or "부터" in text[end:begin]
        if joined and opened and (span := _from_to(first, last, now=now)):
            return [span]
    return [span for _, span in found]


def _from_to(first: Span, last: Span, *, now: datetime) -> Span | None:
    """None where the second day is not after the first. A year that only one of them has is both's."""
    at = last.year or first.year or now.year
    try:
        start, end = date(first.year or at, first.month, first.day), date(at, last.month, last.day)
    except ValueError:
        return None
    return _span((start, end)) if start < end else None


def closeness(spans: tuple[Span, ...], occurred: NDArray[np.float64]) -> NDArray[np.float32]:
    """Per slot: 1 inside a named month or week, exp(−|days| / 4) around a named day, 0 without a date, (n,)."""
    best = np.zeros(len(occurred), dtype=np.float32)
    dated = np.flatnonzero(~np.isnan(occurred))
    if not dated.size or not spans:
        return best
    days = np.floor(occurred[dated] / _SECONDS)
    years = np.unique(days.astype("datetime64[D]").astype("datetime64[Y]")).astype(int) + 1970
    for span in spans:
        for year in [span.year] if span.year else years.tolist():
            best[dated] = np.maximum(best[dated], _near(span, year, days))
    return best


def _near(span: Span, year: int, days: NDArray[np.float64]) -> NDArray[np.float64]:
    try:
        first = date(year, span.month, span.day)
    except ValueError:  # 29 February of a common year
        return np.zeros(len(days))
    start = (first - date(1970, 1, 1)).days
    if span.whole:
        length = span.days if span.days > 1 else (_next_month(first) - first).days
        return ((days >= start) & (days < start + length)).astype(np.float64)
    return np.exp(-np.abs(days - start) / _FADING)


def _next_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1)


def _read(pattern: re.Pattern[str], text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int, int]]]:
    """((start, end) in the text, (year or 0, month, day)) of each."""
    for match in pattern.finditer(text):
        parts = match.groupdict()
        if parts.get("n") == "may" and not parts.get("d") and not _MAY.search(text):
            continue  # the verb
        if parts.get("n") and len(parts["n"]) == 3 and not (parts.get("d") or parts.get("y")) and parts["n"] != "may":
            continue  # “mar”, “sep”, “dec” alone are more often something else
        month = _MONTHS[parts["n"]] if parts.get("n") else int(parts["m"])
        day = int(parts.get("d") or 1)
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield match.span(), (int(parts["y"] or 0), month, day)
