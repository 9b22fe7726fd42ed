"""Access is counted: what was put into an agent's prompt was used once more. Written aside and a moment later, so that
no agent waits for it, and so that many contexts cost one write."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from memoryapp.domain.errors import PalimpsestError
from memoryapp.spaces import Space
from memoryapp.store import usage

GATHERED_FOR = 0.5  # seconds; a process that is killed loses the counts of so long

_log = logging.getLogger(__name__)


class _Counts:
    """Accesses by database that are not written yet; until then they keep their space from being closed. One thread
    writes them, and ends when there is nothing to do."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pending: dict[int, tuple[Space, Counter[str], datetime]] = {}
        self._thread: threading.Thread | None = None
        self._hurried = False

    def add(self, space: Space, memories: Sequence[str], now: datetime) -> None:
        with self._changed:
            _, counted, _ = self._pending.get(id(space.db), (space, Counter[str](), now))
            counted.update(memories)
            self._pending[id(space.db)] = (space, counted, now)
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="access", daemon=True)
                self._thread.start()

    def settle(self, timeout: float) -> None:
        with self._changed:
            self._hurried = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._thread is None, timeout)
            self._hurried = False

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._hurried, GATHERED_FOR)
                gathered, self._pending = list(self._pending.values()), {}
                if not gathered:
                    self._thread = None
                    self._changed.notify_all()
                    return
            while gathered:
                _write(*gathered.pop())  # and with it the hold on its space


_counts = _Counts()


def record(space: Space, memories: Sequence[str], *, now: datetime) -> None:
    """Counts one access of each of these memories. A failing store loses the count, never the answer."""
    if memories:
        _counts.add(space, memories, now)


def settle(timeout: float = 10.0) -> None:
    """Returns once all accesses recorded so far are written; called before a store is closed."""
    _counts.settle(timeout)


def _write(space: Space, counted: Counter[str], now: datetime) -> None:
    try:
        usage.record_accesses(space.db, counted, now=now)
    except PalimpsestError as error:
        _log.warning("The access of %d memories was not counted: %s", len(counted), error.detail)
