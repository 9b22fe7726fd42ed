"""What Home offers beside what changed: what waits for a decision and how long that takes, what agents did not find,
the last job and the next act of the heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from memoryapp import review
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.roles import Role
from memoryapp.domain.filters import Filters
from memoryapp.index.roster import Roster
from memoryapp.interfaces.jobs.presenter import JobView, job_view
from memoryapp.interfaces.pages import wording
from memoryapp.interfaces.sessions.presenter import lines_of
from memoryapp.interfaces.traces.presenter import seen_by
from memoryapp.jobs.heartbeat import pulses
from memoryapp.jobs.models import OPEN, Job
from memoryapp.spaces import Space
from memoryapp.store import sessions, traces, turns

_PEEKED = 3  # conflicts and sessions that are named
_QUESTIONS = 4
_JOBS = 5
_SECONDS = 22  # of a person, for one conflict with a proposal


@dataclass(frozen=True, slots=True)
class Clash:
    existing: str
    incoming: str
    reason: str
    href: str
    lang: str


@dataclass(frozen=True, slots=True)
class Next:
    """An act of the heartbeat, and when it is due."""

    name: str
    at: datetime


def waiting_of(space: Space, roster: Roster) -> dict[str, Any]:
    """Conflicts as the review page counts them, without those that were snoozed; new facts; what is due for review."""
    queue = review.queue(space, tab="waiting", limit=_PEEKED)
    clashes = []
    for case in queue.cases:
        incoming = case.conflict.incoming_text or (case.incoming.text if case.incoming else "")
        clashes.append(
            Clash(
                wording.excerpt(case.existing.text, limit=90),
                wording.excerpt(incoming, limit=90),
                case.conflict.reason,
                reverse("conflict", args=[case.conflict.id]),
                wording.language(case.existing.text),
            )
        )
    return {
        "conflicts": clashes,
        "conflicts_total": queue.total,
        "minutes": max(1, round(queue.total * _SECONDS / 60)),
        "learned": review.count_waiting(space),
        "due_total": int(roster.mask(Filters(review_before=space.clock()), now=space.clock()).sum()),
    }


def questions_of(space: Space, role: Role) -> dict[str, Any]:
    """What agents asked last and found nothing clear for, of those whose traces the role may see."""
    found = traces.open_questions(space.db, now=space.clock(), roles=seen_by(role))
    return {"questions": found[:_QUESTIONS], "questions_total": len(found)}


def sessions_of(space: Space) -> dict[str, Any]:
    """What is being said, and what of it nobody has read yet."""
    under_way, unread = sessions.count(space.db)[1], turns.count_waiting(space.db)
    if not under_way and not unread:
        return {}
    lines = lines_of(space, sessions.page(space.db, limit=_PEEKED, under_way=True)) if under_way else []
    return {"talks": lines, "talks_total": under_way, "turns_waiting": unread}


def jobs_of(row: Row, *, you: str) -> dict[str, Any]:
    """The jobs under way or, where there is none, the one that ended last; and what the heartbeat does next."""
    jobs = Job.objects.filter(space=row.name)
    running: list[JobView] = [
        job_view(job, you=you) for job in jobs.filter(status__in=OPEN).order_by("created_at")[:_JOBS]
    ]
    last = None if running else jobs.exclude(status__in=OPEN).order_by("-finished_at", "-created_at").first()
    return {"running": running, "last": job_view(last, you=you) if last else None, "next": _next_act(row)}


def _next_act(row: Row) -> Next | None:
    due = [(one.next_at, one.act.name) for one in pulses(row) if one.next_at is not None and one.running is None]
    return Next(min(due)[1], min(due)[0]) if due else None
