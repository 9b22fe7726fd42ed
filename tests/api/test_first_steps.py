"""The first steps over HTTP, and the sample loaded into a new space."""

from __future__ import annotations

import pytest

from memoryapp.accounts.models import ApiKey, Space
from memoryapp.domain.identity import new_id
from memoryapp.jobs import pipeline
from memoryapp.jobs.models import Job
from tests.api.conftest import Agent


@pytest.fixture(autouse=True)
def unqueued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs stay where they are: no worker runs beside these tests."""
    monkeypatch.setattr(pipeline, "queue", lambda job_id: None)


def test_the_steps_tick_themselves(admin: Agent, space: Space) -> None:
    begun = admin.get("/first-steps").json()
    # The key that asks is a first call as well.
    assert begun["shown"] and not any(begun[name] for name in ("started", "filled", "asked")) and begun["connected"]
    assert begun["questions"] == [] and begun["job"] is None
    job = Job.objects.create(kind="ingest", space=space.name, status="running", arguments={"dry_run": False})
    told = admin.get("/first-steps").json()
    assert (told["started"], told["filled"], told["job"]) == (True, False, job.pk)
    job.delete()
    admin.write("The queue moved to Redis.", title="Message queue")
    told = admin.get("/first-steps").json()
    assert told["filled"] and told["questions"][0] == "What about Message queue?" and not told["asked"]
    admin.post("/search", {"query": "queue"})
    assert admin.get("/first-steps").json()["asked"]


def test_a_key_for_every_space_counts_where_it_asked_something(root: Agent, space: Space) -> None:
    ApiKey.objects.exclude(space=None).delete()
    assert not root.get("/first-steps").json()["connected"]
    root.write("The queue moved to Redis.")
    root.post("/search", {"query": "queue"})
    from memoryapp.search import settle

    settle()
    told = root.get("/first-steps").json()
    assert told["connected"] and told["agent"]


def test_they_are_hidden_and_shown_by_an_administrator(admin: Agent, curator: Agent) -> None:
    assert curator.patch("/first-steps", {"shown": False}).status_code == 403
    assert admin.patch("/first-steps", {"shown": False}).json()["shown"] is False
    assert curator.get("/first-steps").json()["shown"] is False
    assert admin.patch("/first-steps", {"shown": True}).json()["shown"] is True
    assert admin.patch("/first-steps", {"shown": True, "hidden": 1}).status_code == 422


def test_the_sample_is_loaded_into_a_new_space_by_a_key_for_every_space(root: Agent, admin: Agent) -> None:
    name = f"s-{new_id()}"
    assert admin.post("/demo/new", {"space": name}).status_code == 403
    answer = root.post("/demo/new", {"space": name})
    assert answer.status_code == 202 and answer.json()["job"]["space"] == name
    assert Space.objects.get(name=name).title == "Sample"
    again = root.post("/demo/new", {"space": name})
    assert again.status_code == 409 and Job.objects.filter(kind="demo", space=name).count() == 1
    assert root.post("/demo/new", {"space": "Not A Name"}).status_code == 422
