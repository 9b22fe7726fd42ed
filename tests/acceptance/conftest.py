"""The running app, and for each test a space and a folder of notes in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, place_in
from tests.live import Live


@pytest.fixture
def encoder() -> str:
    """The model of the space: that of the app, unless a file of tests says otherwise."""
    return ""


@pytest.fixture(scope="module")
def untouched(app: Live, roots: Path) -> Iterator[Place]:
    """One place for all tests of a module that are refused: each leaves it as it was."""
    folder = roots / f"notes-{new_id()}"
    folder.mkdir()
    made = place_in(app, folder)
    yield made
    made.api.close()


@pytest.fixture
def place(app: Live, roots: Path, encoder: str) -> Iterator[Place]:
    folder = roots / f"notes-{new_id()}"
    folder.mkdir()
    made = place_in(app, folder, encoder=encoder)
    made.still()  # the graph is read when a test asks for it, not beside what it counts
    yield made
    made.api.close()
