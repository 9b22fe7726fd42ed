"""Runs over time as small charts, one a measure, one line a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from memoryapp.domain.golden import GoldenRun
from memoryapp.web import human

MEASURED = {"recall": "Recall", "mrr": "MRR", "ndcg": "nDCG", "precision": "Precision"}
MOST = 6  # lines; as many as there are hues
_LEFT, _RIGHT, _TOP, _BASE = 32.0, 252.0, 10.0, 96.0
_LEAST_SPAN = 0.2  # of the scale, so that a hair's breadth does not look like a cliff
_APART = 3600  # seconds: later runs are another batch


@dataclass(frozen=True, slots=True)
class Plotted:
    """A plan's line: `hue` 1–6, also its dash and the shape of its marks; `dots` (x, y, told)."""

    plan: str
    hue: int
    points: str
    dots: list[tuple[float, float, str]]


@dataclass(frozen=True, slots=True)
class Chart:
    """On 260 by 116 units. `guides`: (y, what stands there)."""

    name: str
    lines: list[Plotted]
    guides: list[tuple[float, str]]
    first: str
    last: str
    told: str


def label(measure: str, k: int) -> str:
    """“Recall@10”; MRR has no k."""
    return MEASURED[measure] if measure == "mrr" else f"{MEASURED[measure]}@{k}"


def plotted(runs: Sequence[GoldenRun]) -> list[str]:
    """The plans that get a line: those run last, in order of their names so that each keeps its hue."""
    return sorted(list(dict.fromkeys(run.plan for run in runs))[:MOST])


def charts_of(runs: Sequence[GoldenRun]) -> list[Chart]:
    """`runs`: of one k, the newest first. Empty without any."""
    ordered = [run for run in reversed(runs) if run.measures]
    if not ordered:
        return []
    plans, batches = plotted(runs), _batches(ordered)
    count = batches[-1] + 1
    step = (_RIGHT - _LEFT) / max(count - 1, 1)
    xs = [round(_LEFT + step * n if count > 1 else (_LEFT + _RIGHT) / 2, 1) for n in batches]
    return [_chart(measure, ordered, plans, xs) for measure in MEASURED]


def _chart(measure: str, runs: Sequence[GoldenRun], plans: Sequence[str], xs: Sequence[float]) -> Chart:
    shown = [(x, run) for x, run in zip(xs, runs, strict=True) if run.plan in plans]
    low, high = _scale([run.measures[measure] for _, run in shown])

    def y(value: float) -> float:
        return round(_BASE - (_BASE - _TOP) * (value - low) / (high - low), 1)

    lines = []
    for n, plan in enumerate(plans, start=1):
        dots = [
            (x, y(run.measures[measure]), f"{plan}, {human.moment(run.at)}: {run.measures[measure]:.3f}")
            for x, run in shown
            if run.plan == plan
        ]
        lines.append(Plotted(plan, n, " ".join(f"{x},{at}" for x, at, _ in dots), dots))
    name, k = label(measure, runs[-1].k), runs[-1].k
    last = {run.plan: run.measures[measure] for _, run in shown}
    told = f"{label(measure, k)} at the last run: " + ", ".join(f"{plan} {value:.3f}" for plan, value in last.items())
    guides = [(y(value), f"{value:.1f}") for value in (low, high)]
    return Chart(name, lines, guides, human.day(runs[0].at), human.day(runs[-1].at), told)


def _scale(values: Sequence[float]) -> tuple[float, float]:
    """Whole tenths around the values, within 0 and 1."""
    low, high = floor(min(values) * 10 + 1e-9) / 10, ceil(max(values) * 10 - 1e-9) / 10
    if high - low < _LEAST_SPAN:
        high = min(1.0, round(low + _LEAST_SPAN, 1))
        low = min(low, round(high - _LEAST_SPAN, 1))
    return max(low, 0.0), high


def _batches(runs: Sequence[GoldenRun]) -> list[int]:
    """Of each run the number of its batch: plans that were run together stand above each other."""
    numbers: list[int] = []
    together: set[str] = set()
    for n, run in enumerate(runs):
        apart = (run.at - runs[n - 1].at).total_seconds() if n else 0.0
        if run.plan in together or apart > _APART:
            together = set()
        numbers.append((numbers[-1] if numbers else 0) + (1 if n and not together else 0))
        together.add(run.plan)
    return numbers
