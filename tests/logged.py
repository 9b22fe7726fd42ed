"""What the log says of requests while a test looks on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memoryapp.observability import log_fields


@contextmanager
def lines_of_requests() -> Iterator[list[dict[str, Any]]]:
    """Each line's fields, with what the work around it is called and, under "said", its words."""
    seen: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(log_fields() | record.fields | {"said": record.getMessage()})  # type: ignore[attr-defined]

    log, kept = logging.getLogger("memoryapp.requests"), Kept()
    log.addHandler(kept)
    try:
        yield seen
    finally:
        log.removeHandler(kept)
