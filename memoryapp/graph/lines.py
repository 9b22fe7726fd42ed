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
    together = Together(ground)
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
    ground: Ground, one: int, other: int, strength: float = 0.0, *, together: Together | None = None
) -> Line:
    source, target = sorted((one, other), key=lambda code: ground.entity(code).id)
    slots = (together or Together(ground)).facts(source, target)
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
