"""Edges of a scene: which there are, and how they are shown.

Relations of one type between the same two entities are one `Line`, and so are the strongest of those that are named
together. `edges_of` makes edges of lines, with their state, their memories, and what the store knows of those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite, isnan, nan

import numpy as np

from memoryapp.domain.identity import derived_id
from memoryapp.domain.relation import MadeBy
from memoryapp.domain.scene import Edge, EdgeKind, EdgeState
from memoryapp.graph.proximity import TOGETHER, Cooccurrence, with_together
from memoryapp.graph.snapshot import Bools, Codes, Snapshot
from memoryapp.store import conflicts, memories

_FACTS = 5  # memories that an edge of two named together tells of
TEXT_CHARS = 280  # of the memory an edge was found in: what a table or a tip shows
_MANY = 500  # memories above which all that wait are asked for once, instead of what waits for each
_RULES = tuple(MadeBy).index(MadeBy.RULES)


@dataclass(frozen=True, slots=True)
class Line:
    """An edge before what the store knows of its memories: `rows` of relations, or `slots` that name both."""

    kind: EdgeKind
    source: int
    target: int
    rows: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()
    weight: float = 1.0
    strength: float = 0.0


def related_lines(ground: Snapshot, rows: Bools, among: Codes) -> list[Line]:
    """One line for all relations of one type from one entity to another, both among these; those that hold first, then
    the best trusted."""
    found = ground.relations
    inside = np.zeros(ground.size + 1, dtype=np.bool_)
    inside[among] = True
    chosen = np.flatnonzero(rows & inside[found.subject] & inside[found.object])
    order = np.lexsort((chosen, -ground.relation_trust[chosen], found.planned[chosen], ~ground.holding[chosen]))
    rows_ = chosen[order]
    # Columns as lists: a few thousand edges, and a number out of an array costs twenty times one out of a list.
    row_of, holding = rows_.tolist(), ground.holding[rows_].tolist()
    ends = zip(found.subject[rows_].tolist(), found.object[rows_].tolist(), found.type[rows_].tolist(), strict=True)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for place, key in enumerate(ends):
        groups.setdefault(key, []).append(place)
    return [
        Line(
            kind=EdgeKind.IS_A if found.is_a[row_of[members[0]]] else EdgeKind.RELATION,
            source=source,
            target=target,
            rows=tuple(row_of[place] for place in members),
            weight=float(max(sum(holding[place] for place in members), 1)),
            strength=1.0 + float(found.confidence[row_of[members[0]]]),
        )
        for (source, target, _), members in groups.items()
    ]


def together_lines(
    ground: Snapshot,
    among: Codes,
    *,
    by: Codes | None,
    joined: Collection[tuple[int, int]],
    relations: Collection[str] = (),
) -> list[Line]:
    """The strongest pairs that are named together and joined by nothing else (`joined`: pairs, the lower code first).

    The edges by which entities were reached are always there (`by`: whence each was), or, where they were not reached
    from anywhere, the strongest of each that nothing else joins. Of the others an entity has TOGETHER in all, and only
    such as are among the strongest of both ends.
    """
    if not with_together(relations) or len(among) < 2:
        return []
    together = Cooccurrence(ground)
    strength = together.of(among)[:, among].tocoo()
    once = strength.row < strength.col
    codes = among.tolist()
    pairs = {
        (i, j): value
        for i, j, value in zip(
            strength.row[once].tolist(), strength.col[once].tolist(), strength.data[once].tolist(), strict=True
        )
        if _pair(codes[i], codes[j]) not in joined
    }
    best = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    place = {code: at for at, code in enumerate(codes)}
    if by is None:
        others = {place[end] for pair in joined for end in pair}
        kept = _first_of_each(best, others)
    else:
        kept = [_pair(at, place[int(came)]) for at, came in enumerate(by) if int(came) in place]
        kept = [pair for pair in kept if pair in pairs]
    taken, room, ranks = set(kept), [TOGETHER] * len(codes), [0] * len(codes)
    for i, j in kept:
        room[i] -= 1
        room[j] -= 1
    for i, j in best:
        near = ranks[i] < TOGETHER and ranks[j] < TOGETHER
        ranks[i] += 1
        ranks[j] += 1
        if near and (i, j) not in taken and room[i] > 0 and room[j] > 0:
            room[i] -= 1
            room[j] -= 1
            kept.append((i, j))
    return [together_line(ground, codes[i], codes[j], pairs[i, j], together=together) for i, j in kept]


def _first_of_each(best: Sequence[tuple[int, int]], others: Collection[int]) -> list[tuple[int, int]]:
    """Pairs in which one is met for the first time; `others` need none."""
    met, kept = set(others), []
    for pair in best:
        if not met.issuperset(pair):
            met.update(pair)
            kept.append(pair)
    return kept


def together_line(
    ground: Snapshot, one: int, other: int, strength: float = 0.0, *, together: Cooccurrence | None = None
) -> Line:
    """The line between two entities that memories name together. `one`, `other`: their codes, in either order."""
    source, target = sorted((one, other), key=lambda code: ground.entity(code).id)
    slots = (together or Cooccurrence(ground)).facts(source, target)
    return Line(
        EdgeKind.TOGETHER,
        source,
        target,
        slots=tuple(slots[:_FACTS].tolist()),
        weight=float(len(slots)),
        strength=strength,
    )


def pairs_of(lines: Iterable[Line]) -> set[tuple[int, int]]:
    """The two codes that each line joins, the smaller one first."""
    return {_pair(line.source, line.target) for line in lines}


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


# ── lines as edges


def edges_of(ground: Snapshot, lines: Sequence[Line], *, texts: bool = True) -> tuple[Edge, ...]:
    """The lines as edges, with what the store knows: open conflicts, and the words of the first memory."""
    ids = ground.view.roster.ids
    facts = [_slots(ground, line) for line in lines]
    disputed = _disputed_ids(ground, [slots for line, slots in zip(lines, facts, strict=True) if line.rows])
    first = [ids[slots[0]] for slots in facts if slots] if texts else []
    words = memories.openings(ground.space.db, list(dict.fromkeys(first)), chars=TEXT_CHARS)
    return tuple(_edge(ground, line, slots, disputed, words) for line, slots in zip(lines, facts, strict=True))


def _edge(
    ground: Snapshot, line: Line, slots: tuple[int, ...], disputed: Collection[str], words: dict[str, str]
) -> Edge:
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
        since=_first_stated_at(ground, rows),
        until=_last_ended_at(ground, rows) if state is EdgeState.SUPERSEDED else _moment(found.valid_to[best]),
        text=text,
    )


def _state(ground: Snapshot, rows: list[int], disputed: Collection[str]) -> EdgeState:
    """Of several relations that say the same: in dispute where one that holds is, planned where none is so yet."""
    found = ground.relations
    holding = [row for row in rows if ground.holding[row]]
    if not holding:
        return EdgeState.SUPERSEDED
    ids = ground.view.roster.ids
    if any(found.fact[row] >= 0 and ids[found.fact[row]] in disputed for row in holding):
        return EdgeState.CONFLICT
    return EdgeState.PLANNED if all(found.planned[row] for row in holding) else EdgeState.HELD


def _disputed_ids(ground: Snapshot, facts: Sequence[tuple[int, ...]]) -> Collection[str]:
    """Memories of these, by slot, that wait for a decision. Of what was held once nobody knows what waited then."""
    if ground.as_of is not None:
        return ()
    ids = ground.view.roster.ids
    asked = dict.fromkeys(ids[slot] for slots in facts for slot in slots)
    if len(asked) > _MANY:
        return conflicts.disputed_ids(ground.space.db)
    return conflicts.waiting_for(ground.space.db, list(asked)).keys()


def _slots(ground: Snapshot, line: Line) -> tuple[int, ...]:
    facts = (int(ground.relations.fact[row]) for row in line.rows)
    return line.slots or tuple(dict.fromkeys(slot for slot in facts if slot >= 0))


def _first_stated_at(ground: Snapshot, rows: list[int]) -> datetime | None:
    """When it was first said or became so."""
    found = ground.relations
    begun = [float(found.created[row] if isnan(found.at[row]) else found.at[row]) for row in rows]
    return _moment(min((moment for moment in begun if not isnan(moment)), default=nan))


def _last_ended_at(ground: Snapshot, rows: list[int]) -> datetime | None:
    """When the last of them ended: by its own date, or with the memory it was found in."""
    found, ended = ground.relations, ground.view.roster.ended
    last = [min(_ends(found.valid_to[row], ended[found.fact[row]] if found.fact[row] >= 0 else nan)) for row in rows]
    return _moment(max(last)) if all(map(isfinite, last)) else None


def _ends(*moments: float) -> list[float]:
    return [float(moment) for moment in moments if not isnan(moment)] or [float("inf")]


def _moment(epoch: float) -> datetime | None:
    return None if isnan(epoch) else datetime.fromtimestamp(float(epoch), UTC)
