"""Words that were deleted: curators, who may restore or erase them, read them; nobody below does, by no door."""

from __future__ import annotations

import pytest
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from tests.api.conftest import Agent, agents, curator, reader, space, writer

__all__ = ["agents", "curator", "reader", "space", "writer"]
SECRET = "4711 zebra"


@pytest.fixture
def gone(writer: Agent, curator: Agent) -> tuple[str, str]:
    """A memory that was edited and deleted, and the run that edited it."""
    key = writer.write(f"My bank PIN is {SECRET}.", kind="fact")["id"]
    run = curator.patch(f"/memories/{key}", {"text": f"My bank PIN was {SECRET}."}).json()["run"]
    assert curator.delete(f"/memories/{key}?reason=It%20was%20asked%20for.").status_code == 200
    return key, run


def test_the_api_tells_deleted_words_to_a_curator_and_to_nobody_below(
    gone: tuple[str, str], reader: Agent, writer: Agent, curator: Agent
) -> None:
    key, run = gone
    addresses = (f"/memories/{key}", f"/memories/{key}/history", "/memories?states=deleted", "/audit", f"/runs/{run}")
    for address in addresses:
        assert SECRET in curator.get(address).content.decode(), address
        for below in (reader, writer):
            answer = below.get(address)
            assert SECRET not in answer.content.decode(), address
            assert answer.status_code in (200, 403, 404)
    assert "A curator can read it" in reader.get(f"/memories/{key}").json()["detail"]
    assert reader.get("/memories?states=deleted").status_code == 403
    for change in reader.get(f"/audit?record={key}").json()["items"]:
        assert set(change["before"]) | set(change["after"]) <= {"state", "pinned"}


def test_what_is_restored_is_read_by_everybody_again(gone: tuple[str, str], reader: Agent, curator: Agent) -> None:
    key, _ = gone
    assert curator.post(f"/memories/{key}/restore").status_code == 200
    assert SECRET in reader.get(f"/memories/{key}").content.decode()
    assert SECRET in reader.get("/audit").content.decode()


@pytest.mark.parametrize("role", [Role.READER, Role.WRITER, Role.CURATOR])
def test_the_pages_do_the_same(gone: tuple[str, str], space: Space, role: Role) -> None:
    key, run = gone
    person = create_person(f"{role}-{new_id()}", role=role, space=space)
    client = Client()
    client.force_login(person)
    sees = role is Role.CURATOR
    for address in ("/", "/audit/", f"/audit/?run={run}", "/memories/?state=deleted", f"/memories/{key}/"):
        page = client.get(f"{address}{'&' if '?' in address else '?'}space={space.name}").content.decode()
        assert (SECRET in page) <= sees, address
        if sees and address.startswith("/memories/"):
            assert SECRET in page, address
