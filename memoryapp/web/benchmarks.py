"""The benchmarks page: the figures that ship and those of one's own run beside the baseline and what is to be reached,
losses as openly as wins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memoryapp.web import human
from memoryapp.web.benchmark_measures import SECTIONS, SETS, Measure, Place

Figures = Mapping[str, Any]
_MOST_BYTES = 2_000_000
_NEAR = 0.005  # of what is to be reached: a miss by less is “just short”
_LOOKS = {"reached": "good", "just short": "caution", "short": "caution"}


@dataclass(frozen=True, slots=True)
class Bar:
    """On a strip 100 wide; `reach` and `plain` are ticks, None where there is no such figure."""

    width: float
    reach: float | None
    plain: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """Figures as they are shown, a dash for what is not there; `verdict` of the one that ships, `own` of one's own."""

    name: str
    ours: str
    own: str
    plain: str
    reach: str
    verdict: str
    own_verdict: str
    below: bool
    bar: Bar | None
    told: str

    @property
    def look(self) -> str:
        return _LOOKS.get(self.verdict, "")

    @property
    def own_look(self) -> str:
        return _LOOKS.get(self.own_verdict, "")


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    told: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Run:
    """Figures with what they were taken under. `problem`: why a file that is there could not be read."""

    figures: Figures
    at: datetime | None = None
    encoder: str = ""
    split: str = ""
    machine: str = ""
    problem: str = ""


def read_run(path: Path) -> Run | None:
    """None where there is no such file."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return Run({}, problem="It is too large for a benchmark run.")
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return Run({}, problem="It is not the JSON of a benchmark run.")
    if not isinstance(told, dict):
        return Run({}, problem="It is not the JSON of a benchmark run.")
    words = {name: str(told.get(name) or "")[:200] for name in ("encoder", "split", "machine")}
    return Run(told, _moment(told.get("at")), **words)


def groups_of(shipped: Figures, own: Figures) -> list[Group]:
    return [
        Group(section.name, section.told, [_line(one, shipped, own) for one in section.measures])
        for section in SECTIONS
    ]


def tally(groups: Sequence[Group]) -> dict[str, int]:
    """How many of the figures that ship reach what was aimed for, fall short of it, and are not taken yet."""
    lines = [line for group in groups for line in group.lines if line.reach != "–"]
    return {
        "reached": sum(line.verdict == "reached" for line in lines),
        "short": sum("short" in line.verdict for line in lines),
        "open": sum(not line.verdict for line in lines),
    }


def strategies_of(figures: Figures) -> dict[str, Any]:
    """Every strategy on every set: {"columns": names, "rows": (set, measure, [(figure, best)])}; empty without any."""
    told = figures.get("quality")
    quality: Mapping[str, Any] = told if isinstance(told, dict) else {}
    columns = list(dict.fromkeys(name for one in quality.values() if isinstance(one, dict) for name in one))
    rows = []
    for key, (name, measures) in SETS.items():
        for measure in measures:
            found = [figure_at(figures, ("quality", key, column, measure)) for column in columns]
            best = max((value for value in found if value is not None), default=None)
            if best is not None:
                rows.append((name, measure, [(_share(value), value == best) for value in found]))
    return {"columns": columns, "rows": rows} if rows else {}


def figure_at(figures: Figures, place: Place) -> float | None:
    """None where there is none, or something that is no number."""
    found: Any = figures
    for name in place:
        found = found.get(name) if isinstance(found, dict) else None
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def verdict_of(value: float | None, reach: float | None, *, least: bool) -> str:
    """“reached”, “just short” or “short”; "" where there is nothing to say."""
    if value is None or reach is None:
        return ""
    missed = value - reach if least else reach - value
    if round(missed, 4) <= 0:
        return "reached"
    return "just short" if missed < _NEAR * reach else "short"


def _line(one: Measure, shipped: Figures, own: Figures) -> Line:
    value, mine = figure_at(shipped, one.place), figure_at(own, one.place)
    plain = figure_at(shipped, one.plain) if isinstance(one.plain, tuple) else one.plain
    verdict = verdict_of(value, one.reach, least=one.least)
    ours, beside, aim = _told(value, one.unit), _told(plain, one.unit), _told(one.reach, one.unit)
    return Line(
        name=one.name,
        ours=ours,
        own=_told(mine, one.unit),
        plain=beside,
        reach="–" if one.reach is None else f"{'≤' if one.least else '≥'} {aim}",
        verdict=verdict,
        own_verdict=verdict_of(mine, one.reach, least=one.least),
        below=value is not None and plain is not None and (value > plain if one.least else value < plain),
        bar=_bar(one, value, plain),
        told=f"{ours}; baseline {beside}; target {aim}" + (f": {verdict}" if verdict else ""),
    )


def _bar(one: Measure, value: float | None, plain: float | None) -> Bar | None:
    """A share runs from 0 to 1; what has a unit from 0 to the largest of its three figures."""
    if value is None:
        return None
    whole = 1.0 if not one.unit else max(value, plain or 0, one.reach or 0) * 1.02 or 1.0

    def x(figure: float | None) -> float | None:
        return None if figure is None else round(100 * min(max(figure / whole, 0.0), 1.0), 1)

    return Bar(x(value) or 0.0, x(one.reach), x(plain))


def _told(value: float | None, unit: str) -> str:
    if value is None or not unit:
        return _share(value)
    if unit == "ms":
        return human.millis(value)
    if unit == "MB":
        return human.size(value * 1024 * 1024)
    if unit == "s":
        return f"{value:.2f} s" if value < 1 else human.seconds(value)
    return f"{human.number(round(value))} {unit}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _moment(text: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo else None
