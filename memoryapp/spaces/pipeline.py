"""Opens spaces: database → schema → index → encoder. One a space and process, opened at first use, closed when idle."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace

from memoryapp.domain.errors import StoreError, StoreUnavailable
from memoryapp.domain.limits import Tuning
from memoryapp.index import open_index
from memoryapp.inference.embedding import EncoderSlot, background_encoder
from memoryapp.spaces.space import Setup, Space
from memoryapp.store.backup import take_back_half
from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate


class _Lease:
    __slots__ = ("__weakref__",)


@dataclass(slots=True, eq=False)
class _OpenSpace:
    """A space that is open, and who uses it. `used_at`: when the last use began or ended, monotonic; -inf where it was
    only ever looked at in passing."""

    space: Space
    used_at: float = float("-inf")
    used: weakref.ref[_Lease] | None = None
    passed: weakref.ref[_Lease] | None = None

    def lease(self, *, passing: bool) -> _Lease:
        """One for all who use it at the same time. Whoever lets go last ends it: by forgetting the handle, so that no
        way out of a request, job or thread can miss it."""
        kept = self.passed if passing else self.used
        if not passing:
            self.used_at = time.monotonic()
        if kept is not None and (lease := kept()) is not None:
            return lease
        lease = _Lease()
        if passing:
            self.passed = weakref.ref(lease)
        else:
            self.used = weakref.ref(lease, self._let_go)
        return lease

    def idle_for(self) -> float | None:
        """Seconds; None while somebody has a handle of it or its store still answers, and where it lives in memory
        and would be gone."""
        if self.space.db.in_memory:
            return None
        if any(kept is not None and kept() is not None for kept in (self.used, self.passed)) or self.space.db.busy:
            return None
        return time.monotonic() - self.used_at

    def _let_go(self, lease: object) -> None:
        self.used_at = time.monotonic()


_lock = threading.Lock()  # of what is kept here: held for a moment only
_turns: dict[str, threading.RLock] = {}  # of one space: who opens or closes it. Its log may take minutes to mend
_setup: Setup | None = None
_opened: dict[str, _OpenSpace] = {}
_slots: dict[str, EncoderSlot] = {}  # one model in memory, however many spaces use it
_missed: dict[str, tuple[float, str]] = {}  # when a space could last not be opened, and why


def configure(setup: Setup) -> None:
    """Says once how this process opens spaces. Spaces that are open are closed first."""
    global _setup
    close_all()
    with _lock:
        _setup = setup
        _slots.clear()


def current_setup() -> Setup | None:
    """How this process opens spaces now; None before it was said."""
    return _setup


def open_space(
    name: str,
    *,
    encoder: str | None = None,
    tuning: Tuning | None = None,
    parent: Space | None = None,
    passing: bool = False,
    opening: Callable[[], object] | None = None,
) -> Space:
    """The open space of this name, opened and migrated if it is the first time.

    `encoder`, `tuning` and `parent` may differ from the last call: the handle stays, the settings are the new ones.
    `passing`: to look whether there is anything to do, which is no use and keeps it open for the moment only.
    `opening`: called where it was not open, before it is.
    Raises StoreLocked, StoreUnavailable, or StoreError for a schema this version does not know.
    """
    asked = time.monotonic()
    with _turn(name):
        if _setup is None:
            raise StoreError("No store is configured: call spaces.configure first.")
        model = encoder or _setup.encoder
        kept = _opened.get(name)
        if kept is None:
            if opening is not None:
                opening()
            kept = _OpenSpace(_open(name, model, _setup, asked))
            with _lock:
                _opened[name] = kept
        elif kept.space.encoder.name != model:
            kept.space = _with_model(kept.space, model, _setup)
        with _lock:
            lease = kept.lease(passing=passing)
        if not passing:
            kept.space.encoder.begin()  # whoever uses a space may write or search next
        return replace(kept.space, tuning=tuning or Tuning(), parent=parent, lease=lease)


def _turn(name: str) -> threading.RLock:
    with _lock:
        return _turns.setdefault(name, threading.RLock())


def _open(name: str, model: str, setup: Setup, asked: float) -> Space:
    """Whoever waited while somebody else could not open it is told the same: a store that takes seconds to be missed
    is not missed by one caller after another."""
    missed_at, why = _missed.get(name, (-1.0, ""))
    if missed_at >= asked:
        raise StoreUnavailable(why)
    try:
        db = open_database(setup.store_url, name, credentials=setup.credentials)
    except StoreUnavailable as error:
        _missed[name] = time.monotonic(), error.detail
        raise
    try:
        migrate(db)
        if db.embedded:  # nobody else has it open
            take_back_half(db)
        return _with_index(name, db, model, setup)
    except BaseException:
        db.close()
        raise


def _with_model(space: Space, model: str, setup: Setup) -> Space:
    space.index.close()
    return _with_index(space.name, space.db, model, setup)


def _with_index(name: str, db: Database, model: str, setup: Setup) -> Space:
    folder = setup.index_dir / name if setup.index_dir else None
    index = open_index(db, engine=setup.engine, model=model, folder=folder, clock=setup.clock)
    with _lock:
        slot = _slots.get(model)
        if slot is None or slot.error:  # a model that failed to load is tried again at the next opening
            slot = _slots[model] = background_encoder(model, models_dir=setup.models_dir)
    return Space(name=name, db=db, index=index, encoder=slot, clock=setup.clock)


def list_open_spaces() -> tuple[Space, ...]:
    """The spaces that are open now. To ask is no use; they stay open while the answer is held."""
    with _lock:
        return tuple(replace(kept.space, lease=kept.lease(passing=True)) for kept in _opened.values())


def is_open(name: str) -> bool:
    """Whether this process has it open."""
    with _lock:
        return name in _opened


def idle_for(name: str) -> float | None:
    """For how many seconds nobody has used it, inf where it was only looked at in passing; None where it is in use or
    not open, or lives in memory and would be gone."""
    with _lock:
        kept = _opened.get(name)
        return None if kept is None else kept.idle_for()


def close_idle(name: str, *, after: float, closing: Callable[[], object] | None = None) -> bool:
    """Closes a space that nobody has used for `after` seconds; False where somebody has. `closing` is called
    while nobody can open it, right before it is closed; where it fails, so does the closing."""
    with _turn(name):
        with _lock:
            kept = _opened.get(name)
            idle = None if kept is None else kept.idle_for()
            if kept is None or idle is None or idle < after:
                return False
            del _opened[name]
        try:
            if closing is not None:
                closing()
        except BaseException:
            with _lock:
                _opened[name] = kept
            raise
        _close_space(kept.space)
        return True


def close_space(name: str) -> None:
    """Saves its index and frees its folder. Does nothing for a space that is not open."""
    with _turn(name):
        with _lock:
            kept = _opened.pop(name, None)
        if kept is not None:
            _close_space(kept.space)


def _close_space(space: Space) -> None:
    try:
        space.index.close()
    finally:
        space.db.close()


def close_all() -> None:
    """Those too that are being opened just now, once they are."""
    with _lock:
        names = tuple(_turns)
    for name in names:
        close_space(name)
