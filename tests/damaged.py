"""Copies of a packaged model that do not load: a file is missing, or the weights are not those its note tells."""

from __future__ import annotations

import shutil
from pathlib import Path

from memoryapp.inference.reranking.cross_encoder import ADAPTER

DAMAGES = {"missing": f"{ADAPTER} is missing", "wrong hash": "is not the file that was trained"}  # with what is told


def damaged(model: Path, folder: Path, *, damage: str) -> Path:
    """A copy of `model` in `folder` with one of DAMAGES."""
    copy = Path(shutil.copytree(model, folder / model.name))
    weights = copy / ADAPTER
    if damage == "missing":
        weights.unlink()
    else:
        changed = bytearray(weights.read_bytes())
        changed[-1] ^= 1
        weights.write_bytes(changed)
    return copy
