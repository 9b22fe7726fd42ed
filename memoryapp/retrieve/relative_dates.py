"""Days that a query names by how far they lie from the asker's own: “last week”, “3 days ago”, “지난달”, “사흘 전”.

A week begins on Monday; a unit is meant whole (“two months ago” is all of that month), and “the last ten days” are the
days up to today. A year by its number alone stands here too, since it is read only where no nearer date is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from memoryapp.extract.facts.calendar import (
    MONTH_NAMES,
    SEASONS,
    WEEKDAY_NAMES,
    Days,
    day,
    month,
    month_number,
    moved,
    nearest_month,
    number,
    season,
    week,
    weekday_number,
    weekend,
    year,
)

_Reader = Callable[[re.Match[str], date], Days | None]
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple(?: of)?|\d{1,3})"
_UNIT = r"day|weekend|week|month|year"
_SEASON = "|".join(SEASONS)
_MONTH = "|".join(MONTH_NAMES[:12])
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
    return _read(_RULES, query.lower(), today)


def years_in(query: str) -> list[Days]:
    """Whole years and seasons of a year by number: “in 2023”, “summer 2023”, “2023년에”."""
    return _read(_YEARS, query.lower(), date.min)


def _read(rules: tuple[tuple[re.Pattern[str], _Reader], ...], text: str, today: date) -> list[Days]:
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


def _stepped(match: re.Match[str], today: date) -> Days:
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


def _ago(match: re.Match[str], today: date) -> Days | None:
    count = number(match["n"])
    return moved(today, -count, match["unit"]) if count else None


def _up_to_today(match: re.Match[str], today: date) -> Days | None:
    """“the last ten days”; of weeks, months and years as many days back as they have."""
    count = number(match["n"])
    length = {"day": 1, "weekend": 7, "week": 7, "month": 30, "year": 365}[match["unit"].rstrip("s")]
    return (today - timedelta(days=count * length), today) if count else None


def _hangul_ago(match: re.Match[str], today: date) -> Days | None:
    if match["days"]:
        return day(today - timedelta(days=_HANGUL_DAYS[match["days"]]))
    count = int(match["n"]) if match["n"].isdigit() else _HANGUL_COUNTS[match["n"]]
    return moved(today, -count, _HANGUL_UNITS[match["unit"]]) if count else None


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
    yield rf"\b(?P<n>{_COUNT}) (?P<unit>(?:{_UNIT})s?) ago\b", _ago
    yield rf"\b(?:last|past|previous) (?P<n>{_COUNT}) (?P<unit>(?:{_UNIT})s?)\b", _up_to_today
    yield rf"\b(?P<step>{'|'.join(_STEPS)}) (?P<unit>weekend|week|month|year|{_SEASON}|{_MONTH}|{_WEEKDAY})\b", _stepped
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
