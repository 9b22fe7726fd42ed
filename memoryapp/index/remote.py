"""What a search asks of the `surreal` engine: a roster of one moment, and scores that the database gives when asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import FIELDS, Fields, Floats, KeywordScores, gain, ordered, rarity_of
from memoryapp.index.thin import ThinDraft
from memoryapp.index.vectors import VectorScores, unit
from memoryapp.store import embeddings, search
from memoryapp.store.database import Database
from memoryapp.store.search import Found

CANDIDATES = 1_000
_FEW = 2_000  # a mask of so few slots is compared one by one


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
        asked = ordered(terms)
        found = search.keyword(self._db, asked, limit=CANDIDATES) if asked else dict.fromkeys(FIELDS, [])
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

    def _df(self, field: str, found: list[Found], terms: list[str]) -> dict[str, int]:
        """Counted in what was found where that is everything, asked for where it is not."""
        if len(found) >= CANDIDATES:
            return search.held_counts(self._db, field, terms)
        held = Counter(term for row in found if row.held for term in set(row.terms))
        return {term: held[term] for term in terms}

    def _postings(self, found: list[Found], terms: list[str]) -> Iterator[tuple[str, NDArray[np.intp], Floats]]:
        """Slots and counts of each term; what this roster does not know is left out."""
        known = [(slot, row) for row in found if (slot := self.roster.slot(row.key)) is not None]
        for term in terms:
            pairs = [(slot, count) for slot, row in known if (count := row.terms.count(term))]
            if pairs:
                slots, counts = zip(*pairs, strict=True)
                yield term, np.array(slots, dtype=np.intp), np.array(counts, dtype=np.float32)

    def _score_wholes(self, found: list[Found], terms: list[str], k1: float, norms: dict[str, Floats]) -> Floats:
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
    return f"m:{memory}"
