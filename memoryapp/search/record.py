"""What is noted of a call besides its answer: that memories were used once more, and the trace of what was asked and
given. Written aside and a moment later, so that no agent waits for it, and so that many calls cost one write."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.trace import Trace
from memoryapp.spaces import Space
from memoryapp.store import traces, usage

GATHERED_FOR = 0.5  # seconds; a process that is killed loses what was noted for so long
TRIMMED_EVERY = 100  # traces of a space

_log = logging.getLogger(__name__)
Made = Callable[[], Trace | None]


@dataclass(slots=True)
class _Notes:
    """What is noted of one database; until it is written it keeps the space from being closed."""

    space: Space
    now: datetime
    accesses: Counter[str] = field(default_factory=Counter)
    traces: list[Made] = field(default_factory=list)


class _Recorder:
    """Notes by database that are not written yet. One thread writes them, and ends when there is nothing to do."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pending: dict[int, _Notes] = {}
        self._thread: threading.Thread | None = None
        self._hurried = False
        self._untrimmed: dict[str, int] = {}  # by space: traces since it was trimmed; the first one trims

    def add(self, space: Space, now: datetime, *, memories: Sequence[str] = (), trace: Made | None = None) -> None:
        with self._changed:
            notes = self._pending.setdefault(id(space.db), _Notes(space, now))
            notes.now = now
            notes.accesses.update(memories)
            notes.traces += [trace] if trace is not None else []
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="record", daemon=True)
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
                self._written(gathered.pop())  # and with it the hold on its space

    def _written(self, notes: _Notes) -> None:
        db = notes.space.db
        try:
            usage.record_accesses(db, notes.accesses, now=notes.now)
        except PalimpsestError as error:
            _log.warning("The access of %d memories was not counted: %s", len(notes.accesses), error.detail)
        try:
            made = [trace for make in notes.traces if (trace := make()) is not None]
            if made:
                traces.keep(db, made)
                since = self._untrimmed.get(db.name, TRIMMED_EVERY) + len(made)
                if since >= TRIMMED_EVERY:
                    traces.trim(db, now=notes.now)
                    since = 0
                self._untrimmed[db.name] = since
        except PalimpsestError as error:
            _log.warning("%d traces were not kept: %s", len(notes.traces), error.detail)
        except Exception:  # noqa: BLE001 - logged: a trace is never worth the accesses that the thread has still to write
            _log.exception("%d traces were not kept", len(notes.traces))


_recorder = _Recorder()


def record(space: Space, memories: Sequence[str], *, now: datetime) -> None:
    """Counts one access of each of these memories. A failing store loses the count, never the answer."""
    if memories:
        _recorder.add(space, now, memories=memories)


def keep_trace(space: Space, make: Made) -> None:
    """Keeps the trace that `make` gives, unless it gives None; called in another thread, a moment later."""
    _recorder.add(space, space.clock(), trace=make)


def settle(timeout: float = 10.0) -> None:
    """Returns once all that was noted so far is written; called before a store is closed."""
    _recorder.settle(timeout)
