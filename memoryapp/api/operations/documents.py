"""The raw layer: a document as it was read, with the memories cut from it."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import Any

from pydantic import Field

from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.inherited import parents_of
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Id, Shown, path_id
from memoryapp.domain.document import Document
from memoryapp.domain.errors import NotFound
from memoryapp.spaces import Space
from memoryapp.store import documents, memories

# Documents as they were read, and the memories cut from them.


class CutOut(Shown):
    """A memory and the lines it was cut from, counted from 1."""

    id: Id
    title: str | None = Field(examples=["Queue"])
    first_line: int = Field(examples=[3])
    last_line: int = Field(examples=[7])


class DocumentOut(Shown):
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


router = Routes("Ingest")
DocumentId = path_id("document")


@router.get("/documents/{id}", needs=Role.READER, response=DocumentOut, errors=(404,), summary="Get a document")
def get_document(request: ApiRequest, id: DocumentId) -> DocumentOut:
    """The words of a file as they were last read, and where each memory was cut from them. A memory's `source` names
    its document, which may be a parent space's."""
    space, found = _found(the_space(request), id)
    return DocumentOut(
        id=found.id,
        source=found.source,
        source_name=_source_name(space, found.source),
        path=found.path,
        title=found.title,
        text=found.text,
        size=found.size,
        tags=list(found.tags),
        date=found.date,
        daily=found.daily,
        metadata=found.metadata,
        present=found.present,
        ingested_at=found.ingested_at,
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


def _found(space: Space, key: str) -> tuple[Space, Document]:
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
