"""Jobs that fill a space: a source is read into it, or the example."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.accounts.first_steps import note_question
from memoryapp.accounts.keys import MARK, create_key
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import DEFAULT, open_space, space_named
from memoryapp.demo import fill
from memoryapp.demo.fill import Tools
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import NotFound
from memoryapp.domain.trace import Asker
from memoryapp.ingest import ingest
from memoryapp.jobs.graphing import submit_first_graph
from memoryapp.jobs.heartbeat import turn_on_housekeeping
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import NARRATION
from memoryapp.jobs.progress import JobProgress, as_json
from memoryapp.jobs.reading import EXTRACTION, reader_for, relation_reader_for
from memoryapp.jobs.sources import upload_file
from memoryapp.spaces import Space
from memoryapp.store import documents, traces, write
from memoryapp.store.traces import TraceFilter

_KEY = "{} of the sample"
_LASTS = timedelta(days=20)  # what the example tells of


def run_ingest(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the upload is gone; whatever ingest raises; Cancelled."""
    space = open_space(job.space)
    dry_run = bool(job.arguments.get("dry_run"))
    actor = job.actor
    source = _source(space, job.arguments["source"])
    act = write.new_run("ingest", actor, now=space.clock(), reason=source.name, detail={"job": job.pk})
    if not dry_run:
        progress.belongs_to(act.id)
    report = ingest(space, source, run=act, progress=progress, dry_run=dry_run, upload=_upload(job))
    if not dry_run:
        space.index.refresh()  # here, and not in the first search after it
        submit_first_graph(space)
    if not dry_run and job.arguments.get("upload"):
        upload_file(job.arguments["upload"]).unlink(missing_ok=True)
    return as_json(report)


def _source(space: Space, described: dict[str, Any]) -> Source:
    """As the store knows it, with its schedule; else a new one."""
    try:
        return documents.source(space.db, described["id"])
    except NotFound:
        return Source(
            id=described["id"],
            kind=SourceKind(described["kind"]),
            root=described["root"],
            name=described["name"],
            created_at=space.clock(),
            on_session_start=bool(described.get("on_session_start")),
        )


def _upload(job: Job) -> bytes | None:
    kept = job.arguments.get("upload")
    if not kept:
        return None
    file = upload_file(kept)
    if not file.is_file():
        raise NotFound("The upload is no longer here. Upload it once more.")
    return file.read_bytes()


def run_demo(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the space is gone, StoreError, Cancelled; what is in by then stays."""
    space, row = open_space(job.space), space_named(job.space)
    space.encoder.get(90)
    told = fill(
        space,
        _notes_folder(space),
        actor=job.actor,
        tools=Tools(reader_for(space), relation_reader_for(space), EXTRACTION, NARRATION, partial(_asker, row)),
        progress=progress,
    )
    first = space.clock() - _LASTS
    for line in traces.agents(space.db, TraceFilter(), now=space.clock()):
        unused = row.keys.filter(name=_KEY.format(line.agent), last_used_at=None)
        unused.update(last_used_at=line.last_at, created_at=first)
    note_question(row)
    turn_on_housekeeping(row)
    return told


def _notes_folder(space: Space) -> Path:
    """Where the example's notes of this space are written. Days are told from today on, so no two spaces share one."""
    shared: Path = settings.DEMO_DIR
    if space.name == DEFAULT or any(one.root == str(shared) for one in documents.sources(space.db)):
        return shared
    return Path(settings.SAMPLES_DIR / space.name)


def _asker(row: Row, agent: str) -> Asker:
    """As whom the example's agent asks. Its key is listed as any other; nobody has its text, which rotating makes
    anew."""
    name = _KEY.format(agent)
    key = row.keys.filter(name=name).order_by("pk").first()
    if key is None:
        key, _ = create_key(name, role=Role.WRITER, space=row, agent=agent)
    return Asker(agent, f"{MARK}_{key.prefix}", key.role)
