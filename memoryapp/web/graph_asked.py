"""What the explorer is asked for, as its address says it: where to start, how far to go, what to leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.web.chips import moment_of

COLOURS = {"type": "type", "trust": "trust", "community": "community"}
SIZES = {"links": "number of links", "memories": "number of memories"}
STEPS = (1, 2, 3)
LIMITS, LIMIT = (50, 150, 300, 500), 150
_MOST = 500
_IDS = 40  # that an address may name at once: starts, what was expanded, what was hidden
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Asked:
    """`starts`, `memory`, `text`, `community` or `path` say where to look, in reverse order of preference; none of
    them means everything. `more`: entities whose neighbours are drawn as well. `hidden`: entities that are not."""

    starts: tuple[str, ...] = ()
    text: str = ""
    memory: str = ""
    community: int | None = None
    path: tuple[str, str] | None = None
    steps: int = 2
    limit: int = LIMIT
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    trust: float = 0.0
    as_of: datetime | None = None
    colour: str = "type"
    size: str = "links"
    more: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    at: str = ""


def asked_of(query: QueryDict) -> Asked:
    """Raises BadInput that names the parameter."""
    path = _ids(query, "path")
    if path and len(path) != 2:
        raise BadInput("A path has two ends: path=<id>,<id>.", field="path")
    return Asked(
        starts=_ids(query, "start"),
        text=query.get("q", "").strip()[:500],
        memory=next(iter(_ids(query, "memory")), ""),
        community=_whole(query, "community", None, -1, 10**6),
        path=(path[0], path[1]) if path else None,
        steps=_whole(query, "steps", 2, STEPS[0], STEPS[-1]) or 2,
        limit=_whole(query, "limit", LIMIT, 1, _MOST) or LIMIT,
        types=_names(query, "types"),
        relations=_names(query, "relations"),
        trust=_trust(query),
        as_of=moment_of(query, "as_of"),
        colour=_one_of(query, "colour", COLOURS),
        size=_one_of(query, "size", SIZES),
        more=_ids(query, "more"),
        hidden=_ids(query, "hide"),
        at=next(iter(_ids(query, "at")), ""),
    )


def _parts(query: QueryDict, name: str) -> list[str]:
    return [part.strip() for value in query.getlist(name) for part in value.split(",") if part.strip()]


def _ids(query: QueryDict, name: str) -> tuple[str, ...]:
    parts = list(dict.fromkeys(_parts(query, name)))
    if wrong := [part for part in parts if not _ID.fullmatch(part)]:
        raise BadInput(f"“{wrong[0][:60]}” is not an id: ids are 16 hexadecimal digits.", field=name)
    if len(parts) > _IDS:
        raise BadInput(f"At most {_IDS} ids at once; these are {len(parts)}.", field=name)
    return tuple(parts)


def _names(query: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.casefold()[:40] for part in _parts(query, name)))[:_IDS]


def _whole(query: QueryDict, name: str, default: int | None, low: int, high: int) -> int | None:
    text = query.get(name, "").strip()
    if not text:
        return default
    if not re.fullmatch(r"-?[0-9]{1,7}", text) or not low <= int(text) <= high:
        raise BadInput(f"“{text[:40]}” is not a whole number from {low} to {high}.", field=name)
    return int(text)


def _trust(query: QueryDict) -> float:
    text = query.get("trust", "").strip().replace(",", ".")
    try:
        value = float(text) if text else 0.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise BadInput("Trust runs from 0 to 1.35.", field="trust")
    return value


def _one_of(query: QueryDict, name: str, known: dict[str, str]) -> str:
    value = query.get(name, "").strip() or next(iter(known))
    if value not in known:
        raise BadInput(f"“{value[:40]}” is not known here. Known: {', '.join(known)}.", field=name)
    return value
