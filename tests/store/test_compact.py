from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput, StoreError
from memoryapp.store import compact as compacting
from memoryapp.store import memories
from memoryapp.store.compact import compact
from memoryapp.store.database import Database, open_database
from memoryapp.store.folder import draft_of, mark_of, old_of
from memoryapp.store.migrate import digest_key, migrate
from memoryapp.store.purge import purge
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import NOON, PERSON, a_memory, written
from tests.sampling import every

SECRET = "quokkaquokkaquokka"


def opened(folder_url: str) -> Database:
    database = open_database(folder_url, "reeds")
    migrate(database)
    return database


@pytest.fixture
def filled(folder_url: str) -> str:
    """One memory held and edited, one purged; the space is closed again."""
    db = opened(folder_url)
    held, gone = written(db, a_memory("The heron stands.", id="held"), a_memory(f"The word is {SECRET}.", id="gone"))
    edited = replace(held, text="The heron stands in the reeds.")
    commit(db, new_run("edit", PERSON, now=NOON), Batch(updated=[(held, edited)]), now=NOON)
    purge(db, gone, run=new_run("purge", PERSON, now=NOON))
    db.close()
    return folder_url


def said_in(place: Path, word: str) -> list[str]:
    return [file.name for file in place.rglob("*") if file.is_file() and word.encode() in file.read_bytes()]


def test_no_byte_of_a_purged_memory_is_left_and_the_rest_is_as_it_was(filled: str, tmp_path: Path) -> None:
    place = tmp_path / "spaces"
    assert said_in(place, SECRET), "otherwise there would be nothing to prove"
    before = opened(filled)
    key, kept = digest_key(before), memories.get(before, "held")
    before.close()
    done = compact(filled, "reeds")
    assert said_in(place, SECRET) == []
    after = opened(filled)
    assert memories.get(after, "held") == kept and memories.find(after, "gone") is None
    assert len(after.query("SELECT * FROM revision WHERE record_id = 'held'")[0]) == 2
    assert digest_key(after) == key and done.rows > 0
    after.close()
    assert [one.name for one in place.iterdir()] == ["reeds"]


@pytest.mark.parametrize("where", every(3, ["between the renames", "before the first rename", "after the second"]))
def test_a_swap_that_was_cut_short_is_finished_at_the_next_opening(
    filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    folder = tmp_path / "spaces" / "reeds"
    monkeypatch.setattr(compacting, "_swap", lambda folder: None)
    compact(filled, "reeds")
    monkeypatch.undo()
    mark_of(folder).touch()
    if where != "before the first rename":
        folder.rename(old_of(folder))
    if where == "after the second":
        draft_of(folder).rename(folder)
    db = opened(filled)
    assert memories.get(db, "held").text == "The heron stands in the reeds."
    db.close()
    compact(filled, "reeds")
    assert said_in(folder.parent, SECRET) == []


def test_a_space_that_is_no_folder_is_not_compacted() -> None:
    with pytest.raises(BadInput, match="not kept in a folder"):
        compact("ws://127.0.0.1:1/rpc", "reeds")


def test_a_carry_that_fails_leaves_the_space_as_it_was(
    filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> dict[str, int]:
        raise OSError("the disk is full")

    monkeypatch.setattr(compacting, "restore", broken)
    with pytest.raises(StoreError, match="left as it was: the disk is full"):
        compact(filled, "reeds")
    db = opened(filled)
    assert memories.get(db, "held").text == "The heron stands in the reeds."
    db.close()
    assert not (tmp_path / "spaces" / ".carry-reeds.gz").exists()
