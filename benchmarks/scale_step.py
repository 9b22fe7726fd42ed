"""One step of the growth measurement, in a process of its own, so that a start is a start and resident memory is this
size's: `python -m benchmarks.scale_step grow 1000`, then `… look`. The data folder, which holds nothing
else, is MEMORY_DATA_DIR; what was measured is the last line of the output, as JSON."""

from __future__ import annotations

import json
import logging
import os
import statistics
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

GROWN = "grown.json"  # in the data folder: how many memories, and when the newest was learned


def grow(size: int) -> dict[str, Any]:
    """From the size it has to `size`; at least one part."""
    from benchmarks import scale_grow
    from memoryapp.accounts.opening import close_spaces
    from memoryapp.domain.clock import utc_now

    space, folder = _open_space()
    state = grown(folder) or {"size": 0, "newest": utc_now().isoformat()}
    newest = datetime.fromisoformat(state["newest"])
    last = max(scale_grow.PART, -(-size // scale_grow.PART) * scale_grow.PART)
    began, worked = time.perf_counter(), time.process_time()
    parts = range(state["size"], last, scale_grow.PART)
    singles: list[float] = []
    for first in parts:
        singles += scale_grow.grow(space, first, newest=newest)
        # After each part, so that one that was broken off goes on where it was.
        (folder / GROWN).write_text(json.dumps(state | {"size": first + scale_grow.PART}), encoding="utf-8")
    spent = {"s": time.perf_counter() - began, "cpu_s": time.process_time() - worked}
    close_spaces()
    told: dict[str, Any] = {"size": max(last, state["size"]), "seconds": spent["s"]}
    if parts:
        each = 1000 / (len(parts) * scale_grow.PART)
        told["write_ms"] = {
            "of a batch, all it brings": {"ms": spent["s"] * each, "cpu_ms": spent["cpu_s"] * each},
            "of a single change": {"ms": statistics.median(singles)},
        }
    return told


def look(only: str = "") -> dict[str, Any]:
    """Everything measured at the size it has; `only`: a part of it, of those that scale_look names."""
    from benchmarks import scale_look

    return scale_look.look(_open_space, only=only)


def grown(folder: Path) -> dict[str, Any] | None:
    """What was grown there; None where nothing was."""
    file = folder / GROWN
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def _open_space() -> tuple[Any, Path]:
    from django.conf import settings

    from memoryapp.accounts.opening import open_row
    from memoryapp.accounts.spaces import default_space

    space = open_row(default_space())
    space.encoder.get(60)
    return space, Path(settings.DATA_DIR)


def main(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from memoryapp.management.prepare import prepare_people

    prepare_people()
    verb, *rest = arguments
    told = grow(int(rest[0])) if verb == "grow" else look(*rest)
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
