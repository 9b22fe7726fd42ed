"""What is started before the things it needs says so, waits, and becomes ready by itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import httpx
import pytest

from tests.server.cluster import Cluster, Web, worker_part
from tests.server.processes import Part, wait_for

pytestmark = [pytest.mark.server, pytest.mark.long]


@contextlib.contextmanager
def begun(part: Part) -> Iterator[None]:
    part.begin()
    try:
        yield
    finally:
        part.stop()


def test_a_web_process_started_while_the_store_is_away_says_so_and_becomes_ready(
    cluster: Cluster, visitor: httpx.Client
) -> None:
    cluster.store.kill()
    third = Web(cluster.folder, cluster.env, "web3")
    third.api.headers = cluster.webs[0].api.headers
    with begun(third):
        wait_for(third.is_alive, log=third.log)
        problem = third.api.get("/health/ready")
        assert problem.status_code == 503 and problem.headers["content-type"] == "application/problem+json"
        assert problem.headers["Retry-After"] and "store does not answer" in problem.json()["detail"]
        assert third.api.post("/search", json={"query": "heron"}).status_code == 503
        page = visitor.get(f"{third.url}/")
        assert page.status_code == 503 and "The store cannot be reached" in page.text and "Try again" in page.text
        health = visitor.get(f"{third.url}/settings/health/")
        assert health.status_code == 200 and "The store cannot be reached" in health.text
        cluster.store.start()
        third.wait()
        assert third.api.post("/search", json={"query": "heron"}).status_code == 200
        assert visitor.get(f"{third.url}/").status_code == 200
    assert "Traceback" not in third.said()


def test_a_worker_started_while_queue_and_store_are_away_does_its_work_once_they_are_there(cluster: Cluster) -> None:
    for worker in cluster.workers:
        worker.stop()
    web = cluster.webs[0]
    job = web.upload("ruff.md", "## Ruff\nA ruff fed on the mud.\n")
    cluster.redis.stop()  # in order, so that it keeps what it was given
    cluster.store.kill()
    late = worker_part(cluster.folder, cluster.env, "worker3")
    with begun(late):
        wait_for(lambda: "Cannot connect" in late.said(), log=late.log)
        cluster.redis.start()
        cluster.store.start()
        assert cluster.ended(job, ticking=True)["status"] == "done"
    assert "A ruff fed on the mud." in web.found("ruff mud")[0]
