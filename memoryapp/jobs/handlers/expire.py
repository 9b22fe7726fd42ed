"""The expiry job: what has expired is archived, and facts that are trusted less than the space's floor."""

from __future__ import annotations

from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.consolidate import expire
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"dry_run"?}. Reports how many were put aside, and how many were left because they are disputed."""
    clear_old("expire", job.space)
    space = open_space(job.space)
    actor = Actor(ActorKind(job.created_by_kind), job.created_by)
    expired = expire(space, actor=actor, dry_run=bool(job.arguments.get("dry_run")))
    if expired.run is not None:
        progress.belongs_to(expired.run.id)
        space.index.refresh()  # here, and not in the first search after it
    return {"archived": len(expired.archived), "disputed": expired.disputed, "floor": expired.floor}
