"""Geometry for the charts that templates draw as SVG: trust bars, waterfalls, the histogram, growth, validity; and how
many episodes or memories a day, week or month had, as bars that are links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memoryapp.domain.errors import BadInput
from memoryapp.domain.trust import HIGHEST, Trust
from memoryapp.interfaces.pages import human

SCALE = 100  # SVG units for a trust of 1.00; the bar is 135 wide, the most there can be
FULL = round(HIGHEST * SCALE)
_BIN = 0.05
_BINS = 27  # 1.35 / 0.05
_HEIGHT, _BASE, _PITCH = 95.0, 116.0, 12
ZOOMS = {"day": "Days", "week": "Weeks", "month": "Months"}
_BUCKETS = {"day": 28, "week": 26, "month": 24}  # each bar is wide enough for a finger on most screens
_DENSITY_HEIGHT = 72.0
_FULL = 3  # of them fill the height at least: one alone must not look like a busy day
_LEAST = 4.0  # a single episode must be seen beside a busy day


def step(value: float) -> int:
    """1 to 5: faint, thin, fair, firm, settled, as domain.trust has it."""
    return max(1, min(int(value / 0.25) + 1, 5))


def word(value: float) -> str:
    return ("faint", "thin", "fair", "firm", "settled")[step(value) - 1]


def width(value: float) -> float:
    """Trust on the bar's scale, held inside it."""
    return round(max(0.0, min(value * SCALE, float(FULL))), 1)


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a waterfall. `ink` is drawn to `to`; `loss` (hatched) or `gain` follows it for `more` units."""

    label: str
    note: str
    figure: float
    ink: int
    to: float
    more: float = 0.0
    gain: bool = False


def waterfall(trust: Trust) -> list[Bar]:
    """Confidence, × recency, × repeats; a ceiling from what it was derived from comes last where it bites."""
    stated, faded = trust.confidence, trust.confidence * trust.recency
    full = faded * trust.boost
    bars = [
        Bar("Confidence", confidence_word(trust.confidence), stated, step(stated), width(stated)),
        Bar(
            "× Recency",
            _confirmed_text(trust.days),
            trust.recency,
            step(faded),
            width(faded),
            width(stated) - width(faded),
        ),
        Bar(
            "× Repeats",
            _seen_text(trust.reinforcements),
            trust.boost,
            step(faded),
            width(faded),
            width(full) - width(faded),
            True,
        ),
    ]
    if trust.ceiling is not None and trust.ceiling < full:
        cut = width(full) - width(trust.ceiling)
        bars.append(Bar("At most", "its lowest source", trust.ceiling, step(trust.ceiling), width(trust.ceiling), cut))
    return bars


def confidence_word(value: float) -> str:
    if value >= 0.85:
        return "explicit"
    return "implied" if value >= 0.6 else "inferred"


def _confirmed_text(days: float) -> str:
    whole = int(days)
    if whole == 0:
        return "confirmed today"
    return "confirmed yesterday" if whole == 1 else f"confirmed {whole} days ago"


def _seen_text(reinforcements: int) -> str:
    return "seen once" if reinforcements == 0 else f"seen {reinforcements + 1} times"


@dataclass(frozen=True, slots=True)
class Column:
    x: int
    y: float
    height: float
    ink: int
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    columns: list[Column]
    guides: list[tuple[float, int]]  # y and the count it stands for
    floor: float | None  # x of the trust floor
    floor_value: float
    total: int


def trust_histogram(counts: Sequence[int], *, floor: float = 0.0) -> Histogram:
    """`counts`: memories per 0.05 of trust from 0 to 1.35 (27 of them; what is missing counts as nothing)."""
    filled = [*counts[:_BINS], *([0] * max(0, _BINS - len(counts)))]
    top = max(filled, default=0) or 1
    columns = []
    for n, count in enumerate(filled):
        height = _HEIGHT * count / top if count == 0 else max(_HEIGHT * count / top, 1.5)
        low = n * _BIN
        ink = step(low + _BIN / 2)
        columns.append(Column(1 + n * _PITCH, round(_BASE - height, 1), round(height, 1), ink, low, low + _BIN, count))
    guides = [(round(_BASE - _HEIGHT * at / top, 1), at) for at in _guides(top)]
    x = round(floor / _BIN * _PITCH, 1) if floor else None
    return Histogram(columns, guides, x, floor, sum(filled))


def _guides(top: int) -> list[int]:
    """Two round counts that guide lines stand at, the larger below `top`."""
    half = _round_down(top / 2)
    return [at for at in (half, 2 * half) if 0 < at <= top]


def _round_down(value: float) -> int:
    """To one leading figure, so that a guide line stands at 50 and not at 51."""
    whole = int(value)
    unit = int(10 ** (len(str(whole)) - 1))
    return whole // unit * unit


@dataclass(frozen=True, slots=True)
class Growth:
    line: str
    area: str
    second: str
    first_day: date
    last: int
    last_second: int
    first: int
    guides: list[tuple[float, int]]  # y and the count it stands for


def growth(series: Sequence[tuple[date, int, int]]) -> Growth | None:
    """`series`: (day, memories held, superseded all told), oldest first. None with fewer than two days."""
    if len(series) < 2:
        return None
    held = [s[1] for s in series]
    most = max(*held, *(s[2] for s in series), 1)
    across = 321 / (len(series) - 1)
    line = " ".join(f"{2 + n * across:.1f},{_y(v, most)}" for n, v in enumerate(held))
    second = " ".join(f"{2 + n * across:.1f},{_y(s[2], most)}" for n, s in enumerate(series))
    guides = [(_y(at, most), at) for at in _guides(most)]
    return Growth(line, f"2,96 {line} 323,96", second, series[0][0], held[-1], series[-1][2], held[0], guides)


def _y(value: int, most: int) -> float:
    """Both lines have one scale, from nothing up: they are compared with one another."""
    return round(96 - 75 * value / most, 1)


@dataclass(frozen=True, slots=True)
class Validity:
    """When a memory holds, on a strip 400 wide. `holds`, `open` and `before` (what it stands in place of) are
    (x, width); ticks are confirmations."""

    holds: tuple[float, float]
    open: tuple[float, float] | None
    ticks: list[float]
    now: float
    labels: list[str]
    sentence: str
    before: tuple[float, float] | None = None


def validity(
    *,
    since: datetime,
    until: datetime | None,
    confirmed: Sequence[datetime],
    now: datetime,
    width: int = 400,
    before: tuple[datetime, datetime] | None = None,
) -> Validity:
    """The strip runs from a little before it began to a little after now (or its end, if that is later). `before`: from
    when to when its predecessor held."""
    first = min([since, *confirmed, *([before[0]] if before else [])])
    last = max([now, *([until] if until else [])])
    span = max((last - first).total_seconds(), 3600.0)
    begin, whole = first - timedelta(seconds=span * 0.25), span * 1.65

    def x(moment: datetime) -> float:
        return round(max(0.0, min((moment - begin).total_seconds() / whole, 1.0)) * width, 1)

    end = x(min(until, now)) if until else x(now)
    ahead = (x(now), width - x(now)) if until is None else ((x(now), x(until) - x(now)) if until > now else None)
    edges = [begin + timedelta(seconds=whole * n / 4) for n in range(4)]
    told = f"Holds from {human.day(since)}, " + (f"to {human.day(until)}." if until else "no end date.")
    earlier = (x(before[0]), max(round(x(before[1]) - x(before[0]), 1), 2.0)) if before else None
    holds = (x(since), max(round(end - x(since), 1), 2.0))
    return Validity(holds, ahead, [x(c) for c in confirmed], x(now), _labels(edges), told, earlier)


def _labels(edges: Sequence[datetime]) -> list[str]:
    apart = (edges[-1] - edges[0]).total_seconds()
    if apart < 2 * 86_400:
        return [human.clock(e) for e in edges]
    return [human.short_day(e) if apart < 300 * 86_400 else human.month(e) for e in edges]


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
        return round(_DENSITY_HEIGHT - self.height, 1)


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
        return f"{human.count_text(self.total, *self.of)} from {self.labels[0]} to {self.labels[-1]}{most}"


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
        Bin(
            first,
            _next_bin(first, zoom),
            count,
            _bar_height(count, top),
            _bin_label(first, zoom, count, of),
            first == picked,
        )
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
    return edges[::-1], _next_bin(edges[0], zoom)


def bucket(first: date, zoom: str) -> tuple[datetime, datetime]:
    """[from, until) of the bucket that holds a day, in UTC as the days are counted."""
    start = _first_of(first, zoom)
    return datetime.combine(start, time(), UTC), datetime.combine(_next_bin(start, zoom), time(), UTC)


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


def _bar_height(count: int, top: int) -> float:
    return round(max(_DENSITY_HEIGHT * count / top, _LEAST), 1) if count else 0.0


def _first_of(day: date, zoom: str) -> date:
    if zoom == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if zoom == "week" else day


def _next_bin(first: date, zoom: str) -> date:
    if zoom == "month":
        return (first + timedelta(days=32)).replace(day=1)
    return first + timedelta(days=7 if zoom == "week" else 1)


def _window_after(end: date, zoom: str, today: date) -> date:
    """A day in the last bucket of the window that begins at `end`, or today."""
    days = {"day": 1, "week": 7, "month": 30}[zoom] * (_BUCKETS[zoom] - 1)
    return min(end + timedelta(days=days), today)


def _bin_label(first: date, zoom: str, count: int, of: tuple[str, str]) -> str:
    when = {"month": human.month(first), "week": f"the week of {human.day(first)}"}.get(zoom, human.day(first))
    return f"{when}: {human.count_text(count, *of)}"


def _label(first: date, zoom: str) -> str:
    return human.month(first) if zoom == "month" else human.short_day(first)
