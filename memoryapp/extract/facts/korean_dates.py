"""The days that Korean words name, resolved against the time they were said in. For `korean`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.domain.clock import within_reach
from memoryapp.extract.facts.calendar import Days, day, month, moved, week, year
from memoryapp.extract.facts.validity import Times

_Reader = Callable[[re.Match[str], date], Days]
_UNITS = {"일": "day", "주": "week", "달": "month", "개월": "month", "년": "year"}
_STEPS = {"지난": -1, "저번": -1, "이번": 0, "다음": 1}
_DAYS = {"그저께": -2, "그제": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2}
_YEARS = {"재작년": -2, "작년": -1, "올해": 0, "내년": 1}


def _week_or_month(match: re.Match[str], said: date) -> Days:
    step = _STEPS[match["step"]]
    return week(said, step) if match["unit"] == "주" else month(said.year, said.month, step)


def _full(match: re.Match[str], said: date) -> Days:
    at = int(match["y"]) if match["y"] else said.year
    if match["d"]:
        return day(date(at, int(match["m"]), int(match["d"])))
    return month(at, int(match["m"]))


_DATE_RULES: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(r"(?:(?P<y>\d{4})년 ?)?(?P<m>\d{1,2})월(?: ?(?P<d>\d{1,2})일)?"), _full),
    (re.compile(r"(?P<y>(?:19|20)\d{2})년"), lambda match, said: year(int(match["y"]))),
    (
        re.compile(r"(?P<n>\d{1,3}) ?(?P<unit>일|주|달|개월|년) ?전"),
        lambda match, said: moved(said, -int(match["n"]), _UNITS[match["unit"]]),
    ),
    (re.compile(r"(?P<step>지난|저번|이번|다음) ?(?P<unit>주|달)(?!말)"), _week_or_month),
    (re.compile(r"재작년|작년|올해|내년"), lambda match, said: year(said.year + _YEARS[match.group()])),
    (
        re.compile(r"그저께|그제|어제|오늘|내일|모레"),
        lambda match, said: day(said + timedelta(days=_DAYS[match.group()])),
    ),
)
_SINCE = re.compile(r"\s?부터")
_BEGINS = re.compile(r"이사|시작|입사|결혼|바꿨|변경|전환|이전|옮겼|입양|살|다니|근무")


def korean_times(text: str, *, said: datetime | None) -> Times:
    """The first days named; a beginning (“부터”, moving, starting) makes them the start of validity."""
    if said is None or "생일" in text:  # a birthday comes every year: nothing happened on it
        return Times()
    for pattern, read in _DATE_RULES:
        match = pattern.search(text)
        if not match:
            continue
        try:
            first, last = read(match, said.date())
        except (ValueError, OverflowError):  # the 31st of a short month
            continue
        if not within_reach(first, last):
            continue
        start = datetime.combine(first, time(), tzinfo=UTC)
        days = f"{first}" if first == last else f"{first} to {last}"
        begins = bool(_SINCE.match(text, match.end()) or _BEGINS.search(text, match.end()))
        return Times(start, f"{match.group()} → {days}", valid_from=start if begins else None)
    return Times()
