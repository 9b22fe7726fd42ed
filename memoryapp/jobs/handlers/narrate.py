"""The narration job: a session's last turns are read, then it is told as an episode, where there is enough to tell."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import Cancelled
from memoryapp.inference.llm import chat_model
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.narration import NARRATION, clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.readers import judges_for, reader_for
from memoryapp.jobs.reading import EXTRACTION
from memoryapp.remember import read_turns
from memoryapp.spaces import Space
from memoryapp.store import revisions, turns
from memoryapp.summaries import episode_of, narrate_session

PATIENCE = 120.0  # seconds that another process, which reads the session's turns just now, is waited for
_LOOK_EVERY = 0.2


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
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
    made = narrate_session(space, name, model=chat_model(**settings.LLM), actor=NARRATION, force=force)
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
