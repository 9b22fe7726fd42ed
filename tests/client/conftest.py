"""The client as its users have it: only its own folder and httpx, speaking to the live app over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.identity import new_id
from tests.live import Live
from tests.samples import REVIEW

FOLDER = Path(__file__).resolve().parent.parent.parent / "client"
sys.path.insert(0, str(FOLDER))  # what `pip install ./client` would do

from palimpsest_client import Palimpsest  # noqa: E402


@pytest.fixture
def memory(live: Live) -> Iterator[Palimpsest]:
    """A client in an empty space of its own."""
    with Palimpsest(live.url, live.key, agent="tester") as client:
        name = f"client-{new_id()[:8]}"
        client.create_space(name)
        with live.client() as api:
            api.patch(f"/spaces/{name}", json={"settings": REVIEW}).raise_for_status()
        yield client.in_space(name)
