"""Growth: one space filled with all that a used one holds, grown from each size to the next, and at every size the same
questions asked of it; how what they cost grows is told as a slope.

Each step is a process of its own (scale_step.py) over a data folder that holds nothing else. The encoder is the one
that needs no model, so that what is measured is the product."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality import Say
from benchmarks.scale_step import grown
from memoryapp.domain.errors import StoreError

ENCODER = "hashing-384"
_STEP = "benchmarks.scale_step"


def measure(folder: Path | None, *, sizes: Sequence[int], say: Say, only: str = "") -> dict[str, Any]:
    """What was measured, by size. `folder`: where the space is grown and stays, None for a temporary place; what was
    grown there before is gone on with, and a size below it is left out. `only`: a part of scale_look's.

    Raises StoreError where a step fails, with what it said last.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        return _measured(folder, sizes=sizes, say=say, only=only)
    with tempfile.TemporaryDirectory(prefix="palimpsest-growth-") as place:
        return _measured(Path(place), sizes=sizes, say=say, only=only)


def _measured(folder: Path, *, sizes: Sequence[int], say: Say, only: str) -> dict[str, Any]:
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
