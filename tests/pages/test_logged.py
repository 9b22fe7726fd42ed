"""The line of the log of a page that was answered: where, and by the number of whom; no name, no word, no secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.models import Space
from tests.logged import lines_of_requests
from tests.pages.conftest import PASSWORD


@pytest.fixture
def lines(settings: Any) -> Iterator[list[dict[str, Any]]]:
    settings.LOG_REQUESTS = True
    with lines_of_requests() as seen:
        yield seen


def test_a_page_is_told_with_its_space_and_the_number_of_its_reader(
    writer: Client, row: Space, lines: list[dict[str, Any]]
) -> None:
    person = User.objects.get(pk=writer.session["_auth_user_id"])
    writer.get("/memories/", {"q": "the heron's secret"})
    writer.post("/memories/write/", {"text": "The heron's name is a secret."})
    looked, wrote = lines
    assert (looked["route"], looked["status"]) == ("memories/", 200) and looked["ms"] > 0
    assert all((line["space"], line["person"]) == (row.name, person.pk) for line in lines)
    assert "key" not in looked and len(wrote["run"]) == 16
    assert "secret" not in str(lines) and person.username not in str(lines)


def test_a_refused_page_is_told_too_and_a_stranger_has_no_number(
    reader: Client, row: Space, lines: list[dict[str, Any]]
) -> None:
    reader.get("/settings/backups/")
    Client().get("/memories/")
    Client().post("/login/", {"username": "somebody", "password": PASSWORD})
    refused, stranger, login = lines
    assert (refused["status"], refused["space"]) == (403, row.name) and refused["person"]
    assert stranger["status"] == 302 and "person" not in stranger and "space" not in stranger
    assert "person" not in login and PASSWORD not in str(lines) and "somebody" not in str(lines)
