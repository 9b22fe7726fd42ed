"""Upkeep: embeddings that are missing are made, and the benchmark's figures are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.upkeep import BenchmarksOut
from memoryapp.api.schemas.work import JobStarted
from memoryapp.jobs.pipeline import submit

router = Routes("Health")
_MOST_BYTES = 2_000_000  # more is no file of figures


@router.post("/embed", needs=Role.CURATOR, response={202: JobStarted}, summary="Embed what has no embedding")
def embed_missing(request: ApiRequest) -> Reply:
    """Begins a job that makes the embeddings that are missing, after the model was away for instance. Until then words
    alone find these memories."""
    row = request.auth.space
    job = submit("embed", space=row.name, arguments={"model": row.encoder}, actor=request.auth.actor, subject="encoder")
    return begun(job)


@router.get("/benchmarks", needs=Role.READER, response=BenchmarksOut, summary="Get benchmark figures")
def get_benchmarks(request: ApiRequest) -> BenchmarksOut:
    """How well and how fast the memory finds and judges on public sets. docs/BENCHMARKS.md says what each means."""
    return BenchmarksOut(
        shipped=_figures(settings.BASE_DIR / "docs" / "benchmarks.json"), own=_figures(settings.DATA_DIR / "bench.json")
    )


def _figures(path: Path) -> dict[str, Any] | None:
    """None where there is no such file, or one that no run wrote."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None
