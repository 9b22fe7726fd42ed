"""Names of days, months and seasons, and the whole days that they cover."""

from __future__ import annotations

from datetime import date, timedelta

Days = tuple[date, date]  # first and last, both inside

WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_SHORT = ("mon", "tues", "tue", "wed", "thurs", "thur", "thu", "fri", "sat", "sun")
MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "sep", "oct", "nov", "dec",
)  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # first month, northern half
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple": 2, "a couple of": 2,
}  # fmt: skip


def month_number(name: str) -> int:
    """1 to 12, of a month's name or its first three letters."""
    start = name.lower()[:3]
    return next(place for place, full in enumerate(MONTH_NAMES[:12], 1) if full.startswith(start))


def weekday_number(name: str) -> int:
    """0 for Monday."""
    start = name.lower()[:3]
    return next(place for place, full in enumerate(WEEKDAY_NAMES) if full.startswith(start))


def number(words: str) -> int:
    """0 where the words give no number: “a few”, “several”."""
    small = words.lower()
    return int(small) if small.isdigit() else _NUMBERS.get(small, 0)


def day(at: date) -> Days:
    """One day, as a span."""
    return at, at


def week(of: date, step: int = 0) -> Days:
    """Monday to Sunday, `step` weeks on."""
    monday = of - timedelta(days=of.weekday()) + timedelta(weeks=step)
    return monday, monday + timedelta(days=6)


def weekend(of: date, step: int = 0) -> Days:
    """Saturday and Sunday. Said on a weekend, “this” is the present one."""
    saturday = week(of, step)[0] + timedelta(days=5)
    return saturday, saturday + timedelta(days=1)


def month(of_year: int, of_month: int, step: int = 0) -> Days:
    """The whole month, `step` months on."""
    first = _month_start(of_year, of_month, step)
    return first, _month_start(first.year, first.month, 1) - timedelta(days=1)


def year(at: int) -> Days:
    """The first and the last day of a year."""
    return date(at, 1, 1), date(at, 12, 31)


def season(name: str, said: date, step: int) -> Days:
    """Three months. “last summer” is the last that has begun before this day's own, “next” the one to come."""
    first = date(said.year, SEASONS[name], 1)
    if step < 0 and _season_end(first) >= said:
        first = date(said.year - 1, SEASONS[name], 1)
    elif step > 0 and first <= said:
        first = date(said.year + 1, SEASONS[name], 1)
    return first, _season_end(first)


def nearest_month(of_month: int, said: date, step: int) -> Days:
    """A month by its name: before this one, after it, or of this year."""
    at = said.year
    if step < 0 and of_month >= said.month:
        at -= 1
    elif step > 0 and of_month <= said.month:
        at += 1
    return month(at, of_month)


def shift_days(said: date, count: int, unit: str) -> Days:
    """A number of units before or after. Of days the day itself, of weeks the week, of months the month …"""
    unit = unit.lower().rstrip("s")
    if unit == "day":
        return day(said + timedelta(days=count))
    if unit == "week":
        return week(said, count)
    if unit == "weekend":
        return weekend(said, count)
    if unit == "month":
        return month(said.year, said.month, count)
    return year(said.year + count)


def _month_start(of_year: int, of_month: int, step: int) -> date:
    months = of_year * 12 + of_month - 1 + step
    return date(months // 12, months % 12 + 1, 1)


def _season_end(first: date) -> date:
    return _month_start(first.year, first.month, 3) - timedelta(days=1)
