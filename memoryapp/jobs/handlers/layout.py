"""The drawing job: every entity gets its place on the map of the space, and its community."""

from __future__ import annotations

from typing import Any

from memoryapp import graph
from memoryapp.accounts.spaces import open_space
from memoryapp.jobs.graphing import size_of
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the space is gone, StoreError, Cancelled; the map of before then stays. `entities` and
    `edges` of the report are what the map was drawn of."""
    clear_old("layout", job.space)
    space = open_space(job.space)
    space.index.refresh()
    size = size_of(space)  # before: what comes while it draws is not on it
    counts = graph.draw(space, progress=progress)
    return {**counts, "entities": size.entities, "edges": size.edges}
