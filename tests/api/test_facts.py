"""Facts over HTTP: written, reinforced, contradicted, listed, tried out."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from tests.api.conftest import Agent


def fact(agent: Agent, text: str, **more: Any) -> Any:
    answer = agent.post("/memories", {"kind": "fact", "text": text, **more})
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def test_a_fact_is_a_memory_of_kind_fact_with_all_that_was_said_of_it(writer: Agent) -> None:
    told = fact(
        writer, "Minsu decided to move the queue to Redis.", category="work", confidence=0.7, decision_point=True,
        emotional_signal=True, entities=["Redis"], speaker="Minsu", ref="f-1",
    )  # fmt: skip
    assert (told["kind"], told["category"], told["confidence"]) == ("fact", "work", 0.7)
    assert told["decision_point"] is True and told["emotional_signal"] is True
    shown = writer.get(f"/memories/{told['id']}").json()
    assert shown["ref"] == "f-1" and shown["decision_point"] is True
    assert shown["trust"] == pytest.approx(0.7, abs=0.01) and shown["trust_parts"]["ceiling"] is None


def test_a_fact_said_again_is_reinforced_as_the_formula_says(writer: Agent) -> None:
    first = fact(writer, "Minsu likes green tea.")
    again = writer.post("/memories", {"kind": "fact", "text": "Minsu likes green tea.", "session": "another"})
    assert again.status_code == 200 and again.json()["outcome"] == "reinforced"
    assert again.json()["id"] == first["id"] and again.json()["near"] in (None, first["id"])
    assert again.json()["trust_parts"]["boost"] == pytest.approx(1.1)  # 1 + 0.1·log2(1 + 1)
    assert again.json()["trust"] > first["trust"]


def test_whoever_repeats_themselves_confirms_nothing_until_another_session_or_day(writer: Agent) -> None:
    sent = {"kind": "fact", "text": "Minsu likes green tea.", "session": "standup", "speaker": "Minsu"}
    first = writer.post("/memories", sent).json()
    for _ in range(5):
        again = writer.post("/memories", sent).json()
        assert again["outcome"] == "reinforced" and again["trust_parts"]["reinforcements"] == 0
        assert again["trust"] == pytest.approx(first["trust"], abs=1e-4)
    others = [sent | {"speaker": "Jihye"}, sent | {"session": "retro"}]
    counts = [writer.post("/memories", one).json()["trust_parts"]["reinforcements"] for one in others * 3]
    assert counts == [1, 2, 2, 2, 2, 2]


def test_a_fact_that_contradicts_another_names_the_conflict_and_both_are_found(writer: Agent) -> None:
    seoul = fact(writer, "Minsu lives in Seoul.")
    answer = writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    busan = answer.json()
    assert answer.status_code == 201 and busan["outcome"] == "conflict" and busan["near"] == seoul["id"]
    assert busan["conflicts"] == [busan["conflict"]]
    hits = writer.post("/search", {"query": "Where does Minsu live?"}).json()["items"]
    assert {hit["id"]: hit["conflicts"] for hit in hits} == {
        seoul["id"]: [busan["conflict"]], busan["id"]: [busan["conflict"]],
    }  # fmt: skip


def test_liking_two_things_is_no_conflict(writer: Agent) -> None:
    fact(writer, "Minsu likes Python.")
    assert fact(writer, "Minsu likes Rust.")["outcome"] == "written"
    assert writer.get("/conflicts").json()["items"] == []


def test_a_batch_of_facts_tells_what_each_became(writer: Agent) -> None:
    texts = ["Minsu lives in Seoul.", "Minsu lives in Seoul.", "Minsu lives in Busan.", "Jihye likes tea."]
    items: list[dict[str, Any]] = [{"text": text, "kind": "fact"} for text in texts]
    told = writer.post("/memories/batch", {"items": items}).json()["items"]
    assert [one["outcome"] for one in told] == ["written", "reinforced", "conflict", "written"]
    assert told[0]["id"] == told[1]["id"] and told[2]["conflict"] and told[3]["conflict"] is None
    assert told[2]["near"] == told[0]["id"] and writer.get("/memories?kinds=fact").json()["total"] == 3


def test_a_batch_of_facts_sent_again_under_its_refs_changes_nothing(writer: Agent) -> None:
    texts = ["Minsu lives in Seoul.", "Minsu lives in Busan.", "Jihye likes tea."]
    items: list[dict[str, Any]] = [{"text": text, "kind": "fact", "ref": text} for text in texts]
    first = writer.post("/memories/batch", {"items": items}).json()["items"]
    before = writer.get("/audit?limit=200").json()["items"]
    again = writer.post("/memories/batch", {"items": items}).json()["items"]
    assert [one["id"] for one in again] == [one["id"] for one in first]
    assert {one["outcome"] for one in again} == {"unchanged"}
    assert writer.get("/audit?limit=200").json()["items"] == before


def test_facts_are_listed_apart_from_notes_and_narrowed(writer: Agent) -> None:
    writer.write("A note on tea.")
    fact(writer, "Jihye likes tea.", category="preferences", confidence=0.9)
    fact(writer, "Jihye may move to Daejeon.", category="personal", confidence=0.5)
    fact(writer, "The team chose Redis.", category="work", decision_point=True, entities=["Redis"])

    def texts(narrow: str) -> list[str]:
        answer = writer.get(f"/memories?kinds=fact&sort=trust{narrow}")
        assert answer.status_code == 200, answer.content
        return sorted(one["text"] for one in answer.json()["items"])

    assert len(texts("")) == 3
    assert texts("&categories=preferences&categories=personal") == ["Jihye likes tea.", "Jihye may move to Daejeon."]
    assert texts("&min_trust=0.6&contains=jihye") == ["Jihye likes tea."]
    assert texts("&decision=true") == ["The team chose Redis."]
    assert texts("&disputed=true") == []
    assert texts("&states=archived") == []
    refused = writer.get("/memories?kinds=fact&kategory=work")
    assert refused.status_code == 422 and refused.json()["field"] == "kategory"


def test_a_preview_tells_what_each_would_become_and_stores_nothing(writer: Agent) -> None:
    fact(writer, "Minsu lives in Seoul.", speaker="Minsu")
    before = writer.get("/stats").json()["counts"]
    text = "I live in Busan. I started a new job as a nurse in May. What a day!"
    answer = writer.post("/facts/preview", {"text": text, "speaker": "Minsu", "at": "2026-11-20T09:00:00Z"})
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert told["extractor"] == "rules" and told["cost"]["calls"] == 0
    (item,) = told["items"]
    by_would = {one["would"]: one for one in item["facts"]}
    assert set(by_would) == {"conflict", "written"}, item
    assert by_would["conflict"]["near"]["text"] == "Minsu lives in Seoul."
    assert by_would["conflict"]["verdict"]["reason"] and by_would["conflict"]["quote"] == "I live in Busan."
    assert all(one["reason"] for one in item["passed_over"]) and item["passed_over"]
    assert writer.get("/stats").json()["counts"] == before


def test_a_preview_with_a_model_that_is_down_is_made_by_rules_and_says_so(writer: Agent, settings: Settings) -> None:
    settings.LLM = {"url": "http://127.0.0.1:9/v1", "name": "tiny", "key": "a-secret", "timeout": 2.0}
    answer = writer.post("/facts/preview", {"text": "I work as a nurse at the clinic.", "speaker": "Jihye"})
    told = answer.json()
    (item,) = told["items"]
    assert told["extractor"] == "llm tiny" and item["extractor"] == "rules" and item["problem"]
    assert item["facts"] and b"a-secret" not in answer.content


def test_a_preview_of_turns_has_one_item_each(writer: Agent) -> None:
    turns = [{"text": "I work at Naver.", "speaker": "Jihye"}, {"text": "Hm.", "speaker": "Minsu"}]
    items = writer.post("/facts/preview", {"turns": turns}).json()["items"]
    assert len(items) == 2 and items[0]["facts"] and not items[1]["facts"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/text"),
        ({"text": "a", "turns": [{"text": "b"}]}, "/text"),
        ({"text": "  "}, "/text"),
        ({"turns": [{"text": "a"}, {"speaker": "b"}]}, "/turns/1/text"),
        ({"text": "a", "at": "yesterday"}, "/at"),
    ],
)
def test_a_preview_of_nothing_is_refused(writer: Agent, body: dict[str, Any], field: str) -> None:
    answer = writer.post("/facts/preview", body)
    assert answer.status_code == 422 and answer.json()["field"] == field


def test_a_reader_may_list_facts_and_not_try_texts_out(reader: Agent) -> None:
    assert reader.get("/memories?kinds=fact").status_code == 200
    assert reader.post("/facts/preview", {"text": "I like tea."}).status_code == 403
