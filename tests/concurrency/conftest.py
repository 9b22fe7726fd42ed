"""The running app, and for each test a space and a folder of notes in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, place_in
from tests.live import Live


@pytest.fixture
def place(app: Live, roots: Path) -> Iterator[Place]:
    folder = roots / f"notes-{new_id()}"
    folder.mkdir()
    made = place_in(app, folder)
    made.still()  # the graph is read when a test asks for it
    yield made
    made.api.close()
