"""What both engines share: following the changefeed, one writer at a time, and publishing views for the readers."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.clock import Clock
from memoryapp.index import follow
from memoryapp.index.draft import Draft
from memoryapp.index.engine import View
from memoryapp.index.graph import Graph
from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import KeywordScores
from memoryapp.index.phrases import Phrases
from memoryapp.index.roster import Roster
from memoryapp.index.vectors import VectorScores
from memoryapp.store import changes
from memoryapp.store.database import Database

FEED = 1_000  # change sets of one read


class Followed:
    """An index without its arms. An engine says how it opens and what it does with what the feed brought.

    `_draft` belongs to whoever holds `_writing`; `_view` is replaced as a whole and read by anybody.
    """

    engine = ""

    def __init__(self, db: Database, *, model: str, clock: Clock, draft: Draft) -> None:
        self._db = db
        self._model = model
        self._clock = clock
        self._draft = draft
        self._view: View = self._published(0, 0)
        self._ready = self._closed = False
        self._writing = threading.Lock()
        self._written = -1  # the handle's count of writes when the feed was last read to its end
        self._asked_at = 0.0  # monotonic: when the last complete reading of the feed began
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

    def _open(self) -> None:
        raise NotImplementedError

    def _published(self, version: int, content: int) -> View:
        raise NotImplementedError

    def _took_in(self, count: int, *, purged: bool) -> None:
        """Called after the feed was applied and its state published. `count`: changes that concerned the index."""
        raise NotImplementedError

    def _follow(self) -> None:
        """Applies the feed to its end and publishes what came of it."""
        version, content, count, purged = self._view.version, self._view.content, 0, False
        written = self._db.written
        while True:
            began = time.monotonic()
            feed = changes.since(self._db, version, limit=FEED)
            count += follow.apply(self._draft, feed.changes, model=self._model)
            purged |= any(change.table == "memory" and change.row is None for change in feed.changes)
            version = feed.version
            self._draft.last = feed.last or self._draft.last
            content = version if feed.tables - {"usage"} else content
            if not feed.more:
                break
        if count or version != self._view.version:
            self._view = self._published(version, content)
            self._took_in(count, purged=purged)
        self._asked_at, self._written = began, written

    def _read_all(self, draft: Draft, reason: str) -> int:
        """Everything the database holds into a new draft; returns the version to follow on from."""
        version = changes.position(self._db)
        follow.read_all(draft, self._db, model=self._model)
        self._draft = draft
        self._rebuilt_at, self._reason = self._clock(), reason
        return version

    def _behind(self) -> int:
        return 0 if self._closed else len(changes.since(self._db, self._view.version, limit=FEED).changes)
