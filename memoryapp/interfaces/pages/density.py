"""How many episodes or memories a day, week or month had, as bars that are links: what the top of a timeline draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.pages import human

ZOOMS = {"day": "Days", "week": "Weeks", "month": "Months"}
_BUCKETS = {"day": 28, "week": 26, "month": 24}  # each bar is wide enough for a finger on most screens
_HEIGHT = 72.0
_FULL = 3  # of them fill the height at least: one alone must not look like a busy day
_LEAST = 4.0  # a single episode must be seen beside a busy day


@dataclass(frozen=True, slots=True)
class Bin:
    """`first` is its first day, `end` the day after its last; `height` of `HEIGHT` units."""

    first: date
    end: date
    count: int
    height: float
    told: str
    on: bool

    @property
    def y(self) -> float:
        return round(_HEIGHT - self.height, 1)


@dataclass(frozen=True, slots=True)
class Density:
    """`earlier` and `later` are days inside the windows beside this one, None where nothing lies there."""

    zoom: str
    bins: list[Bin]
    top: int  # what the full height stands for
    total: int
    earlier: date | None
    later: date | None
    labels: list[str]
    of: tuple[str, str] = ("episode", "episodes")

    @property
    def told(self) -> str:
        busiest = max(self.bins, key=lambda one: one.count)
        most = f", most on {busiest.told}" if busiest.count else ""
        return f"{human.counted(self.total, *self.of)} from {self.labels[0]} to {self.labels[-1]}{most}"


def zoom_for(days: Sequence[tuple[date, int]], *, today: date) -> str:
    """The closest zoom that shows all there is."""
    span = (today - days[0][0]).days if days else 0
    return "day" if span < _BUCKETS["day"] else "week" if span < 7 * _BUCKETS["week"] else "month"


def density(
    days: Sequence[tuple[date, int]],
    *,
    zoom: str,
    today: date,
    at: date | None = None,
    picked: date | None = None,
    of: tuple[str, str] = ("episode", "episodes"),
) -> Density:
    """`days`: (day, how many), the oldest first; `of`: what is counted, one and several. The window ends with the
    bucket of `at`, else with today's, or where nothing lies in that window with the last that holds anything."""
    edges, end = _window(at or today, zoom)
    if at is None and days and not any(edges[0] <= day < end for day, _ in days):
        edges, end = _window(min(days[-1][0], today), zoom)
    counts = dict.fromkeys(edges, 0)
    for day, count in days:
        if edges[0] <= day < end:
            counts[_first_of(day, zoom)] += count
    top = max(*counts.values(), _FULL)
    bins = [
        Bin(first, _next(first, zoom), count, _tall(count, top), _told(first, zoom, count, of), first == picked)
        for first, count in counts.items()
    ]
    return Density(
        zoom=zoom,
        bins=bins,
        top=top,
        total=sum(counts.values()),
        earlier=edges[0] - timedelta(days=1) if days and days[0][0] < edges[0] else None,
        later=_window_after(end, zoom, today) if end <= today else None,
        labels=[_label(edges[n], zoom) for n in (0, len(edges) // 2, len(edges) - 1)],
        of=of,
    )


def _window(last: date, zoom: str) -> tuple[list[date], date]:
    """First days of the buckets of a window, the oldest first, and the day after its end."""
    edges = [_first_of(last, zoom)]
    for _ in range(_BUCKETS[zoom] - 1):
        edges.append(_first_of(edges[-1] - timedelta(days=1), zoom))
    return edges[::-1], _next(edges[0], zoom)


def bucket(first: date, zoom: str) -> tuple[datetime, datetime]:
    """[from, until) of the bucket that holds a day, in UTC as the days are counted."""
    start = _first_of(first, zoom)
    return datetime.combine(start, time(), UTC), datetime.combine(_next(start, zoom), time(), UTC)


def read_day(text: str, field: str) -> date | None:
    """Raises BadInput."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"“{text[:40]}” is not a date. Write it as 2026-11-21.", field=field) from None
    if not 1900 <= day.year <= 9000:
        raise BadInput("That date is out of range.", field=field)
    return day


def _tall(count: int, top: int) -> float:
    return round(max(_HEIGHT * count / top, _LEAST), 1) if count else 0.0


def _first_of(day: date, zoom: str) -> date:
    if zoom == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if zoom == "week" else day


def _next(first: date, zoom: str) -> date:
    if zoom == "month":
        return (first + timedelta(days=32)).replace(day=1)
    return first + timedelta(days=7 if zoom == "week" else 1)


def _window_after(end: date, zoom: str, today: date) -> date:
    """A day in the last bucket of the window that begins at `end`, or today."""
    days = {"day": 1, "week": 7, "month": 30}[zoom] * (_BUCKETS[zoom] - 1)
    return min(end + timedelta(days=days), today)


def _told(first: date, zoom: str, count: int, of: tuple[str, str]) -> str:
    when = {"month": human.month(first), "week": f"the week of {human.day(first)}"}.get(zoom, human.day(first))
    return f"{when}: {human.counted(count, *of)}"


def _label(first: date, zoom: str) -> str:
    return human.month(first) if zoom == "month" else human.short_day(first)
