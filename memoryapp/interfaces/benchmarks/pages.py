"""Benchmarks: the figures that ship and those of one's own run beside the plain baseline and what is to be reached,
losses as openly as wins; and how both are taken.

Of each measure it is said in words what it is, and where its figure lies in what `manage.py bench --out` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show

Place = tuple[str, ...]
# Sets by the name a run has for them, with the measures of the table of strategies.
SETS = {
    "locomo": ("LoCoMo turns", ("R@10", "R@5")),
    "musique": ("MuSiQue", ("R@5", "all@5")),
    "hotpotqa": ("HotpotQA", ("R@5", "all@5")),
    "markdown": ("Markdown notes", ("R@1", "R@5")),
    "korean": ("Korean sentences", ("R@1", "R@5")),
    "meetings": ("QMSum", ("P@10",)),
}
Figures = Mapping[str, Any]
_MOST_BYTES = 2_000_000
_NEAR = 0.005  # of what is to be reached: a miss by less is “just short”
_LOOKS = {"reached": "good", "just short": "caution", "short": "caution"}
# Those whose figures ship: what the page shows how to measure.
COMMAND_SETS = (
    "locomo,markdown,korean,multihop,facts,conflict,updates,duplicates,blind,tree,dialogsum,consolidate,speed,ingest"
)
OWN = "bench.json"  # in the data folder: what `manage.py bench --out` of this installation wrote


@dataclass(frozen=True, slots=True)
class Measure:
    """`plain`: the baseline as a number, or where the same run has it. `least`: the lower the better. `unit`: "" for a
    share from 0 to 1, else "ms", "s", "MB" or "a second"."""

    name: str
    place: Place
    reach: float | None = None
    plain: float | Place | None = None
    least: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    told: str
    measures: tuple[Measure, ...]


def _quality_measure(
    name: str, group: str, measure: str, plain: float | None, reach: float, by: str = "hybrid"
) -> Measure:
    return Measure(name, ("quality", group, by, measure), reach, plain)


def _search_measure(size: int, reach: float) -> Measure:
    place = ("speed", "searches", str(size))
    return Measure(
        f"Hybrid search at {size:,}, p50",
        (*place, "hybrid_ms", "p50"),
        reach,
        (*place, "baseline_ms", "p50"),
        True,
        "ms",
    )


def _tree_measure(name: str, strategy: str, measure: str) -> Measure:
    columns = ("tree", name, "columns")
    return Measure(
        f"Context Tree on {name}, {measure}", (*columns, strategy, measure), None, (*columns, "keyword", measure)
    )


FINDING = Section(
    "Finding",
    "The default strategy unless it says bridge. Baseline: BM25 over the memory alone, but for meetings.",
    (
        _quality_measure("LoCoMo turns, R@10", "locomo", "R@10", 0.628, 0.81),
        _quality_measure("LoCoMo turns, R@5", "locomo", "R@5", 0.558, 0.73),
        _quality_measure("LoCoMo, wrong person named, R@10", "locomo", "adversarial R@10", 0.886, 0.86),
        _quality_measure("LoCoMo sessions, R@5", "locomo", "session R@5", 0.837, 0.89),
        _quality_measure("MuSiQue, R@5", "musique", "R@5", 0.453, 0.68),
        _quality_measure("MuSiQue, all of it in 5", "musique", "all@5", 0.12, 0.34),
        _quality_measure("MuSiQue by bridge, R@5", "musique", "R@5", 0.453, 0.76, "bridge"),
        _quality_measure("MuSiQue by bridge, all of it in 5", "musique", "all@5", 0.12, 0.52, "bridge"),
        _quality_measure("HotpotQA, R@5", "hotpotqa", "R@5", 0.77, 0.86),
        _quality_measure("HotpotQA by bridge, R@5", "hotpotqa", "R@5", 0.77, 0.90, "bridge"),
        _quality_measure("Markdown, known item, R@1", "markdown", "R@1", 0.786, 0.86),
        _quality_measure("Markdown, known item, R@5", "markdown", "R@5", 0.939, 0.975),
        _quality_measure("Korean sentences, R@1", "korean", "R@1", 0.729, 0.75),
        _quality_measure("Korean sentences, R@5", "korean", "R@5", 0.876, 0.94),
        _quality_measure("QMSum, spans of meetings, P@10", "meetings", "P@10", 0.23, 0.30),
    ),
)
JUDGING = Section(
    "Facts and judgement",
    "Facts out of talk, contradictions, duplicates; without a language model. Baseline: flag every pair.",
    (
        Measure("Facts a person would note, met in their turn", ("facts", "all", "c75"), 0.62),
        Measure("Facts that nobody would note", ("facts", "all", "session noise"), 0.22, least=True),
        Measure("Turns read", ("facts", "turns_per_second"), 300, unit="a second"),
        Measure("Contradictions, sure, F1", ("pairs", "conflict en", "sure F1"), 0.72, 0.646),
        Measure("Contradictions, sure, false alarms", ("pairs", "conflict en", "sure false alarms"), 0.05, 1.0, True),
        Measure("Contradictions, with possible, F1", ("pairs", "conflict en", "shown F1"), 0.86, 0.646),
        Measure(
            "Contradictions, with possible, false alarms",
            ("pairs", "conflict en", "shown false alarms"), 0.15, 1.0, True,
        ),
        Measure("Contradictions in free words, precision", ("pairs", "unseen twentieth", "shown precision"), 0.95),
        Measure("Contradictions in free words, recall", ("pairs", "unseen twentieth", "shown recall"), 0.60),
        Measure(
            "Contradictions in free words, false alarms",
            ("pairs", "unseen twentieth", "shown false alarms"), 0.03, least=True,
        ),
        Measure("Facts updated, F1", ("pairs", "updates", "shown F1"), 0.99),
        Measure("Duplicates, English, F1", ("pairs", "duplicates en", "F1"), 0.76, 0.748),
        Measure("Duplicates, Korean, F1", ("pairs", "duplicates ko", "F1"), 0.88, 0.872),
    ),
)  # fmt: skip
WRITING = Section(
    "Digests and the Context Tree",
    "DialogSum: sentences as they were said; with names in place of “I” and “you” it is .33, .11 and .26. Baseline: "
    "the first three turns. Tree: by keywords that a program chose; baseline words alone.",
    (
        *(
            Measure(
                f"DialogSum, ROUGE-{last.upper()}", ("dialogsum", "central", "both", f"rouge-{last}"), reach,
                ("dialogsum", "first three turns", "both", f"rouge-{last}"),
            )
            for last, reach in (("1", 0.31), ("2", 0.10), ("l", 0.24))
        ),
        _tree_measure("notes", "context-tree", "P@1"),
        _tree_measure("articles", "context-tree", "P@1"),
    ),
)  # fmt: skip
SPEED = Section(
    "Speed and size",
    "Two shared cores; trust the ratios. Baseline in the same run: SQLite FTS5, exact cosines, reciprocal rank fusion.",
    (
        _search_measure(1_000, 2.0),
        _search_measure(10_000, 4.0),
        _search_measure(50_000, 10.0),
        Measure(
            "Dual-arm at 50,000, p50", ("speed", "searches", "50000", "graph", "dual-arm_ms", "p50"), 40, None, True,
            "ms",
        ),
        Measure(
            "Recall of two hops at 50,000, p50", ("speed", "searches", "50000", "graph", "recall_ms", "p50"), 40, None,
            True, "ms",
        ),
        Measure("Searches over HTTP at 10,000, 8 clients", ("http", "searches_per_s"), 100, unit="a second"),
        Measure("Start to the first answer at 50,000", ("speed", "start_to_ready_s"), 6, None, True, "s"),
        Measure("Resident at 50,000, with the benchmark's own", ("speed", "memory_mb"), 1_200, None, True, "MB"),
        Measure("Ingest of new notes, of the encoder's own speed", ("ingest", "share_of_encoder"), 0.85),
        Measure("Ingest again, unchanged", ("ingest", "unchanged_s"), 1, None, True, "s"),
        Measure("Ingest again, one file changed", ("ingest", "one_changed_s"), 1.5, None, True, "s"),
        Measure("50 sections into digests", ("consolidate", "50", "write"), 0.3, None, True, "s"),
        Measure("5,000 sections into digests", ("consolidate", "5000", "write"), 20, None, True, "s"),
    ),
)  # fmt: skip
SECTIONS = (FINDING, JUDGING, WRITING, SPEED)


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
    ours, beside, aim = _value_text(value, one.unit), _value_text(plain, one.unit), _value_text(one.reach, one.unit)
    return Line(
        name=one.name,
        ours=ours,
        own=_value_text(mine, one.unit),
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


def _value_text(value: float | None, unit: str) -> str:
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


@require_GET
@page()
def benchmarks_page(request: PageRequest) -> HttpResponse:
    shipped = read_run(settings.BASE_DIR / "docs" / "benchmarks.json") or Run({})
    own = read_run(settings.DATA_DIR / OWN)
    groups = groups_of(shipped.figures, own.figures if own else {})
    context = {
        "sets": COMMAND_SETS,
        "shipped": shipped,
        "own": own,
        "groups": groups,
        "tally": tally(groups),
        "strategies": strategies_of(shipped.figures),
    }
    return show(request, "benchmarks/benchmarks.html", context, at="benchmarks")
