"""Ingest as the doors ask for it: a path, an upload, or a source that is known already. Goes out: a job.

Sources that are read on a schedule: which are due now. Comes in: every space; goes out: ingest jobs.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, Clash, PalimpsestError, TooLarge
from memoryapp.domain.identity import derived_id, new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.walk import allowed_path, check_upload, existing_path
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit
from memoryapp.store import documents

UPLOADS_KEPT_FOR = timedelta(days=7)


def ingest_path(space: str, path: str, *, actor: Actor, dry_run: bool = False, on_session_start: bool = False) -> Job:
    """A folder or file of this machine. `on_session_start`: of one that is not a source yet, read again whenever an
    agent opens a session. Raises OutsideRoots, and BadInput where there is nothing at the path."""
    if not path.strip() or "\x00" in path:
        raise BadInput("Name a folder or a file.", field="/path")
    real = existing_path(path, settings.INGEST_ROOTS)
    kind = SourceKind.FOLDER if real.is_dir() else SourceKind.FILE
    described: dict[str, Any] = _source_fields(kind, str(real), real.name or str(real))
    described |= {"on_session_start": True} if on_session_start else {}
    return _submit(space, described, actor=actor, dry_run=dry_run)


def ingest_upload(space: str, name: str, chunks: Iterable[bytes], *, actor: Actor, dry_run: bool = False) -> Job:
    """A file or zip as it was sent, kept in the data folder until its job is done. A later upload of the same name is
    a newer reading of the same source. Raises BadInput and TooLarge."""
    plain = Path(name.replace("\\", "/")).name
    if not plain or plain.startswith("."):
        raise BadInput("The upload has no usable file name.", field="/upload")
    check_upload(plain)
    kept = _keep(plain, chunks)
    described = _source_fields(SourceKind.UPLOAD, plain, plain)
    try:
        return _submit(space, described, actor=actor, dry_run=dry_run, upload=kept)
    except BaseException:
        upload_file(kept).unlink(missing_ok=True)
        raise


def ingest_source(space: str, source: Source, *, actor: Actor, dry_run: bool = False) -> Job:
    """A known source, read again. Raises OutsideRoots if its folder may no longer be read, Clash for an upload."""
    if source.kind is SourceKind.UPLOAD:
        raise Clash(f"{source.name} was uploaded; nothing is left here to read again. Upload it once more.")
    allowed_path(source.root, settings.INGEST_ROOTS)
    described = {"id": source.id, "kind": source.kind.value, "root": source.root, "name": source.name}
    return _submit(space, described, actor=actor, dry_run=dry_run)


def ingest_for_real(job: Job, *, actor: Actor) -> Job:
    """The ingest that a dry run was the rehearsal of. Raises Clash for any other job."""
    if job.kind != "ingest" or not job.arguments.get("dry_run"):
        raise Clash("Only a dry run can be carried out for real.")
    upload = job.arguments.get("upload", "")
    if upload and not upload_file(upload).is_file():
        raise Clash("The upload of this dry run is no longer here. Upload it once more.")
    return _submit(job.space, job.arguments["source"], actor=actor, dry_run=False, upload=upload)


def upload_file(kept: str) -> Path:
    """Where an upload named in a job's arguments lies."""
    return Path(settings.UPLOAD_DIR) / kept


def clear_old_uploads() -> None:
    """Uploads whose job never came to its end are dropped after a week."""
    before = (timezone.now() - UPLOADS_KEPT_FOR).timestamp()
    folder = Path(settings.UPLOAD_DIR)
    for file in folder.iterdir() if folder.is_dir() else ():
        if file.is_file() and file.stat().st_mtime < before:
            file.unlink(missing_ok=True)


def _source_fields(kind: SourceKind, root: str, name: str) -> dict[str, str]:
    """The same place always gets the same id, and with it the same memories."""
    return {"id": derived_id("source", kind.value, root), "kind": kind.value, "root": root, "name": name}


def _submit(space: str, source: dict[str, Any], *, actor: Actor, dry_run: bool, upload: str = "") -> Job:
    arguments: dict[str, Any] = {"source": source, "dry_run": dry_run}
    if upload:
        arguments["upload"] = upload
    return submit("ingest", space=space, arguments=arguments, actor=actor, subject=f"source:{source['id']}")


def _keep(name: str, chunks: Iterable[bytes]) -> str:
    folder = Path(settings.UPLOAD_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if shutil.disk_usage(folder).free < 2 * LIMITS.upload_bytes:
        raise BadInput("There is too little room on the disk for an upload.", field="/upload")
    kept, size = new_id(), 0
    file = folder / kept
    try:
        with file.open("xb") as out:
            for chunk in chunks:
                size += len(chunk)
                if size > LIMITS.upload_bytes:
                    raise TooLarge(
                        f"{name} is too large: an upload may have {LIMITS.upload_bytes >> 20} MB.", field="/upload"
                    )
                out.write(chunk)
        if not size:
            raise BadInput(f"{name} is empty.", field="/upload")
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return kept


log = logging.getLogger(__name__)

SCHEDULE = Actor(ActorKind.MACHINE, "schedule")


def submit_due_sources(rows: Iterable[Space] | None = None, *, now: datetime | None = None) -> list[Job]:
    """One job for each source whose time has come. A source that cannot be read is logged, the rest go on."""
    now = now or timezone.now()
    jobs = []
    for row in Space.objects.select_related("parent") if rows is None else rows:
        try:
            found = documents.sources(open_row(row, passing=True).db)
            due = [source for source in found if is_due(row.name, source, now=now)]
        except PalimpsestError as error:
            log.warning("The schedule of space %s cannot be read: %s", row.name, error.detail)
            continue
        jobs += _submit_due(row.name, due, actor=SCHEDULE)
    return jobs


def submit_session_sources(space: str, sources: tuple[Source, ...], *, actor: Actor) -> list[Job]:
    """Jobs for the sources that are read again whenever an agent opens a session."""
    return _submit_due(space, [source for source in sources if source.on_session_start], actor=actor)


def is_due(space: str, source: Source, *, now: datetime) -> bool:
    """By the last try, not only the last success: a folder that is gone must not be tried every minute."""
    moment = next_read(space, source, now=now)
    return moment is not None and moment <= now


def next_read(space: str, source: Source, *, now: datetime) -> datetime | None:
    """When a source is, or has been, due: `now` where it was never tried; None where it has no schedule."""
    if source.every_minutes <= 0:
        return None
    pause = timedelta(minutes=source.every_minutes)
    tries = Job.objects.filter(kind="ingest", space=space, subject=f"source:{source.id}").order_by("-created_at")
    tried = tries.values_list("created_at", flat=True).first()
    last = max((moment for moment in (source.last_ingest_at, tried) if moment is not None), default=None)
    return now if last is None else last + pause


def _submit_due(space: str, sources: list[Source], *, actor: Actor) -> list[Job]:
    jobs = []
    for source in sources:
        try:
            jobs.append(ingest_source(space, source, actor=actor))
        except PalimpsestError as error:
            log.warning("%s in space %s is not read: %s", source.name, space, error.detail)
    return jobs
