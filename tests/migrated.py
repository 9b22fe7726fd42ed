"""Spaces for tests that need an empty one: opened from a copy of a folder that was migrated once. Applying every
migration anew takes ten times as long as everything else that opens a space, and thousands of tests open one.

The address is MIGRATED; the product takes it for a store in memory, which is gone once it is closed. It is kept by the
engine of an installed app, on a disk in memory where there is one. What the migrations do is for tests/store to show,
which open `mem://`.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from memoryapp.store import database
from memoryapp.store.engine import Engine
from memoryapp.store.migrate import migrate

MIGRATED = "mem://migrated"
NAME = "migrated"  # of the database within the folder, whatever the space is called
IN_MEMORY = Path("/dev/shm")


class MigratedEngine(Engine):
    """An embedded engine. That of MIGRATED has a folder of its own, which goes when it is closed."""

    def __init__(self, url: str) -> None:
        self.copied: Path | None = None
        if url == MIGRATED:
            self.copied = Path(tempfile.mkdtemp(dir=_scratch())) / NAME
            shutil.copytree(template(), self.copied)
            url = f"surrealkv://{self.copied}"
        super().__init__(url)

    async def use(self, namespace: str, database: str) -> None:
        await super().use(namespace, NAME if self.copied else database)

    async def close(self) -> None:
        await super().close()
        if self.copied:
            shutil.rmtree(self.copied.parent, ignore_errors=True)


@cache
def _scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="palimpsest-spaces-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def template() -> Path:
    """The folder that is copied. Asked for once before any space is opened: opening one waits for the store's loop, and
    the loop would wait for itself."""
    folder = _scratch() / "template"
    made = database.open_database(f"surrealkv://{folder}", NAME)
    migrate(made)
    # Each copy gets an id and a key of its own, as `migrate` gives them to every new database.
    made.query("DELETE meta:database, meta:digests")
    made.close()
    return folder / NAME


database.Engine = MigratedEngine  # type: ignore[misc]
