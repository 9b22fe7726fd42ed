"""The default engine: postings and vectors in this process's memory, fed by the changefeed, kept in one file.

Every process has its own. A refresh asks the database what is new (half a millisecond when nothing is) and publishes
a new view; searches read whatever view they took and wait for nobody.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import numpy as np

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.index import disk
from memoryapp.index.changefeed import ChangefeedIndex
from memoryapp.index.compact import compact_draft, has_leavings, is_wasteful
from memoryapp.index.disk import Stamp, Unusable
from memoryapp.index.draft import Draft
from memoryapp.index.engine import IndexStatus
from memoryapp.index.view import LocalView, nbytes
from memoryapp.store import changes
from memoryapp.store.database import Database

SAVE_AFTER = 2_000  # changes, counted accesses a tenth each; more would make a start after a kill read too much again
_log = logging.getLogger(__name__)


class LocalIndex(ChangefeedIndex):
    """`folder` None: nothing is kept on disk. Opening is cheap; the first refresh reads the file or the database."""

    engine = "local"
    _view: LocalView

    def __init__(self, db: Database, *, model: str, database: str, folder: Path | None, clock: Clock = utc_now) -> None:
        super().__init__(db, model=model, clock=clock, draft=Draft())
        self._stamp = Stamp(database, model)
        self._folder = folder
        self._saving = threading.Lock()
        self._unsaved = 0.0
        self._purged = False
        self._saved_version: int | None = None

    def view(self) -> LocalView:
        return self._view

    def copy(self) -> Draft:
        """Everything it holds in a draft of one's own, which may be changed. Costs about what writing the file does."""
        with self._writing:
            fresh = compact_draft(self._draft)
            fresh.resting = dict(self._draft.resting)
            return fresh

    def save(self) -> None:
        """Writes the file, unless it already says the same. What was purged is swept out first, so that it is not on
        disk either. Raises OSError when the disk refuses; a file that held what was purged is then taken away."""
        if self._folder is None:
            self._purged = False
            return
        with self._saving:
            with self._writing:
                if not self._ready or self._saved_version == self._view.version:
                    self._purged = False
                    return
                purged = self._purged
                self._sweep(everything=purged)
                taken = disk.snapshot(self._draft, self._view, self._stamp)
                version, self._unsaved, self._purged = self._view.version, 0.0, False
            try:
                disk.write(self._folder, taken)
            except OSError:
                if purged:
                    disk.remove(self._folder)
                    self._saved_version = None
                raise
            self._saved_version = version

    def close(self) -> None:
        """Saves and stops following. A closed index still answers from its last view."""
        if not self._closed:
            self._save_or_say()
        self._closed = True

    def status(self) -> IndexStatus:
        view = self._view
        return IndexStatus(
            engine=self.engine,
            version=view.version,
            behind=self._behind(),
            rows=view.n - view.dead,
            vectors=int(np.count_nonzero(view.roster.has & view.roster.alive)),
            terms=len(self._draft.vocabulary),
            bytes=nbytes(view),
            rebuilt_at=self._rebuilt_at,
            reason=self._reason,
            saved_version=self._saved_version,
        )

    def _open(self) -> None:
        """From the file and what is new since; from the database where that cannot be."""
        try:
            if self._folder is None:
                raise Unusable("nothing is kept on disk")
            draft, version = disk.read(self._folder, self._stamp)
            if not changes.reaches(self._db, version):
                raise Unusable("the file on disk is older than what the changefeed keeps")
            if not changes.holds(self._db, draft.last):
                raise Unusable("the file on disk knows of changes that the store does not hold")
            self._draft, self._saved_version = draft, version
        except Unusable as why:
            version = self._read_all(Draft(), str(why))
            self._saved_version, self._unsaved = None, SAVE_AFTER
        self._opened_at(version)
        self._follow()

    def _published(self, version: int, content: int) -> LocalView:
        return self._draft.publish(version, content=content)

    def _took_in(self, weight: float, *, purged: bool) -> None:
        self._unsaved += weight
        self._purged |= purged
        self._sweep(everything=purged)
        if self._unsaved >= SAVE_AFTER or self._purged:
            self._save_aside()

    def _sweep(self, *, everything: bool = False) -> None:
        if is_wasteful(self._draft) or (everything and has_leavings(self._draft)):
            self._draft = compact_draft(self._draft)
            self._view = self._published(self._view.version, self._view.content)

    def _save_aside(self) -> None:
        """Saves without making the caller wait. One that runs already has taken its state: the next follows later."""
        if self._folder is not None and not self._saving.locked():
            self._unsaved = 0.0
            threading.Thread(target=self._save_or_say, name="index-save", daemon=True).start()

    def _save_or_say(self) -> None:
        """A disk that is full costs a slower next start, not a search."""
        try:
            self.save()
            while self._purged and not self._closed:  # purged while the file was being written
                self.save()
        except OSError as error:
            _log.warning("The search index could not be kept on disk: %s. It will be made again at the start.", error)
