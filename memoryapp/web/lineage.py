"""What a memory came from and what came of it: superseded ones, sources, what was derived, who said it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.domain.memory import Kind, Memory
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories
from memoryapp.web.rows import Row, rows_of
from memoryapp.web.spoken import session_href

_MOST = 12  # of each list; the rest is counted


@dataclass(frozen=True, slots=True)
class Kin:
    """Some memories of one relation, and how many more there are."""

    rows: list[Row]
    more: int


def lineage_of(space: Space, memory: Memory) -> dict[str, Any]:
    """Lists for the memory's page; an empty one is None. `before_it` is the nearest that it stands in place of."""
    replaced = sorted(lineage.replaced_by(space.db, memory.id), key=_ended, reverse=True)
    return {
        "sources": _kin(space, memories.sources_of(space.db, memory.id)),
        "learned": _kin(space, memories.of_turns(space.db, [memory.id]) if memory.kind is Kind.TURN else ()),
        "made": _kin(space, memories.derived_from(space.db, [memory.id])),
        "replaced": _kin(space, replaced),
        "standing": _kin(space, lineage.standing_for(space.db, memory.id)),
        "before_it": replaced[0] if replaced else None,
        "sessions": [(name, session_href(name)) for name in memory.sessions[:_MOST]],
        "sessions_more": max(len(memory.sessions) - _MOST, 0),
    }


def _kin(space: Space, found: Sequence[Memory]) -> Kin | None:
    return Kin(rows_of(space, found[:_MOST]), max(len(found) - _MOST, 0)) if found else None


def _ended(memory: Memory) -> float:
    return (memory.valid_to or memory.updated_at).timestamp()
