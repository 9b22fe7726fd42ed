"""Web processes and workers apart: what one is asked for another does, and whoever ends is missed by nobody."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from tests.server.cluster import BEAT, Cluster, Web
from tests.server.processes import Part, wait_for

pytestmark = [pytest.mark.server, pytest.mark.slow]

NOTES = "# Birds\n\n## Heron\nThe heron waits in the reeds for hours.\n\n## Kingfisher\nA blue flash over the weir.\n"


def many(word: str, count: int) -> str:
    """A file of so many sections, each with a sentence of its own."""
    return "".join(f"## {word} {n}\nThe {word} number {n} was seen at milestone {n * 7}.\n\n" for n in range(count))


def test_an_ingest_asked_of_the_web_is_done_by_a_worker_and_found_at_the_next_query(cluster: Cluster) -> None:
    one, two = cluster.webs
    done = cluster.ended(one.upload("birds.md", NOTES))
    assert done["status"] == "done", done
    assert done["report"]["added"] == 2
    assert "waits in the reeds" in one.found("heron reeds")[0]
    assert "blue flash" in two.found("kingfisher")[0]


def test_a_source_outside_the_named_folders_is_refused_in_server_mode(cluster: Cluster) -> None:
    assert cluster.webs[0].api.post("/ingest", json={"path": str(Path.home())}).status_code == 403


def test_a_job_sent_while_no_worker_runs_waits_for_one(cluster: Cluster) -> None:
    web = cluster.webs[0]
    for worker in cluster.workers:
        worker.kill()
    job = web.upload("more.md", "## Bittern\nIt booms at dusk.\n")
    assert web.job(job)["status"] == "queued"
    cluster.workers[0].start()
    assert cluster.ended(job)["status"] == "done"
    assert "booms" in web.found("bittern dusk")[0]


@pytest.mark.long
def test_a_job_whose_worker_is_killed_in_the_middle_is_done_by_another_and_nothing_is_there_twice(
    cluster: Cluster,
) -> None:
    web, (first, second) = cluster.webs[0], cluster.workers
    second.kill()
    job = web.upload("grebes.md", many("grebe", 400))
    wait_for(lambda: web.job(job)["status"] == "running", log=first.log)
    first.kill()
    assert web.job(job)["status"] == "running", "it was over before its worker was killed: give it more to do"
    second.start()
    cluster.silence("running", minutes=3)
    cluster.tick()
    done = cluster.ended(job)
    assert done["status"] == "done" and done["attempt"] == 2, done
    assert held(web, "grebe") == 400
    assert found_troubles(web) == []


@pytest.mark.long
def test_a_worker_that_is_asked_to_stop_hands_its_job_on(cluster: Cluster) -> None:
    web, (first, second) = cluster.webs[0], cluster.workers
    second.stop()
    job = web.upload("divers.md", many("diver", 400))
    wait_for(lambda: web.job(job)["status"] == "running", log=first.log)
    started = time.monotonic()
    assert first.stop() == 0
    assert time.monotonic() - started < 15
    assert "panicked" not in first.said() and "Traceback" not in first.said()
    assert web.job(job)["status"] == "queued", "it was over before its worker was stopped: give it more to do"
    second.start()
    cluster.tick()
    assert cluster.ended(job)["status"] == "done"
    assert held(web, "diver") == 400


@pytest.mark.long
def test_the_clock_starts_and_ends_when_it_is_asked_to(cluster: Cluster) -> None:
    beat = Part(
        cluster.folder / "beat.log",
        [sys.executable, *BEAT, "--loglevel", "INFO"],
        lambda: "beat: Starting" in beat.said(),
        cluster.env,
    )
    beat.start()
    assert beat.stop() in (0, -signal.SIGTERM)
    assert "Traceback" not in beat.said()


def held(web: Web, word: str) -> int:
    """How many memories whose text holds the word are held, page by page."""
    count, cursor = 0, ""
    while True:
        page = web.api.get("/memories", params={"limit": 200, "cursor": cursor}).raise_for_status().json()
        count += sum(f"The {word} number" in item["text"] for item in page["items"])
        cursor = page["next_cursor"]
        if not cursor:
            return count


def found_troubles(web: Web) -> list[object]:
    """What the check of all that must be true finds wrong."""
    troubles: list[object] = web.api.get("/integrity").raise_for_status().json()["broken"]
    return troubles
