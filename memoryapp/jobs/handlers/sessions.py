"""Jobs that read what was said and tell it: turns become facts, an ended session becomes an episode, and category
summaries that no longer tell what is held are written anew.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.memory import Category
from memoryapp.jobs.graphing import submit_first_graph
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.narration import NARRATION, clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.reading import EXTRACTION, clear_old_readings, configured_chat_model, judges_for, reader_for
from memoryapp.remember import read_turns, remember_turns
from memoryapp.spaces import Space
from memoryapp.store import revisions, turns
from memoryapp.summaries import episode_of, narrate_session, refresh_summaries

PATIENCE = 120.0  # seconds that another process, which reads the session's turns just now, is waited for
_LOOK_EVERY = 0.2


def run_read(job: Job, progress: JobProgress) -> dict[str, Any]:
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


def run_narrate(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"session": name, "force"?}. Raises NotFound for a session that is gone, Cancelled."""
    clear_old("narrate", job.space)
    space, name = open_space(job.space), str(job.arguments["session"])
    progress.say("reading what was said last")
    _read_first(space, name, progress)
    if progress.cancelled():
        raise Cancelled("Stopped before the session was told.")
    progress.say("telling the session")
    before = episode_of(space, name)
    force = bool(job.arguments.get("force"))
    made = narrate_session(space, name, model=configured_chat_model(), actor=NARRATION, force=force)
    changed = made is not None and (before is None or before.version != made.version)
    if made is not None and changed:
        progress.belongs_to(revisions.of_record(space.db, made.id)[-1].run)
        space.index.refresh()  # here, and not in the first search after it
    told = made.detail if made is not None else {}
    return {
        "session": name,
        "episode": made.id if made is not None else None,
        "changed": changed,
        "by": told.get("by", ""),
        "problem": told.get("problem", ""),
    }


def _read_first(space: Space, session: str, progress: JobProgress) -> None:
    """Reads the turns of the session that still wait. Where another process is about it, it is left to finish: two that
    read one turn would learn it twice."""
    until = time.monotonic() + PATIENCE
    while turns.count_waiting(space.db, session=session) and not progress.cancelled():
        reading = Job.objects.filter(kind="read", space=space.name, status=Status.RUNNING).exists()
        if not reading or time.monotonic() > until:
            read_turns(
                space,
                reader=reader_for(space),
                actor=EXTRACTION,
                session=session,
                progress=progress,
                judges=judges_for(space, chat=True),
            )
            return
        time.sleep(_LOOK_EVERY)


def run_summaries(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"categories"?: names, none for all, "force"?}."""
    clear_old("summaries", job.space)
    space = open_space(job.space)
    named = [Category(name) for name in job.arguments.get("categories") or ()]
    made = refresh_summaries(
        space,
        model=configured_chat_model(),
        actor=job.actor,
        categories=named or None,
        force=bool(job.arguments.get("force")),
    )
    if made:
        progress.belongs_to(revisions.of_record(space.db, made[0].id)[-1].run)
        space.index.refresh()  # here, and not in the first search after it
    return {
        "written": [memory.category.value for memory in made if memory.category],
        "by": ", ".join(sorted({str(memory.detail.get("by", "")) for memory in made})),
        "problem": " ".join(sorted({str(memory.detail.get("problem", "")) for memory in made} - {""})),
    }
