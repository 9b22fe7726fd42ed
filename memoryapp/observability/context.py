"""What a line of the log belongs to: the request or the job under way, its space, its run, who asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

FIELDS = ("request", "job", "kind", "run", "space", "agent", "key", "person")

# The dict is shared by all threads and tasks of one piece of work: what a deep one notes, the answer's line tells.
_under_way: ContextVar[dict[str, Any] | None] = ContextVar("palimpsest_work", default=None)


@contextmanager
def work(**fields: Any) -> Iterator[None]:
    """A piece of work: every line of the log that it causes, in whichever thread, carries these fields and those that
    `note` adds. Within another one it begins with the fields of that."""
    token = _under_way.set(
        _check_fields(fields) if (outer := _under_way.get()) is None else outer | _check_fields(fields)
    )
    try:
        yield
    finally:
        _under_way.reset(token)


def note(**fields: Any) -> None:
    """Adds to what is told of the piece of work under way. Does nothing outside one: a command that writes a memory."""
    known = _under_way.get()
    if known is not None:
        known.update(_check_fields(fields))


def log_fields() -> dict[str, Any]:
    """The fields of the piece of work under way, in the order of FIELDS; those without a value are left out."""
    known = _under_way.get() or {}
    return {name: known[name] for name in FIELDS if known.get(name) not in (None, "")}


def _check_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Only names of FIELDS: whoever wants to log something else must say here that it is no memory's text."""
    if unknown := set(fields) - set(FIELDS):
        raise ValueError(f"A line of the log has no field {', '.join(sorted(unknown))}.")
    return fields
