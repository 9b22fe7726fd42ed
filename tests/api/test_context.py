"""What an agent is given for a message, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.search import settle
from tests.api.conftest import Agent


@pytest.fixture
def known(writer: Agent) -> dict[str, str]:
    texts = {
        "home": "Minsu lives in Seoul.",
        "tea": "Minsu likes green tea.",
        "work": "Minsu works on the search engine at Naver.",
    }
    return {name: writer.post("/memories", {"kind": "fact", "text": text}).json()["id"] for name, text in texts.items()}


def test_the_context_holds_what_belongs_to_the_message_with_its_sources(writer: Agent, known: dict[str, str]) -> None:
    given = writer.post("/context", {"message": "Where does Minsu live?"}).json()
    items = {item["id"]: item for layer in given["layers"] for item in layer["items"]}
    assert known["home"] in items and items[known["home"]]["why"] and "Seoul" in given["text"]
    assert set(given["citations"].values()) == set(items)
    assert given["tokens"] <= given["budget"] and given["estimate"] in (True, False)
    assert given["budget"] == 1500


@pytest.mark.parametrize("budget", [1, 20, 60, 400])
def test_the_budget_is_never_exceeded_and_what_is_left_out_is_counted(
    writer: Agent, known: dict[str, str], budget: int
) -> None:
    given = writer.post("/context", {"message": "What of Minsu?", "budget": budget}).json()
    assert given["tokens"] <= given["budget"] == budget
    shown = sum(len(layer["items"]) for layer in given["layers"])
    assert shown <= len(known)
    if shown < len(known):
        assert sum(layer["left_out"] for layer in given["layers"]) > 0 or not given["layers"]


def test_a_context_asked_with_a_key_counts_as_an_access(writer: Agent, known: dict[str, str]) -> None:
    writer.post("/context", {"message": "Where does Minsu live?"})
    settle()
    assert writer.get(f"/memories/{known['home']}").json()["usage"]["accesses"] == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/message"),
        ({"message": " "}, "/message"),
        ({"message": "x", "budget": 0}, "/budget"),
        ({"message": "x", "layers": ["gossip"]}, "/layers"),
        ({"message": "x", "as_of": "then"}, "/as_of"),
    ],
)
def test_a_context_that_cannot_be_made_is_refused(writer: Agent, body: dict[str, Any], field: str) -> None:
    answer = writer.post("/context", body)
    assert answer.status_code == 422 and answer.json()["field"].startswith(field), answer.content
