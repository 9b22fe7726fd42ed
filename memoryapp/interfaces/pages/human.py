"""Numbers, sizes, ages and dates as a person reads them: 1,284 · 3.6 KB · 11.8 ms · 4 h · 21 Nov 2026, 18:42."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime

from django.utils import timezone

from memoryapp.text.wording import count_text as count_text  # part of this vocabulary

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_STEPS = ((365 * _DAY, "y", "year"), (_DAY, "d", "day"), (_HOUR, "h", "hour"), (_MINUTE, "m", "minute"))
_standing: ContextVar[datetime | None] = ContextVar("standing", default=None)
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@contextmanager
def standing_at(at: datetime | None) -> Iterator[None]:
    """Ages and near days are told as of this instant within; as of now for None."""
    before = _standing.set(at)
    try:
        yield
    finally:
        _standing.reset(before)


def now() -> datetime:
    """The instant as of which a page is read."""
    return _standing.get() or timezone.now()


def number(value: float | None) -> str:
    """1284 → "1,284"; a fraction keeps at most two decimals; None → a dash."""
    if value is None:
        return "–"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"


def in_words(value: int) -> str:
    """Up to twelve in letters, as running text has it; above that in digits."""
    return _WORDS[value] if 0 <= value < len(_WORDS) else number(value)


def size(octets: float | None) -> str:
    """Bytes in powers of 1,024, as file managers print them: 3,686 → "3.6 KB"."""
    if octets is None:
        return "–"
    value, units = float(octets), ("B", "KB", "MB", "GB", "TB")
    for unit in units:
        if abs(value) < 1000 or unit == units[-1]:
            exact = unit == "B" or value >= 100 or value == round(value)
            return f"{value:.0f} {unit}" if exact else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError("the last unit always returns")


def millis(value: float) -> str:
    """11.83 → "11.8 ms"; a second and more in seconds."""
    return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.1f} ms"


def seconds(value: float) -> str:
    """A span of time: 0.31 → "0.3 s", 72 → "1 min 12 s", 4,320 → "1 h 12 min"."""
    if value < 10:
        return f"{value:.1f} s"
    whole = round(value)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"


def age(moment: datetime | None) -> str:
    """Short, for tables: "now", "13 m", "4 h", "20 d", "3 y"; what is to come is "in 5 d"."""
    if moment is None:
        return "–"
    passed = (now() - moment).total_seconds()
    for span, letter, _ in _STEPS:
        if abs(passed) >= span:
            return f"{'' if passed > 0 else 'in '}{math.floor(abs(passed) / span)} {letter}"
    return "now"


def ago(moment: datetime | None) -> str:
    """Long, for text: "just now", "13 minutes ago", "20 days ago"; what is to come is "in 2 hours"."""
    if moment is None:
        return "never"
    passed = (now() - moment).total_seconds()
    for span, _, word in _STEPS:
        if abs(passed) >= span:
            told = count_text(math.floor(abs(passed) / span), word)
            return f"{told} ago" if passed > 0 else f"in {told}"
    return "just now"


def day(moment: datetime | date | None) -> str:
    """21 Nov 2026, of a moment in the reader's time zone."""
    if moment is None:
        return "–"
    local = _local_moment(moment)
    return f"{local.day} {local:%b %Y}"


def short_day(moment: datetime | date) -> str:
    """18 Nov; of another year 18 Nov 2024. For tables and the axes of charts."""
    local, today = _local_moment(moment), _local_moment(now())
    return f"{local.day} {local:%b}" if local.year == today.year else day(moment)


def month(moment: datetime | date) -> str:
    """Nov 2026."""
    return f"{_local_moment(moment):%b %Y}"


def _local_moment(moment: datetime | date) -> datetime | date:
    return timezone.localtime(moment) if isinstance(moment, datetime) else moment


def moment(value: datetime | None) -> str:
    """21 Nov 2026, 18:42, in the reader's time zone."""
    return "–" if value is None else f"{day(value)}, {timezone.localtime(value):%H:%M}"


def clock(value: datetime) -> str:
    """18:42, in the reader's time zone."""
    return f"{timezone.localtime(value):%H:%M}"


def near_moment(value: datetime | None) -> str:
    """Near days by name: "today, 18:42", "yesterday, 09:00"; else "18 Nov 2026, 10:12"."""
    if value is None:
        return "never"
    local, today = timezone.localtime(value), timezone.localtime(now())
    apart = (today.date() - local.date()).days
    if apart in (0, 1):
        return f"{('today', 'yesterday')[apart]}, {local:%H:%M}"
    return moment(value)


def signed(value: float) -> str:
    """+0.05 or −0.05, with a true minus sign."""
    return f"{'+' if value >= 0 else '−'}{abs(value):.2f}"
