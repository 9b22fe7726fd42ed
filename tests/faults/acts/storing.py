"""Acts on the store as a whole: its schema, a backup, another model, a rewritten folder."""

from __future__ import annotations

import contextlib
import shutil

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.spaces import Space, reembed
from memoryapp.store import backup
from memoryapp.store.compact import compact
from memoryapp.store.database import open_database
from memoryapp.store.migrate import FOLDER, migrate
from tests.faults.acts.act import MACHINE, NAME, Act, Place
from tests.faults.acts.taking_in import Silence
from tests.transfer.worlds import lived_in

OTHER_MODEL = "hashing-256"


def _old_schema(place: Place) -> None:
    """A space as the first version left it, with a memory in it."""
    old = place.file("schema")
    old.mkdir()
    shutil.copy(FOLDER / "0001_memory.surql", old)
    db = open_database(place.url, NAME)
    try:
        migrate(db, folder=old)
        db.query(
            "CREATE source:notes SET kind = 'folder', root = '/notes', name = 'notes', created_at = time::now(),"
            " every_minutes = 0, on_session_start = false, files = 0"
        )
    finally:
        db.close()


def _migrate(place: Place) -> None:
    db = open_database(place.url, NAME)
    try:
        migrate(db)
    finally:
        db.close()


def _lived_in(place: Place) -> None:
    place.notes.mkdir(parents=True, exist_ok=True)
    with place.opened() as space:
        lived_in(space, place.notes)


def _a_backup(place: Place) -> None:
    """Of a space that is then thrown away."""
    made = Place(place.file("other"))
    _lived_in(made)
    with made.opened() as space:
        backup.backup(space.db, place.file("reeds.gz"))
    with place.opened():
        pass


def _restore(place: Place, space: Space) -> None:
    """As a person does: again, where the command did not come to its end. Refused, all of it is there already: what
    the space holds is compared."""
    with contextlib.suppress(Clash):
        backup.restore(space.db, place.file("reeds.gz"))


def _embed(place: Place, space: Space) -> None:
    reembed._AT_ONCE = 16  # as with thousands of memories
    reembed.embed_missing(space, HashingEncoder(256), model=OTHER_MODEL, progress=Silence(), actor=MACHINE)


def _compact(place: Place) -> None:
    try:
        compact(place.url, NAME)
    except BadInput:
        with place.opened():  # between the two renames: opening finishes the swap
            pass
        compact(place.url, NAME)


STORING = (
    Act("migrate", _old_schema, alone=_migrate),
    Act("restore", _a_backup, _restore, as_one=True),
    Act("embed", _lived_in, _embed),
    Act("compact", _lived_in, alone=_compact),
)
