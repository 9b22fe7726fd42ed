"""All there is to know of one entity: what names it, what it is joined to, where it stands, when it was spoken of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.relation import Relation
from memoryapp.domain.scene import Card, Edge, Node
from memoryapp.graph.edges import edges_of, related_lines, together_line
from memoryapp.graph.proximity import Cooccurrence, strongest
from memoryapp.graph.scene import count_hidden
from memoryapp.graph.snapshot import Codes, Snapshot, snapshot_of
from memoryapp.index.roster import KINDS
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs, memories, relations

_MEMORIES = 20
_EPISODES = 10
_EDGES = 100
_TOGETHER = 12
_DAY = 86_400.0


def card(space: Space, key: str, *, as_of: datetime | None = None) -> Card:
    """The card of an entity; a merged one's id gives that of the entity it was merged into. Raises NotFound."""
    ground = snapshot_of(space, as_of=as_of)
    code = ground.code(key)
    entity = ground.entity(code)
    slots = ground.slots_of(code)
    told = slots[ground.view.roster.kind[slots] == KINDS.index(Kind.EPISODE)]
    happened = ground.named_at[slots]
    edges = _edges(ground, code)
    up, down = _hierarchy(ground, code)
    return Card(
        entity=entity,
        merged=_merged_entities(ground, code),
        count=len(slots),
        links=int(ground.links[code]),
        memories=_memories(ground, code, slots),
        episodes=_episodes(ground, told),
        edges=edges,
        neighbours=_neighbours(ground, entity, edges),
        up=up,
        down=down,
        alike=_duplicate_pairs(space, entity),
        first_seen=_moment(happened.min(initial=np.inf)),
        last_seen=_moment(happened.max(initial=-np.inf)),
        days=_days(happened),
    )


def _merged_entities(ground: Snapshot, code: int) -> tuple[Entity, ...]:
    """Those that were merged into it, by way of others too, by name."""
    others = np.flatnonzero(ground.graph.canonical == code)
    found = [ground.entity(other) for other in others.tolist() if other != code]
    return tuple(sorted(found, key=lambda one: (one.normal, one.id)))


def _memories(ground: Snapshot, code: int, slots: NDArray[np.int32]) -> tuple[tuple[Memory, str], ...]:
    """The best trusted first, the newer of equals; each with the role that the entity has most of all there."""
    roster = ground.view.roster
    order = np.lexsort((roster.order[slots], -ground.named_at[slots], -ground.trust[slots]))
    best = slots[order][:_MEMORIES].tolist()
    found = memories.get_many(ground.space.db, [roster.ids[slot] for slot in best])
    return tuple((found[roster.ids[slot]], _role(ground, code, slot)) for slot in best if roster.ids[slot] in found)


def _role(ground: Snapshot, code: int, slot: int) -> str:
    entity = ground.entity(code)
    roles = [(weight, role) for one, role, weight in ground.view.incidence.of(slot) if one.id == entity.id]
    return max(roles, default=(0.0, "mention"))[1]


def _episodes(ground: Snapshot, slots: NDArray[np.int32]) -> tuple[Memory, ...]:
    """The last first."""
    order = np.argsort(-ground.named_at[slots], kind="stable")
    ids = [ground.view.roster.ids[slot] for slot in slots[order][:_EPISODES].tolist()]
    found = memories.get_many(ground.space.db, ids)
    return tuple(found[key] for key in ids if key in found)


def _edges(ground: Snapshot, code: int) -> tuple[Edge, ...]:
    """Its relations, those that hold first, then who is named along with it most of all."""
    found = ground.relations
    mine = ground.present & ((found.subject == code) | (found.object == code))
    ends = np.unique(np.concatenate([found.subject[mine], found.object[mine], [code]])).astype(np.int64)
    lines = related_lines(ground, mine, ends)
    lines.sort(key=lambda line: (not ground.holding[line.rows[0]], -line.strength, -line.weight, line.rows[0]))
    near = strongest(Cooccurrence(ground).of(np.array([code])), _TOGETHER)
    best = sorted(zip(near.indices.tolist(), near.data.tolist(), strict=True), key=lambda one: (-one[1], one[0]))
    lines = lines[:_EDGES] + [
        together_line(ground, code, other, strength) for other, strength in best if other not in ends
    ]
    return edges_of(ground, lines)


def _neighbours(ground: Snapshot, entity: Entity, edges: Iterable[Edge]) -> dict[str, Node]:
    """The other ends of its edges, by id; nothing is drawn here, so they have no place."""
    depth = {end: 1 for edge in edges for end in (edge.source, edge.target) if end != entity.id}
    codes: Codes = np.array([ground.graph.code_of[key] for key in depth], dtype=np.int64)
    if not len(codes):
        return {}
    trust, hidden = ground.mean_trust(codes), count_hidden(ground, codes)
    made = {}
    for place, code in enumerate(codes.tolist()):
        one = ground.entity(code)
        made[one.id] = Node(
            id=one.id,
            name=one.name,
            type=str(one.type),
            state=one.state.value,
            memories=int(ground.memories[code]),
            links=int(ground.links[code]),
            hidden=int(hidden[place]),
            x=0.5,
            y=0.5,
            trust=None if np.isnan(trust[place]) else round(float(trust[place]), 4),
            depth=1,
        )
    return made


Placed = tuple[tuple[Entity, Relation], ...]


def _hierarchy(ground: Snapshot, code: int) -> tuple[Placed, Placed]:
    """What it is, and what is one of it; where several memories say so, by the best trusted relation."""
    found = ground.relations
    rows = np.flatnonzero(ground.holding & found.is_a & ((found.subject == code) | (found.object == code)))
    order = rows[np.lexsort((rows, -ground.relation_trust[rows]))]
    up = {int(found.object[row]): found.ids[row] for row in order[::-1].tolist() if found.subject[row] == code}
    down = {int(found.subject[row]): found.ids[row] for row in order[::-1].tolist() if found.object[row] == code}
    known = relations.get_many(ground.space.db, [*up.values(), *down.values()])

    def placed(ends: dict[int, str]) -> Placed:
        made = [(ground.entity(other), known[key]) for other, key in ends.items() if key in known]
        return tuple(sorted(made, key=lambda one: (one[0].normal, one[0].id)))

    return placed(up), placed(down)


def _duplicate_pairs(space: Space, entity: Entity) -> tuple[tuple[Alike, Entity], ...]:
    """Pairs with it that wait for a person, each with the other side, the likeliest first."""
    waiting = entity_pairs.waiting_of(space.db, entity.id)
    others = {pair.id: pair.other if pair.one == entity.id else pair.one for pair in waiting}
    found = entities.get_many(space.db, list(others.values()))
    return tuple((pair, found[others[pair.id]]) for pair in waiting if others[pair.id] in found)


def _days(happened: NDArray[np.float64]) -> tuple[tuple[datetime, int], ...]:
    days, counts = np.unique(np.floor(happened / _DAY), return_counts=True)
    return tuple(
        (datetime.fromtimestamp(float(day) * _DAY, UTC), int(count)) for day, count in zip(days, counts, strict=True)
    )


def _moment(epoch: float) -> datetime | None:
    return datetime.fromtimestamp(float(epoch), UTC) if np.isfinite(epoch) else None
