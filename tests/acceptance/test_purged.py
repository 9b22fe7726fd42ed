"""Purge is for good: the words are in no search, no table, no file that is kept, and do not come back."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.acceptance.place import Place, got, said, until

WORD = "quaggaberry"  # a word of no language, so that finding it anywhere means finding the memory
FILE = f"# Kitchen\n\n## Jam\n\nThe secret is {WORD} and a little salt.\n\n## Bread\n\nRye, on Sundays.\n"


def nowhere(place: Place, key: str) -> None:
    """By every strategy, in every state, in the backup, the history and the derived files: nothing."""
    for strategy in got(place.api, "/strategies")["items"]:
        for states in (["held"], ["held", "superseded", "archived"]):
            found = place.search(f"{WORD} salt", strategy=strategy["name"], top_k=100, filters={"states": states})
            assert key not in [hit["id"] for hit in found["items"]], strategy["name"]
            assert WORD not in str(found["items"])
    said(place.api.get(f"/memories/{key}"), 404)
    said(place.api.get(f"/memories/{key}/history"), 404)
    assert WORD not in str(got(place.api, "/audit", params={"limit": 200}))
    assert WORD not in place.backup().decode()
    until(place.files, lambda files: not any(WORD.encode() in data for data in files.values()))


def purged(place: Place, key: str) -> dict[str, Any]:
    receipt = place.act(f"/memories/{key}/purge", reason="It was private.")
    assert receipt["complete"] is True and receipt["removed"]["memory"] == 1
    assert receipt["left"] and not any(receipt["left"].values()), receipt
    assert WORD not in str(receipt)
    return receipt


def test_a_dry_run_says_what_would_go_and_leaves_it(place: Place) -> None:
    key = place.write(f"The secret is {WORD}.")["id"]
    told = place.act(f"/memories/{key}/purge", dry_run=True)
    assert told["dry_run"] is True and told["complete"] is False and told["removed"]["memory"] == 1
    assert place.search(WORD)["items"][0]["id"] == key


def test_a_purged_note_is_nowhere_after_edits_recalls_and_feedback(place: Place) -> None:
    key = place.write(f"The secret is {WORD} and salt.", tags=["kitchen"])["id"]
    place.api.patch(f"/memories/{key}", json={"text": f"{WORD} with salt, twice."}).raise_for_status()
    place.search(WORD)
    place.act(f"/memories/{key}/feedback", used=True)
    receipt = purged(place, key)
    assert receipt["removed"]["revisions"] >= 2
    nowhere(place, key)


def test_a_purged_section_does_not_come_back_with_its_file(place: Place) -> None:
    place.note("kitchen.md", FILE)
    place.read()
    key = place.titled("Jam")["id"]
    assert purged(place, key)["removed"]["document lines"] >= 1
    nowhere(place, key)
    report = place.read()["report"]
    assert report["added"] == 0
    place.note("kitchen.md", FILE + "\n## Tea\n\nAt four.\n")
    place.read()
    nowhere(place, key)
    assert {m["title"] for m in place.memories().values()} == {"Bread", "Tea"}
    place.note("kitchen.md", FILE.replace("a little salt", "more salt"))
    place.read()
    nowhere(place, key)


def test_a_purged_section_does_not_come_back_when_its_file_moves(place: Place) -> None:
    place.note("kitchen.md", FILE)
    place.read()
    key = place.titled("Jam")["id"]
    purged(place, key)
    (place.folder / "kitchen.md").rename(place.folder / "recipes.md")
    place.read()
    nowhere(place, key)
    assert {m["title"] for m in place.memories().values()} == {"Bread"}


@pytest.mark.long
def test_purging_an_edited_memory_takes_its_conflict_along(place: Place) -> None:
    place.note("kitchen.md", FILE)
    place.read()
    key = place.titled("Jam")["id"]
    place.api.patch(f"/memories/{key}", json={"text": f"{WORD}, and that is all."}).raise_for_status()
    place.note("kitchen.md", FILE.replace("a little salt", "no salt"))
    assert place.read()["report"]["conflicts"] == 1
    purged(place, key)
    nowhere(place, key)
    assert got(place.api, "/conflicts")["items"] == []


def test_a_name_that_only_purged_memories_used_goes_with_them_and_so_does_the_reason_of_an_edit(place: Place) -> None:
    keys = [place.write(f"We eat [[{WORD}]] with salt on {day}.")["id"] for day in ("Monday", "Friday")]
    changed = {"text": "Nothing to see.", "reason": f"It named {WORD}."}
    place.api.patch(f"/memories/{keys[0]}", json=changed).raise_for_status()
    for key in keys:
        purged(place, key)
    for key in keys:
        nowhere(place, key)
    assert WORD not in str(got(place.api, "/entities"))


def test_an_answer_that_was_kept_to_be_repeated_does_not_hold_the_words(place: Place) -> None:
    sent = {"Idempotency-Key": "once"}
    key = place.api.post("/memories", json={"text": f"All of {WORD}."}, headers=sent).json()["id"]
    purged(place, key)
    nowhere(place, key)


def test_the_same_search_asked_again_is_not_answered_from_memory(place: Place) -> None:
    key = place.write(f"The secret is {WORD}.")["id"]
    assert place.search(WORD)["items"][0]["id"] == key
    purged(place, key)
    assert place.search(WORD)["items"] == []
    time.sleep(0.2)
    assert place.search(WORD)["items"] == []


@pytest.mark.parametrize("method", ["undo", "restore"])
def test_what_was_purged_cannot_be_brought_back_by(place: Place, method: str) -> None:
    place.note("kitchen.md", FILE)
    job = place.read()
    key = place.titled("Jam")["id"]
    purged(place, key)
    if method == "undo":
        undone = place.act(f"/runs/{job['run']}/undo")
        if undone["run"]:
            place.act(f"/runs/{undone['run']}/undo")
    else:
        said(place.api.post(f"/memories/{key}/restore", json={}), 404)
    nowhere(place, key)


@pytest.mark.long
def test_purged_words_do_not_come_back_under_another_heading_or_another_place_among_equals(place: Place) -> None:
    log = f"## Log\n\nThe secret is {WORD} and a little salt.\n\n## Log\n\nNothing else happened today.\n"
    place.note("log.md", "# Days\n\n" + log)
    place.read()
    key = next(m["id"] for m in place.memories().values() if WORD in m["text"])
    purged(place, key)
    place.note("log.md", "# Days\n\n## Log\n\nA new day, above the others.\n\n" + log)
    place.read()
    texts = " ".join(m["text"] for m in place.memories().values())
    assert WORD not in texts and "A new day" in texts and "Nothing else" in texts
    place.note("log.md", "# Days\n\n" + log.replace("## Log", "## Diary", 1))
    place.read()
    assert WORD not in " ".join(m["text"] for m in place.memories().values())
    assert WORD not in place.backup().decode()


@pytest.mark.long
def test_an_ingest_that_was_undone_can_be_done_again(place: Place) -> None:
    place.note("kitchen.md", FILE)
    job = place.read()
    before = place.memories()
    run = got(place.api, "/audit")["items"][0]["run"]
    place.act(f"/runs/{run}/undo")
    assert place.memories() == {}
    assert place.read()["report"]["added"] == job["report"]["added"]
    assert place.memories().keys() == before.keys()
