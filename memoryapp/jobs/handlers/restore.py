"""The job that fills a new space from a kept backup of another. Arguments: {"of": that space, "file"}."""

from __future__ import annotations

from typing import Any

from memoryapp.accounts.spaces import open_space, space_named
from memoryapp.domain.errors import Cancelled
from memoryapp.jobs.backups import kept_named
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.summary import summary_of
from memoryapp.store.backup import restore


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the file is gone, BadInput where it is damaged, Clash where the space holds something by
    now, Cancelled; the space is empty then."""
    one = kept_named(space_named(str(job.arguments["of"])), str(job.arguments["file"]))
    space = open_space(job.space)

    def tell(rows: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. Nothing was kept: the space is empty again.")
        progress.say(f"{rows:,} rows")

    progress.say("reading the file from end to end")
    rows = restore(space.db, one.path, tell=tell)
    space.index.refresh()  # here, and not in the first search after it
    report = {"file": one.name, "of": job.arguments["of"], "rows": rows}
    return {**report, "told": summary_of("restore", report)}
