"""What both engines share: following the changefeed, one writer at a time, and publishing views for the readers."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.clock import Clock
from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.memory import Memory, Usage
from memoryapp.domain.relation import Relation
from memoryapp.index.draft import Draft
from memoryapp.index.engine import View
from memoryapp.index.graph import Graph
from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import KeywordScores
from memoryapp.index.phrases import Phrases
from memoryapp.index.roster import Roster
from memoryapp.index.vectors import VectorScores
from memoryapp.store import changes, embeddings, entities, lineage, memories, relations, usage
from memoryapp.store.changes import Change, Feed
from memoryapp.store.database import Database
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.lineage import Derivation, Follow


class Target(Protocol):
    """What is fed. Every call may be repeated: applying a change twice changes nothing."""

    def put_memory(self, memory: Memory) -> None: ...
    def drop_memory(self, key: str) -> None: ...
    def put_vector(self, key: str, vector: NDArray[np.floating[Any]] | None) -> None: ...
    def put_usage(self, key: str, usage: Usage | None) -> None: ...
    def put_reference(self, reference: Reference) -> None: ...
    def drop_reference(self, key: tuple[str, str, str]) -> None: ...
    def put_source(self, derived: Derivation) -> None: ...
    def drop_source(self, key: tuple[str, str]) -> None: ...
    def put_entity(self, key: str, entity: Entity | None) -> None: ...
    def put_relation(self, relation: Relation) -> None: ...
    def drop_relation(self, key: str, *, is_a: bool) -> None: ...
    def put_follow(self, follow: Follow) -> None: ...
    def drop_follow(self, key: tuple[str, str]) -> None: ...
    def put_name(self, embedding: NameEmbedding) -> None: ...
    def drop_name(self, entity: str) -> None: ...


def read_all(target: Target, db: Database, *, model: str) -> None:  # noqa: C901 - a loop a table
    """Feeds everything the database holds. What is written meanwhile is in the feed as well."""
    for memory in memories.scan(db):
        target.put_memory(memory)
    for embedding in embeddings.scan(db, model):
        target.put_vector(embedding.memory, embedding.vector)
    for counted in usage.scan(db):
        target.put_usage(counted.memory, counted)
    for entity in entities.scan(db):
        target.put_entity(entity.id, entity)
    for reference in entities.scan_references(db):
        target.put_reference(reference)
    for derived in lineage.scan_derived(db):
        target.put_source(derived)
    for table in relations.TABLES:
        for relation in relations.scan(db, table):
            target.put_relation(relation)
    for follow in lineage.scan_follows(db):
        target.put_follow(follow)
    for name in embeddings.scan_names(db, model):
        target.put_name(name)


def apply(target: Target, changes: Iterable[Change], *, model: str) -> int:  # noqa: C901 - a case a table
    """Feeds changes in their order; returns how many concerned the index."""
    count = 0
    for change in changes:
        key, row = change.key, cast(Any, change.row)
        match change.table:
            case "memory" if row is None:
                target.drop_memory(str(key))
            case "memory":
                target.put_memory(row)
            case "embedding" if key[0] == model:
                target.put_vector(str(key[1]), None if row is None else row.vector)
            case "usage":
                target.put_usage(str(key), row)
            case "references" if row is None:
                target.drop_reference((str(key[0]), str(key[1]), str(key[2])))
            case "references":
                target.put_reference(row)
            case "derived_from" if row is None:
                target.drop_source((str(key[0]), str(key[1])))
            case "derived_from":
                target.put_source(row)
            case "entity":
                target.put_entity(str(key), row)
            case "relates" | "is_a" if row is None:
                target.drop_relation(str(key), is_a=change.table == "is_a")
            case "relates" | "is_a":
                target.put_relation(row)
            case "follows" if row is None:
                target.drop_follow((str(key[0]), str(key[1])))
            case "follows":
                target.put_follow(row)
            case "name_embedding" if key[0] != model:
                continue
            case "name_embedding" if row is None:
                target.drop_name(str(key[1]))
            case "name_embedding":
                target.put_name(row)
            case _:
                continue
        count += 1
    return count


FEED = 1_000  # change sets of one read
REMEMBERED = 256  # states of the content of which it is known what was written to reach them
MOST_NAMED = 2_000  # memories that one of them names; where more were written, nobody is told which
USAGE_PART = 0.1  # of a change: counted accesses are many, and soon read again where the file does not hold them


_serials = count(1)


class ChangefeedIndex(ABC):
    """An index without its arms. An engine says how it opens and what it does with what the feed brought.

    `_draft` belongs to whoever holds `_writing`; `_view` is replaced as a whole and read by anybody.
    """

    engine = ""

    def __init__(self, db: Database, *, model: str, clock: Clock, draft: Draft) -> None:
        self.serial = next(_serials)
        self._db = db
        self._model = model
        self._clock = clock
        self._draft = draft
        self._view: View = self._published(0, 0)
        self._ready = self._closed = False
        self._writing = threading.Lock()
        self._written = -1  # the handle's count of writes when the feed was last read to its end
        self._asked_at = 0.0  # monotonic: when the last complete reading of the feed began
        self._heard: tuple[int, int, int] | None = None  # what the last reading began after, ended with and held
        self._path: tuple[tuple[int, frozenset[str] | None], ...] = ()  # states of the content, and who moved it there
        self._rebuilt_at: datetime | None = None
        self._reason = ""

    def refresh(self) -> int:
        arrived = time.monotonic()
        with self._writing:
            # Whoever held the lock may have begun to read after this call came: then its reading serves both.
            if not self._ready:
                self._open()
                self._ready = True
            elif self._asked_at < arrived and not self._closed and not self._db.still_at(self._written):
                self._follow()
        return self._view.version

    def view(self) -> View:
        return self._view

    def copy(self) -> Draft:
        """Everything it holds in a draft of one's own, which may be changed. Reads the database once."""
        draft = Draft()
        read_all(draft, self._db, model=self._model)
        return draft

    @staticmethod
    def next_serial() -> int:
        """A number for something that stands beside the indexes, in whatever is kept by their serial."""
        return next(_serials)

    def written_since(self, content: int) -> frozenset[str] | None:
        """See engine.SearchIndex. Safe from any thread: the path is replaced as a whole."""
        path = self._path
        later = [who for at, who in path if at > content]
        if not path or content < path[0][0] or None in later:
            return None
        return frozenset().union(*(who for who in later if who is not None))

    @property
    def version(self) -> int:
        return self._view.version

    @property
    def roster(self) -> Roster:
        return self._view.roster

    @property
    def incidence(self) -> Incidence:
        return self._view.incidence

    @property
    def graph(self) -> Graph:
        return self._view.graph

    @property
    def phrases(self) -> Phrases:
        return self._view.phrases

    def keyword(self, terms: Sequence[str], *, k1: float, b: float, neighbours: int = 2) -> KeywordScores:
        return self._view.keyword(terms, k1=k1, b=b, neighbours=neighbours)

    def vector(
        self, query: NDArray[np.float32], *, mask: NDArray[np.bool_] | None = None, limit: int | None = None
    ) -> VectorScores:
        return self._view.vector(query, mask=mask, limit=limit)

    @abstractmethod
    def _open(self) -> None: ...

    @abstractmethod
    def _published(self, version: int, content: int) -> View: ...

    @abstractmethod
    def _took_in(self, weight: float, *, purged: bool) -> None:
        """Called after the feed was applied and its state published. `weight`: of the changes that concerned the index,
        1 each and USAGE_PART for one of usage."""

    def _follow(self) -> None:
        """Applies the feed to its end and publishes what came of it."""
        version, content, weight, purged = self._view.version, self._view.content, 0.0, False
        who: frozenset[str] | None = frozenset()
        written = self._db.written
        while True:
            began = time.monotonic()
            feed = changes.since(self._db, version, limit=FEED)
            heard = (version, feed.last, feed.sets)
            version = feed.version
            # While a write is under way the same sets come again with every reading.
            if heard != self._heard:
                apply(self._draft, feed.changes, model=self._model)
                weight += _weight(feed)
                purged |= any(change.table == "memory" and change.row is None for change in feed.changes)
                self._draft.last = feed.last or self._draft.last
                if feed.tables - {"usage"}:
                    # Never the same twice: a set may come that is older than the last one, or than a write under way.
                    content = max(version, content + 1)
                    who = _union(who, _changed_memories(feed))
            self._heard = heard
            if not feed.more:
                break
        if weight or version != self._view.version or content != self._view.content:
            if content != self._view.content:  # before the view, so that whoever sees it finds the way to it
                self._path = (*self._path[1 - REMEMBERED :], (content, who))
            self._view = self._published(version, content)
            self._took_in(weight, purged=purged)
        self._asked_at, self._written = began, written

    def _read_all(self, draft: Draft, reason: str) -> int:
        """Everything the database holds into a new draft; returns the version to follow on from."""
        version = changes.position(self._db)
        read_all(draft, self._db, model=self._model)
        self._draft = draft
        self._rebuilt_at, self._reason = self._clock(), reason
        return version

    def _opened_at(self, version: int) -> None:
        """Publishes the first state. What was written before it is not known."""
        self._heard, self._path = None, ((version, None),)
        self._view = self._published(version, version)

    def _behind(self) -> int:
        return 0 if self._closed else len(changes.since(self._db, self._view.version, limit=FEED).changes)


def _weight(feed: Feed) -> float:
    usage = sum(change.table == "usage" for change in feed.changes)
    return len(feed.changes) - usage + USAGE_PART * usage


def _changed_memories(feed: Feed) -> frozenset[str] | None:
    """The memories that a part of the feed writes; None where there are too many, and where it writes conflicts."""
    found = frozenset(str(change.key) for change in feed.changes if change.table == "memory")
    return None if "conflict" in feed.tables or len(found) > MOST_NAMED else found


def _union(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return None if one is None or other is None or len(one) + len(other) > MOST_NAMED else one | other
