"""Atoms over HTTP: posted, tried out, listed, and refused with the place of the mistake."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Agent

ALICE = "(prefers :subject Alice :object Python :memory_type semantic)"
BOB = "(uses :subject Bob :object Rust)"


def test_an_atom_is_a_memory_with_its_notation_and_its_roles(writer: Agent) -> None:
    answer = writer.post("/memories", {"atoms": ALICE, "ref": "a-1", "tags": ["prefs"]})
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["kind"], told["text"], told["memory_type"]) == ("atom", "Alice prefers Python.", "semantic")
    assert told["outcome"] == "written" and told["more"] == [] and told["ref"] == "a-1" and told["tags"] == ["prefs"]
    shown = writer.get(f"/memories/{told['id']}").json()
    assert shown["atom"] == ALICE
    assert [(one["name"], one["role"], one["weight"]) for one in shown["entities"]] == [
        ("Alice", "subject", 1.0),
        ("Python", "object", 0.9),
    ]


def test_the_same_atom_again_is_reinforced(writer: Agent) -> None:
    first = writer.post("/memories", {"atoms": ALICE}).json()
    again = writer.post("/memories", {"atoms": f"  {ALICE}\n"})
    assert again.status_code == 200 and again.json()["outcome"] == "reinforced"
    assert again.json()["id"] == first["id"] == again.json()["near"]


def test_several_atoms_are_several_memories_and_the_first_is_shown(writer: Agent) -> None:
    answer = writer.post("/memories", {"atoms": f"{ALICE} {BOB} {ALICE}"})
    assert answer.status_code == 201
    told = answer.json()
    assert told["text"] == "Alice prefers Python." and [one["outcome"] for one in told["more"]] == [
        "written",
        "reinforced",
    ]
    assert told["more"][1]["id"] == told["id"]
    page = writer.get("/memories?kinds=atom").json()
    assert {one["text"] for one in page["items"]} == {"Alice prefers Python.", "Bob uses Rust."}
    answer = writer.post("/memories", {"atoms": f"{ALICE} (uses :subject Bob :object Go)"})
    assert answer.status_code == 201 and answer.json()["outcome"] == "reinforced"  # one of them is new


def test_kind_atom_reads_the_text_as_penman(writer: Agent) -> None:
    told = writer.write(ALICE, kind="atom")
    assert told["atom"] == ALICE and told["text"] == "Alice prefers Python."
    refused = writer.post("/memories", {"text": "Alice prefers Python.", "kind": "atom"})
    assert refused.status_code == 422 and refused.json()["field"] == "/text"


def test_an_atom_may_come_with_its_own_sentence(writer: Agent) -> None:
    told = writer.post("/memories", {"atoms": ALICE, "text": "Alice likes Python best."}).json()
    assert (told["text"], told["atom"], told["kind"]) == ("Alice likes Python best.", ALICE, "atom")


def test_a_batch_takes_atoms_beside_notes_and_keeps_one_outcome_an_item(writer: Agent) -> None:
    items: list[dict[str, Any]] = [{"text": "A note."}, {"atoms": f"{ALICE} {BOB}"}, {"text": "Another.", "ref": "n-2"}]
    told = writer.post("/memories/batch", {"items": items}).json()["items"]
    assert [one["outcome"] for one in told] == ["written"] * 3
    assert [len(one["more"]) for one in told] == [0, 1, 0] and told[2]["ref"] == "n-2"
    assert writer.get("/memories?kinds=atom").json()["total"] == 2


@pytest.mark.parametrize(
    ("body", "field", "said"),
    [
        ({"atoms": "(prefers :subject Alice"}, "/atoms", "Line 1, column 24: "),
        ({"atoms": f"{ALICE}\n(likes :who Bob)"}, "/atoms", "Line 2, column 8: "),
        ({"atoms": "  "}, "/atoms", "no words"),
        ({"atoms": "x", "text": "y", "kind": "note"}, "/kind", "of kind atom"),
        ({"atoms": ALICE, "kind": "fact"}, "/kind", "of kind atom"),
        ({"atoms": f"{ALICE} {BOB}", "ref": "r"}, "/ref", "2 atoms"),
        ({"atoms": f"{ALICE} {BOB}", "text": "r"}, "/text", "2 atoms"),
        ({"atoms": ALICE, "valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}, "/valid_to", ""),
        ({}, "/text", "“text” is missing."),
        ({"text": None}, "/text", "“text” is missing."),
        ({"kind": "atom"}, "/text", "“text” is missing."),
    ],
)
def test_a_mistake_points_at_its_place_and_stores_nothing(
    writer: Agent, body: dict[str, Any], field: str, said: str
) -> None:
    for path, sent, at in (("/memories", body, field), ("/memories/batch", {"items": [{"text": "x"}, body]}, "")):
        answer = writer.post(path, sent)
        assert answer.status_code == 422, answer.content
        assert answer["Content-Type"] == "application/problem+json"
        problem = answer.json()
        assert problem["field"] == (at or f"/items/1{field}"), problem
        assert said in problem["detail"]
    assert writer.get("/memories").json()["total"] == 0
    assert writer.get("/entities").json()["items"] == [] and writer.get("/audit").json()["items"] == []


def test_more_atoms_than_a_call_may_hold_are_refused_as_too_many(writer: Agent) -> None:
    answer = writer.post("/memories", {"atoms": " ".join(f"(uses :subject a{n} :object b{n})" for n in range(101))})
    assert answer.status_code == 413 and answer.json()["field"] == "/atoms"
    items = [{"atoms": " ".join(f"(uses :subject a{n} :object b{n})" for n in range(60))}] * 20
    answer = writer.post("/memories/batch", {"items": items})
    assert answer.status_code == 413 and answer.json()["field"] == "/items"


def test_what_goes_wrong_behind_several_atoms_is_told_of_the_item_that_was_sent(writer: Agent) -> None:
    items = [{"atoms": f"{ALICE} {BOB}"}, {"text": "x", "ref": "r"}, {"text": "y", "ref": "r"}]
    answer = writer.post("/memories/batch", {"items": items})
    assert answer.status_code == 422 and answer.json()["field"] == "/items/2/ref"


def test_a_preview_shows_roles_and_relations_and_stores_nothing(writer: Agent, reader: Agent) -> None:
    writer.post("/memories", {"atoms": ALICE})
    before = writer.get("/stats").json()["counts"]
    text = f"""{ALICE} (works_at :subject I :object "Hangang Labs" :tense past)
    (plans :subject I :object (visits :subject I :object Busan))"""
    answer = reader.post("/atoms/preview", {"atoms": text, "speaker": "Mina"})
    assert answer.status_code == 200, answer.content
    first, second, third = answer.json()["items"]
    assert (first["would"], first["near"]["text"], first["atom"]) == ("reinforced", "Alice prefers Python.", ALICE)
    assert first["participants"][0]["entity"] and second["participants"][0] == {
        "name": "Mina", "role": "subject", "weight": 1.0, "type": "person", "entity": None, "known": True,
    }  # fmt: skip
    assert second["relations"] == [
        {"subject": "Mina", "type": "works_at", "object": "Hangang Labs", "label": "", "planned": False, "over": True}
    ]
    assert third["relations"][0]["planned"] and third["relations"][0]["label"] == "visits"
    assert writer.get("/stats").json()["counts"] == before
    refused = reader.post("/atoms/preview", {"atoms": "(prefers"})
    assert refused.status_code == 422 and "Line 1, column 9" in refused.json()["detail"]


def test_a_reader_may_not_post_atoms(reader: Agent) -> None:
    assert reader.post("/memories", {"atoms": ALICE}).status_code == 403


def test_an_atom_posted_twice_under_one_idempotency_key_is_posted_once(writer: Agent) -> None:
    first = writer.post("/memories", {"atoms": ALICE}, Idempotency_Key="k")
    again = writer.post("/memories", {"atoms": ALICE}, Idempotency_Key="k")
    assert again["Idempotent-Replayed"] == "true" and again.json() == first.json()
    assert writer.get(f"/memories/{first.json()['id']}").json()["trust_parts"]["reinforcements"] == 0


def test_an_atom_is_found_by_its_words(writer: Agent) -> None:
    told = writer.post("/memories", {"atoms": ALICE}).json()
    (hit,) = writer.post("/search", {"query": "What does Alice prefer?", "filters": {"kinds": ["atom"]}}).json()[
        "items"
    ]
    assert hit["id"] == told["id"] and hit["kind"] == "atom"
