"""A database of the real engine for each test: in memory, or in a folder where a test is about the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate
from tests.migrated import MIGRATED


@pytest.fixture
def empty() -> Iterator[Database]:
    """Without the schema."""
    database = open_database("mem://", "reeds")
    yield database
    database.close()


@pytest.fixture
def db() -> Iterator[Database]:
    database = open_database(MIGRATED, "reeds")
    migrate(database)
    yield database
    database.close()


@pytest.fixture
def folder_url(tmp_path: Path) -> str:
    return f"surrealkv://{tmp_path / 'spaces'}"


@pytest.fixture
def kept(folder_url: str) -> Iterator[Database]:
    """On disk, with the schema."""
    database = open_database(folder_url, "reeds")
    migrate(database)
    yield database
    database.close()
