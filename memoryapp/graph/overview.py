"""The whole graph from far: everything where it is small, else communities as super-nodes; and one of them close by.

An entity's super-node is the community that it has on the drawn map; where there is no map, or an old one, communities
are found just now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import UNCLEAR, Entity, EntityState
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.scene import Community, Edge, EdgeKind, EdgeState, Scene
from memoryapp.graph.community_map import OTHER, group_entities
from memoryapp.graph.known_names import KNOWN_AS, loose
from memoryapp.graph.layout import arrange
from memoryapp.graph.proximity import joined_by
from memoryapp.graph.scene import MOST, count_types, foremost, lines_among, most_first, scene_of
from memoryapp.graph.snapshot import Codes, Snapshot, snapshot_of
from memoryapp.spaces import Space

WHOLE = 300  # entities that are still shown one by one
_NAMES = 3
_LOOKED_AT = 12  # the foremost members of a community, of whom it takes its names
_DOT, _DOT_MORE = 26.0, 70.0  # of a super-node, and what the largest has besides
_EDGES = 3  # of a super-node to others: the strongest


def overview(
    space: Space, *, as_of: datetime | None = None, seen_once: bool | None = None, texts: bool = True
) -> Scene:
    """The whole graph up to WHOLE entities; above that, communities alone and the edges between them."""
    ground = snapshot_of(space, as_of=as_of, seen_once=seen_once)
    there = np.flatnonzero(ground.there)
    if len(there) <= WHOLE:
        return _whole_scene(ground, there, texts=texts)
    group, notes = group_entities(ground)
    numbers = np.unique(group[there])
    return _community_scene(ground, there, group, numbers[numbers != OTHER], notes)


def community(
    space: Space,
    number: int,
    *,
    limit: int = 300,
    as_of: datetime | None = None,
    seen_once: bool | None = None,
    texts: bool = True,
) -> Scene:
    """The best joined members of a community, at most `limit` (1–500); OTHER for what the overview leaves over.

    Raises NotFound for a number that no community has now.
    """
    if not 1 <= limit <= MOST:
        raise BadInput(f"A scene has 1 to {MOST} entities.", field="/limit")
    ground = snapshot_of(space, as_of=as_of, seen_once=seen_once)
    group, notes = group_entities(ground)
    members = np.flatnonzero(ground.there & (group == number))
    if not len(members):
        raise NotFound(f"There is no community {number} in the graph of space “{space.name}”. It may be drawn anew.")
    shown = foremost(ground, members)[:limit]
    if len(members) > limit:
        notes = (*notes, f"{limit} of {len(members):,} entities of this community, the best joined.")
    return scene_of(ground, shown, lines_among(ground, shown), notes=notes, texts=texts)


def _whole_scene(ground: Snapshot, there: Codes, *, texts: bool) -> Scene:
    if not len(there):
        return Scene(
            (),
            (),
            0,
            notes=("There is nothing in this graph yet.",),
            seen_once=int(ground.once.sum()),
            shows_once=ground.shows_once,
        )
    shown = foremost(ground, there)
    return scene_of(ground, shown, lines_among(ground, shown), texts=texts)


@dataclass(frozen=True, slots=True)
class _Members:
    number: int
    codes: Codes


def _community_scene(
    ground: Snapshot, there: Codes, group: NDArray[np.int64], numbers: Codes, notes: tuple[str, ...]
) -> Scene:
    parts = [_Members(int(number), there[group[there] == number]) for number in numbers]
    parts.sort(key=lambda part: (-len(part.codes), part.number))
    rest = there[group[there] == OTHER]
    place = np.full(int(group.max(initial=0)) + 2, -1, dtype=np.int64)
    place[[part.number for part in parts]] = np.arange(len(parts))
    strength = _strength(ground, np.where(group >= 0, place[group], -1), len(parts))
    edges = _edges(parts, strength)
    if len(rest):
        parts.append(_Members(OTHER, rest))
    names = [_names(ground, part) for part in parts]
    types = [Counter(count_types(ground, part.codes)) for part in parts]  # of all entities: each is in one part
    at = arrange([", ".join(some) for some in names], [(one, other) for one, other, _ in edges], dots=_dots(parts))
    return Scene(
        nodes=(),
        edges=tuple(_edge(parts[one].number, parts[other].number, weight) for one, other, weight in edges),
        total=len(there),
        types=most_first(sum(types, Counter())),
        communities=tuple(
            Community(
                part.number,
                len(part.codes),
                some,
                most_first(counts),
                round(float(spot[0]), 4),
                round(float(spot[1]), 4),
            )
            for part, some, counts, spot in zip(parts, names, types, at, strict=True)
        ),
        notes=notes,
        seen_once=int(ground.once.sum()),
        shows_once=ground.shows_once,
    )


def _dots(parts: Sequence[_Members]) -> list[float]:
    """Diameters: the area tells how many there are, so far as it can."""
    most = max((len(part.codes) for part in parts), default=1)
    return [_DOT + _DOT_MORE * float(np.sqrt(len(part.codes) / most)) for part in parts]


def _names(ground: Snapshot, part: _Members) -> tuple[str, ...]:
    """The most central members, each name once: first those that are known, of a type, and no mere kind of thing."""
    if part.number == OTHER:
        return ("other",)
    central = [ground.entity(code) for code in foremost(ground, part.codes)[:_LOOKED_AT].tolist()]
    central.sort(key=_is_vague)
    named: dict[str, str] = {}
    for entity in central:
        named.setdefault(loose(KNOWN_AS.get(loose(entity.name), entity.name)), entity.name)
    return tuple(named.values())[:_NAMES]


def _is_vague(entity: Entity) -> bool:
    vague = entity.type in UNCLEAR and not any(letter.isupper() for letter in entity.name)
    return vague or entity.state is not EntityState.KNOWN


def _strength(ground: Snapshot, place: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """How much joins any two communities, (count, count): namings in the same memory, and relations that hold."""
    strength = joined_by(ground, place, count)
    found = ground.relations
    one, other = place[found.subject], place[found.object]
    across = ground.holding & (one >= 0) & (other >= 0)
    np.add.at(strength, (one[across], other[across]), found.confidence[across])
    np.add.at(strength, (other[across], one[across]), found.confidence[across])
    np.fill_diagonal(strength, 0)
    return strength


def _edges(parts: Sequence[_Members], strength: NDArray[np.float64]) -> list[tuple[int, int, float]]:
    """The strongest few of each super-node."""
    kept = {
        (min(one, other), max(one, other))
        for one in range(len(parts))
        for other in np.argsort(-strength[one], kind="stable")[:_EDGES].tolist()
        if strength[one, other] > 0
    }
    return [(one, other, round(float(strength[one, other]), 3)) for one, other in sorted(kept)]


def _edge(one: int, other: int, weight: float) -> Edge:
    return Edge(
        f"{one}-{other}",
        str(one),
        str(other),
        EdgeKind.TOGETHER,
        EdgeKind.TOGETHER.value,
        EdgeState.HELD,
        weight=weight,
        hint=True,
    )
