"""A space that reads another shows that one's lists as they are there, to be read and not changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from memoryapp import graph, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import set_role
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from tests.pages.conftest import ATLAS

Write = Callable[..., Memory]


@pytest.fixture
def child(row: Space, people: dict[Role, User]) -> Iterator[Space]:
    """A space that reads `row`; the curator has a role in it alone."""
    made = create_space(f"w-{new_id()}", parent=row)
    set_role(people[Role.CURATOR], made, Role.CURATOR)
    set_role(people[Role.CURATOR], row, None)
    yield made
    spaces.close_space(made.name)


def read(client: Client, path: str, **asked: str) -> str:
    answer = client.get(path, asked)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_the_lists_of_a_parent_are_a_tab_away_and_offer_no_change(
    curator: Client, child: Space, row: Space, space: spaces.Space, write: Write
) -> None:
    fact = write("Mina keeps the bucket in Busan.", kind=Kind.FACT)
    graph.add_entity(space, "Busan", type="place", aliases=(), actor=ATLAS)
    tab = f'?inherited_from={row.name}"'
    for path, words in (("/facts/", fact.text), ("/memories/", fact.text), ("/entities/", "Busan")):
        own = read(curator, path, space=child.name)
        assert tab in own and words not in own, path
        theirs = read(curator, path, inherited_from=row.name)
        assert words in theirs and f"From <b>{row.name}</b>" in theirs, path
        assert "data-edit" not in theirs and "data-pick-all" not in theirs, path
    assert tab in read(curator, "/graph/") and f"From <b>{row.name}</b>" in read(curator, f"/graph/{tab[:-1]}")
    scene = reverse("graph-scene")
    assert "Busan" not in read(curator, scene) and "Busan" in read(curator, scene, inherited_from=row.name)
    for path in ("/episodes/", "/summaries/"):
        assert tab in read(curator, path), path


def test_what_a_parent_alone_holds_opens_by_its_address_and_is_not_changed_there(
    curator: Client, child: Space, row: Space, space: spaces.Space, write: Write
) -> None:
    memory = write("Mina keeps the bucket in Busan.")
    entity, _, _ = graph.add_entity(space, "Busan", type="place", aliases=(), actor=ATLAS)
    for path, words in ((f"/memories/{memory.id}/", memory.text), (f"/entities/{entity.id}/", "Busan")):
        page = read(curator, path, space=child.name)
        assert words in page and f"From <b>{row.name}</b>" in page, path
    refused = curator.post(f"/memories/{memory.id}/archive/", {"space": child.name})
    assert refused.status_code == 404
    assert curator.get("/facts/", {"inherited_from": "elsewhere"}).status_code == 404
    assert curator.get(f"/memories/{new_id()}/").status_code == 404
