"""Golden queries over HTTP: added, joined, changed, in and out as lines, asked by several strategies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoryapp.domain.identity import new_id
from memoryapp.jobs.models import Job
from memoryapp.jobs.run import run
from tests.api.conftest import Agent

NOTES = [
    {"text": "We moved the queue to Redis because RabbitMQ lost messages.", "ref": "a", "tags": ["queue"]},
    {"text": "RabbitMQ needs Erlang.", "ref": "b"},
    {"text": "The cat sleeps on the keyboard.", "ref": "c"},
]
ASKED = {"query": "Why did we leave RabbitMQ?", "relevant": ["a"], "note": "the move"}


@pytest.fixture
def ids(writer: Agent) -> dict[str, str]:
    """Of the notes, by ref."""
    assert writer.post("/memories/batch", {"items": NOTES}).status_code == 200
    return {one["ref"]: one["id"] for one in writer.get("/memories").json()["items"]}


def added(agent: Agent, **more: Any) -> Any:
    answer = agent.post("/golden", {**ASKED, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()["golden"]


def test_a_golden_query_tells_what_it_means_and_what_became_of_that(
    ids: dict[str, str], curator: Agent, reader: Agent
) -> None:
    made = curator.post("/golden", {**ASKED, "relevant": ["a", ids["b"]], "filters": {"tags": ["queue"]}})
    assert made.status_code == 201 and made["ETag"] == '"1"' and made.json()["outcome"] == "added"
    golden = made.json()["golden"]
    assert [(one["id"], one["ref"], one["state"]) for one in golden["relevant"]] == [
        (ids["a"], "a", "held"),
        (ids["b"], "b", "held"),
    ]
    assert golden["relevant"][0]["text"].startswith("We moved the queue") and golden["gone"] == 0
    assert golden["filters"] == {"tags": ["queue"]} and golden["as_of"] is None and golden["note"] == "the move"
    assert reader.get(f"/golden/{golden['id']}").json() == golden
    assert curator.delete(f"/memories/{ids['b']}").status_code == 200
    (listed,) = reader.get("/golden").json()["items"]
    assert listed["gone"] == 1 and listed["relevant"][1]["state"] == "deleted"


def test_the_same_question_is_joined_and_another_filter_makes_another(ids: dict[str, str], curator: Agent) -> None:
    first = added(curator)
    joined = curator.post("/golden", {**ASKED, "relevant": ["b"]}).json()
    assert joined["outcome"] == "joined" and joined["golden"]["id"] == first["id"] and joined["golden"]["version"] == 2
    assert [one["ref"] for one in joined["golden"]["relevant"]] == ["a", "b"]
    assert added(curator, filters={"kinds": ["note"]})["id"] != first["id"]
    assert added(curator, as_of="2026-11-01T00:00:00Z")["as_of"] == "2026-11-01T00:00:00Z"
    assert curator.get("/golden").json()["total"] == 3


def test_only_what_is_sent_is_changed(ids: dict[str, str], curator: Agent) -> None:
    was = added(curator, filters={"tags": ["queue"]}, as_of="2026-11-01T00:00:00Z")
    path = f"/golden/{was['id']}"
    now = curator.patch(path, {"relevant": ["a", "b"]}, If_Match='"1"').json()["golden"]
    assert [one["ref"] for one in now["relevant"]] == ["a", "b"] and now["version"] == 2
    assert {name: now[name] for name in ("query", "filters", "as_of", "note")} == {
        name: was[name] for name in ("query", "filters", "as_of", "note")
    }
    assert curator.patch(path, {"note": "late"}, If_Match='"1"').status_code == 412
    now = curator.patch(path, {"as_of": None}).json()["golden"]
    assert now["as_of"] is None and now["filters"] == {"tags": ["queue"]}
    now = curator.patch(path, {"filters": {}, "query": "Why Redis?"}).json()["golden"]
    assert now["filters"] == {} and now["query"] == "Why Redis?" and now["note"] == "the move"
    assert curator.patch(path, {}).status_code == 422
    assert curator.patch(path, {"relevant": ["nobody"]}).json()["field"] == "/relevant/0"
    other = added(curator)
    assert curator.patch(f"/golden/{other['id']}", {"query": "Why Redis?"}).status_code == 409


def test_a_deleted_one_is_told_and_can_be_made_anew(ids: dict[str, str], curator: Agent) -> None:
    was = added(curator)
    path = f"/golden/{was['id']}"
    assert curator.delete(f"{path}?dry_run=true").json() == {"golden": was, "outcome": "deleted", "dry_run": True}
    assert curator.delete(path, If_Match='"7"').status_code == 412
    gone = curator.delete(path).json()
    assert gone["golden"] == was and curator.get(path).status_code == 404 == curator.delete(path).status_code
    again = added(curator, relevant=[one["id"] for one in gone["golden"]["relevant"]])
    assert again["id"] == was["id"]


def test_pages_follow_one_another_without_gaps(ids: dict[str, str], curator: Agent) -> None:
    made = [added(curator, query=f"Question {n}?")["id"] for n in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = curator.get(f"/golden?limit=2&cursor={cursor}").json()
        assert page["total"] == 5
        seen += [one["id"] for one in page["items"]]
        if not (cursor := page["next_cursor"] or ""):
            break
    assert seen == made
    assert curator.get("/golden?cursor=nonsense").status_code == 422


def test_lines_come_out_and_go_in_as_they_were(ids: dict[str, str], curator: Agent, reader: Agent) -> None:
    golden = added(curator, filters={"tags": ["queue"]})
    out = reader.get("/golden/export")
    assert out["Content-Type"].startswith("application/x-ndjson") and "golden.jsonl" in out["Content-Disposition"]
    lines = out.content.decode()
    (line,) = map(json.loads, lines.splitlines())
    assert line["query"] == ASKED["query"] and line["relevant"] == [ids["a"]] and line["refs"] == ["a"]
    curator.delete(f"/golden/{golden['id']}")
    wrong = lines + "no json\n" + json.dumps({"query": "x", "relevant": ["nobody"]}) + "\n"
    rehearsed = curator.post("/golden/import", {"lines": wrong, "dry_run": True}).json()
    assert [(one["line"], one["outcome"]) for one in rehearsed["lines"]] == [(1, "add"), (2, "bad"), (3, "bad")]
    assert "nobody" in rehearsed["lines"][2]["told"] and not rehearsed["written"] and rehearsed["bad"] == 2
    strict = curator.post("/golden/import", {"lines": wrong, "strict": True}).json()
    assert not strict["written"] and curator.get("/golden").json()["total"] == 0
    done = curator.post("/golden/import", {"lines": wrong}).json()
    assert done["written"] and done["added"] == 1
    assert reader.get("/golden/export").content.decode() == lines
    assert curator.post("/golden/import", {"lines": lines}).json()["same"] == 1


def test_a_run_tells_how_each_plan_did_and_what_changed(ids: dict[str, str], curator: Agent, reader: Agent) -> None:
    golden = added(curator, query="RabbitMQ Erlang", relevant=["b"])

    def ran(*plans: str) -> list[Any]:
        begun = curator.post("/golden/runs", {"strategies": list(plans), "k": 5})
        assert begun.status_code == 202, begun.content
        key = begun.json()["job"]["id"]
        assert begun["Location"].endswith(key)
        run(key)
        job = reader.get(f"/jobs/{key}").json()
        assert job["status"] == "done" and job["report"]["queries"] == 1, job
        return [reader.get(f"/golden/runs/{one['id']}").json() for one in job["report"]["runs"]]

    first, by_words = ran("keyword", "keyword;keyword=2")
    assert first["plan"] == "keyword" and by_words["plan"] == "keyword;keyword=2" and first["k"] == 5
    assert first["measures"] == {"recall": 1.0, "mrr": 1.0, "ndcg": 1.0, "precision": 0.2}
    assert first["change"] is None and first["by"] == "planner" and first["conditions"]["memories"] == 3
    (outcome,) = first["outcomes"]
    assert outcome["golden"] == golden["id"] and outcome["ranks"] == {ids["b"]: 1}
    curator.write("RabbitMQ Erlang RabbitMQ Erlang")
    (second,) = ran("keyword")
    change = second["change"]
    assert change["before"] == first["id"] and change["shared"] == 1 and change["worse"]
    assert change["deltas"]["mrr"] == -0.5 and change["conditions"] and not change["better_queries"]
    assert change["worse_queries"] == [
        {"golden": golden["id"], "query": "RabbitMQ Erlang", "ranks": {ids["b"]: [1, 2]}}
    ]

    listed = reader.get("/golden/runs").json()["items"]
    assert [one["id"] for one in listed] == [second["id"], by_words["id"], first["id"]]
    assert "outcomes" not in listed[0]
    page = reader.get("/golden/runs?plan=keyword&limit=1").json()
    assert [one["id"] for one in page["items"]] == [second["id"]]
    page = reader.get(f"/golden/runs?plan=keyword&limit=1&cursor={page['next_cursor']}").json()
    assert [one["id"] for one in page["items"]] == [first["id"]] and page["next_cursor"] is None


def test_what_cannot_be_run_is_said_at_once(curator: Agent, ids: dict[str, str]) -> None:
    empty = curator.post("/golden/runs", {"strategies": ["hybrid"]})
    assert empty.status_code == 422 and "no golden queries" in empty.json()["detail"]
    added(curator)
    wrong = curator.post("/golden/runs", {"strategies": ["hybrid", "magic"]})
    assert wrong.status_code == 422 and wrong.json()["field"] == "/strategies/1"
    assert curator.post("/golden/runs", {"strategies": ["hybrid"], "k": 101}).json()["field"] == "/k"
    assert Job.objects.filter(kind="golden").count() == 0


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"query": " "}, "/query"),
        ({"relevant": []}, "/relevant"),
        ({"relevant": ["a", "nobody"]}, "/relevant/1"),
        ({"relevant": ["a"] * 101}, "/relevant"),
        ({"filters": {"tag": ["x"]}}, "/filters/tag"),
        ({"as_of": "now"}, "/as_of"),
        ({"note": "x" * 1_001}, "/note"),
    ],
)
def test_a_bad_golden_query_is_refused_with_the_field_at_fault(
    ids: dict[str, str], curator: Agent, more: dict[str, Any], field: str
) -> None:
    answer = curator.post("/golden", {**ASKED, **more})
    assert answer.status_code in (413, 422) and answer.json()["field"] == field, answer.content
    assert curator.get("/golden").json()["total"] == 0


def test_what_is_not_there_is_not_found(reader: Agent, curator: Agent) -> None:
    for path in (f"/golden/{new_id()}", "/golden/nothing", f"/golden/runs/{new_id()}", "/golden/runs/nothing"):
        assert reader.get(path).status_code == 404
    assert curator.patch(f"/golden/{new_id()}", {"note": "x"}).status_code == 404


def test_who_may_not_correct_changes_nothing(reader: Agent, writer: Agent, ids: dict[str, str]) -> None:
    for agent in (reader, writer):
        assert agent.post("/golden", ASKED).status_code == 403
        assert agent.post("/golden/import", {"lines": "{}"}).status_code == 403
        assert agent.post("/golden/runs", {"strategies": ["hybrid"]}).status_code == 403
    assert reader.get("/golden").json()["total"] == 0 and reader.get("/golden/export").content == b""
