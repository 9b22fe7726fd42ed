"""`kill -9` in the middle of an ingest: the next start finishes it, and nothing is missing or doubled."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import ENDED, Place, client, got, place_in, until
from tests.live import Live, live_app

pytestmark = pytest.mark.slow
FILES = 250
NAMES = ("Redis", "SurrealDB", "Postgres", "Kubernetes", "Ansible", "Grafana", "Kafka", "Django", "PyTorch")
Rows = dict[str, list[dict[str, Any]]]
Killed = tuple[Place, dict[str, Any]]


@pytest.fixture(scope="module")
def notes(roots: Path) -> Path:
    folder = roots / f"many-{new_id()}"
    folder.mkdir()
    for n in range(FILES):
        name, other = NAMES[n % len(NAMES)], NAMES[(n * 7 + 3) % len(NAMES)]
        path = folder / (f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}-{n}.md" if n % 3 == 0 else f"{n % 10}/{n}.md")
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f"# Note {n}\n\nIts number is {n}.\n\n"
            f"## What\n\nWe talked about [[{name}]] and `{other.lower()}`, #tag{n % 40}.\n\n"
            f"## Why\n\nBecause {n * 7} is seven times {n}. See [[topic {n % 300}]].\n\n"
            f"## Log\n\nOnce.\n\n## Log\n\nTwice, {n}.\n"
        )
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, roots: Path, notes: Path) -> Iterator[Killed]:
    """An app killed in mid-ingest and started again; the place, and the job as it ended by itself."""
    data = tmp_path_factory.mktemp("killed")
    with live_app(data, MEMORY_INGEST_ROOTS=str(roots)) as app:
        with client(app.url, app.key, "default") as api:
            job = api.post("/ingest", json={"path": str(notes)}).json()["job"]["id"]
            at = until(lambda: got(api, f"/jobs/{job}"), _under_way, every=0.02)
        app.process.kill()
        app.process.wait(30)
    assert at["status"] == "running", "the ingest was over before it could be killed"
    with live_app(data, MEMORY_INGEST_ROOTS=str(roots)) as app:
        place = place_in(app, notes, space="default")
        yield place, place.ended(job)


def _under_way(job: dict[str, Any]) -> bool:
    return job["status"] in ENDED or job["progress"]["done"] > FILES // 10


@pytest.fixture(scope="module")
def whole(app: Live, notes: Path) -> Place:
    """The same folder, ingested without a kill in another data folder."""
    place = place_in(app, notes)
    place.read()
    return place


def test_the_job_goes_on_by_itself_and_only_with_what_was_left(killed: Killed) -> None:
    _, job = killed
    assert (job["status"], job["attempt"]) == ("done", 2)
    report = job["report"]
    assert report["files"] == FILES and report["sections"] == report["added"] + report["unchanged"]
    assert 0 < report["unchanged"] < report["sections"]
    assert (job["progress"]["done"], job["progress"]["total"]) == (FILES, FILES)


@pytest.mark.long
def test_what_is_in_is_what_an_undisturbed_ingest_brings_in(killed: Killed, whole: Place) -> None:
    after, expected = killed[0].rows(), whole.rows()
    for table, fields in {
        "memory": ("id", "text", "title", "state", "tags", "position", "group", "origin", "occurred_at", "version"),
        "document": ("id", "path", "content_hash", "text", "present"),
        "references": ("in", "out", "role", "weight"),
        "follows": ("in", "out"),
        "embedding": ("id", "vector"),
    }.items():
        assert told(after, table, fields) == told(expected, table, fields), table
    assert told(after, "entity", ("name", "type", "state")) == told(expected, "entity", ("name", "type", "state"))


def test_each_memory_was_written_once(killed: Killed) -> None:
    rows = killed[0].rows()
    revisions = Counter(row["record_id"] for row in rows["revision"] if row["record"] == "memory")
    assert len(revisions) == len(rows["memory"]) and set(revisions.values()) == {1}


def test_every_invariant_holds_after_the_kill(killed: Killed) -> None:
    told = got(killed[0].api, "/integrity")
    assert told["sound"], told["broken"]
    assert told["memories"] > FILES


def test_a_further_reading_finds_nothing_to_do_and_search_finds_all(killed: Killed) -> None:
    place, _ = killed
    again = place.read()["report"]
    assert (again["added"], again["changed"], again["archived"], again["embedded"]) == (0, 0, 0, 0)
    for n in (1, FILES // 2, FILES - 1):
        best = place.search(f"{n * 7} is seven times {n}", strategy="keyword")["items"][0]
        assert f"{n * 7} is seven times {n}." in best["text"]


def told(rows: Rows, table: str, fields: tuple[str, ...]) -> Counter[str]:
    """What a backup says in these fields, whatever the order; doubled rows count twice."""
    return Counter(json.dumps([row.get(name) for name in fields], sort_keys=True) for row in rows.get(table, []))
