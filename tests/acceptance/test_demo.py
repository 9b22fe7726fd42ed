"""The example's notes and talks with the real model: the questions, conflicts and stories the product was made for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.place import ENDED, Place, client, got, place_in, until
from tests.live import live_app, manage

pytestmark = [pytest.mark.slow, pytest.mark.long]
QUESTION = "what happened with the RTX 5070 Ti VRAM issue"
SESSIONS = 11
CLASHES = [  # what it is about, what was said first, what was said later
    ("lives in", "Seoul", "Busan"),
    ("lives in", "서울", "부산"),
    ("nightly backup", "03:00", "02:00"),
    ("deploy freeze", "18:00", "16:00"),
    ("staging server", "8080", "9090"),
    ("production database", "Postgres 15", "Postgres 16"),
]
DIET = ("diet", "vegetarian", "chicken")  # also true; whether it is seen is the detectors' own matter


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    data = tmp_path_factory.mktemp("demo")
    with live_app(data, "--demo", MEMORY_ENCODER="all-MiniLM-L6-v2", MEMORY_INGEST_ROOTS=str(data / "none")) as app:
        with client(app.url, app.key, "default") as api:
            jobs = until(lambda: got(api, "/jobs", params={"limit": 200})["items"], _all_ended)
            assert {job["status"] for job in jobs} == {"done"}, jobs
            until(lambda: got(api, "/health/ready"), lambda told: told["encoder"] == "ready")
        yield place_in(app, data / "demo", space="default")


def _conflicts(demo: Place, status: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = got(demo.api, "/conflicts", params={"limit": 100, "status": status})["items"]
    return found


def _all_ended(jobs: list[dict[str, Any]]) -> bool:
    kinds = Counter(job["kind"] for job in jobs)
    return kinds["demo"] > 0 and all(job["status"] in ENDED for job in jobs)


def test_the_note_that_tells_what_happened_comes_first_with_its_reasons(demo: Place) -> None:
    found = demo.search(QUESTION)
    assert found["notes"] == [] and found["strategy"] == "hybrid"
    best = found["items"][0]
    assert best["title"] == "RTX 5070 Ti VRAM issue" and "VRAM on the RTX 5070 Ti crept" in best["text"]
    assert {"keyword", "vector"} <= {name for name, arm in best["arms"].items() if arm["share"] > 0}
    assert best["evidence"]["cosine"] > 0.5
    assert {"5070", "vram", "issu"} <= {term["term"] for term in best["evidence"]["terms"]}
    assert best["source"]["path"].startswith("daily/") and best["source"]["first_line"]


def test_every_score_is_the_sum_of_its_shares_times_its_factors(demo: Place) -> None:
    for strategy in got(demo.api, "/strategies")["items"]:
        for hit in demo.search(QUESTION, strategy=strategy["name"])["items"]:
            shares = sum(arm["share"] for arm in hit["arms"].values())
            assert hit["score"] == shares * math.prod(hit["factors"].values()), strategy["name"]


@pytest.mark.parametrize("question", ["가치관이 뭐야?", "가치관", "우리 팀의 가치관은?"])
def test_a_korean_question_finds_the_notes_that_say_only_the_word(demo: Place, question: str) -> None:
    best = demo.search(question)["items"][:3]
    assert "가치관" in best[0]["text"] + best[0]["title"] + "".join(best[0]["breadcrumb"])


def test_a_note_that_says_only_the_word_is_found_by_the_whole_question(demo: Place) -> None:
    key = demo.write("가치관")["id"]
    hits = demo.search("가치관이 뭐야?")["items"]
    assert key in [hit["id"] for hit in hits]
    (hit,) = [hit for hit in hits if hit["id"] == key]
    assert hit["arms"]["keyword"]["share"] > 0 and hit["evidence"]["terms"]
    demo.act(f"/memories/{key}/purge")


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("why do we use pytest?", "Standup"),
        ("who approved the Terraform plan?", "Standup"),
        ("where do secrets come from?", "Secrets"),
        ("how was the lost update bug fixed?", "Incident: lost updates"),
    ],
)
def test_a_question_in_other_words_finds_its_note_near_the_top(demo: Place, question: str, title: str) -> None:
    notes = demo.search(question, filters={"kinds": ["section"]})["items"]
    assert title in [hit["title"] for hit in notes[:3]]


def test_what_was_said_and_what_was_written_answer_beside_each_other(demo: Place) -> None:
    found = demo.search("why do we use pytest?")["items"]
    hits = [hit for hit in found if hit["kind"] != "node"]  # a page of the tree says it as well
    assert "pytest over unittest" in hits[0]["text"] and hits[0]["kind"] == "fact"
    assert "Standup" in [hit["title"] for hit in hits]


def test_the_example_can_be_read_again_without_a_change(demo: Place) -> None:
    again = demo.read(Path(demo.folder))["report"]
    assert (again["added"], again["changed"], again["archived"], again["embedded"]) == (0, 0, 0, 0)


def test_the_past_is_three_weeks_long_and_shows_what_was_done_in_it(demo: Place) -> None:
    facts = got(demo.api, "/memories", params={"kinds": "fact", "limit": 200})["items"]
    assert len({fact["created_at"][:10] for fact in facts}) >= 8
    decided = got(demo.api, "/conflicts", params={"status": "automatic"})["items"]
    assert any("3000" in _sides(one)[0] and "3100" in _sides(one)[1] for one in decided)
    (digest,) = got(demo.api, "/memories", params={"kinds": "digest"})["items"]
    assert digest["state"] == "held" and got(demo.api, "/memories", params={"states": "archived"})["total"] >= 3
    nodes = {node["path"]: node for node in got(demo.api, "/tree")["items"]}
    assert "project/store" in nodes and "Adam works on Terraform" in got(demo.api, "/tree/nodes/team/adam")["text"]
    assert {one["name"] for one in got(demo.api, "/profiles")["items"]} == {"recent-first"}
    assert len(got(demo.api, "/golden")["items"]) >= 4 and len(got(demo.api, "/golden/runs")["items"]) == 4
    assert {one["kind"] for one in got(demo.api, "/jobs", params={"limit": 200})["items"]} >= {"demo"}


def test_two_agents_asked_over_the_weeks_and_said_what_was_of_use(demo: Place) -> None:
    traces = got(demo.api, "/traces", params={"limit": 50})["items"]
    assert len(traces) >= 12 and {one["agent"] for one in traces} == {"atlas", "scout"}
    assert {one["act"] for one in traces} == {"search", "context"}
    assert len({one["at"][:10] for one in traces}) >= 10, "on as many days"
    assert sum(one["used"] for one in traces) >= 8 and {"answered", "unclear"} <= {one["result"] for one in traces}
    keys = {one["prefix"]: one for one in got(demo.api, "/keys")["items"]}
    assert {one["key"] for one in traces} <= set(keys)
    assert all(one["created_at"] < one["last_used_at"] for one in keys.values() if one["agent"] in ("atlas", "scout"))
    steps = got(demo.api, "/first-steps")
    assert steps["asked"] and steps["agent"] in ("atlas", "scout") and not steps["shown"]


def test_the_example_keeps_itself_in_order(demo: Place) -> None:
    acts = {act["act"]: act for act in got(demo.api, "/heartbeat")["items"]}
    assert all(acts[key]["on"] for key in ("consolidate", "take-in", "tree-size")) and acts["tree-size"]["split"]
    (source,) = got(demo.api, "/sources")["items"]
    assert source["on_session_start"]


def test_every_session_was_read_and_told(demo: Place) -> None:
    sessions = got(demo.api, "/sessions", params={"limit": 100})["items"]
    assert len(sessions) == SESSIONS and all(one["ended_at"] for one in sessions)
    for one in sessions:
        turns = got(demo.api, f"/sessions/{one['id']}/turns", params={"limit": 100})["items"]
        assert turns and all(turn["reading"]["status"] == "done" for turn in turns), one["name"]
    episodes = got(demo.api, "/episodes", params={"limit": 100})["items"]
    assert {episode["session"] for episode in episodes} == {one["name"] for one in sessions}


def _sides(conflict: dict[str, Any]) -> tuple[str, str]:
    return conflict["existing"]["text"], conflict["incoming"]["text"]


@pytest.mark.parametrize(("about", "before", "after"), CLASHES)
def test_what_the_talks_contradict_is_decided_or_waits(demo: Place, about: str, before: str, after: str) -> None:
    found = [one for status in ("waiting", "automatic") for one in _conflicts(demo, status)]
    (one,) = [c for c in found if before in _sides(c)[0] and after in _sides(c)[1]]
    assert one["attribute"]
    assert about in " ".join((one["attribute"], *_sides(one)))
    # Of a fact that states two things only one has changed: then the other is to be kept.
    halved = about == "lives in" and " and " in _sides(one)[0]
    assert one["proposal"]["outcome"] == ("merge" if halved else "replace") and one["proposal"]["reason"]


def test_some_conflicts_are_decided_and_some_wait_for_a_person(demo: Place) -> None:
    assert len(_conflicts(demo, "waiting")) >= 2 and len(_conflicts(demo, "automatic")) >= 2


def test_nothing_is_called_a_conflict_that_is_none(demo: Place) -> None:
    for one in _conflicts(demo, "waiting"):
        before, after = _sides(one)
        assert any(was in before and now in after for _, was, now in (*CLASHES, DIET)), (before, after)


def test_an_episode_names_what_was_decided(demo: Place) -> None:
    found = got(demo.api, "/episodes", params={"q": "what did we decide about renting a GPU?"})["items"]
    assert "rent one H100" in found[0]["title"] + found[0]["decision"]
    assert any("rent one H100" in (episode["decision"] or "") for episode in found)


@pytest.fixture(scope="module")
def woven(demo: Place) -> Place:
    """The example once its graph is up to date."""
    job = demo.ended(demo.api.post("/heartbeat/graph/run").json()["job"]["id"])
    assert job["status"] == "done" and not job["report"]["problem"], job
    return demo


def _ways(place: Place, question: str) -> dict[str, list[str]]:
    """By the words of each memory that recall returns: the entities on the way to it."""
    found = place.act("/search", query=question, strategy="recall", floor=0, top_k=20)["items"]
    return {hit["text"]: [step.get("name", "") for step in hit["evidence"].get("path") or ()] for hit in found}


def test_the_deployment_pipeline_leads_to_adam_through_terraform(woven: Place) -> None:
    ways = _ways(woven, "What do I know about the deployment pipeline?")
    reached = [text for text, way in ways.items() if "Terraform" in way and "Adam" in text and "pipeline" not in text]
    assert "Adam works on Terraform two days a week." in reached


def test_a_database_leads_to_surrealdb_by_what_it_is(woven: Place) -> None:
    ways = _ways(woven, "database")
    (note,) = [way for text, way in ways.items() if "[[SurrealDB]] holds everything" in text]
    assert note[0].endswith("database") and "SurrealDB" in note[1:]


def test_both_names_of_the_editor_are_one(woven: Place) -> None:
    (editor,) = got(woven.api, "/entities", params={"text": "nvim"})["items"]
    assert editor["name"] == "Neovim" and (editor["type"], editor["state"]) == ("tool", "known")


def test_the_example_can_be_held_again_without_a_change(demo: Place) -> None:
    def held() -> tuple[object, ...]:
        sessions = got(demo.api, "/sessions", params={"limit": 100})["items"]
        told = ("/memories?kinds=section", "/memories?kinds=episode", "/memories?kinds=fact", "/conflicts")
        return (
            [got(demo.api, path)["total"] for path in told],
            sorted((one["name"], one["turns"]) for one in sessions),
        )

    before = held()
    again = manage("demo", data=demo.live.data)
    assert again.returncode == 0, again.stderr
    assert held() == before


@pytest.mark.long
def test_the_example_fills_a_new_space_beside_it_from_notes_of_its_own(demo: Place) -> None:
    made = manage("demo", "--new", "sample", "--json", data=demo.live.data, timeout=600)
    assert made.returncode == 0, made.stderr
    (source,) = got(demo.api, "/sources", headers={"X-Space": "sample"})["items"]
    assert source["root"] == str(demo.live.data / "samples" / "sample")
    assert len(got(demo.api, "/sources")["items"]) == 1
    assert got(demo.api, "/first-steps", headers={"X-Space": "sample"})["asked"]
    refused = manage("demo", "--new", "sample", data=demo.live.data)
    assert refused.returncode == 1 and "already a space called sample" in refused.stderr
