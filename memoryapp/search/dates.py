"""The dates a query names, and how close each memory stands to them.

Read: 7 May 2023 · May 7th, 2023 · 2023-05-07 · 7.5.2023 · 2023년 5월 7일 · a day without a year · a month · a year ·
from one day to another · and, by the rules for relative dates, what the clock is needed for: today, last week, 3 days
ago, 지난달 ….
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memoryapp.extraction.facts.calendar import (
    MONTH_NAMES,
    SEASONS,
    WEEKDAY_NAMES,
    Days,
    day,
    month,
    month_number,
    nearest_month,
    number,
    season,
    shift_days,
    week,
    weekday_number,
    weekend,
    year,
)

# Days named by how far they lie from the asker's own. A week begins on Monday; a unit is meant whole (“two months ago”
# is all of that month), and “the last ten days” are the days up to today. A year by its number alone stands here too,
# since it is read only where no nearer date is named.

_Reader = Callable[[re.Match[str], date], Days | None]
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple(?: of)?|\d{1,3})"
_UNIT = r"day|weekend|week|month|year"
_SEASON = "|".join(SEASONS)
_FULL_MONTH = "|".join(MONTH_NAMES[:12])
_WEEKDAY = "|".join(WEEKDAY_NAMES)
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_NEAR = {"the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_HANGUL_NEAR = {"그끄저께": -3, "그저께": -2, "그제": -2, "엊그제": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2}
_HANGUL_STEPS = {"지지난": -2, "저저번": -2, "지난": -1, "저번": -1, "이번": 0, "다음": 1}
_HANGUL_YEARS = {"재작년": -2, "작년": -1, "올해": 0, "내년": 1}
_HANGUL_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "열흘": 10, "보름": 15}
_HANGUL_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_HANGUL_COUNTS |= {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6}
_HANGUL_UNITS = {"일": "day", "주일": "week", "주": "week", "달": "month", "개월": "month", "년": "year", "해": "year"}
_HANGUL_SEASONS = {"봄": "spring", "여름": "summer", "가을": "autumn", "겨울": "winter"}
_HANGUL_WEEKDAYS = "월화수목금토일"


def days_from(query: str, *, today: date) -> list[Days]:
    """(first, last) of each, both inside, in order of place; what one rule has read the others leave alone."""
    return _apply_rules(_RULES, query.lower(), today)


def years_in(query: str) -> list[Days]:
    """Whole years and seasons of a year by number: “in 2023”, “summer 2023”, “2023년에”."""
    return _apply_rules(_YEARS, query.lower(), date.min)


def _apply_rules(rules: tuple[tuple[re.Pattern[str], _Reader], ...], text: str, today: date) -> list[Days]:
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, Days]] = []
    for pattern, read in rules:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            try:
                days = read(match, today)
            except (ValueError, OverflowError):  # before the year 1
                continue
            if days is not None:
                taken.append(match.span())
                found.append((match.start(), days))
    return [days for _, days in sorted(found, key=lambda one: one[0])]


def _step_days(match: re.Match[str], today: date) -> Days:
    """“last week”, “this June”, “next Friday”."""
    step, unit = _STEPS[match["step"]], match["unit"]
    if unit in SEASONS:
        return season(unit, today, step)
    if unit in WEEKDAY_NAMES:
        ahead = (weekday_number(unit) - today.weekday()) % 7
        if step < 0 or (step == 0 and ahead > 0):  # what is remembered has been: “this Friday” is the one before
            ahead -= 7
        elif step > 0 and not ahead:
            ahead = 7
        return day(today + timedelta(days=ahead))
    if unit in MONTH_NAMES:
        return nearest_month(month_number(unit), today, step)
    return weekend(today, step) if unit == "weekend" else _unit(today, step, unit)


def _unit(today: date, step: int, unit: str) -> Days:
    if unit == "week":
        return week(today, step)
    return month(today.year, today.month, step) if unit == "month" else year(today.year + step)


def _days_ago(match: re.Match[str], today: date) -> Days | None:
    count = number(match["n"])
    return shift_days(today, -count, match["unit"]) if count else None


def _up_to_today(match: re.Match[str], today: date) -> Days | None:
    """“the last ten days”; of weeks, months and years as many days back as they have."""
    count = number(match["n"])
    length = {"day": 1, "weekend": 7, "week": 7, "month": 30, "year": 365}[match["unit"].rstrip("s")]
    return (today - timedelta(days=count * length), today) if count else None


def _hangul_ago(match: re.Match[str], today: date) -> Days | None:
    if match["days"]:
        return day(today - timedelta(days=_HANGUL_DAYS[match["days"]]))
    count = int(match["n"]) if match["n"].isdigit() else _HANGUL_COUNTS[match["n"]]
    return shift_days(today, -count, _HANGUL_UNITS[match["unit"]]) if count else None


def _hangul_up_to_today(match: re.Match[str], today: date) -> Days | None:
    count = int(match["n"]) if match["n"].isdigit() else _HANGUL_COUNTS[match["n"]]
    length = {"day": 1, "week": 7, "month": 30, "year": 365}[_HANGUL_UNITS[match["unit"]]]
    return (today - timedelta(days=count * length), today) if count else None


def _hangul_stepped(match: re.Match[str], today: date) -> Days:
    step, unit = _HANGUL_STEPS[match["step"]], match["unit"]
    if unit == "주말":
        return weekend(today, step)
    if unit == "달":
        return month(today.year, today.month, step)
    if unit in _HANGUL_SEASONS:
        return season(_HANGUL_SEASONS[unit], today, step)
    days = week(today, step)
    return day(days[0] + timedelta(days=_HANGUL_WEEKDAYS.index(match["day"]))) if match["day"] else days


def _season_of_year(match: re.Match[str], today: date) -> Days:
    of, at = SEASONS[match["season"]], int(match["y"])
    return date(at, of, 1), month(at, of, 2)[1]


def _rules() -> Iterator[tuple[str, _Reader]]:
    """Most particular first."""
    near = "|".join(_NEAR)
    yield rf"\b(?:{near})\b", lambda match, today: day(today + timedelta(days=_NEAR[match.group()]))
    yield rf"\b(?P<n>{_COUNT}) (?P<unit>(?:{_UNIT})s?) ago\b", _days_ago
    yield rf"\b(?:last|past|previous) (?P<n>{_COUNT}) (?P<unit>(?:{_UNIT})s?)\b", _up_to_today
    yield (
        rf"\b(?P<step>{'|'.join(_STEPS)}) (?P<unit>weekend|week|month|year|{_SEASON}|{_FULL_MONTH}|{_WEEKDAY})\b",
        _step_days,
    )
    days, counts = "|".join(_HANGUL_DAYS), "|".join(_HANGUL_COUNTS)
    units = "|".join(sorted(_HANGUL_UNITS, key=len, reverse=True))
    count = rf"(?P<n>\d{{1,3}}|(?<![가-힣])(?:{counts}))"
    yield rf"(?:(?P<days>{days})|{count} ?(?P<unit>{units})) ?전", _hangul_ago
    yield rf"(?:지난|최근) {count} ?(?P<unit>{units})(?! ?전)", _hangul_up_to_today
    steps = "|".join(_HANGUL_STEPS)
    seasons = "|".join(_HANGUL_SEASONS)
    yield rf"(?P<step>{steps}) ?(?P<unit>주말|주|달|{seasons})(?: ?(?P<day>[월화수목금토일])요일)?", _hangul_stepped
    yield "|".join(_HANGUL_YEARS), lambda match, today: year(today.year + _HANGUL_YEARS[match.group()])
    near = "|".join(sorted(_HANGUL_NEAR, key=len, reverse=True))
    yield near, lambda match, today: day(today + timedelta(days=_HANGUL_NEAR[match.group()]))


def _year_rules() -> Iterator[tuple[str, _Reader]]:
    number = r"(?P<y>(?:19|20)\d\d)"
    yield rf"\b(?P<season>{_SEASON})(?: of)?,? {number}\b", _season_of_year
    yield rf"\b(?:in|of|during|since|until|by|throughout|early|late|mid)[ -]{number}\b(?![-/.:]?\d)", _of_year
    yield rf"(?<!\d){number}\s?년(?!\s?\d{{1,2}}\s?월)", _of_year


def _of_year(match: re.Match[str], today: date) -> Days:
    return year(int(match["y"]))


_RULES = tuple((re.compile(pattern), read) for pattern, read in _rules())
_YEARS = tuple((re.compile(pattern), read) for pattern, read in _year_rules())


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
    named = _join_ranges([(place, Span(*parts)) for place, parts in read], text, now=now)
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


def _join_ranges(found: list[tuple[tuple[int, int], Span]], text: str, *, now: datetime) -> list[Span]:
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
        for each in [span.year] if span.year else years.tolist():
            best[dated] = np.maximum(best[dated], _span_closeness(span, each, days))
    return best


def _span_closeness(span: Span, year: int, days: NDArray[np.float64]) -> NDArray[np.float64]:
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
