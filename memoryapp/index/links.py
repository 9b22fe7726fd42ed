"""What is followed of the graph: references, relations and is_a, and what follows what in time. An edge may arrive
before any of what it speaks of, so edges are kept by id, and slots of memories may move freely.

Readers get relations as parallel arrays, and as matrices of what joins which entities.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.domain.clock import utc_now
from memoryapp.domain.entity import Reference
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType
from memoryapp.index.columns import Column, Columns, Names, Spec
from memoryapp.index.incidence import CountedEdges, Incidence
from memoryapp.index.register import Canon, Register
from memoryapp.index.roster import epoch

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Times = NDArray[np.float64]
Mask = NDArray[np.bool_]
_SEAT: Spec = {"slot": ("i4", -1)}
EDGE: Spec = {"memory": ("i4", -1), "entity": ("i4", -1), "role": ("i4", -1), "weight": ("f4", 0), "alive": ("?", 0)}
Key = tuple[str, str, str]  # memory, entity, role
LINK: Spec = {"later": ("i4", -1), "earlier": ("i4", -1), "alive": ("?", 0)}
ChainKey = tuple[str, str]  # later, earlier
NEVER = float("nan")
_MAKERS = {maker: number for number, maker in enumerate(MadeBy)}


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Parallel arrays over the relations that nobody refused, whose two ends are known and two.

    `subject`, `object`: codes that stand for the ends. `type`: position in `types`. `fact`: slot of the memory it was
    found in, −1 where that is not indexed or there is none; `has_fact`: whether it was found in one at all. `created`,
    `at`, `valid_to`: epoch seconds, NaN where there is none. `made_by`: position in MadeBy.
    """

    ids: list[str]
    subject: Ints
    object: Ints
    type: Ints
    types: list[str]
    fact: Ints
    has_fact: Mask
    confidence: Floats
    planned: Mask
    is_a: Mask
    created: Times
    at: Times
    valid_to: Times
    made_by: NDArray[np.int8]
    label: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    def holding(self, held: Mask, *, now: datetime | None = None, as_of: datetime | None = None) -> Mask:
        """Which of them hold, (relations,): found in no memory or in one of `held`, bool (n,), and not over at `now`
        (this moment where it is not given). With `as_of`, the instant for which `held` was made: at that instant, and
        what was found in no memory only once it was known."""
        inside = self.fact >= 0
        holds = ~self.has_fact
        holds[inside] = held[self.fact[inside]]
        instant = (as_of or now or utc_now()).timestamp()
        holds &= ~(self.valid_to <= instant)  # a comparison with NaN is False: no end
        if as_of is not None:
            holds &= self.has_fact | (np.fmin(self.created, self.at) <= instant)
        return holds


class RelationMatrix:
    """What joins which entities, made of `relations`. The last answer is kept: most questions come with the same mask.

    States that differ only in the memories share it."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._last: tuple[bytes, csr_matrix] | None = None

    def both_ways(self, relations: Relations, which: Mask) -> csr_matrix:
        """Symmetric, (entities, entities): of several relations between the same two the surest."""
        asked = np.packbits(which).tobytes()
        last = self._last
        if last is None or last[0] != asked:
            one, other = relations.subject[which], relations.object[which]
            confidence = relations.confidence[which]
            ends = np.concatenate([one, other]), np.concatenate([other, one])
            last = self._last = asked, _surest_matrix(*ends, np.concatenate([confidence, confidence]), self._width)
        return last[1]

    def downwards(self, relations: Relations, which: Mask) -> csr_matrix:
        """[parent, child], (entities, entities), of those that are `is_a`."""
        which = which & relations.is_a
        return _surest_matrix(
            relations.object[which], relations.subject[which], relations.confidence[which], self._width
        )


def _surest_matrix(rows: Ints, columns: Ints, weights: Floats, width: int) -> csr_matrix:
    """A square matrix with the greatest weight of each place."""
    place = rows.astype(np.int64) * width + columns
    order = np.lexsort((-weights, place))
    place = place[order]
    first = np.ones(len(place), dtype=np.bool_)
    first[1:] = place[1:] != place[:-1]
    keep = order[first]
    starts = np.zeros(width + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows[keep], minlength=width), out=starts[1:])
    return csr_matrix((weights[keep], columns[keep], starts), shape=(width, width))


class Seats:
    """The writer's side; references, relations and chains share it."""

    def __init__(self, memories: list[str] | None = None, slots: NDArray[np.int32] | None = None) -> None:
        self.memories = Names(memories)
        self._slots = Columns(_SEAT, arrays=None if slots is None else {"slot": slots})
        self._last: NDArray[np.int32] | None = None

    def code(self, memory: str, slot: int) -> int:
        """The number of a memory, −1 for "". `slot`: where it sits if it is new here, −1 where it is not indexed."""
        if not memory:
            return -1
        code = self.memories.code(memory)
        if code == self._slots.n:
            self._slots.put("slot", self._slots.add(), slot)
            self._last = None
        return code

    def seat(self, memory: str, slot: int) -> None:
        """Says where a memory sits now; −1: nowhere. Memories that no edge speaks of are not kept."""
        code = self.memories.find(memory)
        if code >= 0 and self._slots.get("slot")[code] != slot:
            self._slots.put("slot", code, slot)
            self._last = None

    def publish(self) -> NDArray[np.int32]:
        """Slots by number; the same array as long as nobody moved."""
        if self._last is None:
            self._last = self._slots.publish()["slot"]
        return self._last


class Links:
    """The writer's side of `incidence`."""

    def __init__(
        self,
        register: Register,
        seats: Seats,
        *,
        edges: dict[str, Column] | None = None,
        roles: list[str] | None = None,
    ) -> None:
        """`edges` and `roles`: as they were published and kept."""
        self.register = register
        self.seats = seats
        self.edges = Columns(EDGE, arrays=edges)
        self.roles = Names(roles)
        self._dead = int(np.count_nonzero(~self.edges.get("alive")))
        self._rows_of: dict[Key, int] | None = None
        self._counted: CountedEdges | None = None
        self._last: Incidence | None = None

    def put(self, reference: Reference, *, slot: int) -> None:
        """Adds an edge or changes its weight. `slot`: where its memory sits, −1 where it is not indexed."""
        key = (reference.memory, reference.entity, reference.role)
        row = self._edge_rows.get(key)
        if row is None:
            row = self._edge_rows[key] = self.edges.add()
            self.edges.put("memory", row, self.seats.code(reference.memory, slot))
            self.edges.put("entity", row, self.register.code(reference.entity))
            self.edges.put("role", row, self.roles.code(reference.role))
            self.edges.put("alive", row, True)
        elif self.edges.get("weight")[row] == np.float32(reference.weight):
            return
        self.edges.put("weight", row, reference.weight)
        self._counted = None

    def drop(self, key: Key) -> None:
        row = self._edge_rows.pop(key, None)
        if row is not None:
            self.edges.put("alive", row, False)
            self._dead += 1
            self._counted = None

    def publish(self, n: int) -> Incidence:
        standing, seats = self.register.publish(), self.seats.publish()
        if self._counted is None or not self._counted.counts(seats, standing.canon):
            self._counted = CountedEdges(self.edges.publish(), seats, standing.canon)
        if self._last is None or not self._last.shows(n, standing, self._counted):
            self._last = Incidence(n, standing, self._counted, self.roles.names)
        return self._last

    @property
    def n(self) -> int:
        """Rows of edges, those that are gone included."""
        return self.edges.n

    @property
    def dead(self) -> int:
        """How many of them are gone."""
        return self._dead

    @property
    def _edge_rows(self) -> dict[Key, int]:
        """Edge → its row; made at the first write, so that loading from disk does not wait for it."""
        if self._rows_of is None:
            get = self.edges.get
            memories, entities, roles = self.seats.memories.names, self.register.codes.names, self.roles.names
            columns = (get("memory").tolist(), get("entity").tolist(), get("role").tolist(), get("alive").tolist())
            self._rows_of = {
                (memories[m], entities[e], roles[r]): row
                for row, (m, e, r, alive) in enumerate(zip(*columns, strict=True))
                if alive
            }
        return self._rows_of


class Chain:
    """The writer's side."""

    def __init__(self, seats: Seats, *, columns: dict[str, Column] | None = None) -> None:
        """`columns`: as they were published and kept."""
        self.seats = seats
        self.columns = Columns(LINK, arrays=columns)
        names = seats.memories.names
        rows = zip(*(self.columns.get(name).tolist() for name in LINK), strict=True)
        self._row_of: dict[ChainKey, int] = {
            (names[later], names[earlier]): row for row, (later, earlier, alive) in enumerate(rows) if alive
        }
        self._last: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None  # of which seats, the edges

    def put(self, later: str, earlier: str, *, slots: tuple[int, int]) -> None:
        """`slots`: where the two memories sit, −1 where one is not indexed."""
        if (later, earlier) in self._row_of:
            return
        row = self._row_of[later, earlier] = self.columns.add()
        self.columns.put("later", row, self.seats.code(later, slots[0]))
        self.columns.put("earlier", row, self.seats.code(earlier, slots[1]))
        self.columns.put("alive", row, True)
        self._last = None

    def drop(self, later: str, earlier: str) -> None:
        row = self._row_of.pop((later, earlier), None)
        if row is not None:
            self.columns.put("alive", row, False)
            self._last = None

    def publish(self) -> NDArray[np.int32]:
        """Slots (later, earlier) of the edges with both ends indexed, (edges, 2)."""
        seats = self.seats.publish()
        if self._last is None or self._last[0] is not seats:
            alive = self.columns.get("alive")
            ends = np.stack([self.columns.get(name)[alive] for name in ("later", "earlier")], axis=1)
            slots = seats[ends] if ends.size else np.zeros((0, 2), dtype=np.int32)
            self._last = seats, slots[(slots >= 0).all(axis=1)]
        return self._last[1]

    @property
    def n(self) -> int:
        """Rows of edges, those that are gone included."""
        return self.columns.n

    @property
    def dead(self) -> int:
        """How many of them are gone."""
        return self.columns.n - len(self._row_of)


RELATION: Spec = {
    "subject": ("i4", -1),
    "object": ("i4", -1),
    "type": ("i4", -1),
    "label": ("i4", -1),
    "fact": ("i4", -1),  # the number of its memory among the seats
    "is_a": ("?", 0),  # the table it lies in
    "planned": ("?", 0),
    "held": ("?", 0),
    "alive": ("?", 0),
    "confidence": ("f4", 0),
    "created": ("f8", NEVER),
    "at": ("f8", NEVER),
    "valid_to": ("f8", NEVER),
    "made_by": ("i1", 0),
}


class CountedRelations:
    """The relations that count, wherever their memories sit. States that differ only in that share it."""

    def __init__(
        self, columns: dict[str, Column], ids: list[str], types: list[str], labels: list[str], canon: Canon
    ) -> None:
        self._columns = columns
        self._ids = ids
        self._types = types
        self._labels = labels
        self.canon = canon

    @cached_property
    def joined(self) -> RelationMatrix:
        return RelationMatrix(len(self.canon.of))

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in self._columns.values())

    def seated(self, seats: NDArray[np.int32]) -> Relations:
        """With the slots of the memories as they are."""
        kept = self._kept
        fact = np.full(len(kept), -1, dtype=np.int32)
        fact[kept.has_fact] = seats[kept.fact[kept.has_fact]]
        return replace(kept, fact=fact)

    @cached_property
    def _kept(self) -> Relations:
        """`fact`: numbers of the memories among the seats."""
        columns, canonical = self._columns, self.canon.of
        rows = np.flatnonzero(columns["alive"] & columns["held"])
        subject, object = canonical[columns["subject"][rows]], canonical[columns["object"][rows]]
        counts = (subject >= 0) & (object >= 0) & (subject != object)
        rows = rows[counts]
        of = {name: column[rows] for name, column in columns.items()}
        return Relations(
            ids=[self._ids[row] for row in rows.tolist()],
            subject=subject[counts],
            object=object[counts],
            type=of["type"],
            types=self._types,
            fact=of["fact"],
            has_fact=of["fact"] >= 0,
            confidence=of["confidence"],
            planned=of["planned"],
            is_a=of["is_a"],
            created=of["created"],
            at=of["at"],
            valid_to=of["valid_to"],
            made_by=of["made_by"],
            label=[self._labels[code] for code in of["label"].tolist()],
        )


class Edges:
    """The writer's side."""

    def __init__(
        self,
        register: Register,
        seats: Seats,
        *,
        columns: dict[str, Column] | None = None,
        ids: list[str] | None = None,
        types: list[str] | None = None,
        labels: list[str] | None = None,
    ) -> None:
        """`columns`, `ids`, `types` and `labels`: as they were published and kept."""
        self.register = register
        self.seats = seats
        self.columns = Columns(RELATION, arrays=columns)
        self.ids: list[str] = ids or []
        self.types = Names(types)
        self.labels = Names(labels)
        alive = self.columns.get("alive").tolist()
        kinds = self.columns.get("is_a").tolist()
        self._row_of = {(kinds[row], key): row for row, key in enumerate(self.ids) if alive[row]}
        self._last: CountedRelations | None = None

    def put(self, relation: Relation, *, slot: int) -> None:
        """Adds a relation or changes it. `slot`: where the memory it was found in sits, −1 where it is not indexed."""
        is_a = relation.type == RelationType.IS_A
        values = self._values(relation, is_a, slot)
        row = self._row_of.get((is_a, relation.id))
        if row is None:
            row = self._row_of[is_a, relation.id] = self.columns.add()
            self.ids.append(relation.id)
            changed = values
        else:
            changed = {name: value for name, value in values.items() if self._differs(name, row, value)}
        for name, value in changed.items():
            self.columns.put(name, row, value)
        if changed:
            self._last = None

    def drop(self, key: str, *, is_a: bool) -> None:
        row = self._row_of.pop((is_a, key), None)
        if row is not None:
            self.columns.put("alive", row, False)
            self._last = None

    def publish(self) -> CountedRelations:
        canon = self.register.publish().canon
        if self._last is None or self._last.canon is not canon:
            self._last = CountedRelations(self.columns.publish(), self.ids, self.types.names, self.labels.names, canon)
        return self._last

    @property
    def n(self) -> int:
        """Rows of edges, those that are gone included."""
        return self.columns.n

    @property
    def dead(self) -> int:
        """How many of them are gone."""
        return self.columns.n - len(self._row_of)

    def _values(self, relation: Relation, is_a: bool, slot: int) -> dict[str, Any]:
        return {
            "subject": self.register.code(relation.subject),
            "object": self.register.code(relation.object),
            "type": self.types.code(str(relation.type)),
            "label": self.labels.code(relation.label),
            "fact": self.seats.code(relation.fact or "", slot),
            "is_a": is_a,
            "planned": relation.planned,
            "held": relation.state is RelationState.HELD,
            "alive": True,
            "confidence": relation.confidence,
            "created": relation.created_at.timestamp(),
            "at": epoch(relation.at),
            "valid_to": epoch(relation.valid_to),
            "made_by": _MAKERS[relation.made_by],
        }

    def _differs(self, name: str, row: int, value: Any) -> bool:
        column = self.columns.get(name)
        old, new = column[row], column.dtype.type(value)
        return bool(old != new) and not (old != old and new != new)  # NaN is the same as NaN here
