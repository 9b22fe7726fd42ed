"""What a person corrects: an edit over a source, a revision brought back, a whole ingest taken back."""

from __future__ import annotations

import pytest

from tests.acceptance.place import Place, got, said

FILE = "# Office\n\n## Coffee\n\nThe machine is descaled in May.\n\n## Door\n\nThe code is on the fridge.\n"
EDIT = "The machine is descaled in June, by Mina."


def edited(place: Place) -> str:
    """The folder read, and its first section in a person's words."""
    place.note("office.md", FILE)
    place.read()
    key: str = place.titled("Coffee")["id"]
    answer = place.api.patch(f"/memories/{key}", json={"text": EDIT, "reason": "It moved."})
    assert answer.status_code == 200, answer.text
    return key


def waiting(place: Place) -> list[dict[str, object]]:
    found: list[dict[str, object]] = got(place.api, "/conflicts")["items"]
    return found


def test_an_edit_outlives_reading_the_same_file_again(place: Place) -> None:
    key = edited(place)
    report = place.read()["report"]
    assert (report["changed"], report["conflicts"]) == (0, 0)
    (place.folder / "office.md").write_text(FILE + "\n## New\n\nA plant came.\n")
    assert place.read()["report"]["added"] == 1
    memory = got(place.api, f"/memories/{key}")
    assert memory["text"] == EDIT and memory["edited"] is True
    assert "descaled in May" in memory["source_text"]
    assert waiting(place) == []


def test_a_source_that_changes_under_an_edit_raises_one_conflict_once(place: Place) -> None:
    key = edited(place)
    place.note("office.md", FILE.replace("in May", "in August"))
    assert place.read()["report"]["conflicts"] == 1
    place.read()
    place.note("office.md", FILE.replace("in May", "in August") + "\n## New\n\nA plant came.\n")
    assert place.read()["report"]["conflicts"] == 0
    (conflict,) = got(place.api, "/conflicts")["items"]
    assert conflict["existing"]["id"] == key and conflict["existing"]["text"] == EDIT
    assert "in August" in conflict["incoming"]["text"]
    memory = got(place.api, f"/memories/{key}")
    assert memory["text"] == EDIT and memory["conflicts"] == [conflict["id"]]
    (hit,) = [hit for hit in place.search("descaled June Mina")["items"] if hit["id"] == key]
    assert hit["conflicts"] == [conflict["id"]]


@pytest.mark.long
def test_a_revision_is_brought_back_on_top_of_what_came_after(place: Place) -> None:
    key = edited(place)
    (edit, created) = got(place.api, f"/memories/{key}/history")["items"]
    assert (edit["act"], edit["reason"], edit["text"]) == ("edit", "It moved.", EDIT)
    back = place.act(f"/memories/{key}/restore", revision=created["id"])["memory"]
    assert "descaled in May" in back["text"] and back["version"] == 3
    assert len(got(place.api, f"/memories/{key}/history")["items"]) == 3
    assert place.search("descaled in May")["items"][0]["id"] == key
    forward = place.act(f"/memories/{key}/restore", revision=edit["id"])["memory"]
    assert forward["text"] == EDIT
    assert got(place.api, "/conflicts")["items"] == []


def test_an_ingest_is_taken_back_as_a_whole_and_once(place: Place) -> None:
    place.write("A note of its own.")
    place.note("office.md", FILE)
    job = place.read()
    assert len(place.memories()) == 3
    undone = place.act(f"/runs/{job['run']}/undo")
    assert undone["undone"] >= 2 and undone["skipped"] == []
    assert [m["text"] for m in place.memories().values()] == ["A note of its own."]
    assert [hit["text"] for hit in place.search("descaled code fridge")["items"] if "descaled" in hit["text"]] == []
    said(place.api.post(f"/runs/{job['run']}/undo"), 409)
    place.act(f"/runs/{undone['run']}/undo")
    assert len(place.memories()) == 3


def test_an_ingest_that_changed_things_is_taken_back_to_what_was(place: Place) -> None:
    place.note("office.md", FILE)
    place.read()
    before = place.memories()
    place.note("office.md", FILE.replace("in May", "in August").replace("## Door", "## Gate"))
    job = place.read()
    place.act(f"/runs/{job['run']}/undo")
    after = place.memories()
    assert {k: (m["text"], m["title"], m["state"]) for k, m in after.items()} == {
        k: (m["text"], m["title"], m["state"]) for k, m in before.items()
    }
    assert place.search("descaled in May")["items"][0]["title"] == "Coffee"


@pytest.mark.long
def test_undo_leaves_what_was_changed_since_and_names_it(place: Place) -> None:
    place.note("office.md", FILE)
    job = place.read()
    key = place.titled("Coffee")["id"]
    place.api.patch(f"/memories/{key}", json={"text": EDIT}).raise_for_status()
    undone = place.act(f"/runs/{job['run']}/undo")
    assert any(key in reason for reason in undone["skipped"])
    assert [m["text"] for m in place.memories().values()] == [EDIT]


@pytest.mark.long
def test_delete_is_soft_and_restore_brings_the_same_memory_back(place: Place) -> None:
    key = place.write("The plant is watered on Mondays.")["id"]
    place.api.delete(f"/memories/{key}").raise_for_status()
    assert place.memories() == {} and place.search("plant watered")["items"] == []
    assert place.act(f"/memories/{key}/restore")["memory"]["state"] == "held"
    assert place.search("plant watered")["items"][0]["id"] == key
