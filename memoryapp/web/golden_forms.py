"""The form of a golden query: what is asked, what narrows it, and memories to tick as those that should be found."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import filters_read, filters_told
from memoryapp.domain.golden import Golden
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT
from memoryapp.lab import Standing
from memoryapp.lab.meant import states_of
from memoryapp.retrieve import search
from memoryapp.spaces import Space
from memoryapp.web import wording
from memoryapp.web.chips import filters_of
from memoryapp.web.golden_filters import SHOWN, asked_of, fields_of
from memoryapp.web.golden_page import Meant, first_words, meant_of, texts_of

_OFFERED = 10
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Offered:
    """A memory that can be ticked; `on`: it is."""

    meant: Meant
    on: bool


def form_of(space: Space, typed: QueryDict, standing: Standing | None) -> dict[str, Any]:
    """Of a golden query that is there, or of what the address or a refused form says."""
    if standing is not None and not typed.get("query"):
        one = standing.golden
        filled = QueryDict(mutable=True)
        for name, value in [("query", one.query), ("note", one.note), ("version", str(one.version))]:
            filled[name] = value
        filled.setlist("relevant", list(one.relevant))
        for name, value in asked_of(one.filters):
            filled.appendlist(name, value)
        typed = filled
    return {
        "form": {name: typed.get(name, "") for name in ("query", "note", "more", "version")},
        "edited": standing.golden if standing else None,
        "offered": offered_of(space, typed, look=False),
        "fields": fields_of(typed),
        "entities": typed.getlist("entity"),
        "narrowed": sum(bool(value.strip()) for name in SHOWN for value in typed.getlist(name)),
    }


def offered_of(space: Space, typed: QueryDict, *, look: bool) -> list[Offered]:
    """What is ticked already, then, with `look`, what the question finds now."""
    ticked = [key for key in dict.fromkeys(typed.getlist("relevant")) if _ID.fullmatch(key)]
    states = states_of(space, ticked)
    offered = [Offered(meant, True) for meant in meant_of(ticked, states, texts_of(space, ticked))]
    text = typed.get("query", "").strip()
    if not look or not text:
        return offered
    answer = search(space, Query(text, strategy=DEFAULT, top_k=_OFFERED, filters=filters_of(typed)))
    for hit in answer.hits:
        if hit.memory.id not in states:
            words = first_words(hit.memory)
            home = hit.inherited_from or ""
            offered.append(Offered(Meant(hit.memory.id, words, wording.language(words), hit.memory.state, home), False))
    return offered


def read_golden(typed: QueryDict, *, before: Golden | None = None) -> dict[str, Any]:
    """What the form says: query, relevant (ids and refs), filters, note. What an address has no words for is kept of
    the one before. Raises BadInput."""
    filters = filters_of(typed)
    if before is not None and before.filters.min_strength is not None:
        filters = replace(filters, min_strength=before.filters.min_strength)
    more = [line.strip() for line in typed.get("more", "").splitlines()]
    named = [name.strip() for name in typed.getlist("relevant")]
    return {
        "query": typed.get("query", ""),
        "relevant": list(dict.fromkeys(name for name in (*named, *more) if name)),
        "filters": filters,
        "note": typed.get("note", ""),
    }


def version_in(typed: QueryDict) -> int:
    text = typed.get("version", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInput("The version is a whole number.", field="version")
    return int(text)


def golden_kept(one: Golden) -> dict[str, Any]:
    """As JSON, for an undo."""
    return {
        "id": one.id, "query": one.query, "relevant": list(one.relevant), "note": one.note, "by": one.by,
        "created_at": one.created_at.isoformat(), "updated_at": one.updated_at.isoformat(),
        "filters": filters_told(one.filters), "version": one.version,
    }  # fmt: skip


def golden_read(told: dict[str, Any]) -> Golden:
    return Golden(
        id=told["id"],
        query=told["query"],
        relevant=tuple(told["relevant"]),
        note=told["note"],
        by=told["by"],
        created_at=datetime.fromisoformat(told["created_at"]),
        updated_at=datetime.fromisoformat(told["updated_at"]),
        filters=filters_read(told["filters"]),
        version=int(told["version"]),
    )
