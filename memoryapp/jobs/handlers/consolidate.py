"""Jobs that forget: old daily logs are folded into digests; what has expired, and facts trusted less than the space's
floor, are archived.
"""

from __future__ import annotations

from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.consolidate import Choice, Ranker, consolidate, expire, old_enough
from memoryapp.domain.identity import content_hash
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.requests import choice_from_json
from memoryapp.spaces import Space


def run_consolidate(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"ranker", "older_than_days", "choices"}. `skipped` of the report says why there was nothing to look
    at, `left` which digests were not written and why. Raises BadInput, Cancelled; what is written by then stays."""
    clear_old("consolidate", job.space)
    space = open_space(job.space)
    told = job.arguments
    days, chosen = told.get("older_than_days"), told.get("choices")
    choices = None if chosen is None else [choice_from_json(one) for one in chosen]
    if why := _nothing_to_do(space, job, days=days, choices=choices):
        return {**_report(), "skipped": why, "seen": _state_hash(space, job, days)}
    progress.say("looking through the daily logs")
    done = consolidate(
        space,
        actor=job.actor,
        ranker=Ranker(told["ranker"]) if told.get("ranker") else None,
        older_than_days=days,
        choices=choices,
        progress=progress,
    )
    if done.run is not None:
        progress.belongs_to(done.run.id)
    return _report(
        run=done.run.id if done.run else None,
        digests=len(done.written),
        archived=done.archived,
        sentences=done.sentences,
        taken=done.sentences_taken,
        links=done.links,
        bytes_before=done.bytes_before,
        bytes_after=done.bytes_after,
        left=[{"id": one.id, "title": one.title, "why": one.why} for one in done.left],
        staying=done.staying,
        # Of a choice only a part is seen: the next job looks again.
        seen=_state_hash(space, job, days) if choices is None and not done.left else "",
    )


def _nothing_to_do(space: Space, job: Job, *, days: int | None, choices: list[Choice] | None) -> str:
    """Why there is nothing to look at, by the index alone; "" where there may be."""
    if choices is not None:
        return ""
    if not old_enough(space, older_than_days=days):
        wait = space.tuning.consolidate_after_days if days is None else days
        return f"No daily log is older than {wait} days."
    ended = Job.objects.filter(kind="consolidate", space=job.space, status=Status.DONE).exclude(pk=job.pk)
    last = ended.order_by("-created_at", "-id").first()
    same = last is not None and last.report.get("seen") == _state_hash(space, job, days)
    return "Nothing changed since the last time: what is left stays as it is." if same else ""


def _state_hash(space: Space, job: Job, days: int | None) -> str:
    """What decides the outcome: the content of the space, the sections that are old enough, and the settings."""
    old = old_enough(space, older_than_days=days)  # refreshes the index
    tuning = space.tuning
    state = (
        space.index.view().content,
        old,
        tuning.consolidate_after_days if days is None else days,
        job.arguments.get("ranker") or tuning.digest_ranker,
        tuning.marker_words,
    )
    return content_hash(repr(state))[:16]


def _report(**told: Any) -> dict[str, Any]:
    return {
        "run": None,
        "digests": 0,
        "archived": 0,
        "sentences": 0,
        "taken": 0,
        "links": 0,
        "bytes_before": 0,
        "bytes_after": 0,
        "left": [],
        "staying": 0,
        "skipped": "",
        "seen": "",
    } | told


def run_expire(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"dry_run"?}. Reports how many were put aside, and how many were left because they are disputed."""
    clear_old("expire", job.space)
    space = open_space(job.space)
    actor = job.actor
    expired = expire(space, actor=actor, dry_run=bool(job.arguments.get("dry_run")))
    if expired.run is not None:
        progress.belongs_to(expired.run.id)
        space.index.refresh()  # here, and not in the first search after it
    return {"archived": len(expired.archived), "disputed": expired.disputed, "floor": expired.floor}
