"""Consolidation over HTTP: a preview unless it is said otherwise, then a job, then the runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.consolidate import consolidate
from memoryapp.jobs import run
from memoryapp.jobs.models import Job
from tests.api.conftest import Agent
from tests.consolidate.logs import FREEZE, H100, H100_LATER, ROLLBACK, a_section, kept
from tests.samples import AGENT


@pytest.fixture
def logs(memory: Any) -> Any:
    """The opened space, with two digests due."""
    memory.encoder.get(30)
    today = timezone.now()
    sections = [
        a_section(text, days=0, title=f"Log {n}", occurred_at=today - timedelta(days=10 - n))
        for n, text in enumerate((H100, H100_LATER, FREEZE, ROLLBACK))
    ]
    kept(memory, *sections, names={"H100": tuple(sections[:2]), "Hangang": tuple(sections[2:])})
    return memory


def test_unless_told_otherwise_it_only_shows_what_it_would_do(logs: Any, curator: Agent) -> None:
    answer = curator.post("/consolidate", {})
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["dry_run"], shown["archives"], len(shown["digests"]), shown["ranker"]) == (True, 4, 2, "marks")
    digest = next(one for one in shown["digests"] if one["topic"]["name"] == "H100")
    assert digest["topic"]["by"] == "entity" and len(digest["originals"]) == 2
    said = {one["text"]: one for one in digest["sentences"]}
    decided = said["Decided: embedding moves to one rented H100."]
    assert decided["taken"] and decided["why"] == ["marker “decided”", "7 words", "1 name"] and 0 < decided["score"] < 1
    assert curator.post("/consolidate").json()["digests"] == shown["digests"]
    assert curator.get("/memories?kinds=digest").json()["items"] == []


def test_a_job_writes_what_was_approved(logs: Any, curator: Agent, reader: Agent) -> None:
    shown = curator.post("/consolidate", {}).json()
    digest, other = shown["digests"]
    picked = [one["id"] for one in digest["sentences"] if one["taken"]][:1]
    body = {
        "dry_run": False,
        "digests": [digest["id"], other["id"]],
        "prints": {digest["id"]: digest["print"], other["id"]: "0" * 16},
        "sentences": {digest["id"]: picked},
    }
    begun = curator.post("/consolidate", body)
    assert begun.status_code == 202
    job = begun.json()["job"]
    assert begun["Location"] == f"/api/v1/jobs/{job['id']}" and job["kind"] == "consolidate"
    if Job.objects.get(pk=job["id"]).status == "queued":
        run.run(job["id"])
    done = reader.get(f"/jobs/{job['id']}").json()
    assert done["status"] == "done", done
    assert (done["report"]["digests"], done["report"]["taken"]) == (1, 1)
    assert [left["id"] for left in done["report"]["left"]] == [other["id"]]
    written = reader.get(f"/memories/{digest['id']}").json()
    assert written["kind"] == "digest" and written["text"].count("- ") == 1

    page = reader.get("/consolidate/runs").json()
    assert [(one["run"], one["digests"], one["archived"], one["rolled_back_by"]) for one in page["items"]] == [
        (done["run"], 1, 2, None)
    ]
    undone = curator.post(f"/runs/{done['run']}/undo", {}).json()
    assert undone["undone"] == 3
    assert reader.get("/consolidate/runs").json()["items"][0]["rolled_back_by"] == undone["run"]


def test_the_preview_of_picked_sentences_shows_their_text(logs: Any, curator: Agent) -> None:
    digest = curator.post("/consolidate", {}).json()["digests"][0]
    last = digest["sentences"][-1]["id"]
    shown = curator.post("/consolidate", {"sentences": {digest["id"]: [last]}}).json()
    told = next(one for one in shown["digests"] if one["id"] == digest["id"])
    assert [one["id"] for one in told["sentences"] if one["taken"]] == [last]
    assert told["print"] == digest["print"] and told["text"] != digest["text"]
    only = curator.post("/consolidate", {"digests": [digest["id"]]}).json()
    assert [one["id"] for one in only["digests"]] == [digest["id"]]


def test_runs_come_page_by_page(logs: Any, reader: Agent, curator: Agent) -> None:
    for ranker in ("marks", "central"):
        made = curator.post("/consolidate", {"ranker": ranker}).json()["digests"]
        assert made
        from memoryapp.consolidate import Choice, Ranker

        consolidate(logs, actor=AGENT, ranker=Ranker(ranker), choices=[Choice(made[0]["id"])])
    first = reader.get("/consolidate/runs?limit=1").json()
    second = reader.get(f"/consolidate/runs?limit=1&cursor={first['next_cursor']}").json()
    assert [one["ranker"] for one in (*first["items"], *second["items"])] == ["central", "marks"]
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    "body, field",
    [
        ({"ranker": "best"}, "/ranker"),
        ({"older_than_days": -1}, "/older_than_days"),
        ({"digests": ["x"]}, "/digests/0"),
        ({"digests": [], "prints": {"0123456789abcdef": "1"}}, "/prints/0123456789abcdef"),
        ({"days": 3}, "/days"),
    ],
    ids=["ranker", "age", "id", "print", "unknown"],
)
def test_what_makes_no_sense_is_refused_by_name(logs: Any, curator: Agent, body: dict[str, Any], field: str) -> None:
    answer = curator.post("/consolidate", body)
    assert answer.status_code == 422 and answer.json()["field"] == field


def test_a_curator_folds_and_a_writer_may_not(logs: Any, writer: Agent) -> None:
    assert writer.post("/consolidate", {}).status_code == 403
