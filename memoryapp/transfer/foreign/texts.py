"""A file of text in, its words out, or the reason why there are none."""

from __future__ import annotations

from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.read import decode
from memoryapp.transfer.entries import Skipped
from memoryapp.transfer.foreign.files import Part, reason
from memoryapp.transfer.foreign.records import UNREADABLE


def text_of(part: Part) -> str | Skipped:
    """Of UTF-8, or of what a byte-order mark says."""
    if part.size > LIMITS.file_bytes:
        return Skipped(part.name, f"It is longer than {LIMITS.file_bytes >> 20} MiB.")
    try:
        with part.open() as stream:
            return decode(stream.read(LIMITS.file_bytes + 1))
    except ValueError as error:
        return Skipped(part.name, f"It is no text: {str(error).split('.')[0]}.")
    except UNREADABLE as error:
        return Skipped(part.name, f"It cannot be read: {reason(error)}.")
