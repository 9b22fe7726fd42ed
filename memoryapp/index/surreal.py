"""The engine for data that outgrows one machine's memory: FULLTEXT … BM25 and HNSW inside SurrealDB.

The roster stays in this process; words and vectors go to the database, written by whichever process follows first.
It finds the same memories with the same scores as the local one, as long as they are among its best CANDIDATES.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import StoreError
from memoryapp.domain.limits import Tuning
from memoryapp.index import tokens
from memoryapp.index.changefeed import Followed
from memoryapp.index.compact import compacted, is_wasteful
from memoryapp.index.engine import IndexStatus
from memoryapp.index.remote import RemoteView, group_key, single_key
from memoryapp.index.roster import Roster
from memoryapp.index.thin import Outgoing, ThinDraft
from memoryapp.index.view import REACH
from memoryapp.store import changes, embeddings, search
from memoryapp.store.database import Database

FORMAT = 1
_PAGE = 500  # memories of one question


class SurrealIndex(Followed):
    engine = "surreal"
    _draft: ThinDraft
    _view: RemoteView

    def __init__(
        self, db: Database, *, model: str, database: str, clock: Clock = utc_now, tuning: Tuning | None = None
    ) -> None:
        super().__init__(db, model=model, clock=clock, draft=ThinDraft())
        self._tuning = tuning or Tuning()
        self._stamp: dict[str, Any] = {"database": database, "model": model, "format": FORMAT, "tokens": tokens.FORMAT}
        self._stamp |= {"k1": self._tuning.bm25_k1, "b": self._tuning.bm25_b}

    def save(self) -> None:
        """The database keeps everything."""

    def close(self) -> None:
        self._closed = True

    def status(self) -> IndexStatus:
        view, roster = self._view, self._view.roster
        return IndexStatus(
            engine=self.engine,
            version=view.version,
            behind=self._behind(),
            rows=int(np.count_nonzero(roster.alive)),
            vectors=int(np.count_nonzero(roster.has & roster.alive)),
            terms=0,
            bytes=sum(column.nbytes for column in roster.columns.values()) + view.phrases.nbytes + view.graph.nbytes,
            rebuilt_at=self._rebuilt_at,
            reason=self._reason,
            saved_version=view.version,
        )

    def _open(self) -> None:
        """The roster from the database's rows; the search tables as they are, where they were made for this."""
        kept = search.prepare(self._db)
        stamped = {name: kept.get(name) for name in self._stamp} == self._stamp
        if stamped and changes.reaches(self._db, kept["version"]):
            draft = ThinDraft()
            self._read_all(draft, "")
            draft.roster()
            draft.take()  # all of it was written by whoever brought the tables to their version
            self._opened_at(kept["version"])
        else:
            search.clear(self._db)
            version = self._read_all(ThinDraft(), "the tables were missing or made for something else")
            self._opened_at(version)
            self._write(self._draft.take())
            search.define_words(self._db, k1=self._tuning.bm25_k1, b=self._tuning.bm25_b)
            self._remember()
        self._follow()

    def _published(self, version: int, content: int) -> RemoteView:
        return RemoteView(self._db, self._model, version, content, self._draft)

    def _took_in(self, weight: float, *, purged: bool) -> None:
        if weight:
            try:
                self._write(self._draft.take())
            except StoreError:
                self._ready = False  # the tables keep their old version: the next refresh goes on from there
                raise
        if purged or is_wasteful(self._draft):
            dimension, self._draft = self._draft.dimension, compacted(self._draft)
            self._draft.dimension = dimension
            self._view = self._published(self._view.version, self._view.content)
        self._remember()

    def _remember(self) -> None:
        search.remember_state(self._db, self._stamp | {"version": self._view.version})

    def _write(self, out: Outgoing) -> None:
        """Brings the search tables to the state of the roster. Repeating it changes nothing."""
        db, roster = self._db, self._view.roster
        gone = out.gone - self._draft.slot_of.keys()
        search.drop(db, texts=gone, groups=map(single_key, gone), vectors=gone | out.blind)
        self._write_words(out, roster)
        vectors = dict(out.vectors)
        for keys in _pages(out.again - vectors.keys() - gone):
            vectors |= embeddings.get_many(db, self._model, keys)
        if vectors:
            search.define_vectors(db, dimension=self._draft.dimension)
            search.put_vectors(db, vectors)

    def _write_words(self, out: Outgoing, roster: Roster) -> None:
        """Own terms of what was fed; windows and wholes of every group that somebody joined, left or changed in."""
        members = {group: _members(roster, group) for group in out.groups}
        grouped = {key for keys in members.values() for key in keys}
        own = dict(out.texts)
        for keys in _pages(grouped - own.keys()):
            own |= search.own_terms(self._db, keys)
        texts: dict[str, tuple[str, str, bool]] = {}
        wholes: dict[str, tuple[str, bool]] = {}
        held = roster.held
        for key in out.texts.keys() - grouped:
            words, stands = " ".join(own[key]), bool(held[self._draft.slot_of[key]])
            texts[key], wholes[single_key(key)] = (words, words, stands), (words, stands)
        for group, keys in members.items():
            for at, key in enumerate(keys):
                window = [term for other in keys[max(at - REACH, 0) : at + REACH + 1] for term in own.get(other, [])]
                texts[key] = " ".join(own.get(key, [])), " ".join(window), True
            wholes[group_key(group)] = " ".join(term for key in keys for term in own.get(key, [])), True
        empty = [group_key(group) for group, keys in members.items() if not keys]
        search.put_texts(self._db, texts, wholes)
        search.drop(self._db, groups=[*empty, *map(single_key, grouped)])


def _members(roster: Roster, group: str) -> list[str]:
    """Ids of the held members of a group in reading order."""
    slots = np.flatnonzero(roster.held & (roster.group == roster.names["group"].find(group)))
    order = np.lexsort((roster.order[slots], roster.created[slots], roster.position[slots]))
    return [roster.ids[slot] for slot in slots[order].tolist()]


def _pages(keys: Iterable[Any]) -> Iterable[list[Any]]:
    waiting = iter(keys)
    while page := list(islice(waiting, _PAGE)):
        yield page
