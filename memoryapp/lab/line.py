"""One line of golden queries, as it was sent: read and checked, but for whether its memories are there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters, filters_read
from memoryapp.lab.question import asked, note_of

_FIELDS = ("query", "relevant", "refs", "filters", "note")


@dataclass(frozen=True, slots=True)
class Said:
    """One line as it was read, before its memories are looked up."""

    query: str
    relevant: tuple[str, ...]
    refs: tuple[str | None, ...]
    filters: Filters
    note: str

    def names(self) -> tuple[str, ...]:
        return (*self.relevant, *(ref for ref in self.refs if ref is not None))


def parsed(line: str) -> Said | BadInput:
    try:
        return _said(json.loads(line, parse_constant=_refused))
    except BadInput as error:
        return error
    except (ValueError, RecursionError) as error:
        at = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return BadInput(f"This is no line of JSON{at}. Write one object a line, without breaks inside.")


def _refused(constant: str) -> Any:
    raise BadInput(f"{constant} is no number of JSON.")


def _said(told: Any) -> Said:
    if not isinstance(told, dict):
        raise BadInput('Write an object, as in {"query": "…", "relevant": ["…"]}.')
    for name in told:
        if name not in _FIELDS:
            raise BadInput(f"A golden query has no “{name[:40]}”. It has {', '.join(_FIELDS)}.")
    query, note, filters = told.get("query", ""), told.get("note", ""), told.get("filters", {})
    if not isinstance(query, str) or not isinstance(note, str):
        raise BadInput("“query” and “note” are texts.")
    if not isinstance(filters, dict):
        raise BadInput('“filters” is an object, as in {"kinds": ["fact"]}.')
    text, narrowed = asked(query, filters_read(filters))
    relevant, refs = _texts(told, "relevant"), _texts(told, "refs")
    if any(name is None for name in relevant):
        raise BadInput("“relevant” holds texts: ids, or your own.")
    return Said(text, tuple(name for name in relevant if name is not None), refs, narrowed, note_of(note))


def _texts(told: dict[str, Any], name: str) -> tuple[str | None, ...]:
    value = told.get(name, [])
    if not isinstance(value, list) or not all(one is None or isinstance(one, str) for one in value):
        raise BadInput(f"“{name}” is a list of texts.")
    return tuple(value)


def names_of(said: Said, known: dict[str, str]) -> Sequence[str]:
    """By what each relevant memory is looked up: its id where that is known, else its ref."""
    if not said.relevant or not said.refs:
        return said.relevant or [ref for ref in said.refs if ref is not None]
    if len(said.relevant) != len(said.refs):
        raise BadInput(
            "“refs” stands beside “relevant”, one for each, null where there is none; or leave one of them out."
        )
    pairs = list(zip(said.relevant, said.refs, strict=True))
    for name, ref in pairs:
        if ref is not None and name in known and ref in known and known[name] != known[ref]:
            raise BadInput(f"“{name[:40]}” and “{ref[:40]}” are two memories here. Leave one of the two out.")
    return [name if ref is None or name in known or ref not in known else ref for name, ref in pairs]
