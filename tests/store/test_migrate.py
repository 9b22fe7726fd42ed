from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memoryapp.domain.errors import StoreError
from memoryapp.store import migrate as migrating
from memoryapp.store.database import Database
from memoryapp.store.migrate import migrate, uid


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A copy of the schema that a test may add to."""
    return Path(shutil.copytree(migrating.FOLDER, tmp_path / "schema"))


def test_a_new_database_gets_every_file_once(empty: Database) -> None:
    names = sorted(file.stem for file in migrating.FOLDER.glob("*.surql"))
    assert migrate(empty) == names
    assert migrate(empty) == []


def test_a_file_that_fails_leaves_nothing_of_itself_and_names_the_cause(db: Database, schema: Path) -> None:
    file = schema / "0099_wrong.surql"
    file.write_text("DEFINE TABLE early; CREATE early:1; CREATE early:1; DEFINE TABLE late;")
    with pytest.raises(StoreError, match=r"0099_wrong.surql.*`early:1` already exists"):
        migrate(db, folder=schema)
    assert not {"early", "late"} & set(db.query("INFO FOR DB")[0]["tables"])
    file.write_text("DEFINE TABLE early; CREATE early:1;")
    assert migrate(db, folder=schema) == ["0099_wrong"]


def test_a_file_that_is_no_surrealql_is_named(db: Database, schema: Path) -> None:
    (schema / "0099_typo.surql").write_text("DEFINE TABLE early; DEFINE FELD x ON early;")
    with pytest.raises(StoreError, match=r"0099_typo.surql.*FELD|0099_typo.surql"):
        migrate(db, folder=schema)
    assert "early" not in db.query("INFO FOR DB")[0]["tables"]


def test_a_database_of_a_newer_version_is_refused(db: Database, schema: Path, tmp_path: Path) -> None:
    (schema / "0099_newer.surql").write_text("DEFINE TABLE newer;")
    migrate(db, folder=schema)
    with pytest.raises(StoreError, match=r"newer version.*0099_newer"):
        migrate(db)


def test_a_file_edited_after_it_was_applied_is_refused(db: Database, schema: Path) -> None:
    first = next(iter(sorted(schema.glob("*.surql"))))
    first.write_text(first.read_text() + "\n-- an afterthought\n")
    with pytest.raises(StoreError, match=f"{first.name} is not what"):
        migrate(db, folder=schema)


def test_processes_that_start_together_do_not_trip_over_each_other(empty: Database) -> None:
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(lambda _: migrate(empty), range(6)))
    assert [names for names in applied if names] == [applied[0]] or sum(map(len, applied)) == len(
        list(migrating.FOLDER.glob("*.surql"))
    )
    assert migrate(empty) == []


def test_every_database_has_an_id_of_its_own_that_stays(db: Database) -> None:
    before = uid(db)
    migrate(db)
    assert before == uid(db)
    assert len(before) == 26
