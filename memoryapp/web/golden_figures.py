"""The figures of a run of golden queries, and how far each moved since the run before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memoryapp.domain.golden import MEASURES, GoldenRun
from memoryapp.lab.regress import FALL, RunChange
from memoryapp.web.golden_chart import label

_SLACK = 1e-9  # sums of floats
_SHOWN = 0.0005  # what rounds to nothing with three decimals


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure of a run; `delta` since the run before, "" where nothing is to be said; `fell` by enough to warn."""

    name: str
    value: str
    delta: str
    fell: bool


def figures_of(run: GoldenRun, change: RunChange | None) -> list[Figure]:
    deltas = change.deltas if change else {}
    return [
        Figure(
            label(name, run.k),
            f"{run.measures[name]:.3f}" if name in run.measures else "–",
            _delta(deltas[name]) if name in deltas else "",
            deltas.get(name, 0.0) <= _SLACK - FALL,
        )
        for name in MEASURES
    ]


def fell_told(change: RunChange) -> str:
    """“nDCG@10 fell by 0.051, recall@10 by 0.100”, the largest first; "" where nothing fell."""
    fell = sorted((delta, name) for name, delta in change.deltas.items() if delta < -_SHOWN)
    return ", ".join(
        f"{label(name, change.k)} {'fell ' if not n else ''}by {-delta:.3f}" for n, (delta, name) in enumerate(fell)
    )


def values_of(measures: Mapping[str, float]) -> list[str]:
    """In the order of MEASURES; a dash where there is none."""
    return [f"{measures[name]:.3f}" if name in measures else "–" for name in MEASURES]


def _delta(value: float) -> str:
    if abs(value) < _SHOWN:
        return "as before"
    return f"{'+' if value > 0 else '−'}{abs(value):.3f}"
