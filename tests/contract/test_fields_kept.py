"""What was taken comes back as it was sent, or as the docs say that it is kept: by its id, from a list, from a search,
in an export and on a page, in every zone of time."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.cleaning import clean, has_words
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.integrity import check
from memoryapp.spaces import close_space
from tests.api.conftest import Agent
from tests.contract.fields import EVERY, LONG, TEXTS, written

ALL = TEXTS | (LONG if EVERY else {name: LONG[name] for name in ("a megabyte", "a long hangul word")})
pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


@pytest.fixture
def row(db: None) -> Iterator[Space]:
    name = f"k-{new_id()}"
    yield create_space(name)
    close_space(name)


@pytest.fixture
def owner(row: Space) -> Agent:
    return Agent(create_key("the owner", role=Role.ADMIN, space=row)[1])


@pytest.fixture
def person(row: Space) -> User:
    return create_person(f"a-{new_id()[:8]}", space=row, role=Role.ADMIN)


def as_kept(text: str) -> str:
    return clean(text).strip()


def taken(owner: Agent, path: str, body: dict[str, Any], method: str = "POST") -> dict[str, Any] | None:
    """What was kept; None where it was refused with a sentence."""
    answer = owner.ask(method, path, raw=written(body))
    told = answer.json()
    if answer.status_code in (413, 422):
        assert len(told["detail"]) > 10
        return None
    assert answer.status_code in (200, 201), (body, told)
    return dict(told)


def test_a_text_comes_back_as_it_was_sent_by_every_way(row: Space, owner: Agent, person: User) -> None:
    kept = {name: taken(owner, "/memories", {"text": text}) for name, text in ALL.items()}
    refused = {name for name, told in kept.items() if told is None}
    assert refused == {
        name
        for name, text in ALL.items()
        if not has_words(text) or len(as_kept(text)) > LIMITS.text_chars or "\ud800" in text
    }
    held = {told["id"]: as_kept(ALL[name]) for name, told in kept.items() if told}
    assert {key: owner.get(f"/memories/{key}").json()["text"] for key in held} == held
    assert {one["id"]: one["text"] for one in listed(owner, "/memories?limit=7")} == held
    exported = {one["id"]: one["text"] for one in lines_of(owner.post("/export"), "memories") if one.get("text")}
    assert exported == held
    browser = Client()
    browser.force_login(person)
    for key, text in held.items():
        page = browser.get(f"/memories/{key}/edit/")
        (box,) = re.findall(r"<textarea[^>]*name=\"text\"[^>]*>(.*?)</textarea>", page.content.decode(), re.DOTALL)
        assert html.unescape(box).strip() == text
        assert browser.get(f"/memories/{key}/").status_code == 200
    assert browser.get("/memories/").status_code == 200
    assert check(open_row(row)).broken == ()


def listed(owner: Agent, path: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        page = owner.get(f"{path}&cursor={quote(cursor)}" if cursor else path).json()
        yield from page["items"]
        cursor = page["next_cursor"]
        if not cursor:
            return


def lines_of(answer: Any, name: str) -> list[dict[str, Any]]:
    body = b"".join(answer) if answer.streaming else answer.content
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        (path,) = [one for one in packed.namelist() if one.endswith(f"{name}.jsonl")]
        return [json.loads(line) for line in packed.read(path).decode().split("\n") if line]
