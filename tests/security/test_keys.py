"""Keys: what is kept of them, how far they reach, and how soon they are gone."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from memoryapp.accounts.keys import create_key, revoke_key, rotate_key
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.people import create_person, set_active, set_role
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.identity import new_id
from memoryapp.interfaces.api.caller import Caller
from memoryapp.interfaces.jobs.api import _events, _may_see
from memoryapp.jobs.models import Job
from tests.api.conftest import Agent


def test_a_key_is_kept_as_a_hash_alone_and_told_once(row: Space, owner: Agent, admin: Client) -> None:
    text = owner.post("/keys", {"name": "k", "role": "reader", "space": row.name}).json()["key"]
    secret = text.split("_", 2)[2]
    kept = ApiKey.objects.get(prefix=text.split("_")[1])
    assert kept.secret_hash == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in owner.get("/keys").content.decode() and secret not in repr(kept) + str(kept)
    assert secret not in admin.get("/settings/keys/").content.decode()
    file = Path(settings.DATABASES["default"]["NAME"])
    assert secret.encode() not in (file.read_bytes() if file.is_file() else b"")


def test_a_revoked_and_a_rotated_key_open_nothing_at_the_next_request(row: Space) -> None:
    key, text = create_key("k", role=Role.CURATOR, space=row)
    assert Agent(text).get("/memories").status_code == 200
    _, new = rotate_key(key)
    assert Agent(text).get("/memories").status_code == 401
    assert Agent(new).get("/memories").status_code == 200
    revoke_key(ApiKey.objects.get(prefix=new.split("_")[1]))
    assert Agent(new).get("/memories").status_code == 401
    assert Client().get("/v1/ping/", headers={"Authorization": f"Token {new}"}).status_code == 401


def test_the_last_use_of_a_key_is_shown(row: Space, owner: Agent) -> None:
    key, text = create_key("k", role=Role.READER, space=row)
    assert key.last_used_at is None
    Agent(text).get("/memories")
    shown = next(one for one in owner.get("/keys").json()["items"] if one["id"] == key.pk)
    assert shown["last_used_at"] is not None


def test_a_key_does_no_more_than_its_maker_may_do_now(row: Space) -> None:
    """Whoever is made a reader would else stay an administrator by the key made before."""
    maker = create_person("mina", space=row, role=Role.ADMIN)
    agent = Agent(create_key("k", role=Role.ADMIN, space=row, created_by=maker)[1])
    assert agent.get("/keys").status_code == 200
    set_role(maker, row, Role.READER)
    assert agent.get("/keys").status_code == 403
    assert agent.get("/memories").status_code == 200
    assert agent.post("/memories", {"text": "x"}).status_code == 403
    set_role(maker, row, None)
    assert agent.get("/memories").status_code == 404
    assert agent.get("/spaces").status_code == 404


def test_a_key_for_every_space_shrinks_with_its_maker(row: Space) -> None:
    maker, other = create_person("root", admin=True), create_space(f"o-{new_id()}")
    agent = Agent(create_key("k", role=Role.ADMIN, created_by=maker)[1], space=row.name)
    assert {row.name, other.name} <= {one["name"] for one in agent.get("/spaces").json()["items"]}
    maker.is_superuser = False
    maker.save()
    set_role(maker, row, Role.WRITER)
    assert [one["name"] for one in agent.get("/spaces").json()["items"]] == [row.name]
    assert agent.get("/keys").status_code == 403
    assert agent.get("/memories", X_Space=other.name).status_code == 404
    assert agent.post("/spaces", {"name": "mine"}).status_code == 403


def test_a_key_of_lesser_role_is_not_raised_by_its_maker(row: Space) -> None:
    agent = Agent(create_key("k", role=Role.READER, space=row, created_by=create_person("root", admin=True))[1])
    assert agent.post("/memories", {"text": "x"}).status_code == 403


@pytest.mark.parametrize("body", [{"role": "admin", "space": None}, {"role": "reader", "space": "THERE"}])
def test_an_administrator_of_one_space_makes_no_key_for_another(
    owner: Agent, elsewhere: Space, body: dict[str, object]
) -> None:
    before = ApiKey.objects.count()
    sent = {"name": "k", **body, **({"space": elsewhere.name} if body["space"] else {})}
    assert owner.post("/keys", sent).status_code in (403, 404)
    assert ApiKey.objects.count() == before


def test_a_stream_ends_when_its_key_is_revoked(row: Space) -> None:
    """It may last an hour, and its request was let in at the start."""
    key, _ = create_key("k", role=Role.READER, space=row)
    caller = Caller(Actor(ActorKind.AGENT, "k"), Role.READER, row, False, key, None)
    assert _may_see(caller, row.name)
    revoke_key(key)
    assert not _may_see(caller, row.name)
    person = create_person("mina", space=row)
    caller = Caller(Actor(ActorKind.PERSON, "mina"), Role.READER, row, False, None, person)
    assert _may_see(caller, row.name)
    create_person("root", admin=True)
    set_active(person, False)
    assert not _may_see(caller, row.name)


@pytest.mark.django_db(transaction=True)
def test_nothing_more_is_told_once_the_stream_may_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryapp.interfaces.jobs.api.LOOK_EVERY", 0.0)
    job = Job.objects.create(id=new_id(), kind="ingest", space="s", status="running")

    async def told() -> list[bytes]:
        return [part async for part in _events(job, may_see=lambda: False)]

    assert len(asyncio.run(told())) == 2  # how long to wait before asking again, and where it stood at the start
