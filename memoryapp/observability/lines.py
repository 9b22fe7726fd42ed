"""How a line of the log is written: one JSON object, or one short line for people. Both leave out secrets, and what an
unexpected error says: a ValueError likes to quote the value, which may be somebody's memory."""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from memoryapp.observability.context import log_fields

LEFT_OUT = "[left out]"
_SECRETS = re.compile(
    r"\bpal_[A-Za-z0-9_-]{8,}"  # our keys
    r"|(?<=Bearer )\S+|(?<=Token )\S+"
    r"|(?<=/login/)[^/\s\"']+"  # a login link is a key for a few minutes
    r"|(?<=://)[^/\s@]+(?=@)"  # user:password of an address
)
# These tell of files, modules and names in code; any other may quote what it choked on.
_TELL_OF_CODE = (OSError, ImportError, NameError, AttributeError, MemoryError)
_SHORT = ("request", "job")  # enough to find the rest of a story by


def without_secrets(text: str) -> str:
    """The text with a mark in place of keys and passwords."""
    return _SECRETS.sub(LEFT_OUT, text)


class JsonLines(logging.Formatter):
    """{"time", "level", "logger", "message", then the fields of the work under way and of `extra={"fields": {…}}`, and
    for an error "error" (its class) and "stack" (where it was raised, outermost cause last)}."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **log_fields(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = type(record.exc_info[1]).__name__
            line["stack"] = without_secrets(stack_of(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False, default=str)


class ShortLines(logging.Formatter):
    """2026-11-20 08:00:00,123 WARNING memoryapp.jobs.run: Job 1f… failed [request 7c…]"""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        known = log_fields()
        parts = ", ".join(f"{name} {known[name]}" for name in _SHORT if name in known)
        first, *rest = super().format(record).split("\n", 1)
        return without_secrets("\n".join([f"{first} [{parts}]" if parts else first, *rest]))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        return stack_of(ei[1])


def stack_of(error: BaseException) -> str:
    """Where it was raised, then what raised it, as a traceback has it, without the words of errors that may quote."""
    parts = []
    for one in _chain(error):
        said = f": {one}" if isinstance(one, _TELL_OF_CODE) else ""
        parts.append("".join(traceback.format_tb(one.__traceback__)) + f"{type(one).__qualname__}{said}")
    return "\n  because of\n".join(parts)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        hidden = following.__suppress_context__
        following = following.__cause__ or (None if hidden else following.__context__)
