"""POST /search and its companions: the shapes that outside programs rely on."""

from __future__ import annotations

import math

import pytest

from memoryapp.domain.identity import new_id
from memoryapp.domain.strategies import STRATEGIES
from tests.api.conftest import Agent

NOTES = [
    {
        "text": "We moved the queue to Redis because RabbitMQ lost messages.",
        "ref": "a",
        "speaker": "Alice",
        "session": "s",
    },
    {"text": "RabbitMQ needs Erlang.", "ref": "b", "speaker": "Bob", "session": "s"},
    {"text": "The cat sleeps on the keyboard.", "ref": "c", "tags": ["home"]},
    {"text": "가치관은 정직이다.", "ref": "d"},
]
LAW = {
    "id", "ref", "kind", "title", "text", "score", "trust", "strength", "arms", "factors", "evidence", "source",
    "conflicts",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _notes(writer: Agent) -> None:
    assert writer.post("/memories/batch", {"items": NOTES}).status_code == 200


def test_an_answer_has_the_shape_that_programs_rely_on(reader: Agent) -> None:
    answer = reader.post("/search", {"query": "why did RabbitMQ lose messages?", "top_k": 3}).json()
    assert set(answer) >= {"items", "strategy", "took_ms", "arms"} and answer["strategy"] == "hybrid"
    assert answer["items"][0]["ref"] == "a"
    for hit in answer["items"]:
        assert set(hit) >= LAW
        for arm in hit["arms"].values():
            assert set(arm) >= {"rank", "score", "share"}
    for arm in answer["arms"].values():
        assert set(arm) == {"count", "ms"}


def test_the_score_is_the_sum_of_the_shares_times_the_factors(reader: Agent) -> None:
    for strategy in sorted(STRATEGIES):
        answer = reader.post("/search", {"query": "RabbitMQ messages", "strategy": strategy})
        assert answer.status_code == 200, strategy
        for hit in answer.json()["items"]:
            total = sum(arm["share"] for arm in hit["arms"].values()) * math.prod(hit["factors"].values())
            assert hit["score"] == pytest.approx(total, abs=1e-9), strategy


def test_filters_and_top_k_narrow(reader: Agent) -> None:
    def refs(**more: object) -> list[str]:
        answer = reader.post("/search", {"query": "RabbitMQ keyboard Redis", **more})
        assert answer.status_code == 200, answer.content
        return [hit["ref"] for hit in answer.json()["items"]]

    assert len(refs(top_k=1)) == 1
    assert refs(filters={"tags": ["home"]}) == ["c"]
    assert set(refs(filters={"speakers": ["bob"]})) == {"b"}
    assert refs(filters={"states": ["archived"]}) == []
    assert refs(as_of="2020-01-01T00:00:00Z") == []


def test_korean_is_found(reader: Agent) -> None:
    assert reader.post("/search", {"query": "가치관이 뭐야?"}).json()["items"][0]["ref"] == "d"


def test_several_strategies_stand_side_by_side(reader: Agent) -> None:
    body = {"query": "RabbitMQ", "strategies": ["hybrid", "keyword"], "top_k": 5}
    told = reader.post("/search/compare", body).json()
    assert set(told) >= {"columns", "agreement"}
    assert [column["strategy"] for column in told["columns"]] == ["hybrid", "keyword"]
    (pair,) = told["agreement"]["overlap"]
    assert pair["a"] == "hybrid" and 0 <= pair["jaccard"] <= 1
    for key, ranks in told["agreement"]["ids"].items():
        for column, rank in zip(told["columns"], ranks, strict=True):
            ids = [hit["id"] for hit in column["items"]]
            assert (ids[rank - 1] == key) if rank else (key not in ids)


def test_each_column_tells_the_plan_that_its_shares_come_from(reader: Agent) -> None:
    body = {"query": "RabbitMQ lost messages", "strategies": ["rrf;k=7;keyword=2", "hybrid;speaker_boost=0.3"]}
    told = reader.post("/search/compare", body).json()
    by_rank, hybrid = told["columns"]
    plan = by_rank["plan"]
    assert (plan["name"], plan["fusion"], plan["k"]) == ("rrf;keyword=2;k=7", "rrf", 7)
    assert plan["weights"] == {"vector": 1.0, "keyword": 2.0, "graph": 0.5}
    for hit in by_rank["items"]:
        for name, arm in hit["arms"].items():
            expected = plan["weights"][name] / (plan["k"] + arm["rank"]) if arm["rank"] else 0
            assert arm["share"] == pytest.approx(expected, abs=1e-9)
    assert hybrid["plan"]["numbers"]["speaker_boost"] == 0.3 and by_rank["plan"]["numbers"]["speaker_boost"] == 0.15
    assert 0 < told["agreement"]["overlap"][0]["rbo"] <= 1


@pytest.mark.parametrize("bad", [["hybrid", "magic"], ["hybrid", "rrf;k=0"], ["hybrid", "hybrid;nothing=1"]])
def test_a_column_at_fault_is_pointed_at(reader: Agent, bad: list[str]) -> None:
    for path, more in (("/search/compare", {}), ("/search/explain", {"ref": "a"})):
        answer = reader.post(path, {"query": "RabbitMQ", "strategies": bad, **more})
        assert answer.status_code == 422 and answer.json()["field"] == "/strategies/1"


def test_an_absence_is_explained_by_several_strategies_stage_by_stage(reader: Agent) -> None:
    by_ref = {one["ref"]: one["id"] for one in reader.get("/memories").json()["items"]}
    body = {"query": "RabbitMQ lost messages", "ref": "b", "strategies": ["keyword", "hybrid;vector=0"], "top_k": 1}
    items = reader.post("/search/explain", body).json()["items"]
    assert [one["strategy"] for one in items] == ["keyword", "hybrid;vector=0"]
    for one in items:
        assert one["id"] == by_ref["b"] and one["stage"] == "cut" and not one["found"]
        assert [step["passed"] for step in one["steps"]][-1] is False and one["steps"][0]["passed"]
        assert one["steps"][-1]["stage"] == "cut" and all(step["told"].endswith(".") for step in one["steps"])
        (shown,) = [lift for lift in one["lifts"] if lift["change"] == "top_k"]
        assert shown["rank"] == one["rank"] and shown["told"].endswith(".")
    arms = [step["detail"]["arm"] for step in items[0]["steps"] if step["stage"] == "arm"]
    assert arms == ["keyword"]


@pytest.mark.parametrize("named", [{}, {"id": "9f2c1b7a40d3e685", "ref": "a"}, {"id": None, "ref": None}])
def test_a_memory_is_named_in_one_way(reader: Agent, named: dict[str, str]) -> None:
    answer = reader.post("/search/explain", {"query": "x", **named})
    assert answer.status_code == 422 and "ref" in answer.json()["detail"]


def test_a_ref_that_nothing_goes_by_is_not_found(reader: Agent) -> None:
    answer = reader.post("/search/explain", {"query": "x", "ref": "zz", "strategies": ["hybrid"]})
    assert answer.status_code == 404 and answer.json()["field"] == "/ref" and "zz" in answer.json()["detail"]


def test_a_memory_that_is_not_there_is_explained(reader: Agent, writer: Agent) -> None:
    by_ref = {one["ref"]: one["id"] for one in reader.get("/memories").json()["items"]}
    (found,) = reader.post("/search/explain", {"query": "RabbitMQ", "id": by_ref["b"]}).json()["items"]
    assert found["found"] and found["stage"] == "found" and found["hit"]["ref"] == "b"
    (filtered,) = reader.post(
        "/search/explain", {"query": "RabbitMQ", "id": by_ref["b"], "filters": {"tags": ["home"]}}
    ).json()["items"]
    assert not filtered["found"] and filtered["stage"] == "filter" and filtered["detail"]["filters"] == ["tags"]
    sent = {"query": "RabbitMQ lost messages", "id": by_ref["b"], "top_k": 1}
    (cut,) = reader.post("/search/explain", sent).json()["items"]
    assert cut["stage"] == "cut" and cut["rank"] > 1 and cut["reason"].endswith(".")
    assert reader.post("/search/explain", {"query": "x", "id": new_id()}).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/query"),
        ({"query": ""}, "/query"),
        ({"query": "   "}, "/query"),
        ({"query": "\x00\x01"}, "/query"),
        ({"query": "x" * 1_048_576}, "/query"),
        ({"query": "x", "top_k": 0}, "/top_k"),
        ({"query": "x", "top_k": 101}, "/top_k"),
        ({"query": "x", "top_k": "many"}, "/top_k"),
        ({"query": "x", "strategy": "magic"}, "/strategy"),
        ({"query": "x", "filters": {"tag": ["x"]}}, "/filters/tag"),
        ({"query": "x", "filters": {"kinds": ["dream"]}}, "/filters/kinds/0"),
        ({"query": "x", "filters": []}, "/filters"),
        ({"query": "x", "as_of": "now"}, "/as_of"),
        ({"query": ["x"]}, "/query"),
    ],
)
def test_a_bad_question_is_refused_with_the_field_at_fault(reader: Agent, body: dict[str, object], field: str) -> None:
    answer = reader.post("/search", body)
    assert answer.status_code in (413, 422), answer.content[:200]
    assert answer.json()["field"] == field
    assert len(answer.content) < 2_000  # a problem does not say a megabyte back


def test_a_question_with_control_characters_is_answered(reader: Agent) -> None:
    assert reader.post("/search", {"query": "Rabbit\x00MQ\x1b[0m RabbitMQ"}).status_code == 200


def test_the_strategies_are_listed_with_the_default(reader: Agent) -> None:
    items = reader.get("/strategies").json()["items"]
    assert [one["name"] for one in items if one["default"]] == ["hybrid"]
    assert {"rrf", "vector", "keyword", "graph"} <= {one["name"] for one in items}


def test_a_parent_space_is_read_and_marked(root: Agent, reader: Agent) -> None:
    parent, child = root.space, f"c-{new_id()}"
    assert root.post("/spaces", {"name": child, "parent": parent}).status_code == 201
    mine = Agent(root.key, space=child)
    mine.write("RabbitMQ is what the child has.")
    by_ref = {hit["ref"]: hit for hit in mine.post("/search", {"query": "RabbitMQ"}).json()["items"]}
    assert by_ref["a"]["inherited_from"] == parent and by_ref[None]["inherited_from"] is None
    asked = {"query": "RabbitMQ", "ref": "a", "strategies": ["hybrid", "keyword"]}
    for found in mine.post("/search/explain", asked).json()["items"]:
        assert found["found"] and found["id"] == by_ref["a"]["id"] and found["detail"]["inherited_from"] == parent


def test_every_hit_says_how_likely_it_is_to_answer(reader: Agent) -> None:
    first, *_ = reader.post("/search", {"query": "why did RabbitMQ lose messages?"}).json()["items"]
    assert 0.3 < first["relevance"] <= 1


def test_below_the_floor_nothing_is_given_and_a_note_says_so(reader: Agent, curator: Agent) -> None:
    asked = {"query": "why did RabbitMQ lose messages?", "floor": 0.999}
    answer = reader.post("/search", asked).json()
    assert (answer["items"], answer["notes"]) == ([], ["Nothing relevant is remembered."])
    assert reader.post("/search", asked | {"floor": 0}).json()["items"]
    assert reader.post("/search", asked | {"floor": 1.5}).status_code == 422


def test_a_fact_and_its_turn_are_one_hit(writer: Agent) -> None:
    writer.post("/sessions", {"name": "monday"})
    said = "Nora keeps the spare keys of the boathouse in a blue teapot."
    taken = writer.post("/sessions/monday/turns", {"text": said, "speaker": "Nora"}).json()
    turn = taken["items"][0]["id"]
    (hit,) = [one for one in writer.post("/search", {"query": "blue teapot"}).json()["items"] if one["id"] == turn]
    assert (hit["kind"], hit["text"], hit["source"]["session"], hit["turn"]) == ("turn", said, "monday", None)
    assert writer.get(f"/memories/{turn}").json()["kind"] == "turn"
    assert turn not in {one["id"] for one in writer.get("/memories").json()["items"]}
    assert [one["id"] for one in writer.get("/memories?kinds=turn").json()["items"]] == [turn]
    refused = writer.patch(f"/memories/{turn}", {"text": "In a red one."})
    assert refused.status_code in (403, 422)


def test_a_private_turn_is_kept_without_its_words(writer: Agent) -> None:
    writer.post("/sessions", {"name": "tuesday"})
    body = {"turns": [{"text": "I have a rash.", "private": True}, {"text": "My <private>aunt</private> called."}]}
    taken = writer.post("/sessions/tuesday/turns", body).json()
    assert [one["text"] for one in taken["items"]] == ["[private]", "My [private] called."]
    assert all(one["private"] for one in taken["items"])
    assert not [one for one in writer.post("/search", {"query": "rash aunt"}).json()["items"] if "rash" in one["text"]]
