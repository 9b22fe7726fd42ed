"""Relations and is_a as they are followed, by id and table. An edge may arrive before any of what it speaks of."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.relation import Held, MadeBy, Relation, RelationType
from memoryapp.index.columns import Column, Columns, Names, Spec
from memoryapp.index.register import Canon, Register
from memoryapp.index.relations import Joined, Relations
from memoryapp.index.seats import Seats

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
