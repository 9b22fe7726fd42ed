"""A space of its own for each test, with a key for every role, asked over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.interfaces.api.throttle import buckets
from memoryapp.spaces import close_space
from tests.samples import REVIEW


@dataclass
class Agent:
    """Speaks to the API with one key."""

    key: str
    space: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Any:
        sent = {
            "Authorization": f"Bearer {self.key}",
            **self.headers,
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        if self.space:
            sent.setdefault("X-Space", self.space)
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        return Client().generic(method, f"/api/v1{path}", data, content_type="application/json", headers=sent)

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("POST", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.ask("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.ask("DELETE", path, **headers)

    def write(self, text: str = "We moved the queue to Redis.", **more: Any) -> Any:
        answer = self.post("/memories", {"text": text, **more})
        assert answer.status_code in (200, 201), answer.content
        return answer.json()


@pytest.fixture(autouse=True)
def _fresh_buckets() -> None:
    buckets.clear()


@pytest.fixture
def space(db: None) -> Iterator[Space]:
    name = f"t-{new_id()}"
    yield create_space(name, overrides=dict(REVIEW))
    close_space(name)


@pytest.fixture
def agents(space: Space) -> dict[Role, Agent]:
    return {role: Agent(create_key(f"a {role}", role=role, space=space, agent="planner")[1]) for role in Role}


@pytest.fixture
def reader(agents: dict[Role, Agent]) -> Agent:
    return agents[Role.READER]


@pytest.fixture
def writer(agents: dict[Role, Agent]) -> Agent:
    return agents[Role.WRITER]


@pytest.fixture
def curator(agents: dict[Role, Agent]) -> Agent:
    return agents[Role.CURATOR]


@pytest.fixture
def admin(agents: dict[Role, Agent]) -> Agent:
    return agents[Role.ADMIN]


@pytest.fixture
def root(space: Space) -> Agent:
    """An administrator of every space, in the test's own one."""
    return Agent(create_key("everything", role=Role.ADMIN)[1], space=space.name)


@pytest.fixture
def memory(space: Space) -> Any:
    """The space itself, opened."""
    return open_row(space)
