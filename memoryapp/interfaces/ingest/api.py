"""Where notes come from: folders and files that are read, now, again, or on a schedule; and documents as they were
read, with the memories cut from them."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain import document
from memoryapp.domain.document import Document, Source, SourceKind
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest import folders
from memoryapp.ingest.walk import existing_path
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.inheritance import parents_of
from memoryapp.interfaces.api.parser import read_json
from memoryapp.interfaces.api.problems import WrongForm, invalid
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, FullName, Id, Name, Response, path_id
from memoryapp.interfaces.jobs.schemas import A_REPORT, Folder, JobStarted
from memoryapp.jobs.sources import ingest_path, ingest_source, ingest_upload, submit_session_sources
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import documents, memories


class IngestIn(Body):
    """A folder or a file that the server may read."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "/home/ada/notes", "dry_run": True}]}
    )

    path: Folder
    dry_run: bool = False
    on_session_start: bool = Field(
        False, description="Of what is no source yet: read it again whenever an agent opens a session."
    )


class SourceIn(Body):
    """A folder or file to be remembered. `every_minutes` 0: read only when asked."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"path": "/home/ada/notes", "name": "Notes", "every_minutes": 60}]},
    )

    path: Folder
    name: Name = ""
    every_minutes: int = Field(0, ge=0, le=525_600)
    on_session_start: bool = False


class SessionStarted(Response):
    """The jobs that were begun, one for each source that is read when a session opens."""

    jobs: list[str] = Field(examples=[["3f0c2b7a40d3e685"]])


class SourceEdit(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"every_minutes": 15}]})

    name: FullName | None = None
    every_minutes: int | None = Field(None, ge=0, le=525_600)
    on_session_start: bool | None = None


class SourceOut(Response):
    id: Id
    kind: Literal["folder", "file", "upload"] = Field(examples=["folder"])
    root: str = Field(examples=["/home/ada/notes"])
    name: str = Field(examples=["Notes"])
    every_minutes: int = Field(examples=[60])
    on_session_start: bool = Field(examples=[False])
    files: int = Field(examples=[12])
    last_ingest_at: datetime | None = Field(examples=["2026-11-21T09:30:02Z"])
    last_report: dict[str, Any] | None = Field(examples=[A_REPORT])
    created_at: datetime = Field(examples=["2026-11-20T08:00:00Z"])


class SourceList(Response):
    items: list[SourceOut]


class FolderOut(Response):
    path: str = Field(examples=["/home/ada/notes"])
    name: str = Field(examples=["notes"])
    files: int = Field(description="That an ingest of it would read, with all below it.", examples=[128])
    exact: bool = Field(description="False: at least so many; the rest was not looked at.", examples=[True])
    closed: str = Field(description="Why it cannot be opened.", examples=[""])


class FolderList(Response):
    """`items` lie in `folder`, null for the roots that ingest may read; `more` of them are not listed. `recent`: those
    that were ingested into this space, the last one first."""

    folder: FolderOut | None
    parent: str | None = Field(description="Null where it may not be read.", examples=["/home/ada"])
    items: list[FolderOut]
    more: int = Field(examples=[0])
    recent: list[FolderOut]


class ReadAgainIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"dry_run": True}]})

    dry_run: bool = False


class Forgotten(Response):
    """What is no longer remembered. The memories that came from it stay, unless they were archived: `run` undoes it."""

    id: str = Field(examples=["1f2e3d4c5b6a7988"])
    name: str = Field(examples=["Notes"])
    archived: int = Field(description="How many memories were put aside along with it.", examples=[0])
    run: str | None = Field(examples=[None])
    dry_run: bool = Field(examples=[False])


def show_source(source: document.Source) -> SourceOut:
    return SourceOut.of(source, kind=source.kind.value)


T = TypeVar("T", bound=BaseModel)
router = Routes("Ingest")
SourceId = Annotated[str, path_id("source")]
FolderPath = Annotated[str, Field(max_length=4_096)]
BODY_OR_UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/IngestIn"}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["upload"],
                    "properties": {
                        "upload": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "A .md, .markdown or .txt file, or a .zip of them.",
                        },
                        "dry_run": {"type": "string", "enum": ["true", "false"], "default": "false"},
                    },
                },
                "example": {"upload": "notes.zip", "dry_run": "true"},
            },
        },
    }
}


@router.post(
    "/ingest",
    needs=Role.CURATOR,
    response={202: JobStarted},
    errors=(413, 415),
    summary="Ingest notes",
    openapi_extra=BODY_OR_UPLOAD,
)
def ingest_notes(request: ApiRequest) -> Reply:
    """Reads markdown into the memory: a folder or file that the server may read, or an upload. Answers at once with
    the job. A dry run prints the same counts and changes nothing. Reading the same place again only takes in what
    changed."""
    actor, space = request.auth.actor, request.auth.space.name
    if request.content_type == "multipart/form-data":
        upload, dry_run = upload_of(request)
        job = ingest_upload(space, upload.name or "", upload.chunks(), actor=actor, dry_run=dry_run)
    else:
        body = _validate_body(IngestIn, request.body)
        job = ingest_path(space, body.path, actor=actor, dry_run=body.dry_run, on_session_start=body.on_session_start)
    return job_reply(job)


@router.get("/folders", needs=Role.CURATOR, response=FolderList, errors=(), summary="List folders to ingest")
def list_folders(request: ApiRequest, path: FolderPath = "", begins: FolderPath = "") -> FolderList:
    """The folders in a folder that the server may read, each with how many files an ingest of it would read; without
    `path`, where to begin. `begins`: only those whose names begin so. “~” is the server's home."""
    found = folders.list_folder(path, settings.INGEST_ROOTS, begins=begins)
    recent = folders.recent_folders(documents.sources(the_space(request).db), settings.INGEST_ROOTS)
    return FolderList(
        folder=FolderOut.of(found.folder) if found.folder else None,
        parent=found.parent,
        items=[FolderOut.of(one) for one in found.folders],
        more=found.more,
        recent=[FolderOut.of(one) for one in recent],
    )


@router.get("/sources", needs=Role.READER, response=SourceList, summary="List sources")
def list_sources(request: ApiRequest) -> SourceList:
    """The places that are remembered, the last read first."""
    return SourceList(items=[show_source(source) for source in documents.sources(the_space(request).db)])


@router.post("/sources", needs=Role.CURATOR, response={201: SourceOut}, errors=(), summary="Remember a source")
def add_source(request: ApiRequest, body: SourceIn) -> Reply:
    """Remembers a folder or file without reading it yet. The same place again is the same source, with the new
    settings."""
    space = the_space(request)
    real = existing_path(body.path, settings.INGEST_ROOTS)
    kind = SourceKind.FOLDER if real.is_dir() else SourceKind.FILE
    key = derived_id("source", kind.value, str(real))
    known = next((source for source in documents.sources(space.db) if source.id == key), None)
    source = known or Source(key, kind, str(real), _name_of(real), space.clock())
    source = replace(
        source,
        name=body.name or source.name,
        every_minutes=body.every_minutes,
        on_session_start=body.on_session_start,
    )
    return Reply(show_source(documents.put_source(space.db, source)), 201)


@router.post("/sources/session-start", needs=Role.WRITER, response=SessionStarted, summary="Begin an agent's session")
def begin_session(request: ApiRequest) -> SessionStarted:
    """Reads again what is marked to be read when a session opens, as `POST /sessions` does, without keeping a session
    of turns. The doors of MCP call it when an agent connects."""
    known = documents.sources(the_space(request).db)
    begun_jobs = submit_session_sources(request.auth.space.name, known, actor=request.auth.actor)
    return SessionStarted(jobs=[job.pk for job in begun_jobs])


@router.patch("/sources/{id}", needs=Role.CURATOR, response=SourceOut, errors=(404,), summary="Change a source")
def edit_source(request: ApiRequest, id: SourceId, body: SourceEdit) -> SourceOut:
    """Its name, how often it is read, and whether it is read when a session opens."""
    space = the_space(request)
    source = documents.source(space.db, id)
    changes = body.model_dump(exclude_unset=True, exclude_none=True)
    return show_source(documents.put_source(space.db, replace(source, **changes)))


@router.delete("/sources/{id}", needs=Role.CURATOR, response=Forgotten, errors=(404,), summary="Forget a source")
def forget_source(request: ApiRequest, id: SourceId, archive: bool = False, dry_run: bool = False) -> Forgotten:
    """It is no longer remembered, nor read again. The memories that came from it stay or, with `archive`, are put aside
    in one run that can be undone."""
    space = the_space(request)
    source = documents.source(space.db, id)
    keys = _memories_of(space, source) if archive else []
    run = None
    if not dry_run:
        if keys:
            told = f"{source.name} was forgotten"
            run = review.archive(space, keys, actor=request.auth.actor, reason=told).run.id
        documents.forget_source(space.db, id)
    return Forgotten(id=source.id, name=source.name, archived=len(keys), run=run, dry_run=dry_run)


def _memories_of(space: Space, source: Source) -> list[str]:
    """Ids of the held memories that were cut from the source's files, as many as one act may change."""
    files = [document.id for document in documents.heads(space.db, source.id).values()]
    found = browse(space, Filters(sources=tuple(files)), limit=LIMITS.batch_items) if files else None
    return [memory.id for memory in found.memories] if found else []


@router.post(
    "/sources/{id}/ingest",
    needs=Role.CURATOR,
    response={202: JobStarted},
    errors=(404, 409),
    summary="Read a source again",
)
def read_source_again(request: ApiRequest, id: SourceId, body: ReadAgainIn = ReadAgainIn()) -> Reply:
    """Takes in what changed since. What is the same is neither embedded nor written."""
    source = documents.source(the_space(request).db, id)
    job = ingest_source(request.auth.space.name, source, actor=request.auth.actor, dry_run=body.dry_run)
    return job_reply(job)


def upload_of(request: HttpRequest) -> tuple[UploadedFile[Any], bool]:
    """The one file of a multipart body, and whether it is a dry run. Raises BadInput, WrongForm for another body."""
    if request.content_type != "multipart/form-data":
        raise WrongForm("Send the file as multipart/form-data, in a part called “upload”.")
    files = [file for name in request.FILES for file in request.FILES.getlist(name)]
    if len(files) != 1:
        raise BadInput(f"Send one file, or a zip of several; there are {len(files)}.", field="/upload")
    said = request.POST.get("dry_run", "false").lower()
    if said not in ("true", "false", "1", "0", "on", ""):
        raise BadInput("“dry_run” is true or false.", field="/dry_run")
    return files[0], said in ("true", "1", "on")


def _validate_body(shape: type[T], body: bytes) -> T:
    """ninja validates one kind of body an operation; this one takes two."""
    try:
        return shape.model_validate(read_json(body or b"{}"))
    except ValidationError as error:
        raise invalid(error) from None


def _name_of(path: Path) -> str:
    return path.name or str(path)


class CutOut(Response):
    """A memory and the lines it was cut from, counted from 1."""

    id: Id
    title: str | None = Field(examples=["Queue"])
    first_line: int = Field(examples=[3])
    last_line: int = Field(examples=[7])


class DocumentOut(Response):
    """One file as it was last read. `present`: whether it was still there when its source was last read."""

    id: Id
    source: str = Field(examples=["1f2e3d4c5b6a7988"])
    source_name: str | None = Field(description="Null once the source is forgotten.", examples=["Notes"])
    path: str = Field(description="Below the source's folder.", examples=["2026-11-20-standup.md"])
    title: str = Field(examples=["Standup"])
    text: str = Field(examples=["# Standup\n\n## Queue\n\nThe queue moved to Redis.\n"])
    size: int = Field(description="Bytes.", examples=[52])
    tags: list[str] = Field(examples=[["infra"]])
    date: datetime | None = Field(examples=["2026-11-20T00:00:00Z"])
    daily: bool = Field(description="Whether it is a daily log.", examples=[True])
    metadata: dict[str, Any] = Field(description="Its front matter.", examples=[{}])
    present: bool = Field(examples=[True])
    ingested_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    memories: list[CutOut]


DocumentId = Annotated[str, path_id("document")]


@router.get("/documents/{id}", needs=Role.READER, response=DocumentOut, errors=(404,), summary="Get a document")
def get_document(request: ApiRequest, id: DocumentId) -> DocumentOut:
    """The words of a file as they were last read, and where each memory was cut from them. A memory's `source` names
    its document, which may be a parent space's."""
    space, found = _find_document(the_space(request), id)
    return DocumentOut.of(
        found,
        source_name=_source_name(space, found.source),
        memories=[
            CutOut(
                id=one.id,
                title=one.title,
                first_line=one.origin.first_line,
                last_line=one.origin.last_line or one.origin.first_line,
            )
            for one in memories.of_document(space.db, id)
            if one.origin.first_line
        ],
    )


def _find_document(space: Space, key: str) -> tuple[Space, Document]:
    """The space that holds the document, this one or the nearest parent, and the document. Raises NotFound."""
    for home in (space, *parents_of(space)):
        with contextlib.suppress(NotFound):
            return home, documents.get(home.db, key)
    raise NotFound(f"There is no document {key} in space “{space.name}”.")


def _source_name(space: Space, key: str) -> str | None:
    try:
        return documents.source(space.db, key).name
    except NotFound:
        return None
