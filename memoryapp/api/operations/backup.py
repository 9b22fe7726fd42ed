"""A space in one file, and back from it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from django.conf import settings
from django.http import StreamingHttpResponse

from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.operations.sources import upload_of
from memoryapp.api.route import Routes
from memoryapp.api.schemas.system import RestoredOut
from memoryapp.jobs.sending import as_file
from memoryapp.store import backup

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
    "/backup", needs=Role.ADMIN, reads=True, response={200: None}, summary="Back a space up", openapi_extra=AS_FILE
)
def back_up(request: ApiRequest) -> StreamingHttpResponse:
    """Every row of the space as one file, readable without this program, to be restored into an empty space."""
    space = the_space(request)
    name = f"{space.name}-{space.clock():%Y%m%d-%H%M%S}.palimpsest.gz"

    def write(target: Path) -> None:
        backup.backup(space.db, target)
        backup.note_backup(space.db)

    return as_file(write, name=name, content_type="application/gzip")


@router.post(
    "/restore-backup",
    needs=Role.ADMIN,
    response=RestoredOut,
    errors=(409, 413, 415),
    summary="Restore a backup",
    openapi_extra=FROM_FILE,
)
def restore(request: ApiRequest) -> RestoredOut:
    """Fills the space from a backup. The space must be empty: make a new one, and name it in X-Space. `dry_run` checks
    the file from end to end and says what it holds."""
    space = the_space(request)
    upload, dry_run = upload_of(request)
    with tempfile.NamedTemporaryFile(dir=settings.DATA_DIR, prefix="restore-", suffix=".gz") as kept:
        for chunk in upload.chunks():
            kept.write(chunk)
        kept.flush()
        origin = Path(kept.name)
        rows = backup.inspect(space.db, origin) if dry_run else backup.restore(space.db, origin)
    return RestoredOut(space=space.name, rows=rows, dry_run=dry_run)
