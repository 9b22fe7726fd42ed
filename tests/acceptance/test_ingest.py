"""A folder read once, again, and after one file was edited."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.acceptance.place import Place, got, until, zipped

NOTES = {
    "infra.md": "# Infra\n\n## Backup\n\nStarts at 03:00.\n\n## Bucket\n\nIn Seoul.\n\n### Region\n\nap-northeast-2\n",
    "people/team.md": "# Team\n\nFour of us.\n\n## Mina\n\nKeeps the money.\n\n## Adam\n\nKeeps the servers.\n",
    "daily/2026-11-20.md": "# Friday\n\n## Standup\n\nThe deploy went out.\n\n```\n## not a heading\n```\n",
    "plain.txt": "A plain note about the kettle.\n",
}
SECTIONS = 2 + 3 + 1 + 1


@pytest.fixture
def read(place: Place) -> Place:
    for path, text in NOTES.items():
        place.note(path, text)
    report = place.read()["report"]
    assert (report["files"], report["sections"], report["added"]) == (len(NOTES), SECTIONS, SECTIONS)
    assert report["embedded"] == SECTIONS and report["failed"] == []
    return place


def counts(report: dict[str, Any]) -> tuple[int, ...]:
    return tuple(report[name] for name in ("added", "changed", "unchanged", "archived"))


def test_a_dry_run_prints_the_counts_of_the_real_one_and_writes_nothing(place: Place) -> None:
    for path, text in NOTES.items():
        place.note(path, text)
    before = place.backup()
    rehearsed = place.read(dry_run=True)["report"]
    assert place.backup().splitlines()[1:] == before.splitlines()[1:]
    real = place.read()["report"]
    for name in ("files", "sections", "added", "changed", "unchanged", "archived", "linked", "embedded", "conflicts"):
        assert rehearsed[name] == real[name], name
    assert rehearsed["dry_run"] is True and real["dry_run"] is False


@pytest.mark.long
def test_reading_again_changes_nothing(read: Place) -> None:
    before = read.rows()
    again = read.read()["report"]
    assert counts(again) == (0, 0, SECTIONS, 0) and again["embedded"] == 0
    after = read.rows()
    for table in ("memory", "embedding", "revision", "references", "entity", "follows", "document", "run"):
        assert after.get(table) == before.get(table), table


@pytest.mark.long
def test_a_file_that_was_only_touched_changes_nothing(read: Place) -> None:
    before = read.rows()
    (read.folder / "infra.md").write_text(NOTES["infra.md"])
    assert counts(read.read()["report"]) == (0, 0, SECTIONS, 0)
    assert read.rows()["memory"] == before["memory"] and read.rows()["revision"] == before["revision"]


def test_an_edited_file_updates_exactly_its_section(read: Place) -> None:
    before = read.memories()
    rows = read.rows()["memory"]
    read.note("infra.md", NOTES["infra.md"].replace("Starts at 03:00.", "Starts at 04:30."))
    report = read.read()["report"]
    assert counts(report) == (0, 1, SECTIONS - 1, 0) and report["embedded"] == 1
    after = read.memories()
    assert after.keys() == before.keys()
    (row,) = [row for row in read.rows()["memory"] if row not in rows]
    assert row["title"] == "Backup"
    key = read.titled("Backup")["id"]
    assert "04:30" in after[key]["text"] and after[key]["version"] == before[key]["version"] + 1
    assert read.search("backup starts 04:30")["items"][0]["id"] == key
    assert "03:00" not in str([hit["text"] for hit in read.search("backup starts 03:00")["items"]])


def test_a_section_taken_out_is_archived_and_returns_under_its_id(read: Place) -> None:
    bucket = read.titled("Bucket")
    read.note("infra.md", NOTES["infra.md"].split("## Bucket")[0])
    assert counts(read.read()["report"]) == (0, 0, SECTIONS - 1, 1)
    assert read.titled("Bucket")["state"] == "archived"
    assert bucket["id"] not in [hit["id"] for hit in read.search("bucket in Seoul")["items"]]
    read.note("infra.md", NOTES["infra.md"])
    assert read.read()["report"]["added"] == 1
    back = read.titled("Bucket")
    assert (back["id"], back["state"], back["text"]) == (bucket["id"], "held", bucket["text"])


@pytest.mark.long
def test_a_file_that_moved_keeps_its_memories(read: Place) -> None:
    before = {m["id"] for m in read.memories().values()}
    (read.folder / "older").mkdir()
    (read.folder / "infra.md").rename(read.folder / "older" / "infra.md")
    assert counts(read.read()["report"]) == (0, 0, SECTIONS, 0)
    assert {m["id"] for m in read.memories().values()} == before
    assert read.titled("Backup")["source"]["path"] == "older/infra.md"


@pytest.mark.long
def test_one_file_and_a_zip_and_an_upload_are_read_too(read: Place) -> None:
    one = read.read(read.note("alone/one.md", "## Only\n\nOne file by its name.\n"))
    assert one["report"]["files"] == 1
    packed = read.upload("more.zip", zipped({"a/b.md": b"## Packed\n\nIn a zip.\n", "c.txt": b"Also in it.\n"}))
    assert (packed["status"], packed["report"]["files"], packed["report"]["added"]) == ("done", 2, 2)
    again = read.upload("more.zip", zipped({"a/b.md": b"## Packed\n\nIn a zip.\n", "c.txt": b"Also in it.\n"}))
    assert counts(again["report"]) == (0, 0, 2, 0)


def test_a_job_is_followed_by_events_to_its_end(place: Place) -> None:
    for n in range(50):
        place.note(f"{n}.md", f"## First\n\nThe {n}th.\n")
    job = place.api.post("/ingest", json={"path": str(place.folder)}).json()["job"]["id"]
    with place.api.stream("GET", f"/jobs/{job}/events") as stream:
        lines = [line for line in stream.iter_lines() if line]
    assert lines[-2] == "event: end"
    last = json.loads(lines[-1].removeprefix("data: "))
    assert (last["status"], last["report"]["added"]) == ("done", 50)


@pytest.mark.slow
@pytest.mark.long
def test_an_ingest_that_was_cancelled_is_picked_up_where_it_stopped(place: Place) -> None:
    for n in range(1_000):
        place.note(f"{n}.md", f"## First\n\nThe {n}th.\n\n## Second\n\nIt says {n * 7}.\n")
    job = place.api.post("/ingest", json={"path": str(place.folder)}).json()["job"]["id"]
    until(lambda: got(place.api, f"/jobs/{job}"), lambda told: told["status"] != "queued", every=0.02)
    place.api.post(f"/jobs/{job}/cancel").raise_for_status()
    assert place.ended(job)["status"] == "cancelled"
    assert len(place.memories()) < 2_000
    place.api.post(f"/jobs/{job}/retry").raise_for_status()
    assert place.ended(job)["status"] == "done"
    assert len(place.memories()) == 2_000
    assert {memory["version"] for memory in place.memories().values()} == {1}
