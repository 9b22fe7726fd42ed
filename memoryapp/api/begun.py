"""Long work that an operation began: 202, the job as it stands, and the address where it can be followed."""

from __future__ import annotations

from memoryapp.api.reply import Reply
from memoryapp.api.schemas.work import JobStarted
from memoryapp.api.showing import show_job
from memoryapp.jobs.models import Job


def begun(job: Job) -> Reply:
    return Reply(JobStarted(job=show_job(job)), 202, headers=followed_at(job))


def followed_at(job: Job) -> dict[str, str]:
    return {"Location": f"/api/v1/jobs/{job.pk}"}
