"""Opens spaces: database → schema → index → encoder. One handle a space and process, opened at first use."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from memoryapp.domain.errors import StoreError, StoreUnavailable
from memoryapp.domain.limits import Tuning
from memoryapp.encoders import EncoderSlot, background_encoder
from memoryapp.index import open_index
from memoryapp.spaces.space import Setup, Space
from memoryapp.store.backup import take_back_half
from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate

_lock = threading.Lock()  # of what is kept here: held for a moment only
_turns: dict[str, threading.RLock] = {}  # of one space: who opens or closes it. Its log may take minutes to mend
_setup: Setup | None = None
_opened: dict[str, Space] = {}
_slots: dict[str, EncoderSlot] = {}  # one model in memory, however many spaces use it
_missed: dict[str, tuple[float, str]] = {}  # when a space could last not be opened, and why


def configure(setup: Setup) -> None:
    """Says once how this process opens spaces. Spaces that are open are closed first."""
    global _setup
    close_all()
    with _lock:
        _setup = setup
        _slots.clear()


def configured() -> Setup | None:
    """How this process opens spaces now; None before it was said."""
    return _setup


def open_space(
    name: str, *, encoder: str | None = None, tuning: Tuning | None = None, parent: Space | None = None
) -> Space:
    """The open space of this name, opened and migrated if it is the first time.

    `encoder`, `tuning` and `parent` may differ from the last call: the handle stays, the settings are the new ones.
    Raises StoreLocked, StoreUnavailable, or StoreError for a schema this version does not know.
    """
    asked = time.monotonic()
    with _turn(name):
        if _setup is None:
            raise StoreError("No store is configured: call spaces.configure first.")
        model = encoder or _setup.encoder
        space = _opened.get(name)
        if space is None or space.encoder.name != model:
            space = _open(name, model, _setup, asked) if space is None else _with_model(space, model, _setup)
            with _lock:
                _opened[name] = space
        return replace(space, tuning=tuning or Tuning(), parent=parent)


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


def opened() -> tuple[Space, ...]:
    """The spaces that are open now."""
    with _lock:
        return tuple(_opened.values())


def close_space(name: str) -> None:
    """Saves its index and frees its folder. Does nothing for a space that is not open."""
    with _turn(name):
        with _lock:
            space = _opened.pop(name, None)
        if space is not None:
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
