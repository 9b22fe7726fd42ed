"""From a space's row to the space opened: its store, index and encoder, set up as the settings and the row say."""

from __future__ import annotations

import threading
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings

from memoryapp.accounts.models import Space as Row
from memoryapp.domain.limits import LIMITS, tuning_from, within_ranges

if TYPE_CHECKING:
    from memoryapp.spaces import Setup, Space

IDLE = LIMITS.idle_minutes * 60.0  # seconds

_lock = threading.Lock()
_setup: Setup | None = None


def open_row(row: Row, *, passing: bool = False) -> Space:
    """The space opened, or the handle there already is, with the row's settings and its parent. Raises StoreError.

    `passing`: only to see whether there is anything to do, which does not count as use."""
    # Imported at first use: the engines behind it are half of the program's start-up time, and `manage.py key`
    # needs none of them.
    from memoryapp.spaces import open_space

    _configure_once()
    passing = passing and not settings.SERVER_MODE
    parent = open_row(row.parent, passing=passing) if row.parent else None
    return open_space(
        row.name,
        encoder=row.encoder or None,
        tuning=tuning_from(within_ranges(row.settings)),
        parent=parent,
        passing=passing,
        opening=partial(_set_resting, row, None),
    )


def rests(row: Row, *, now: datetime) -> bool:
    """Whether it is closed, and nothing can be due in it yet. Never so on a server, where others may write to it."""
    from memoryapp.spaces import is_open

    return row.rests_until is not None and now < row.rests_until and not settings.SERVER_MODE and not is_open(row.name)


def may_close(row: Row) -> bool:
    """Whether it is open and nobody has used it for a while, so that it should be closed."""
    from memoryapp.spaces import idle_for

    idle = idle_for(row.name)
    return idle is not None and idle >= IDLE and not settings.SERVER_MODE


def let_rest(row: Row, *, until: datetime) -> bool:
    """Closes a space that nobody uses, and notes that nothing is due in it before `until`. False where somebody has
    begun to use it. Its children may stay open: one that is used holds its parent too."""
    from memoryapp.search import forget
    from memoryapp.spaces import close_idle

    closed = close_idle(row.name, after=IDLE, closing=partial(_set_resting, row, until))
    if closed:
        forget(row.name)
    return closed


def wake(row: Row) -> None:
    """Has a space that rests looked at again: something was set that may make something due."""
    _set_resting(row, None)


def _set_resting(row: Row, until: datetime | None) -> None:
    """Straight to the database: the row at hand may be an old one. Written before the space can be, so that a process
    that is killed leaves none resting that was written to."""
    changed = Row.objects.filter(pk=row.pk).exclude(rests_until=until)
    changed.update(rests_until=until)
    row.rests_until = until


def close_spaces() -> None:
    """Closes every open space of this process; a space asked for later is opened again."""
    if _setup is not None:
        from memoryapp.search import settle
        from memoryapp.spaces import close_all

        settle()  # accesses that were counted but not written yet
        close_all()


def _configure_once() -> None:
    """As the settings say; again, where something else in this process has opened spaces in its own way since."""
    global _setup
    from memoryapp.spaces import Setup, configure, current_setup
    from memoryapp.store.database import Credentials

    with _lock:
        if _setup is not None and current_setup() is _setup:
            return
        user = settings.STORE_USER
        _setup = Setup(
            store_url=settings.STORE_URL,
            index_dir=settings.DATA_DIR / "indexes",
            engine=settings.SEARCH_ENGINE,
            encoder=settings.ENCODER,
            models_dir=settings.MODELS_DIR,
            credentials=Credentials(user, settings.STORE_PASSWORD) if user else None,
        )
        configure(_setup)
