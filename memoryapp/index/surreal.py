"""The engine for data that outgrows one machine's memory: FULLTEXT … BM25 and HNSW inside SurrealDB.

The roster stays in this process; words and vectors go to the database, written by whichever process follows first.
It finds the same memories with the same scores as the local one, as long as they are among its best CANDIDATES.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import StoreError
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Memory, index_text
from memoryapp.index.changefeed import ChangefeedIndex
from memoryapp.index.compact import compact_draft, is_wasteful
from memoryapp.index.draft import Draft
from memoryapp.index.engine import IndexStatus
from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import FIELDS, Fields, Floats, KeywordScores, gain, rarity_of, unique_terms
from memoryapp.index.roster import Roster
from memoryapp.index.tokens import FORMAT as TOKENS_FORMAT
from memoryapp.index.tokens import tokens
from memoryapp.index.vectors import VectorScores, unit
from memoryapp.index.view import REACH
from memoryapp.store import changes, embeddings, search
from memoryapp.store.database import Database
from memoryapp.store.search import FoundRow

_ELSEWHERE = np.zeros(0, dtype=np.float32)  # there is a vector, and the database has it
CANDIDATES = 1_000
_FEW = 2_000  # a mask of so few slots is compared one by one
FORMAT = 1
_PAGE = 500  # memories of one question


@dataclass(slots=True)
class Outgoing:
    """`texts`: own terms by memory. `groups`: whose members' windows and wholes changed. `again`: memories whose
    vector is to be taken from the embeddings anew. `gone`, `blind`: memories without words, without a vector."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    blind: set[str] = field(default_factory=set)


class ThinDraft(Draft):
    """Notes everything that is fed, changed or not: another process may have died before it wrote the same."""

    def __init__(self) -> None:
        super().__init__()
        self.outgoing = Outgoing()
        self.dimension = 0

    def take(self) -> Outgoing:
        """What is to be written now; the next begins empty."""
        taken, self.outgoing = self.outgoing, Outgoing()
        return taken

    def put_memory(self, memory: Memory) -> None:
        super().put_memory(memory)
        if memory.id in self.slot_of:
            self.outgoing.gone.discard(memory.id)
            self.outgoing.texts.setdefault(memory.id, tokens(index_text(memory)))
            if memory.group is not None:
                self.outgoing.groups.add(memory.group)

    def put_vector(self, key: str, vector: NDArray[np.floating[Any]] | None) -> None:
        super().put_vector(key, vector)
        if vector is None:
            self.outgoing.vectors.pop(key, None)
            self.outgoing.blind.add(key)

    def roster(self) -> Roster:
        names = self.names["group"].names
        self.outgoing.groups |= {names[code] for code in self._moved if code >= 0}
        return super().roster()

    def _retire(self, key: str) -> None:
        super()._retire(key)
        self.outgoing.gone.add(key)
        self.outgoing.texts.pop(key, None)
        self.outgoing.vectors.pop(key, None)

    def _keep_words(self, slot: int, terms: list[str]) -> None:
        self.outgoing.texts[self.ids[slot]] = terms

    def _keep_vector(self, slot: int, vector: NDArray[np.float32], *, replaces: bool) -> bool:
        key = self.ids[slot]
        if not vector.size:
            self.outgoing.again.add(key)
            return True
        self.dimension = self.dimension or len(vector)
        if len(vector) != self.dimension:
            return False
        self.outgoing.blind.discard(key)
        self.outgoing.vectors[key] = vector
        return True

    def _kept_vector(self, slot: int) -> NDArray[np.float32]:
        return _ELSEWHERE


class RemoteView:
    """`version` is the roster's; the scores are of the moment of asking, and what the roster lacks is left out."""

    def __init__(self, db: Database, model: str, version: int, content: int, draft: ThinDraft) -> None:
        self._db = db
        self._model = model
        self.version = version
        self.content = content
        self.roster = draft.roster()
        self.phrases = draft.phrases
        self.graph = draft.graph(self.roster.n)
        self._dimension = draft.dimension

    @property
    def n(self) -> int:
        return self.roster.n

    @property
    def incidence(self) -> Incidence:
        return self.roster.incidence

    def keyword(self, terms: Sequence[str], *, k1: float, b: float, neighbours: int = 2) -> KeywordScores:
        """BM25 as keyword.score has it, of the best CANDIDATES of each field by the engine's own ranking. The reach of
        the windows is the one they were written with."""
        asked = unique_terms(terms)
        found = search.keyword(self._db, asked, limit=CANDIDATES) if asked else {field: [] for field in FIELDS}
        norms = self._fields.norms(k1, b)
        own, window, cover = (np.zeros(self.n, dtype=np.float32) for _ in range(3))
        df = self._df("own", found["own"], asked)
        idf = {term: rarity_of(self._fields.docs, count) for term, count in df.items()}
        for term, slots, counts in self._postings(found["own"], asked):
            own[slots] += gain(counts, norms["own"][slots], k1, idf[term])
        rarity = self._df("window", found["window"], asked)
        for term, slots, counts in self._postings(found["window"], asked):
            window[slots] += gain(counts, norms["window"][slots], k1, rarity_of(self._fields.docs, rarity[term]))
            cover[slots] += np.float32(idf[term])
        whole = self._score_wholes(found["whole"], asked, k1, norms)
        return KeywordScores(own, window, whole, idf, df, cover, self._finder(asked))

    def vector(
        self, query: NDArray[np.float32], *, mask: NDArray[np.bool_] | None = None, limit: int | None = None
    ) -> VectorScores:
        """Cosines of the nearest CANDIDATES or `limit`; of everything that passes a narrow mask."""
        out, has = np.zeros(self.n, dtype=np.float32), np.zeros(self.n, dtype=np.bool_)
        wanted = self.roster.alive & self.roster.has
        if mask is not None:
            wanted = wanted & mask
        slots = np.flatnonzero(wanted)
        direction = unit(query)
        if direction is None or not slots.size or len(direction) != self._dimension:
            return VectorScores(out, has)
        if len(slots) <= _FEW:
            found = search.cosines(self._db, direction, [self.roster.ids[slot] for slot in slots.tolist()])
        else:
            found = search.nearest(self._db, direction, limit=max(limit or 0, CANDIDATES))
        for key, cosine in found.items():
            slot = self.roster.slot(key)
            if slot is not None and wanted[slot] and math.isfinite(cosine):
                out[slot], has[slot] = cosine, True
        return VectorScores(out, has)

    def vectors_of(self, slots: NDArray[np.intp]) -> NDArray[np.float32]:
        keys = [self.roster.ids[slot] for slot in slots.tolist()]
        found = embeddings.get_many(self._db, self._model, keys)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), dtype=np.float32)

    @cached_property
    def _fields(self) -> Fields:
        return Fields(self.roster.columns, self.roster.held, [], self.roster.window)

    def _df(self, field: str, found: list[FoundRow], terms: list[str]) -> dict[str, int]:
        """Counted in what was found where that is everything, asked for where it is not."""
        if len(found) >= CANDIDATES:
            return search.held_counts(self._db, field, terms)
        held = Counter(term for row in found if row.held for term in set(row.terms))
        return {term: held[term] for term in terms}

    def _postings(self, found: list[FoundRow], terms: list[str]) -> Iterator[tuple[str, NDArray[np.intp], Floats]]:
        """Slots and counts of each term; what this roster does not know is left out."""
        known = [(slot, row) for row in found if (slot := self.roster.slot(row.key)) is not None]
        for term in terms:
            pairs = [(slot, count) for slot, row in known if (count := row.terms.count(term))]
            if pairs:
                slots, counts = zip(*pairs, strict=True)
                yield term, np.array(slots, dtype=np.intp), np.array(counts, dtype=np.float32)

    def _score_wholes(self, found: list[FoundRow], terms: list[str], k1: float, norms: dict[str, Floats]) -> Floats:
        """Scores of groups copied to their members, of memories outside any to themselves."""
        df = self._df("whole", found, terms)
        whole = np.zeros(self.n, dtype=np.float32)
        by_group = np.zeros(self._fields.groups + 1, dtype=np.float32)  # the last place is for −1
        for row in found:
            kind, _, name = row.key.partition(":")
            group = self.roster.names["group"].find(name) if kind == "g" else -1
            slot = self.roster.slot(name) if kind == "m" else None
            for term in terms:
                count = np.array([row.terms.count(term)], dtype=np.float32)
                if not count[0]:
                    continue
                rarity = rarity_of(self._fields.wholes, df[term])
                if slot is not None:
                    whole[slot] += gain(count, norms["alone"][slot : slot + 1], k1, rarity)[0]
                elif 0 <= group < self._fields.groups:
                    by_group[group] += gain(count, norms["group"][group : group + 1], k1, rarity)[0]
        grouped = np.flatnonzero(self._fields.group >= 0)
        whole[grouped] = by_group[self._fields.group[grouped]]
        return whole

    def _finder(self, terms: list[str]) -> Callable[[NDArray[np.intp]], list[dict[str, tuple[str, ...]]]]:
        def fields_of(slot: int) -> dict[str, tuple[str, ...]]:
            key = self.roster.ids[slot]
            group = int(self.roster.group[slot]) if self.roster.held[slot] else -1
            whole = single_key(key) if group < 0 else group_key(self.roster.groups[group])
            texts = search.terms_of(self._db, key, whole)
            inside = {t: tuple(f for f, text in zip(FIELDS, texts, strict=True) if t in text) for t in terms}
            return {term: fields for term, fields in inside.items() if fields}

        return lambda slots: [fields_of(slot) for slot in slots.tolist()]


def group_key(group: str) -> str:
    """How a group is named among the wholes; a memory outside any has a whole of its own."""
    return f"g:{group}"


def single_key(memory: str) -> str:
    """The key of a memory's own text among those of the search tables."""
    return f"m:{memory}"


class SurrealIndex(ChangefeedIndex):
    engine = "surreal"
    _draft: ThinDraft
    _view: RemoteView

    def __init__(
        self, db: Database, *, model: str, database: str, clock: Clock = utc_now, tuning: Tuning | None = None
    ) -> None:
        super().__init__(db, model=model, clock=clock, draft=ThinDraft())
        self._tuning = tuning or Tuning()
        self._stamp: dict[str, Any] = {"database": database, "model": model, "format": FORMAT, "tokens": TOKENS_FORMAT}
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
            dimension, self._draft = self._draft.dimension, compact_draft(self._draft)
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
