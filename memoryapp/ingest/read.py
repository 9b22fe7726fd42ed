"""The text and metadata of a file (`Reading`), or the reason why it is not read. `cut` comes next."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memoryapp.domain.clock import as_utc
from memoryapp.domain.document import FileOutcome, FileReport
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.secrets import mask_private_lines
from memoryapp.ingest.control_characters import without_control_characters
from memoryapp.ingest.frontmatter import aliases_of, begun_on, date_of, front_matter, tags_of
from memoryapp.ingest.obsidian import without_marks
from memoryapp.ingest.walk import FoundFile

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?![0-9])")
_MONTH = re.compile(r"(\d{4})-(\d{2})(?![0-9]|-\d)")


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as text. Lines are those of the file; the body begins after `body_line` lines of front matter.

    `title`, `tags` and `aliases` are what the front matter says; `begun` is the day on which it says that the note was
    begun, where neither it nor the file's name gives a date. `notes` are plain sentences for the report.
    """

    path: str
    text: str
    content_hash: str
    size: int
    modified_ns: int
    body_line: int = 0
    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    date: datetime | None = None
    begun: datetime | None = None
    daily: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def plain(self) -> bool:
        """Plain text, without markdown in it."""
        return self.path.lower().endswith(".txt")


def load(found: FoundFile) -> bytes | FileReport:
    """The bytes, or a report of why there are none. A file over the limit is not read at all."""
    if found.size > LIMITS.file_bytes:
        return _not_read(found, _oversize_reason(found.size))
    try:
        data = found.load()
    except OSError as error:
        return _not_read(found, f"cannot be read: {(error.strerror or str(error)).lower()}")
    if len(data) > LIMITS.file_bytes:
        return _not_read(found, _oversize_reason(len(data)))
    return data


def bytes_hash(data: bytes) -> str:
    """sha256 of the file as it lies on the disk: a file with this hash need not be decoded again."""
    return hashlib.sha256(data).hexdigest()


def read(found: FoundFile, data: bytes) -> Reading | FileReport:
    """Decode and take the front matter off. Never raises for what a file holds."""
    try:
        text = decode(data)
    except ValueError as error:
        return _not_read(found, str(error))
    text, removed = without_control_characters(mask_private_lines(text))
    notes = [f"{removed:,} control characters left out"] if removed else []
    matter = front_matter(text) if not found.path.lower().endswith(".txt") else None
    metadata = matter.values if matter else {}
    if not found.path.lower().endswith(".txt"):
        text = without_marks(text, body_line=matter.lines if matter else 0)
    if matter and matter.note:
        notes.append(matter.note)
    stated = date_of(metadata.get("date"))
    named, is_day = _date_in_name(PurePosixPath(found.path).stem)
    title = metadata.get("title")
    return Reading(
        path=found.path,
        text=text,
        content_hash=bytes_hash(data),
        size=len(data),
        modified_ns=found.modified_ns,
        body_line=matter.lines if matter else 0,
        title=" ".join(str(title).split())[:300] if isinstance(title, (str, int, float)) else "",
        tags=tags_of(metadata.get("tags", metadata.get("tag"))),
        aliases=aliases_of(metadata),
        date=stated or named,
        begun=None if stated or named else begun_on(metadata),
        daily=stated is not None or is_day,
        metadata=metadata,
        notes=tuple(notes),
    )


def decode(data: bytes) -> str:
    """Text out of UTF-8, or of UTF-16/32 that says so by its byte-order mark; newlines as "\\n".

    Raises ValueError with a sentence for the report.
    """
    encoding, start = next(((name, len(bom)) for bom, name in _BOMS if data.startswith(bom)), ("utf-8", 0))
    body = data[start:]
    if encoding == "utf-8" and (at := data.find(b"\0")) >= 0:
        raise ValueError(f"binary: a NUL byte at byte {at}")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.upper() if encoding == "utf-8" else encoding[:6].upper()
        at = error.start + start
        raise ValueError(f"not {name} at byte {at}. Save it as UTF-8 and ingest again.") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _date_in_name(stem: str) -> tuple[datetime | None, bool]:
    """The date a file name begins with, and whether it is a day. "2026-11-review" is dated (its first day), but a
    month's file is no daily log."""
    for pattern in (_DAY, _MONTH):
        if match := pattern.match(stem):
            year, month, day = (*map(int, match.groups()), 1)[:3]
            try:
                return as_utc(datetime(year, month, day)), pattern is _DAY
            except (ValueError, BadInput):  # no day of the calendar, or one that no other zone's clock can show
                continue
    return None, False


def _oversize_reason(size: int) -> str:
    return f"{size / 2**20:.1f} MiB, the limit is {LIMITS.file_bytes >> 20} MiB"


def _not_read(found: FoundFile, note: str) -> FileReport:
    return FileReport(found.path, FileOutcome.NOT_READ, note=note)
