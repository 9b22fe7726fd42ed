"""Moving: everything of a space out as one archive, and archives and other programs' files in."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, followed_at
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Response
from memoryapp.interfaces.ingest.api import upload_of
from memoryapp.interfaces.jobs.schemas import JobOut, show_job
from memoryapp.jobs.downloads import send_export
from memoryapp.jobs.imports import move_in
from memoryapp.transfer.foreign import FORMS
from memoryapp.transfer.report import PALIMPSEST

ZIP = "application/zip"
AS_ARCHIVE: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The export: a zip of JSON lines, the Context Tree as markdown, the graph as GraphML.",
            "content": {ZIP: {"schema": {"type": "string", "contentMediaType": ZIP}, "example": "…"}},
        }
    }
}
_FORMS = (PALIMPSEST, *FORMS)
_YES_OR_NO = {"type": "string", "enum": ["true", "false"], "default": "false"}
FROM_ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["upload"],
                    "properties": {
                        "upload": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "An export of Palimpsest, or a file of another program.",
                        },
                        "form": {
                            "type": "string",
                            "default": "",
                            "description": f"What it is, where it is not to be recognised: {', '.join(_FORMS)}.",
                        },
                        "merge": _YES_OR_NO,
                        "dry_run": _YES_OR_NO,
                    },
                },
                "example": {"upload": "memories.json", "form": "mem0", "dry_run": "true"},
            }
        },
    }
}


class ImportStarted(Response):
    """`form` is what the file was recognised as. Follow the job; its report says what became of everything."""

    job: JobOut
    form: str


router = Routes("Moving")


@router.post(
    "/export",
    needs=Role.ADMIN,
    reads=True,
    response={200: None},
    summary="Export everything",
    openapi_extra=AS_ARCHIVE,
)
def export_space(request: ApiRequest, vectors: bool = True) -> StreamingHttpResponse:
    """The whole space as one zip that other programs can read: JSON lines by subject, the Context Tree as markdown, the
    graph as GraphML, and a README that says what is what. Imported into an empty space it is the same space again.
    `vectors=false` leaves the embeddings out; an import then makes them anew."""
    return send_export(request.auth.space, vectors=vectors)


@router.post(
    "/import",
    needs=Role.ADMIN,
    response={202: ImportStarted},
    errors=(409, 413, 415),
    summary="Import an export, or another program's file",
    openapi_extra=FROM_ARCHIVE,
)
def import_file(request: ApiRequest) -> Reply:
    """Begins the job that takes a file in. An export of Palimpsest fills an empty space; with `merge` its memories are
    added to those that are here. Files of mem0, basic-memory, the MCP memory server, ChatGPT and Claude are recognised,
    and added. Whatever came in before stays as it is, so a file may be sent again. A dry run tells what would come."""
    the_space(request)
    upload, dry_run = upload_of(request)
    job = move_in(
        request.auth.space.name,
        upload.name or "",
        upload.chunks(),
        actor=request.auth.actor,
        form=request.POST.get("form", "").strip(),
        merge=_read_boolean(request, "merge"),
        dry_run=dry_run,
    )
    started = ImportStarted(job=show_job(job), form=str(job.arguments["form"]))
    return Reply(started, 202, headers=followed_at(job))


def _read_boolean(request: ApiRequest, name: str) -> bool:
    said = request.POST.get(name, "false").lower()
    if said not in ("true", "false", "1", "0", "on", ""):
        raise BadInput(f"“{name}” is true or false.", field=f"/{name}")
    return said in ("true", "1", "on")
