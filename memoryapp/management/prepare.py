"""Makes a data folder ready: tables, the first administrator, the default space, collected static files. Every step
first looks whether there is anything to do, so that a second start costs next to nothing."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from memoryapp.accounts.people import first_admin
from memoryapp.accounts.spaces import default_space

STATIC_STAMP = ".stamp"
_PREPARING = 0x70616C69  # the number of the lock, "pali"


def prepare_people() -> User:
    """Tables as the models say, and somebody to log in. Returns the administrator. Processes that do it at once on one
    PostgreSQL do it one after the other; SQLite has one process at a time."""
    with _exclusive_lock():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)
        default_space()
        return first_admin()


@contextlib.contextmanager
def _exclusive_lock() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_PREPARING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_PREPARING])


def collect_static() -> bool:
    """Copies the static files under hashed names where any has changed. True if it did."""
    folder = Path(settings.STATIC_ROOT)
    stamp, wanted = folder / STATIC_STAMP, _fingerprint()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return False
    call_command("collectstatic", verbosity=0, interactive=False, clear=True, skip_checks=True)
    stamp.write_text(wanted, encoding="utf-8")
    return True


def _fingerprint() -> str:
    """Changes whenever a static file does: names, sizes and times of all of them, read from the folders only."""
    lines = []
    for finder in get_finders():
        for name, storage in finder.list([]):
            seen = Path(storage.path(name)).stat()
            lines.append(f"{storage.path(name)} {seen.st_size} {seen.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogateescape")).hexdigest()
