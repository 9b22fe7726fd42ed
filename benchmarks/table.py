"""The figures as tables of plain text: a line a measure, a column a strategy, the references beside them.

What the figures are held against: a plain baseline, and what is to be reached, by set and measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.bootstrap import Each, Interval, paired_difference
from benchmarks.score import means

REACH: dict[str, dict[str, tuple[float, float]]] = {  # (plain BM25 over the memory alone, to be reached)
    "locomo": {
        "R@10": (0.628, 0.81),
        "R@5": (0.558, 0.73),
        "adversarial R@10": (0.886, 0.86),
        "session R@5": (0.837, 0.89),
    },
    "markdown": {"R@1": (0.786, 0.86), "R@5": (0.939, 0.975)},
    "korean": {"R@1": (0.729, 0.75), "R@5": (0.876, 0.94)},
    "musique": {"R@5": (0.453, 0.68), "all@5": (0.12, 0.34)},  # of the default; bridge: .76, .52
    "hotpotqa": {"R@5": (0.77, 0.86)},  # of the default; bridge: .90
    "meetings": {"P@10": (0.23, 0.30)},
}
MILLISECONDS = {1_000: 2.0, 10_000: 4.0, 50_000: 10.0}  # hybrid search, query embedding excluded, p50
WALK_MILLISECONDS = 40.0  # dual-arm and recall of two hops at 50,000 memories and 200,000 references, p50


Figures = Mapping[str, Mapping[str, Mapping[str, float]]]


def quality_table(figures: Figures) -> Iterator[str]:
    """By set. “BM25” is the plain baseline, “reach” what is to be reached; * marks a figure that reaches it."""
    for name, variants in figures.items():
        columns = list(variants)
        rows = [["", "BM25", "reach", *columns]]
        for measure in next(iter(variants.values()), {}):
            plain, reach = REACH.get(name, {}).get(measure, (None, None))
            cells = [_marked_value(variants[column][measure], reach) for column in columns]
            rows.append([measure, _number(plain), _number(reach), *cells])
        yield f"\n{name}"
        yield from align_columns(rows)


def columns_of(asked: Each, names: Sequence[str]) -> Each:
    """The same with these columns only."""
    return {name: {column: columns[column] for column in names} for name, columns in asked.items()}


def ablation_table(asked: Each, *, whole: str) -> Iterator[str]:
    """What each piece adds, in points with its interval: the whole formula minus the one without it. A minus is a
    piece that costs; * marks what another such set of questions would hardly deny."""
    for name, columns in asked.items():
        measures = [m for m in REACH.get(name, {}) if m in columns[whole]]
        rows = [["", *measures], [whole, *(_number(means(columns[whole])[m]) for m in measures)]]
        for column, scored in columns.items():
            if column != whole:
                rows.append([column, *(str(paired_difference(scored[m], columns[whole][m])) for m in measures)])
        yield f"\n{name}: points lost without …"
        yield from align_columns(rows)


def against_table(intervals: Mapping[str, Mapping[str, Mapping[str, Interval]]], *, what: str) -> Iterator[str]:
    """Points above what was held against, with the interval that 95 % of the resamples lie in."""
    for name, columns in intervals.items():
        measures = list(dict.fromkeys(measure for told in columns.values() for measure in told))
        rows = [["", *columns]]
        rows += [[m, *(str(told[m]) if m in told else "" for told in columns.values())] for m in measures]
        yield f"\n{name}: points above {what} [95 %]"
        yield from align_columns(rows)


def speed_table(told: Mapping[str, Any]) -> Iterator[str]:
    rows = [["memories", "p50 ms", "p95 ms", "baseline p50", "baseline p95", "ratio", "reach p50"]]
    for size, one in told["searches"].items():
        ours, theirs = one["hybrid_ms"], one["baseline_ms"]
        numbers = [ours["p50"], ours["p95"], theirs["p50"], theirs["p95"], one["ratio"], one["reach_ms"]]
        rows.append([size, *("–" if number is None else f"{number:.2f}" for number in numbers)])
    yield "\nhybrid search, query embedding excluded, beside SQLite FTS5 + exact cosines + RRF"
    yield from align_columns(rows)
    yield from _walking_table(told["searches"])
    embedding = told["query_embedding_ms"]
    yield f"query embedding: p50 {embedding['p50']:.2f} ms, p95 {embedding['p95']:.2f} ms"
    yield f"start to the first answer, model loaded: {told['start_to_ready_s']:.2f} s; resident: {told['memory_mb']} MB"


def _walking_table(searches: Mapping[str, Any]) -> Iterator[str]:
    """p50 / p95 of the strategies that go over entities; what is to be reached holds for the largest size."""
    walked = {size: one["graph"] for size, one in searches.items()}
    columns = [name for name in next(iter(walked.values()), {}) if name.endswith("_ms")]
    rows = [["memories", "entities", "references", "relations", *(name.removesuffix("_ms") for name in columns)]]
    for size, one in walked.items():
        counts = [str(one[name]) for name in ("entities", "references", "relations")]
        rows.append([size, *counts, *(f"{one[name]['p50']:.1f} / {one[name]['p95']:.1f}" for name in columns)])
    yield f"\nover entities, ms p50 / p95 (reach {WALK_MILLISECONDS:.0f} p50 at 50,000)"
    yield from align_columns(rows)


def intake_table(told: Mapping[str, Any]) -> Iterator[str]:
    yield "\ningest"
    yield from align_columns([[name.replace("_", " "), str(value)] for name, value in told.items()])


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column flush left, the others right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        first, *rest = (
            cell.ljust(w) if n == 0 else cell.rjust(w) for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *rest]).rstrip()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _marked_value(value: float, reach: float | None) -> str:
    return f"{value:.3f}{' ' if reach is None or round(value, 3) < reach else '*'}"
