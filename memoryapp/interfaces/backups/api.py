"""A space in one file, and back from it; and the files that its heartbeat keeps."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.http import StreamingHttpResponse
from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Response, SpaceName
from memoryapp.interfaces.ingest.api import upload_of
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.jobs.backups import kept_named, remove_before_purge, standing, submit_restore
from memoryapp.jobs.downloads import as_file, send_kept
from memoryapp.store import backup, backup_folder


class RestoredOut(Response):
    """Rows by table. A dry run says what the file holds and writes nothing."""

    space: str = Field(examples=["research"])
    rows: dict[str, int] = Field(examples=[{"memory": 1042, "revision": 1300}])
    dry_run: bool = Field(examples=[False])


_NAME = "default-20261121-040000.palimpsest.gz"


class KeptBackupOut(Response):
    name: str = Field(examples=[_NAME])
    made_at: datetime = Field(examples=["2026-11-21T04:00:00Z"])
    size: int = Field(description="In bytes.", examples=[1_240_312])
    before_purge: bool = Field(
        description="Made before something was last purged, which it may still hold.", examples=[False]
    )


class KeptBackupsOut(Response):
    """`folder`: where they are, on the app's machine. `purged_at`: when something was last purged from the space."""

    folder: str = Field(examples=["/opt/palimpsest/data/backups/default"])
    items: list[KeptBackupOut]
    purged_at: datetime | None = Field(examples=[None])


class RestoreBackupIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"space": "default-again"}]})

    space: SpaceName


class RemovePurgedIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"dry_run": True}]})

    dry_run: bool = False


class BackupsGoneOut(Response):
    """`dry_run`: they would be removed, and are there as before."""

    removed: list[str] = Field(description="Names.", examples=[[_NAME]])
    dry_run: bool = Field(False, examples=[False])


router = Routes("Backup")
AS_FILE = {
    "responses": {
        200: {
            "description": "The backup: gzip, JSON lines.",
            "content": {
                "application/gzip": {
                    "schema": {"type": "string", "contentMediaType": "application/gzip"},
                    "example": "…",
                }
            },
        }
    }
}
FROM_FILE = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["upload"],
                    "properties": {
                        "upload": {"type": "string", "contentMediaType": "application/gzip"},
                        "dry_run": {"type": "string", "enum": ["true", "false"], "default": "false"},
                    },
                },
                "example": {"upload": "default.palimpsest.gz", "dry_run": "true"},
            }
        },
    }
}


@router.post(
    "/backups/export",
    needs=Role.ADMIN,
    reads=True,
    response={200: None},
    summary="Back a space up",
    openapi_extra=AS_FILE,
)
def export_backup(request: ApiRequest) -> StreamingHttpResponse:
    """Every row of the space as one file, readable without this program, to be restored into an empty space."""
    space = the_space(request)
    name = f"{space.name}-{space.clock():%Y%m%d-%H%M%S}.palimpsest.gz"

    def write(target: Path) -> None:
        backup.backup(space.db, target)
        backup.note_backup(space.db, size=target.stat().st_size)

    return as_file(write, name=name, content_type="application/gzip")


@router.post(
    "/backups/restore",
    needs=Role.ADMIN,
    response=RestoredOut,
    errors=(409, 413, 415),
    summary="Restore a backup",
    openapi_extra=FROM_FILE,
)
def restore_backup(request: ApiRequest) -> RestoredOut:
    """Fills the space from a backup. The space must be empty: make a new one, and name it in X-Space. `dry_run` checks
    the file from end to end and says what it holds."""
    space = the_space(request)
    upload, dry_run = upload_of(request)
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix="restore-") as folder:
        origin = Path(folder) / (Path(upload.name or "").name or "backup.gz")  # its own name, for what is told of it
        with origin.open("wb") as kept:
            for chunk in upload.chunks():
                kept.write(chunk)
        rows = backup.inspect(space.db, origin) if dry_run else backup.restore(space.db, origin)
    return RestoredOut(space=space.name, rows=rows, dry_run=dry_run)


@router.get("/backups", needs=Role.ADMIN, response=KeptBackupsOut, summary="List kept backups")
def list_backups(request: ApiRequest) -> KeptBackupsOut:
    """The backups that the heartbeat's act `backup` keeps of this space, the newest first; POST /heartbeat/backup/run
    keeps one now, POST /backups/export gives one as a file instead. What was purged is still in those that were made
    while it was there: `before_purge` marks all that are older than the last purge."""
    found = standing(request.auth.space)
    old = set(found.before_purge)
    items = [KeptBackupOut.of(one, before_purge=one in old) for one in found.kept]
    return KeptBackupsOut(folder=str(found.folder), items=items, purged_at=found.purged_at)


@router.post(
    "/backups/remove-purged", needs=Role.ADMIN, response=BackupsGoneOut, summary="Remove backups older than a purge"
)
def remove_purged_backups(request: ApiRequest, body: RemovePurgedIn = RemovePurgedIn()) -> BackupsGoneOut:
    """Removes every kept backup that was made before something was last purged, for good. Files that were downloaded,
    or written by a command, are not known here. `dry_run` says which would go."""
    space = request.auth.space
    if body.dry_run:
        return BackupsGoneOut(removed=[one.name for one in standing(space).before_purge], dry_run=True)
    return BackupsGoneOut(removed=remove_before_purge(space))


@router.get(
    "/backups/{name}",
    needs=Role.ADMIN,
    response={200: None},
    errors=(404,),
    summary="Download a kept backup",
    openapi_extra=AS_FILE,
)
def get_backup(request: ApiRequest, name: str) -> StreamingHttpResponse:
    """The file as it is kept; POST /backups/restore takes it, here or elsewhere."""
    return send_kept(kept_named(request.auth.space, name).path, content_type="application/gzip")


@router.delete(
    "/backups/{name}", needs=Role.ADMIN, response=BackupsGoneOut, errors=(404,), summary="Remove a kept backup"
)
def remove_backup(request: ApiRequest, name: str, dry_run: bool = False) -> BackupsGoneOut:
    """For good: this cannot be undone. `dry_run` says whether it is there to be removed."""
    one = kept_named(request.auth.space, name)
    if not dry_run:
        backup_folder.remove(one)
    return BackupsGoneOut(removed=[one.name], dry_run=dry_run)


@router.post(
    "/backups/{name}/restore",
    needs=Role.ADMIN,
    app=True,
    response={202: JobStarted},
    errors=(404, 409),
    summary="Restore a kept backup into a new space",
)
def restore_kept_backup(request: ApiRequest, name: str, body: RestoreBackupIn) -> Reply:
    """Makes the space, with the encoder and the numbers of this one, and begins the job that fills it. The present
    space stays as it is. Takes a key for every space."""
    caller = request.auth
    job = submit_restore(caller.space, name, to=body.space, actor=caller.actor, created_by=caller.person)
    return job_reply(job)
