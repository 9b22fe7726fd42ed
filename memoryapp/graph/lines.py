"""Which edges a scene has: relations of one type between the same two as one, and the strongest of what is named
together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from memoryapp.domain.scene import EdgeKind
from memoryapp.graph.ground import Bools, Codes, Ground
from memoryapp.graph.reach import TOGETHER, with_together
from memoryapp.graph.together import Together

_FACTS = 5  # memories that an edge of two named together tells of


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


def related_lines(ground: Ground, rows: Bools, among: Codes) -> list[Line]:
    """One line for all relations of one type from one entity to another, both among these; those that hold first, then
    the best trusted."""
    found = ground.relations
    inside = np.zeros(ground.size + 1, dtype=np.bool_)
    inside[among] = True
    chosen = np.flatnonzero(rows & inside[found.subject] & inside[found.object])
    order = np.lexsort((chosen, -ground.relation_trust[chosen], found.planned[chosen], ~ground.holding[chosen]))
    groups: dict[tuple[int, int, int], list[int]] = {}
    for row in chosen[order].tolist():
        key = (int(found.subject[row]), int(found.object[row]), int(found.type[row]))
        groups.setdefault(key, []).append(row)
    return [
        Line(
            kind=EdgeKind.IS_A if found.is_a[members[0]] else EdgeKind.RELATION,
            source=source,
            target=target,
            rows=tuple(members),
            weight=float(max(int(ground.holding[members].sum()), 1)),
            strength=1.0 + float(found.confidence[members[0]]),
        )
        for (source, target, _), members in groups.items()
    ]


def together_lines(
    ground: Ground,
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
    strength = Together(ground).of(among)[:, among].tocoo()
    pairs = {
        (int(i), int(j)): float(value)
        for i, j, value in zip(strength.row, strength.col, strength.data, strict=True)
        if i < j and _pair(int(among[i]), int(among[j])) not in joined
    }
    best = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    place = {int(code): at for at, code in enumerate(among)}
    if by is None:
        others = {place[end] for pair in joined for end in pair}
        kept = _first_of_each(best, others)
    else:
        kept = [_pair(at, place[int(came)]) for at, came in enumerate(by) if int(came) in place]
        kept = [pair for pair in kept if pair in pairs]
    taken, room = set(kept), np.full(len(among), TOGETHER)
    for i, j in kept:
        room[[i, j]] -= 1
    ranks = np.zeros(len(among), dtype=np.int64)
    for i, j in best:
        near = ranks[i] < TOGETHER and ranks[j] < TOGETHER
        ranks[[i, j]] += 1
        if near and (i, j) not in taken and room[i] > 0 and room[j] > 0:
            room[[i, j]] -= 1
            kept.append((i, j))
    return [together_line(ground, int(among[i]), int(among[j]), pairs[i, j]) for i, j in kept]


def _first_of_each(best: Sequence[tuple[int, int]], others: Collection[int]) -> list[tuple[int, int]]:
    """Pairs in which one is met for the first time; `others` need none."""
    met, kept = set(others), []
    for pair in best:
        if not met.issuperset(pair):
            met.update(pair)
            kept.append(pair)
    return kept


def together_line(ground: Ground, one: int, other: int, strength: float = 0.0) -> Line:
    source, target = sorted((one, other), key=lambda code: ground.entity(code).id)
    slots = Together(ground).facts(source, target)
    return Line(
        EdgeKind.TOGETHER,
        source,
        target,
        slots=tuple(slots[:_FACTS].tolist()),
        weight=float(len(slots)),
        strength=strength,
    )


def pairs_of(lines: Iterable[Line]) -> set[tuple[int, int]]:
    return {_pair(line.source, line.target) for line in lines}


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
