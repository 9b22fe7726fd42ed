"""Filling a space with the example, as the doors ask for it. Goes out: a job."""

from __future__ import annotations

from memoryapp.domain.change import Actor
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit


def submit_demo(space: str, *, actor: Actor) -> Job:
    """The job that fills the space; the one that is at it already, where there is one."""
    begun = Job.objects.filter(kind="demo", space=space, status__in=OPEN).first()
    return begun or submit("demo", space=space, arguments={}, actor=actor, subject="demo")
