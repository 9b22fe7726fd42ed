"""People over HTTP: listed, added, given a role, shut out; and a link that lets one in."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.domain.identity import new_id
from tests.api.conftest import Agent


def test_a_person_is_added_with_a_role_and_given_another(admin: Agent, space: Space) -> None:
    name = f"ada-{new_id()}"
    made = admin.post("/people", {"name": name, "role": "writer"})
    assert made.status_code == 201 and made.json() == {
        "name": name, "role": "writer", "everywhere": False, "active": True, "password": False, "last_login": None,
    }  # fmt: skip
    assert admin.post("/people", {"name": name.upper()}).status_code == 409
    assert [one["name"] for one in admin.get("/people").json()["items"]] == [name]
    assert admin.patch(f"/people/{name}", {"role": "curator"}).json()["role"] == "curator"
    assert admin.patch(f"/people/{name}", {"role": None}).json()["role"] is None
    assert admin.get("/people").json()["items"] == []
    assert admin.patch(f"/people/{name}", {"role": "reader"}).status_code == 404  # no longer one of this space


def test_an_administrator_of_one_space_reaches_nobody_beyond_it(admin: Agent, space: Space) -> None:
    stranger, member = f"s-{new_id()}", f"m-{new_id()}"
    create_person(stranger)
    create_person(member, space=space, role=Role.READER)
    assert admin.patch(f"/people/{stranger}", {"role": "admin"}).status_code == 404
    assert admin.patch(f"/people/{member}", {"active": False}).status_code == 403
    assert admin.patch(f"/people/{member}", {"password": "correct horse battery"}).status_code == 403
    assert admin.post(f"/people/{member}/login-link").status_code == 403
    assert admin.patch(f"/people/{member}", {}).status_code == 422


def test_an_administrator_of_every_space_shuts_out_and_lets_in_and_makes_links(root: Agent, space: Space) -> None:
    name = f"kim-{new_id()}"
    create_person(name, space=space)
    assert root.patch(f"/people/{name}", {"active": False}).json()["active"] is False
    assert root.patch(f"/people/{name}", {"active": True, "password": "correct horse battery"}).json()["password"]
    assert root.patch(f"/people/{name}", {"password": "a"}).json()["field"] == "/password"
    assert root.patch(f"/people/{name}", {"role": "admin", "password": "a"}).status_code == 422
    assert root.patch(f"/people/{name}", {"active": True}).json()["role"] == "reader"  # all of a change, or nothing
    assert User.objects.get(username=name).check_password("correct horse battery")
    link = root.post(f"/people/{name}/login-link")
    assert link.status_code == 201 and link.json()["seconds"] == 900
    visitor = Client()
    visitor.post(urlsplit(link.json()["url"]).path)
    assert visitor.session.get("_auth_user_id") == str(User.objects.get(username=name).pk)


def test_the_list_of_people_is_paged(root: Agent, space: Space) -> None:
    names = sorted(f"p{n}-{new_id()}" for n in range(5))
    for name in names:
        create_person(name, space=space)
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = root.get(f"/people?limit=2&cursor={cursor}").json()
        assert len(page["items"]) <= 2
        seen += [one["name"] for one in page["items"]]
        cursor = page["next_cursor"]
    assert [name for name in seen if name in names] == names
