"""Edges as they are shown: lines with their states, their memories, and what the store knows of those."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from math import isfinite, isnan, nan

from memoryapp.domain.identity import derived_id
from memoryapp.domain.relation import MadeBy
from memoryapp.domain.scene import Edge, EdgeKind, EdgeState
from memoryapp.graph.ground import Ground
from memoryapp.graph.lines import Line
from memoryapp.store import conflicts, memories

TEXT_CHARS = 280  # of the memory an edge was found in: what a table or a tip shows
_MANY = 500  # memories above which all that wait are asked for once, instead of what waits for each
_RULES = tuple(MadeBy).index(MadeBy.RULES)


def drawn(ground: Ground, lines: Sequence[Line], *, texts: bool = True) -> tuple[Edge, ...]:
    """The lines as edges, with what the store knows: open conflicts, and the words of the first memory."""
    ids = ground.view.roster.ids
    facts = [_slots(ground, line) for line in lines]
    disputed = _disputed(ground, [slots for line, slots in zip(lines, facts, strict=True) if line.rows])
    first = [ids[slots[0]] for slots in facts if slots] if texts else []
    words = memories.openings(ground.space.db, list(dict.fromkeys(first)), chars=TEXT_CHARS)
    return tuple(_edge(ground, line, slots, disputed, words) for line, slots in zip(lines, facts, strict=True))


def _edge(ground: Ground, line: Line, slots: tuple[int, ...], disputed: Collection[str], words: dict[str, str]) -> Edge:
    found, roster = ground.relations, ground.view.roster
    source, target = ground.entity(line.source).id, ground.entity(line.target).id
    facts = tuple(roster.ids[slot] for slot in slots)
    text = words.get(facts[0], "") if facts else ""
    if not line.rows:
        trust = round(float(ground.trust[slots[0]]), 4) if slots else None
        return Edge(
            derived_id("together", source, target),
            source,
            target,
            EdgeKind.TOGETHER,
            EdgeKind.TOGETHER.value,
            EdgeState.HELD,
            weight=line.weight,
            confidence=0.5,
            trust=trust,
            hint=True,
            facts=facts,
            text=text,
        )
    rows, best = list(line.rows), line.rows[0]
    type = found.types[int(found.type[best])]
    state = _state(ground, rows, disputed)
    return Edge(
        derived_id("edge", source, type, target),
        source,
        target,
        line.kind,
        type,
        state,
        label=next((found.label[row] for row in rows if found.label[row]), ""),
        weight=line.weight,
        confidence=round(max(float(found.confidence[row]) for row in rows), 4),
        trust=round(float(ground.relation_trust[best]), 4) if found.has_fact[best] else None,
        hint=all(found.made_by[row] == _RULES for row in rows),
        relations=tuple(found.ids[row] for row in rows),
        facts=facts,
        since=_since(ground, rows),
        until=_until(ground, rows) if state is EdgeState.SUPERSEDED else _moment(found.valid_to[best]),
        text=text,
    )


def _state(ground: Ground, rows: list[int], disputed: Collection[str]) -> EdgeState:
    """Of several relations that say the same: in dispute where one that holds is, planned where none is so yet."""
    found = ground.relations
    holding = [row for row in rows if ground.holding[row]]
    if not holding:
        return EdgeState.SUPERSEDED
    ids = ground.view.roster.ids
    if any(found.fact[row] >= 0 and ids[found.fact[row]] in disputed for row in holding):
        return EdgeState.CONFLICT
    return EdgeState.PLANNED if all(found.planned[row] for row in holding) else EdgeState.HELD


def _disputed(ground: Ground, facts: Sequence[tuple[int, ...]]) -> Collection[str]:
    """Memories of these, by slot, that wait for a decision. Of what was held once nobody knows what waited then."""
    if ground.as_of is not None:
        return ()
    ids = ground.view.roster.ids
    asked = dict.fromkeys(ids[slot] for slots in facts for slot in slots)
    if len(asked) > _MANY:
        return conflicts.disputed(ground.space.db)
    return conflicts.waiting_for(ground.space.db, list(asked)).keys()


def _slots(ground: Ground, line: Line) -> tuple[int, ...]:
    facts = (int(ground.relations.fact[row]) for row in line.rows)
    return line.slots or tuple(dict.fromkeys(slot for slot in facts if slot >= 0))


def _since(ground: Ground, rows: list[int]) -> datetime | None:
    """When it was first said or became so."""
    found = ground.relations
    begun = [float(found.created[row] if isnan(found.at[row]) else found.at[row]) for row in rows]
    return _moment(min((moment for moment in begun if not isnan(moment)), default=nan))


def _until(ground: Ground, rows: list[int]) -> datetime | None:
    """When the last of them ended: by its own date, or with the memory it was found in."""
    found, ended = ground.relations, ground.view.roster.ended
    last = [min(_ends(found.valid_to[row], ended[found.fact[row]] if found.fact[row] >= 0 else nan)) for row in rows]
    return _moment(max(last)) if all(map(isfinite, last)) else None


def _ends(*moments: float) -> list[float]:
    return [float(moment) for moment in moments if not isnan(moment)] or [float("inf")]


def _moment(epoch: float) -> datetime | None:
    return None if isnan(epoch) else datetime.fromtimestamp(float(epoch), UTC)
