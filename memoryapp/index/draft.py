"""The writer's side of the local index: changes in, published states out. One thread at a time writes.

The writer's side of the graph: entities and all that joins them, as they are followed. Anything may come first.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.memory import Memory, State, Usage, index_text
from memoryapp.domain.relation import Relation
from memoryapp.index.columns import Columns, Names, Spec
from memoryapp.index.graph import Graph
from memoryapp.index.lineage import Lineage
from memoryapp.index.links import Chain, Edges, Links, Seats
from memoryapp.index.namings import Namings
from memoryapp.index.phrases import Phrases
from memoryapp.index.postings import Segment, Vocabulary, add_segment, segment_of
from memoryapp.index.register import Register
from memoryapp.index.roster import HELD, NAMED, SPEC, Roster, cells, usage_cells
from memoryapp.index.tokens import tokens
from memoryapp.index.vectors import Vectors, unit
from memoryapp.index.view import OFFSETS, REACH, LocalView, Resting, near_column
from memoryapp.index.windows import arrange
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.lineage import Derivation, Follow


class GraphDraft:
    """The part of a draft that `graph` is published of. `slot_of`: where each indexed memory sits."""

    def __init__(self) -> None:
        self.slot_of: dict[str, int] = {}
        self.register = Register()
        self.seats = Seats()
        self.links = Links(self.register, self.seats)
        self.edges = Edges(self.register, self.seats)
        self.chain = Chain(self.seats)
        self.namings = Namings(self.register)
        self._graph: Graph | None = None

    def put_entity(self, key: str, entity: Entity | None) -> None:
        self.register.put(key, entity)

    def put_reference(self, reference: Reference) -> None:
        self.links.put(reference, slot=self._slot(reference.memory))

    def drop_reference(self, key: tuple[str, str, str]) -> None:
        self.links.drop(key)

    def put_relation(self, relation: Relation) -> None:
        self.edges.put(relation, slot=self._slot(relation.fact))

    def drop_relation(self, key: str, *, is_a: bool) -> None:
        self.edges.drop(key, is_a=is_a)

    def put_follow(self, follow: Follow) -> None:
        self.chain.put(follow.later, follow.earlier, slots=(self._slot(follow.later), self._slot(follow.earlier)))

    def drop_follow(self, key: tuple[str, str]) -> None:
        self.chain.drop(*key)

    def put_name(self, embedding: NameEmbedding) -> None:
        """The vector of an entity's name; only those of the index's own model are to be given."""
        self.namings.put(embedding.entity, embedding.vector)

    def drop_name(self, entity: str) -> None:
        self.namings.put(entity, None)

    def graph(self, n: int) -> Graph:
        """The graph as it is now, for readers: the one of before where nothing of it changed. `n`: slots there are."""
        parts = (
            self.links.publish(n),
            self.edges.publish(),
            self.seats.publish(),
            self.namings.publish(),
            self.chain.publish(),
        )
        if self._graph is None or not self._graph.is_of(*parts):
            self._graph = Graph(*parts)
        return self._graph

    def _slot(self, memory: str | None) -> int:
        return self.slot_of.get(memory or "", -1)


FULL_SPEC: Spec = {**SPEC, "window": ("i4", 0), **{near_column(offset): ("i4", -1) for offset in OFFSETS}}
_PLACED = {"state", "group", "position", "created"}  # a change of one of these moves a memory among its neighbours
_USAGE = ("accesses", "accessed_at", "used", "not_useful")


class Draft(GraphDraft):
    """Everything the local index holds, open for changes. `disk` and `compact` read and fill its fields."""

    def __init__(self) -> None:
        super().__init__()
        self.columns = Columns(FULL_SPEC)
        self.ids: list[str] = []
        self.names = {name: Names() for name in NAMED}
        self.vocabulary = Vocabulary()
        self.segments: tuple[Segment, ...] = ()
        self.vectors = Vectors()
        self.lineage = Lineage()
        self.phrases = Phrases()
        self.resting: dict[str, Resting] = {}
        self.last = 0  # the versionstamp of the last change set that was fed, 0: not known
        self._pending: dict[int, dict[int, int]] = {}  # slot → its words, not yet in a segment
        self._moved: set[int] = set()  # groups whose members must be arranged again

    def put_memory(self, memory: Memory) -> None:
        """Adds or changes a memory; one in the state deleted leaves the index but may come back."""
        values = cells(memory, self.names)
        if memory.state == State.DELETED:
            self.lineage.leave(memory.id, values["confidence"] * values["boost"], values["confirmed"])
            self._retire(memory.id)
            return
        self.lineage.stay(memory.id)
        words = index_text(memory)
        mark = _digest(words)
        slot = self.slot_of.get(memory.id)
        if slot is None or int(self.columns.get("mark")[slot]) != mark:
            slot = self._seat(memory.id, slot, words, mark)
            for name, value in values.items():
                self.columns.put(name, slot, value)
            self._moved.add(values["group"])
            return
        changed = {name: value for name, value in values.items() if self._differs(name, slot, value)}
        if _PLACED & changed.keys():
            self._moved |= {int(self.columns.get("group")[slot]), values["group"]}
        for name, value in changed.items():
            self.columns.put(name, slot, value)
        if "group" in changed:
            self._stand_alone(np.array([slot]))

    def drop_memory(self, key: str) -> None:
        """Forgets a memory that is no longer in the database, and whatever was kept for its return."""
        self._retire(key)
        self.resting.pop(key, None)
        self.lineage.forget(key)

    def take_out(self, key: str) -> None:
        """The memory leaves the index; what is known of it besides is kept for its return."""
        self._retire(key)

    def put_vector(self, key: str, vector: NDArray[np.floating[Any]] | None) -> None:
        """A memory's embedding, None once it has none. One without direction or of another length is left out."""
        ready = None if vector is None else unit(vector)
        slot = self.slot_of.get(key)
        if slot is None:
            self._rest(key, vector=ready)
            return
        had = bool(self.columns.get("has")[slot])
        has = ready is not None and self._keep_vector(slot, ready, replaces=had)
        if has != had:
            self.columns.put("has", slot, has)

    def put_usage(self, key: str, usage: Usage | None) -> None:
        slot = self.slot_of.get(key)
        if slot is None:
            self._rest(key, usage=usage_cells(usage) if usage else None)
            return
        for name, value in usage_cells(usage or Usage(key)).items():
            if self._differs(name, slot, value):
                self.columns.put(name, slot, value)

    def put_source(self, derived: Derivation) -> None:
        self.lineage.put(derived.made, derived.source)

    def drop_source(self, key: tuple[str, str]) -> None:
        self.lineage.drop(*key)

    def publish(self, version: int, *, content: int | None = None) -> LocalView:
        """The present state for readers. Costs some tenths of a millisecond and what the changes cost."""
        self._settle_words()
        roster = self.roster()
        return LocalView(
            version=version,
            content=version if content is None else content,
            roster=roster,
            segments=self.segments,
            blocks=self.vectors.publish(),
            find=self.vocabulary.numbers.get,
            dead=self.columns.n - len(self.slot_of),
            phrases=self.phrases,
            graph=self.graph(roster.n),
        )

    def roster(self) -> Roster:
        """The columns as they are now, for readers."""
        self._settle_groups()
        state = self.columns.publish()
        descent = self.lineage.publish(self.slot_of)
        return Roster(state, self.ids, self.slot_of, self.names, self.links.publish(self.columns.n), descent)

    def _seat(self, key: str, old: int | None, words: str, mark: int) -> int:
        """A new slot with the words; whatever else is known of the memory comes along."""
        kept = self.resting.pop(key, None) if old is None else self._leave(old)
        slot = self.columns.add()
        self.ids.append(key)
        self.slot_of[key] = slot
        terms = tokens(words)
        self._keep_words(slot, terms)
        self.phrases.put(slot, words, terms)
        length = len(terms)
        for name, value in (("mark", mark), ("order", rank_of(key)), ("length", length), ("window", length)):
            self.columns.put(name, slot, value)
        self.seats.seat(key, slot)
        self.lineage.moved(key)
        if kept is not None and kept.vector is not None:
            self.columns.put("has", slot, self._keep_vector(slot, kept.vector, replaces=False))
        if kept is not None and kept.usage is not None:
            for name, value in kept.usage.items():
                self.columns.put(name, slot, value)
        return slot

    def _retire(self, key: str) -> None:
        slot = self.slot_of.pop(key, None)
        if slot is not None:
            self.resting[key] = self._leave(slot)
            self.seats.seat(key, -1)
            self.lineage.moved(key)

    def _leave(self, slot: int) -> Resting:
        """Kills a slot and gives what its memory needs wherever it goes."""
        get = self.columns.get
        self._moved.add(int(get("group")[slot]))
        self._pending.pop(slot, None)
        self.phrases.leave(slot)
        self.columns.put("alive", slot, False)
        vector = self._kept_vector(slot) if get("has")[slot] else None
        return Resting(vector, {name: get(name)[slot].item() for name in _USAGE})

    def _keep_words(self, slot: int, terms: list[str]) -> None:
        self._pending[slot] = self.vocabulary.count(terms)

    def _keep_vector(self, slot: int, vector: NDArray[np.float32], *, replaces: bool) -> bool:
        return self.vectors.put(slot, vector, replaces=replaces)

    def _kept_vector(self, slot: int) -> NDArray[np.float32]:
        return self.vectors.get(slot).copy()

    def _rest(self, key: str, **came: Any) -> None:
        """Keeps what came for a memory that is not indexed; an entry that holds nothing any more is not kept."""
        kept = replace(self.resting.pop(key, Resting()), **came)
        if kept.vector is not None or kept.usage is not None:
            self.resting[key] = kept

    def _differs(self, name: str, slot: int, value: Any) -> bool:
        column = self.columns.get(name)
        old, new = column[slot], column.dtype.type(value)
        return bool(old != new) and not (old != old and new != new)  # NaN is the same as NaN here

    def _settle_words(self) -> None:
        if self._pending:
            new = segment_of(sorted(self._pending.items()))
            self.segments = add_segment(self.segments, new, self.columns.get("alive"))
            self._pending = {}

    def _settle_groups(self) -> None:
        """Arranges the groups anew in which somebody came, went, moved or changed in length."""
        self._moved.discard(-1)
        if not self._moved:
            return
        flags = np.zeros(len(self.names["group"]) + 1, dtype=np.bool_)
        flags[list(self._moved)] = True
        self._moved = set()
        get = self.columns.get
        touched = np.flatnonzero(flags[get("group")])
        held = get("alive")[touched] & (get("state")[touched] == HELD)
        away, members = touched[~held], touched[held]
        near, window = arrange({name: get(name) for name in FULL_SPEC}, members, reach=REACH)
        self._stand_alone(away)
        self.columns.put("window", members, window)
        for offset, beside in zip(OFFSETS, near, strict=True):
            self.columns.put(near_column(offset), members, beside)

    def _stand_alone(self, slots: NDArray[np.intp]) -> None:
        self.columns.put("window", slots, self.columns.get("length")[slots])
        for offset in OFFSETS:
            self.columns.put(near_column(offset), slots, -1)


def _digest(words: str) -> int:
    return int.from_bytes(hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def rank_of(key: str) -> int:
    """Ids in their own order where they are 16 hex digits, as ours are; in some fixed order otherwise."""
    try:
        return int(key, 16) if len(key) == 16 else _digest(key)
    except ValueError:
        return _digest(key)
