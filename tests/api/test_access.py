"""Every operation × every role, walked off the API's own document; and what else keeps strangers out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from memoryapp.accounts.keys import create_key, revoke_key
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.people import create_person, set_active
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.interfaces.api.assembly import document
from memoryapp.search import settle
from tests.api.conftest import Agent
from tests.sampling import every

UNSAFE = ("POST", "PATCH", "PUT", "DELETE")


def operations() -> list[Any]:
    return list(walked())


def walked() -> Iterator[Any]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            address = path.removeprefix("/api/v1")
            yield pytest.param(method.upper(), address, operation, id=f"{method.upper()} {address}")


def filled(path: str, space: str) -> str:
    key = "999999" if path.startswith("/keys/") else new_id()
    return path.replace("{id}", key).replace("{parent}", new_id()).replace("{name}", space)


def body_of(operation: dict[str, Any]) -> Any:
    return operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")


@pytest.mark.parametrize(("method", "path", "operation"), every(5, operations()))
def test_each_role_may_do_what_it_is_for_and_no_more(
    agents: dict[Role, Agent], space: Space, method: str, path: str, operation: dict[str, Any]
) -> None:
    if operation["x-role"] == "none":
        assert Client().generic(method, f"/api/v1{path}").status_code == 200
        return
    needed = Role(operation["x-role"])
    for role, agent in agents.items():
        answer = agent.ask(method, filled(path, space.name), body_of(operation))
        refused = answer.status_code == 403 and answer.json()["type"].endswith("#not-allowed")
        may = role.allows(needed) and operation["x-scope"] != "app"  # these keys are for one space
        assert refused is not may, (role, answer.status_code, answer.content[:300])
        assert answer.status_code != 401


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "path", "operation"), operations())
def test_nothing_is_open_without_a_key_not_even_on_this_machine(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    if operation["x-role"] == "none":
        return
    answer = Client().generic(method, f"/api/v1{filled(path, 'default')}")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json" and answer["WWW-Authenticate"].startswith("Bearer")


def test_whatever_writes_takes_more_than_a_reader() -> None:
    asks = {
        "/search", "/search/compare", "/search/explain", "/context",
        "/embeddings", "/atoms/preview",
        "/export", "/tree/export", "/tree/reach",
    }  # fmt: skip
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            if method.upper() in UNSAFE and path.removeprefix("/api/v1") not in asks:
                assert Role(operation["x-role"]) is not Role.READER, path


def test_a_key_opens_its_own_space_and_no_other(writer: Agent) -> None:
    other = create_space(f"o-{new_id()}")
    answer = writer.get("/memories", X_Space=other.name)
    assert answer.status_code == 404 and answer.json()["field"] == "X-Space"
    missing = writer.get("/memories", X_Space="not-there")
    assert missing.status_code == 404
    assert missing.json()["detail"].replace("not-there", other.name) == answer.json()["detail"]
    assert other.name not in [one["name"] for one in writer.get("/spaces").json()["items"]]


def test_a_job_or_memory_of_another_space_is_not_seen(root: Agent, writer: Agent) -> None:
    other = create_space(f"o-{new_id()}")
    theirs = Agent(root.key, space=other.name).write("A secret.")
    assert writer.get(f"/memories/{theirs['id']}").status_code == 404
    assert writer.post("/search", {"query": "secret"}).json()["items"] == []


def test_the_key_may_come_in_either_header(writer: Agent) -> None:
    assert Client().get("/api/v1/memories", headers={"X-API-Key": writer.key}).status_code == 200
    assert Client().get("/api/v1/memories", headers={"Authorization": f"bearer {writer.key}"}).status_code == 200


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer pal_x_y", "Basic abc", "Bearer \x00", "Token x"])
@pytest.mark.django_db
def test_a_wrong_key_is_no_key(said: str) -> None:
    assert Client().get("/api/v1/memories", headers={"Authorization": said}).status_code == 401


def test_a_revoked_key_opens_nothing(writer: Agent) -> None:
    revoke_key(ApiKey.objects.get(prefix=writer.key.split("_")[1]))
    assert writer.get("/memories").status_code == 401


def test_a_key_goes_with_the_person_who_made_it(space: Space) -> None:
    person = create_person("bob", space=space, role=Role.ADMIN)
    agent = Agent(create_key("k", role=Role.READER, space=space, created_by=person)[1])
    assert agent.get("/memories").status_code == 200
    set_active(person, False)
    assert agent.get("/memories").status_code == 401


def browser(person: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    return client


def test_a_browser_that_is_logged_in_may_read_and_needs_its_token_to_write(space: Space) -> None:
    client = browser(create_person("alice", space=space, role=Role.CURATOR))
    assert client.get("/api/v1/memories").status_code == 200
    body = b'{"text": "From a page."}'
    refused = client.post("/api/v1/memories", body, content_type="application/json")
    assert refused.status_code == 403 and "CSRF" in refused.json()["detail"]
    token = "a" * 32
    client.cookies[settings.CSRF_COOKIE_NAME] = token
    allowed = client.post("/api/v1/memories", body, content_type="application/json", headers={"X-CSRFToken": token})
    assert allowed.status_code == 201, allowed.content


def test_a_person_without_a_role_sees_nothing(space: Space) -> None:
    client = browser(create_person("carol"))
    assert client.get("/api/v1/memories").status_code == 403
    assert client.get("/api/v1/memories", headers={"X-Space": space.name}).status_code == 404


def test_an_access_is_counted_where_a_memory_was_used_and_not_where_it_was_found(space: Space, writer: Agent) -> None:
    key = writer.write("The queue moved to Redis.")["id"]
    client = browser(create_person("dora", space=space, role=Role.READER))
    token = "b" * 32
    client.cookies[settings.CSRF_COOKIE_NAME] = token
    asked = client.post(
        "/api/v1/search", b'{"query": "Redis"}', content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert asked.status_code == 200 and asked.json()["items"]
    writer.post("/search", {"query": "Redis"})
    settle()
    assert writer.get(f"/memories/{key}").json()["usage"]["accesses"] == 0
    writer.post(f"/memories/{key}/feedback", {"used": True})
    assert writer.get(f"/memories/{key}").json()["usage"]["accesses"] == 1


def test_an_agent_is_named_in_the_history(writer: Agent) -> None:
    key = writer.ask("POST", "/memories", {"text": "Hello."}, X_Agent_ID="sub-7").json()["id"]
    (layer,) = writer.get(f"/memories/{key}/history").json()["items"]
    assert (layer["actor"], layer["actor_kind"]) == ("planner/sub-7", "agent")
