"""The graph at one moment, as all its readers see it: which memories count, which relations hold, who is there.

Entities are codes of `index.graph`; every array is by code, by slot of a memory, or by row of a relation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import NotFound
from memoryapp.domain.filters import Filters
from memoryapp.domain.relation import MadeBy
from memoryapp.index.engine import View
from memoryapp.index.graph import Graph, Relations
from memoryapp.spaces import Space

WIDEST = 100  # entities of one memory: what names more than that joins nobody
CROWDED = 60  # entities from which on those that were seen once are left out, unless they are asked for
_PERSON = tuple(MadeBy).index(MadeBy.PERSON)

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Snapshot:
    """`instant`: the moment asked for, or now. `min_trust` leaves out memories and relations that are trusted less.
    `seen_once`: whether entities that are mere proposals are drawn; None draws them up to CROWDED entities, where a
    relation joins them."""

    space: Space
    view: View
    instant: datetime
    as_of: datetime | None
    min_trust: float = 0.0
    seen_once: bool | None = None

    @cached_property
    def graph(self) -> Graph:
        return self.view.graph

    @cached_property
    def entities(self) -> Sequence[Entity | None]:
        return self.graph.entities

    @property
    def size(self) -> int:
        return len(self.entities)

    @cached_property
    def trust(self) -> NDArray[np.float32]:
        """Of every memory at the instant, (n,)."""
        return self.view.roster.trust(self.instant, half_life=self.space.tuning.trust_half_life_days)

    @cached_property
    def held(self) -> Bools:
        """Memories that count, (n,)."""
        roster = self.view.roster
        held = roster.held if self.as_of is None else roster.mask(Filters(as_of=self.as_of), now=self.instant)
        return held & (self.trust >= self.min_trust) if self.min_trust > 0 else held

    @cached_property
    def named_at(self) -> NDArray[np.float64]:
        """When each memory named what it names, epoch seconds, (n,): when it happened, or when it was learned where it
        has no date or speaks of a later day."""
        roster = self.view.roster
        earliest: NDArray[np.float64] = np.fmin(roster.occurred, roster.created).astype(np.float64)
        return earliest

    @cached_property
    def standing(self) -> Bools:
        """Entities that stand for themselves: known or proposed, not merged into another one, (E,)."""
        canonical = self.graph.canonical
        stands: Bools = canonical == np.arange(len(canonical))
        return stands

    @cached_property
    def _sure(self) -> Bools:
        """Of the standing entities those whose state is known, (E,)."""
        known = np.array([e is not None and e.state is EntityState.KNOWN for e in self.entities], dtype=np.bool_)
        return self.standing & known

    @cached_property
    def known(self) -> Bools:
        """Of the standing entities those that are no mere proposal: known, or stated to be related to another, (E,)."""
        return self._sure | (self.standing & (self.links > 0))

    @cached_property
    def once(self) -> Bools:
        """Entities that were seen once: proposals that a memory names or a relation joins, (E,)."""
        return self.standing & ~self._sure & ((self.memories > 0) | (self.links > 0))

    @cached_property
    def shows_once(self) -> bool:
        """Whether those of them that a relation joins are drawn."""
        return int(self.known.sum()) <= CROWDED if self.seen_once is None else self.seen_once

    @cached_property
    def there(self) -> Bools:
        """Entities that are drawn at the instant: with `as_of` those that something then spoke of, (E,)."""
        drawn = self.known | self.once if self.seen_once else self.known if self.shows_once else self._sure
        return drawn & self.spoken_of

    @cached_property
    def spoken_of(self) -> Bools:
        """With `as_of` the entities that were written by then, or that something then spoke of; else all, (E,)."""
        if self.as_of is None:
            return np.ones(self.size, dtype=np.bool_)
        created = np.array([e is not None and e.created_at <= self.as_of for e in self.entities], dtype=np.bool_)
        return created | (self.memories > 0) | (self.links > 0)

    @cached_property
    def pattern(self) -> csr_matrix:
        """1 where a memory refers to an entity, (n, E)."""
        matrix = self.view.incidence.matrix
        ones = np.ones(len(matrix.data), dtype=np.float32)
        return csr_matrix((ones, matrix.indices, matrix.indptr), shape=matrix.shape)

    @cached_property
    def worth(self) -> NDArray[np.float32]:
        """What each memory says of any two that it names, (n,): 1 / (names − 1) (Newman 2001), 0 where it does not
        count or names more than WIDEST."""
        names = np.diff(self.pattern.indptr)
        joins = self.held & (names >= 2) & (names <= WIDEST)
        return np.where(joins, 1.0 / np.maximum(names - 1, 1), 0.0).astype(np.float32)

    @cached_property
    def by_entity(self) -> csc_matrix:
        return self.view.incidence.by_entity

    @cached_property
    def memories(self) -> NDArray[np.int64]:
        """How many memories that count refer to each entity, (E,)."""
        return np.asarray(self._per_entity(self.held), dtype=np.int64)

    def mean_trust(self, codes: Codes) -> NDArray[np.float64]:
        """Of the memories that refer to each of these entities, NaN where none does."""
        sums = self._per_entity(np.where(self.held, self.trust, 0.0))[codes]
        counts = self.memories[codes]
        mean: NDArray[np.float64] = np.divide(sums, counts, out=np.full(len(codes), np.nan), where=counts > 0)
        return mean

    def slots_of(self, code: int) -> NDArray[np.int32]:
        """Memories that count and refer to an entity, ascending."""
        begin, end = self.by_entity.indptr[code : code + 2]
        slots: NDArray[np.int32] = self.by_entity.indices[begin:end]
        return np.sort(slots[self.held[slots]])

    def _per_entity(self, worth: NDArray[Any]) -> NDArray[np.float64]:
        """Sum of a number a memory over the memories of each entity."""
        matrix = self.pattern
        each = np.repeat(np.asarray(worth, dtype=np.float64), np.diff(matrix.indptr))
        sums: NDArray[Any] = np.bincount(matrix.indices, weights=each, minlength=self.size)
        per_entity: NDArray[np.float64] = sums[: self.size].astype(np.float64)
        return per_entity

    # ── relations, by row

    @property
    def relations(self) -> Relations:
        return self.graph.relations

    @cached_property
    def present(self) -> Bools:
        """Relations that may be shown: found in a memory that is there, or in none, and trusted enough. With `as_of`
        only those that held then; else also those that hold no more."""
        found = self.relations
        sound: Bools = ~found.has_fact | (found.fact >= 0)
        if self.min_trust > 0:
            sound = sound & ((found.made_by == _PERSON) | (self.relation_trust >= self.min_trust))
        return sound & self._held_then if self.as_of is not None else sound

    @cached_property
    def holding(self) -> Bools:
        """Relations of `present` that hold at the instant, planned ones too."""
        return self.present & self._held_then

    @cached_property
    def _held_then(self) -> Bools:
        return self.relations.holding(self.held, now=self.instant, as_of=self.as_of)

    @cached_property
    def relation_trust(self) -> NDArray[np.float64]:
        """Of the memory a relation was found in, or its own confidence where there is none."""
        found = self.relations
        trust = found.confidence.astype(np.float64)
        inside = found.fact >= 0
        trust[inside] = self.trust[found.fact[inside]]
        return trust

    @cached_property
    def links(self) -> NDArray[np.int64]:
        """To how many other entities each is joined by a relation that holds, (E,)."""
        found = self.relations
        rows = np.flatnonzero(self.holding)
        one, other = found.subject[rows].astype(np.int64), found.object[rows].astype(np.int64)
        pairs = np.unique(np.minimum(one, other) * self.size + np.maximum(one, other))
        ends = np.concatenate([pairs // max(self.size, 1), pairs % max(self.size, 1)])
        links: NDArray[np.int64] = np.bincount(ends, minlength=self.size)
        return links[: self.size]

    # ── entities

    def code(self, key: str) -> int:
        """The entity that stands for this id. Raises NotFound for an unknown or refused one."""
        code = self.graph.code_of.get(key, -1)
        standing = int(self.graph.canonical[code]) if code >= 0 else -1
        if standing < 0:
            shown = key if len(key) <= 40 else f"{key[:40]}…"
            raise NotFound(f"There is no entity {shown} in the graph of space “{self.space.name}”.")
        return standing

    def entity(self, code: int) -> Entity:
        found = self.entities[code]
        assert found is not None  # a code that stands has its entity
        return found

    def typed(self, types: Collection[str]) -> Bools:
        """Entities that are there and of one of these types (all, where none is named), (E,)."""
        if not types:
            return self.there
        wanted = set(types)
        return self.there & np.array([e is not None and str(e.type) in wanted for e in self.entities], dtype=np.bool_)


def snapshot_of(
    space: Space, *, as_of: datetime | None = None, min_trust: float = 0.0, seen_once: bool | None = None
) -> Snapshot:
    """The graph as it is now, all that was written taken in, or as it was at an instant: that of a space of the past
    is its own."""
    space.index.refresh()
    as_of = as_of or space.at
    return Snapshot(space, space.index.view(), as_of or space.clock(), as_of, min_trust, seen_once)
