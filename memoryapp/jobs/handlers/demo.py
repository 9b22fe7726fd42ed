"""The job that fills a space with the example, and sets it to keep itself in order from then on."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import open_space, space_named
from memoryapp.demo import fill
from memoryapp.demo.fill import Tools
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.jobs.heartbeat import turn_on_housekeeping
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import NARRATION
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.readers import reader_for, relation_reader_for
from memoryapp.jobs.reading import EXTRACTION


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the space is gone, StoreError, Cancelled; what is in by then stays."""
    space, row = open_space(job.space), space_named(job.space)
    space.encoder.get(90)
    told = fill(
        space,
        settings.DATA_DIR / "demo",
        actor=Actor(ActorKind(job.created_by_kind), job.created_by),
        tools=Tools(reader_for(space), relation_reader_for(space), EXTRACTION, NARRATION),
        progress=progress,
    )
    turn_on_housekeeping(row)
    return told
