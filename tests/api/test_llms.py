"""/llms.txt: what an agent reads before it does anything."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memoryapp.interfaces.api.agent_calls import CALLS
from memoryapp.interfaces.api.assembly import document

pytestmark = pytest.mark.django_db


def told() -> str:
    response = Client().get("/llms.txt", headers={"Host": "127.0.0.1:8123"})
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; charset=utf-8")
    return response.content.decode()


def test_it_tells_ten_calls_with_their_own_words_and_examples() -> None:
    text = told()
    assert len(CALLS) == 10 == text.count("\n### ")
    for method, path in CALLS:
        operation = document()["paths"][f"/api/v1{path}"][method]
        assert f"### {method.upper()} {path}\n{operation['summary']}. " in text


def test_its_links_are_addresses_of_the_app_that_was_asked() -> None:
    found = re.findall(r"\]\((\S+)\)", told())
    assert len(found) == 3
    for link in found:
        assert link.startswith("http://127.0.0.1:8123/")
        address = link.removeprefix("http://127.0.0.1:8123")
        assert Client().get(address).status_code in (200, 401), link  # there, though perhaps not for everybody


def test_it_is_short_enough_to_be_read_at_the_start_of_every_talk() -> None:
    assert len(told()) < 9_000
    assert "{root}" not in told() and "{{" not in told()


def test_it_can_only_be_read() -> None:
    assert Client().post("/llms.txt").status_code == 405
    for address in ("/llms.txt", "/api/docs"):
        assert Client().head(address).status_code == 200  # what checks links asks so
