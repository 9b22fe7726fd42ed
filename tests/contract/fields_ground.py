"""Where strange values are sent to over the API: a space that holds something of every kind, with an administrator's
key. What was answered wrong is kept, and told together at the end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, cycle, islice
from typing import Any, TypeVar
from urllib.parse import quote

import pytest
from django.test import Client

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.integrity import check
from memoryapp.interfaces.api.throttle import buckets
from memoryapp.spaces import close_space
from tests.api.conftest import Agent
from tests.contract.fields import EVERY
from tests.security.world import Theirs, filled_space

SLOWEST = 60.0  # seconds for an answer on a machine that does other things as well: longer is a hang
SOME = 3  # every so many-th place by default
T = TypeVar("T")
ENTITIES = {"keep", "gone", "subject", "object", "one", "other", "entity", "start", "end"}


class Ground:
    def __init__(self, row: Space, key: str, theirs: Theirs) -> None:
        self.row, self.key, self.theirs = row, key, theirs
        self.client = Client(raise_request_exception=False)
        self.wrong: list[str] = []
        self.asked = 0

    def ask(self, method: str, address: str, body: bytes, told: str) -> Any:
        """`told`: what is asked, for whoever reads of it."""
        buckets.clear()
        self.asked += 1
        headers = {"Authorization": f"Bearer {self.key}", "X-Space": self.row.name}
        began = time.monotonic()
        answer: Any = self.client.generic(method, address, body, content_type="application/json", headers=headers)
        text = b"".join(answer) if answer.streaming else answer.content
        seconds = time.monotonic() - began
        if answer.status_code >= 500 or seconds > SLOWEST:
            self.wrong.append(f"{told}: {answer.status_code} after {seconds:.1f} s, {text[:200]!r}")
        elif answer.status_code >= 400 and not _says_why(answer, text):
            self.wrong.append(f"{told}: {answer.status_code} without a sentence, {text[:200]!r}")
        return answer

    def filled(self, address: str, **given: str) -> str:
        """The address with something that is there in the place of each parameter, or with what is given."""
        steps = address.split("{")[0].strip("/").split("/")
        kind = next((step for step in reversed(steps) if step in self.theirs.ids), "")
        known = {
            "id": "999999" if "keys" in steps else self.theirs.id_for(kind),
            "name": self.row.name if "spaces" in steps else "their-own",
            "path": "their/own",
            "act": "graph",
            "parent": self.theirs.ids["entities"],
        }
        for name, value in {**known, **given}.items():
            address = address.replace(f"{{{name}}}", quote(value.encode("utf-8", "surrogatepass"), safe=""))
        return address

    def pointed(self, example: Any, name: str = "") -> Any:
        """An example of a body whose ids are of things that are there."""
        if isinstance(example, dict):
            return {key: self.pointed(value, key) for key, value in example.items()}
        if isinstance(example, list):
            return [self.pointed(value, name) for value in example]
        if isinstance(example, str) and len(example) == 16 and set(example) <= set("0123456789abcdef"):
            return self.theirs.ids["entities" if name in ENTITIES else "memories"]
        return example

    def finish(self) -> None:
        assert self.wrong == [], "\n".join(self.wrong)
        assert check(open_row(self.row)).broken == ()


def _says_why(answer: Any, text: bytes) -> bool:
    if not answer["Content-Type"].startswith("application/problem+json"):
        return False
    told = json.loads(text)
    return told["status"] == answer.status_code and len(told["detail"]) > 10 and told["detail"][-1] in ".”)"


@pytest.fixture
def ground(db: None) -> Iterator[Ground]:
    row = create_space(f"f-{new_id()}")
    owner = Agent(create_key("everything", role=Role.ADMIN)[1], space=row.name)
    yield Ground(row, owner.key, filled_space(row, owner))
    close_space(row.name)


class Sample:
    """Lets by every so many-th of all the places that it is shown, wherever they stand."""

    def __init__(self, in_full: bool) -> None:
        self._step, self._seen = 1 if in_full or EVERY else SOME, count()

    def of(self, places: Iterable[T]) -> Iterator[T]:
        return (place for place in places if next(self._seen) % self._step == 0)


def some(values: Mapping[str, Any], *, most: int = 5) -> Iterator[list[str]]:
    """For each place the names of the next few values, so that each comes somewhere; or always all."""
    turn = cycle(values)
    while True:
        yield list(values) if EVERY else list(islice(turn, most))
