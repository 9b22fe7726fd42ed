"""References as they are followed. An edge may arrive before either of its ends.

Where the memories sit that some edge speaks of, so that edges are kept by id and slots may move freely.

What follows what in time, as it is followed. An edge may arrive before either of its ends.

Relations and is_a as they are followed, by id and table. An edge may arrive before any of what it speaks of.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Reference
from memoryapp.domain.relation import Held, MadeBy, Relation, RelationType
from memoryapp.index.columns import Column, Columns, Names, Spec
from memoryapp.index.incidence import Counted, Incidence
from memoryapp.index.register import Canon, Register
from memoryapp.index.relations import Joined, Relations

_SEAT: Spec = {"slot": ("i4", -1)}


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


EDGE: Spec = {"memory": ("i4", -1), "entity": ("i4", -1), "role": ("i4", -1), "weight": ("f4", 0), "alive": ("?", 0)}
Key = tuple[str, str, str]  # memory, entity, role


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
        self._counted: Counted | None = None
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
            self._counted = Counted(self.edges.publish(), seats, standing.canon)
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


LINK: Spec = {"later": ("i4", -1), "earlier": ("i4", -1), "alive": ("?", 0)}
ChainKey = tuple[str, str]  # later, earlier


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


NEVER = float("nan")
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
_MAKERS = {maker: number for number, maker in enumerate(MadeBy)}


class Related:
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
    def joined(self) -> Joined:
        return Joined(len(self.canon.of))

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
        self._last: Related | None = None

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

    def publish(self) -> Related:
        canon = self.register.publish().canon
        if self._last is None or self._last.canon is not canon:
            self._last = Related(self.columns.publish(), self.ids, self.types.names, self.labels.names, canon)
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
            "held": relation.state is Held.HELD,
            "alive": True,
            "confidence": relation.confidence,
            "created": relation.created_at.timestamp(),
            "at": _epoch(relation.at),
            "valid_to": _epoch(relation.valid_to),
            "made_by": _MAKERS[relation.made_by],
        }

    def _differs(self, name: str, row: int, value: Any) -> bool:
        column = self.columns.get(name)
        old, new = column[row], column.dtype.type(value)
        return bool(old != new) and not (old != old and new != new)  # NaN is the same as NaN here


def _epoch(moment: datetime | None) -> float:
    return NEVER if moment is None else moment.timestamp()
