from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

import httpx
import pytest

from tests.live import Live
from tests.samples import REVIEW


@dataclass(frozen=True, slots=True)
class Place:
    """A space of its own in the running app, and its door for agents. `key` is a curator's."""

    live: Live
    space: str
    key: str

    @property
    def url(self) -> str:
        return f"{self.live.url}/mcp"

    def api(self) -> httpx.Client:
        """The same space as an administrator's program sees it."""
        return self.live.client(space=self.space)

    def key_of(self, role: str, *, everywhere: bool = False) -> str:
        with self.api() as client:
            wanted = {
                "name": f"a {role}",
                "role": role,
                "space": None if everywhere else self.space,
                "agent": "planner",
            }
            made = client.post("/keys", json=wanted)
            assert made.status_code == 201, made.text
            return str(made.json()["key"])


@pytest.fixture
def place(live: Live) -> Place:
    return a_place(live)


@pytest.fixture(scope="session")
def untouched(live: Live) -> Place:
    """One place for all tests that leave it as it was."""
    return a_place(live)


@pytest.fixture
def other_place(live: Live) -> Place:
    return a_place(live)


def a_place(live: Live) -> Place:
    name = f"agents-{uuid4().hex[:10]}"
    with live.client() as client:
        assert client.post("/spaces", json={"name": name, "settings": REVIEW}).status_code == 201
    empty = Place(live, name, "")
    return Place(live, name, empty.key_of("curator"))
