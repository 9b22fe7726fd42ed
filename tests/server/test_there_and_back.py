"""A lived-in space goes to a server by a backup, and comes home by another: the same export, to the last byte."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from memoryapp import spaces
from memoryapp.spaces import Setup, Space
from memoryapp.store import backup
from memoryapp.store.database import Credentials
from memoryapp.transfer.export import export
from tests.samples import NOON, HandClock
from tests.server.processes import PASSWORD, USER, bridge, free_port
from tests.server.test_moving import rows
from tests.transfer.conftest import SETTINGS
from tests.transfer.worlds import files_of, lived_in

pytestmark = [pytest.mark.server, pytest.mark.long]


def opened(url: str, clock: HandClock) -> Space:
    """Of one name everywhere: an export says the space's name."""
    credentials = Credentials(USER, PASSWORD) if url.startswith("ws") else None
    spaces.configure(Setup(store_url=url, index_dir=None, encoder="hashing", clock=clock, credentials=credentials))
    space = spaces.open_space("reeds")
    space.encoder.get(30)
    return space


def exported(space: Space, target: Path, clock: HandClock) -> None:
    clock.now = NOON + timedelta(days=9)  # an export tells when it was made
    export(space, target, settings=SETTINGS)


def test_a_space_that_went_to_a_server_and_came_back_is_exported_to_the_same_bytes(tmp_path: Path) -> None:
    clock = HandClock()
    (tmp_path / "notes").mkdir()
    files = [tmp_path / f"{n}.palimpsest.gz" for n in range(3)]
    try:
        home = lived_in(opened(f"surrealkv://{tmp_path / 'home'}", clock), tmp_path / "notes")
        exported(home, tmp_path / "before.zip", clock)
        backup.backup(home.db, files[0])
        with bridge(tmp_path, port := free_port()):
            there = opened(f"ws://127.0.0.1:{port}/rpc", clock)
            backup.restore(there.db, files[0])
            exported(there, tmp_path / "there.zip", clock)
            backup.backup(there.db, files[1])
            spaces.close_all()
        back = opened(f"surrealkv://{tmp_path / 'back'}", clock)
        backup.restore(back.db, files[1])
        exported(back, tmp_path / "after.zip", clock)
        backup.backup(back.db, files[2])
    finally:
        spaces.close_all()
    assert rows(files[0]) == rows(files[1]) == rows(files[2]) and len(rows(files[0])) > 100
    before, there_too, after = (files_of(tmp_path / f"{name}.zip") for name in ("before", "there", "after"))
    assert [name for name in before if not before[name] == there_too[name] == after[name]] == []
    assert list(before) == list(there_too) == list(after)
