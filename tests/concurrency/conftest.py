"""A running app of its own: what is measured here is measured beside nobody else's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, place_in
from tests.live import Live, live_app


@pytest.fixture(scope="session")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one folder that the app may read."""
    return tmp_path_factory.mktemp("may-be-read")


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, roots: Path) -> Iterator[Live]:
    data = tmp_path_factory.mktemp("concurrency")
    with live_app(data, MEMORY_INGEST_ROOTS=str(roots), MEMORY_RATE_LIMIT="0") as running:
        yield running
        assert running.process.poll() is None, "the app died under these tests"
        assert not [line for line in running.output if "Traceback" in line]


@pytest.fixture
def place(app: Live, roots: Path) -> Iterator[Place]:
    folder = roots / f"notes-{new_id()}"
    folder.mkdir()
    made = place_in(app, folder)
    made.still()  # the graph is read when a test asks for it
    yield made
    made.api.close()
