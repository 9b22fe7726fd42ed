"""The reading job: every turn of a space that waits is read, and becomes facts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.jobs.graphing import submit_first_graph
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.readers import judges_for, reader_for
from memoryapp.jobs.reading import EXTRACTION, clear_old_readings
from memoryapp.remember import read_turns, remember_turns


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the space is gone, StoreError, Cancelled; what is read by then stays read."""
    clear_old_readings(job.space)
    space = open_space(job.space)
    remember_turns(space, progress=progress)  # first: what was said is found by meaning before anybody reads it
    report = read_turns(
        space, reader=reader_for(space), actor=EXTRACTION, progress=progress, judges=judges_for(space, chat=True)
    )
    if report.run is not None:
        progress.belongs_to(report.run)
        space.index.refresh()  # here, and not in the first search after it
        submit_first_graph(space)
    return asdict(report)
