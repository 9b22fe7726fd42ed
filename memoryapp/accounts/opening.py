"""From a space's row to the space opened: its store, index and encoder, set up as the settings and the row say."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from django.conf import settings

from memoryapp.accounts.models import Space as Row
from memoryapp.domain.limits import tuned, within_ranges

if TYPE_CHECKING:
    from memoryapp.spaces import Setup, Space

_lock = threading.Lock()
_setup: Setup | None = None


def open_row(row: Row) -> Space:
    """The space opened, or the handle there already is, with the row's settings and its parent. Raises StoreError."""
    # Imported at first use: the engines behind it are half of the program's start-up time, and `manage.py key`
    # needs none of them.
    from memoryapp.spaces import open_space

    _configure_once()
    parent = open_row(row.parent) if row.parent else None
    return open_space(row.name, encoder=row.encoder or None, tuning=tuned(within_ranges(row.settings)), parent=parent)


def close_spaces() -> None:
    """Closes every open space of this process; a space asked for later is opened again."""
    if _setup is not None:
        from memoryapp.retrieve import settle
        from memoryapp.spaces import close_all

        settle()  # accesses that were counted but not written yet
        close_all()


def _configure_once() -> None:
    """As the settings say; again, where something else in this process has opened spaces in its own way since."""
    global _setup
    from memoryapp.spaces import Setup, configure, configured
    from memoryapp.store.database import Credentials

    with _lock:
        if _setup is not None and configured() is _setup:
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
