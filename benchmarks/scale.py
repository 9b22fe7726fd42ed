"""Growth: one space filled with all that a used one holds, grown from each size to the next, and at every size the same
questions asked of it; how what they cost grows is shown as a slope, the exponent by which cost grows with the number of
memories. 0 stays, 1 grows as they do; n log n is about 1.1 at these sizes.

Each step is a process of its own (scale_step.py) over a data folder that holds nothing else. The encoder is the one
that needs no model, so that what is measured is the product.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality import Say
from benchmarks.scale_step import grown
from benchmarks.table import align_columns
from memoryapp.domain.errors import StoreError

ENCODER = "hashing-384"
_STEP = "benchmarks.scale_step"
Figures = Mapping[str, Mapping[str, Any]]
BENDS = 1.15  # a slope above this is worse than n log n and is marked
_LEAST_MS = 2.0  # below it a slope tells of the clock, not of the work
_TITLES = {
    "growing": "a memory written, ms: clock, processor",
    "searches": "searches, ms: p50 / p95, processor",
    "write_ms": "single writes, ms: p50 / p95, processor",
    "pages": "pages, ms: p50 / p95, processor; right after a write",
    "api": "API, ms: p50 / p95, processor; right after a write",
    "jobs": "long work, s: clock, processor",
}


def measure(folder: Path | None, *, sizes: Sequence[int], say: Say, only: str = "") -> dict[str, Any]:
    """What was measured, by size. `folder`: where the space is grown and stays, None for a temporary place; what was
    grown there before is gone on with, and a size below it is left out. `only`: a part of scale_look's.

    Raises StoreError where a step fails, with what it said last.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        return _measure_sizes(folder, sizes=sizes, say=say, only=only)
    with tempfile.TemporaryDirectory(prefix="palimpsest-growth-") as place:
        return _measure_sizes(Path(place), sizes=sizes, say=say, only=only)


def _measure_sizes(folder: Path, *, sizes: Sequence[int], say: Say, only: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for size in sorted(sizes):
        if size < (grown(folder) or {"size": 0})["size"]:
            say(f"{size:,} memories are left out: the space there is larger")
            continue
        written = _step(folder, "grow", str(size))
        say(f"{written['size']:,} memories after {written['seconds']:.0f} s of writing")
        looked = _step(folder, "look", *([only] if only else []))
        # Nothing is left to write where a size is looked at again.
        looked["growing"] = written.get("write_ms", {})
        told[str(written["size"])] = looked | {"load": round(os.getloadavg()[0], 1)}
    return told


def _step(folder: Path, *words: str) -> dict[str, Any]:
    """In an environment that says nothing but where the data is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "CELERY_"))}
    kept.pop("DATABASE_URL", None)
    surroundings = kept | {
        "MEMORY_DATA_DIR": str(folder),
        "MEMORY_ENCODER": ENCODER,
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
    }
    done = subprocess.run(
        [sys.executable, "-m", _STEP, *words], env=surroundings, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise StoreError(f"Growth stopped at “{' '.join(words)}”: {last}")
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def scale_table(told: Figures) -> Iterator[str]:
    sizes = list(told)
    for part, title in _TITLES.items():
        names = list(dict.fromkeys(name for one in told.values() for name in one.get(part, ())))
        if not names:
            continue
        between = [f"{_short_size(a)}–{_short_size(b)}" for a, b in itertools.pairwise(sizes)]
        rows = [["", *(f"{int(size):,}" for size in sizes), *between]]
        rows += [_row(told, sizes, part, name) for name in names]
        yield f"\n{title}; slopes of the processor's time"
        yield from align_columns(rows)
    for size, one in told.items():
        resident = ", ".join(f"{mb:,.0f} MB {when}" for when, mb in one["memory_mb"].items() if mb is not None)
        started = f"start to the first answer {one['start_s']:.2f} s"
        yield f"{int(size):,}: {started}; resident {resident}; load {one['load']}"


def slopes(told: Figures, part: str, name: str) -> list[float | None]:
    """Between each size and the next, by the processor's time (of a page the dearer of both); None where there is
    nothing to compare, or too little of it."""
    found = [(int(size), _cost(one.get(part, {}).get(name))) for size, one in told.items()]
    return [_slope(one, other) for one, other in itertools.pairwise(found)]


def _slope(one: tuple[int, float | None], other: tuple[int, float | None]) -> float | None:
    (less, before), (more, after) = one, other
    if not before or not after or max(before, after) < _LEAST_MS:
        return None
    return math.log(max(after, _LEAST_MS) / max(before, _LEAST_MS)) / math.log(more / less)


def _cost(value: Any) -> float | None:
    if not isinstance(value, Mapping):
        return None
    if "ms" in value:
        return float(value.get("cpu_ms", value["ms"]))
    if "cpu_s" in value:
        return float(value["cpu_s"]) * 1000
    return max(float(value["cpu"]), float(value.get("fresh_cpu", 0.0)))


def _row(told: Figures, sizes: list[str], part: str, name: str) -> list[str]:
    cells = [_cell(told[size].get(part, {}).get(name)) for size in sizes]
    told_slopes = ["" if s is None else f"{s:+.2f}{'*' if s > BENDS else ''}" for s in slopes(told, part, name)]
    return [name, *cells, *told_slopes]


def _cell(value: Any) -> str:
    if not isinstance(value, Mapping):
        return "–" if value is None else str(value)
    if "ms" in value:
        return ", ".join(f"{spent:.1f}" for spent in value.values())
    if "cpu_s" in value:
        return f"{value['s']:.2f}, {value['cpu_s']:.2f}"
    cell = f"{value['p50']:.0f} / {value['p95']:.0f}, {value['cpu']:.0f}"
    return f"{cell}; {value['fresh']:.0f}, {value['fresh_cpu']:.0f}" if "fresh" in value else cell


def _short_size(size: str) -> str:
    return f"{int(size) // 1000}k" if int(size) >= 1000 else size
