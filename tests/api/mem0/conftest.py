"""mem0's own client, pointed at the live app. It writes to no home folder and calls nobody else."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any

import pytest

os.environ["MEM0_TELEMETRY"] = "False"  # read when mem0 is imported, as is the next one
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="mem0-")
atexit.register(shutil.rmtree, os.environ["MEM0_DIR"], ignore_errors=True)

from memoryapp.domain.identity import new_id  # noqa: E402
from tests.live import Live  # noqa: E402


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


@dataclass(frozen=True)
class Place:
    """A new, empty space of the live app, with a key of each role."""

    live: Live
    space: str
    keys: dict[str, str]

    def client(self, role: str = "curator") -> Any:
        from mem0 import MemoryClient

        return MemoryClient(api_key=self.keys[role], host=self.live.url)

    def ask(self, method: str, path: str, **more: Any) -> Any:
        """By the JSON API, as this machine's administrator."""
        with self.live.client(space=self.space) as client:
            answer = client.request(method, path, **more)
        assert answer.is_success, answer.text
        return answer.json()


@pytest.fixture
def place(live: Live) -> Place:
    return a_place(live)


def a_place(live: Live) -> Place:
    found = Place(live, f"mem0-{new_id()}", {})
    with live.client() as client:
        assert client.post("/spaces", json={"name": found.space}).status_code == 201
    for role in ("reader", "writer", "curator"):
        made = found.ask("POST", "/keys", json={"name": f"mem0 {role}", "role": role, "space": found.space})
        found.keys[role] = made["key"]
    return found


@pytest.fixture
def client(place: Place) -> Any:
    """A curator's, who may take away."""
    return place.client()
