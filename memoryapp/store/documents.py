"""Documents, the sources they were read from, and where memories stand in them: lines, position, path. A place is no
word of a memory, so writing it makes no version and no revision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoryapp.domain.document import Document, Source
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, Memory
from memoryapp.store import rows
from memoryapp.store.database import Database

_HEAD = (
    "id, source, path, title, content_hash, size, modified_ns, ingested_at, tags, date, daily, metadata, present,"
    " cutter"
)


def get(db: Database, key: str) -> Document:
    """With its whole text. Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("document", key))[0]
    if not found:
        raise NotFound(f"There is no document {rows.short_id(key)} in space “{db.name}”.")
    return rows.document_from(found[0])


def heads(db: Database, source: str) -> dict[str, Document]:
    """Every document of a source by path, without its text: what a re-ingest compares the files with."""
    found = db.query(f"SELECT {_HEAD} FROM document WHERE source = $source TIMEOUT 30s", source=source)[0]
    return {row["path"]: rows.document_from(row) for row in found}


def put_source(db: Database, source: Source) -> Source:
    db.query("UPSERT $row.id CONTENT $row RETURN NONE", row=rows.source_row(source))
    return source


def source(db: Database, key: str) -> Source:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("source", key))[0]
    if not found:
        raise NotFound(f"There is no source {rows.short_id(key)} in space “{db.name}”.")
    return rows.source_from(found[0])


def sources(db: Database) -> tuple[Source, ...]:
    """All sources, the last read first."""
    found = db.query("SELECT * FROM source ORDER BY last_ingest_at DESC LIMIT 1000 TIMEOUT 5s")[0]
    return tuple(rows.source_from(row) for row in found)


def read_again(db: Database, source: Source, *, at: datetime, report: dict[str, Any], files: int) -> Source:
    """Notes on a source what its last ingest did."""
    return put_source(db, replace(source, last_ingest_at=at, last_report=report, files=files))


def forget_source(db: Database, key: str) -> None:
    """The source is no longer remembered; its documents and memories stay."""
    db.query("DELETE $key RETURN NONE", key=rows.record("source", key))


def touch(db: Database, documents: dict[str, int]) -> None:
    """New modification times of files whose content is the same: {document id: mtime in ns}."""
    if documents:
        db.query(
            "{ FOR $d IN $documents { UPDATE $d.id SET modified_ns = $d.at RETURN NONE }; }",
            documents=[{"id": rows.record("document", key), "at": at} for key, at in documents.items()],
        )


def unread(db: Database, keys: Sequence[str]) -> None:
    """These documents' files count as not read, so that the next ingest cuts them again."""
    if keys:
        db.query(
            "UPDATE $keys SET content_hash = '', modified_ns = 0 RETURN NONE",
            keys=[rows.record("document", key) for key in keys],
        )


_CHUNK = 500

_PUT_PLACES = """{ FOR $m IN $memories {
    UPDATE $m.id SET origin = $m.origin, position = $m.position, breadcrumb = $m.breadcrumb, group = $m.group
        RETURN NONE
}; }"""


def put_places(db: Database, memories: Sequence[Memory]) -> None:
    """Writes the place of each, as the memory given has it. Safe to repeat."""
    for start in range(0, len(memories), _CHUNK):
        found = [rows.memory_row(memory) for memory in memories[start : start + _CHUNK]]
        keep = ("id", "origin", "position", "breadcrumb", "group")
        db.query(_PUT_PLACES, memories=[{name: row[name] for name in keep} for row in found])


def sources_of(db: Database, documents: Sequence[str]) -> dict[str, str]:
    """The source's id of each of these documents."""
    if not documents:
        return {}
    keys = [rows.record("document", key) for key in documents]
    found = db.query("SELECT VALUE [record::id(id), source] FROM $keys TIMEOUT 10s", keys=keys)[0]
    return dict(found)


def section_counts(db: Database) -> dict[str, int]:
    """How many sections stand in each document's file, by document id."""
    found = db.query(
        """SELECT origin.document AS document, count() AS n FROM memory
        WHERE kind = $kind AND origin.first_line != NONE GROUP BY document TIMEOUT 30s""",
        kind=Kind.SECTION.value,
    )[0]
    return {row["document"]: int(row["n"]) for row in found if row.get("document")}
