from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.parametrize("name", ["memories-write", "memories-bulk", "ingest-start", "relation-add"])
def test_whoever_opens_what_a_button_sends_is_told_so_on_a_page(curator: Client, name: str) -> None:
    answer = curator.get(reverse(name))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert b"It is called by a button on another page. Nothing was changed." in answer.content
    assert "Content-Security-Policy" in answer.headers


def test_what_answers_a_wrong_method_itself_is_left_alone(curator: Client) -> None:
    answer = curator.get("/api/v1/search")
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


def test_a_page_may_be_asked_for_its_head_alone(curator: Client) -> None:
    for address in ("/", "/facts/", "/api/docs"):
        answer = curator.head(address)
        assert answer.status_code == 200 and answer["Content-Type"].startswith("text/html"), address
    assert Client().head("/facts/")["Location"].startswith("/login/")
    assert Client().head("/login/").status_code == 200
