"""What a space does by itself become jobs: ended sessions are told, summaries written anew, what is hardly trusted any
more is put aside. Asked for by whoever ends a session, by the tick, and by the heartbeat."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.identity import derived_id
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.schedule import open_to
from memoryapp.spaces import Space
from memoryapp.store import sessions
from memoryapp.summaries import stale

log = logging.getLogger(__name__)

NARRATION = Actor(ActorKind.MACHINE, "narration")
TRY_AGAIN = timedelta(minutes=30)  # after a job that did not tell a session
KEPT = 50  # ended jobs of one kind and space: what they did stands in their runs

# Per space: at which state of its index its summaries were last looked at. Nothing written since, nothing to do.
_looked_at: dict[str, tuple[int, int]] = {}


def submit_narration(space: str, session: str, *, actor: Actor, force: bool = False) -> Job:
    """The job that tells a session as an episode, once its turns are read. The subject names the session by its id: a
    name may be longer than a subject."""
    arguments = {"session": session, "force": force}
    return submit("narrate", space=space, arguments=arguments, actor=actor, subject=_subject(session))


def submit_summaries(space: str, *, actor: Actor, categories: Sequence[str] | None = None, force: bool = False) -> Job:
    """The job that writes stale summaries anew, of these categories or of all; with `force` others too."""
    arguments = {"categories": list(categories or ()), "force": force}
    return submit("summaries", space=space, arguments=arguments, actor=actor, subject=f"summaries:{space}")


def submit_expiry(space: str, *, actor: Actor) -> Job:
    """The job that puts aside what is trusted less than the space's floor."""
    return submit("expire", space=space, arguments={}, actor=actor, subject=f"expire:{space}")


def submit_upkeep(rows: Iterable[Row] | None = None, *, now: datetime | None = None) -> list[Job]:
    """Jobs for all that is due in these spaces, or in any. A space that cannot be opened is logged, the rest go on."""
    now = now or timezone.now()
    jobs: list[Job] = []
    for row in Row.objects.select_related("parent") if rows is None else rows:
        try:
            jobs += _submit_due_jobs(open_row(row, passing=True), now=now)
        except PalimpsestError as error:
            log.warning("Space %s cannot be kept up: %s", row.name, error.detail)
    return jobs


def clear_old(kind: str, space: str) -> None:
    """Drops all but the last KEPT ended jobs of a kind."""
    ended = _jobs_of(kind, space).exclude(status__in=OPEN)
    old = list(ended.order_by("-created_at", "-id").values_list("pk", flat=True)[KEPT:])
    Job.objects.filter(pk__in=old).delete()


def _submit_due_jobs(space: Space, *, now: datetime) -> list[Job]:
    jobs = [
        submit_narration(space.name, session.name, actor=NARRATION)
        for session in sessions.untold(space.db)
        if not _is_tried(space.name, session.name, since=now - TRY_AGAIN)
    ]
    if open_to(space.name, "summaries") and _summaries_due(space):
        jobs.append(submit_summaries(space.name, actor=NARRATION))
    return jobs


def _is_tried(space: str, session: str, *, since: datetime) -> bool:
    """Whether somebody is on the way to tell it, or tried a moment ago: what failed is not tried every minute."""
    mine = _jobs_of("narrate", space).filter(arguments__session=session)
    return mine.filter(status__in=OPEN).exists() or mine.filter(created_at__gt=since).exists()


def _summaries_due(space: Space) -> bool:
    space.index.refresh()
    state = (space.index.serial, space.index.view().content)
    if _looked_at.get(space.name) == state or _jobs_of("summaries", space.name).filter(status__in=OPEN).exists():
        return False
    due = bool(stale(space))
    _looked_at[space.name] = state
    return due


def _jobs_of(kind: str, space: str) -> QuerySet[Job]:
    return Job.objects.filter(kind=kind, space=space)


def _subject(session: str) -> str:
    return f"narrate:{derived_id('session', session)}"
