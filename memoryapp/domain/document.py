"""The raw layer of ingest: what a source is, the documents read from it, and the report an ingest leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class SourceKind(StrEnum):
    FOLDER = "folder"
    FILE = "file"
    UPLOAD = "upload"


@dataclass(frozen=True, slots=True)
class Source:
    """A place that notes come from, remembered so that it can be read again.

    `root`: absolute path, or the upload's file name. `every_minutes`: 0 = only when asked.
    `on_session_start`: read again when an agent opens a session.
    """

    id: str
    kind: SourceKind
    root: str
    name: str
    created_at: datetime
    every_minutes: int = 0
    on_session_start: bool = False
    last_ingest_at: datetime | None = None
    last_report: dict[str, Any] | None = None
    files: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One file as it was read. Its words are immutable; a changed file is a new reading of the same id."""

    id: str
    source: str
    path: str  # below the source's root, "/"-separated
    title: str
    content_hash: str
    size: int  # bytes
    modified_ns: int  # the file's mtime, 0 for an upload
    ingested_at: datetime
    text: str = ""
    tags: tuple[str, ...] = ()
    date: datetime | None = None
    daily: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    present: bool = True  # False once the file is gone from its source
    cutter: int = 0  # the version of the rules that it was cut by


@dataclass(frozen=True, slots=True)
class Section:
    """A piece cut from a document, before it is a memory. Lines count from 1; `part` > 0 where a long section was
    cut further at paragraph borders. `heading` is the title as the file writes it, with what is no part of a title."""

    id: str
    title: str
    text: str
    breadcrumb: tuple[str, ...]
    first_line: int
    last_line: int
    ordinal: int = 0
    part: int = 0
    heading: str = ""


class FileOutcome(StrEnum):
    READ = "read"
    UNCHANGED = "unchanged"
    MOVED = "moved"
    GONE = "gone"
    NOT_READ = "not read"
    SKIPPED = "skipped"  # by its nature: a form that is not read, or a template


@dataclass(frozen=True, slots=True)
class FileReport:
    """One line of an ingest's report. `note` is a plain sentence where there is something to say."""

    path: str
    outcome: FileOutcome
    sections: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    archived: int = 0
    conflicts: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class IngestPhase:
    """What an ingest is at. `done` of `total` are sections embedded, 0 of 0 in the other phases; without `exact`, the
    total is reckoned from the bytes that are still to be read. `seconds` since the first section was embedded."""

    name: str
    done: int = 0
    total: int = 0
    exact: bool = True
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Counts of one ingest; `failed` lists the files that could not be read, with the reason, `skipped` how many were
    left out by their nature, by reason."""

    files: int = 0
    sections: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    archived: int = 0
    linked: int = 0
    embedded: int = 0
    conflicts: int = 0
    failed: tuple[FileReport, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    dry_run: bool = False
