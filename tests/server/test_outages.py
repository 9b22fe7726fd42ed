"""The queue or the store goes away under traffic, and comes back: a plain answer meanwhile, nothing lost, nothing
twice. MEMORY_TEST_OUTAGE=30 makes each outage so many seconds long; by default they are short."""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import Any

import httpx
import pytest

from tests.server.cluster import Cluster
from tests.server.processes import wait_for
from tests.server.traffic import KINDS, Traffic, traffic

pytestmark = [pytest.mark.server, pytest.mark.long]

OUTAGE = float(os.environ.get("MEMORY_TEST_OUTAGE", "2"))  # seconds
AT_ONCE = 12.0  # seconds in which everybody has an answer, on a machine busy with other tests
MISSED = 30.0  # … where it takes that a silence is noticed: two pings, and what a new connection is given
long = pytest.mark.skipif(OUTAGE < 20, reason="a short silence is no outage: MEMORY_TEST_OUTAGE=30 runs it")


def test_while_the_queue_is_gone_everything_is_answered_and_what_was_sent_is_done_when_it_is_back(
    cluster: Cluster, visitor: httpx.Client
) -> None:
    with traffic(cluster, visitor, word="coot") as seen:
        time.sleep(0.5)
        cluster.redis.kill()
        time.sleep(OUTAGE)
        cluster.redis.start()
        time.sleep(1)
    assert_answered(seen, upload={202})
    assert_all_done(cluster, seen)


@long
def test_while_the_queue_hangs_nobody_hangs_with_it(cluster: Cluster, visitor: httpx.Client) -> None:
    with traffic(cluster, visitor, word="teal") as seen:
        time.sleep(0.5)
        with cluster.redis.held_still():
            time.sleep(OUTAGE)
        time.sleep(1)
    assert_answered(seen, upload={202})
    assert_all_done(cluster, seen)


def test_while_the_store_is_gone_it_is_said_plainly_and_what_was_acknowledged_is_there_when_it_is_back(
    cluster: Cluster, visitor: httpx.Client
) -> None:
    with traffic(cluster, visitor, word="rail") as seen:
        time.sleep(0.5)
        cluster.store.kill()
        time.sleep(OUTAGE)
        cluster.store.start()
        for web in cluster.webs:
            web.wait()
        time.sleep(1)
    assert_answered(seen, write={200, 201, 503}, upload={202, 503}, search={200, 503}, page={200, 503})
    assert_all_done(cluster, seen)


@long
def test_while_the_store_hangs_nobody_waits_for_ever(cluster: Cluster, visitor: httpx.Client) -> None:
    with traffic(cluster, visitor, word="smew") as seen:
        time.sleep(0.5)
        with cluster.store.held_still():
            time.sleep(OUTAGE)
        time.sleep(1)
    assert_answered(
        seen, within=OUTAGE + MISSED, write={200, 201, 503}, upload={202, 503}, search={200, 503}, page={200, 503}
    )
    assert_all_done(cluster, seen)


def assert_answered(seen: Traffic, *, within: float = AT_ONCE, **allowed: set[int]) -> None:
    """Each kind got only these statuses, within so many seconds; a refusal is a problem in JSON, or a page in plain
    words."""
    print({kind: Counter(one.status for one in seen.of(kind)) for kind in KINDS}, f"slowest {seen.slowest:.1f} s")
    for one in seen.answers:
        assert one.status in allowed.get(one.kind, {200, 201}), one
    for one in seen.answers:
        if one.status == 503 and one.kind != "page":
            assert one.content_type == "application/problem+json" and "store" in one.body, one
        elif one.status == 503:
            assert "The store" in one.body and "Try again" in one.body and "Traceback" not in one.body, one
    assert seen.slowest < within, max(seen.answers, key=lambda one: one.seconds)


def assert_all_done(cluster: Cluster, seen: Traffic) -> None:
    """Every job that was accepted ends well, every text that was acknowledged is held once, and the space is whole."""
    web = cluster.webs[1]
    jobs = {one.key for one in seen.of("upload", 202)}
    cluster.silence("queued", minutes=11)  # their ids may have been lost with the queue's memory
    cluster.tick()
    for job in jobs:
        told = cluster.ended(job, ticking=True)
        assert told["status"] == "done", told
    wanted = {one.text for one in (*seen.of("write", 200, 201), *seen.of("upload", 202))}
    held = Counter(text.split("\n")[-1] for text in texts(web.api))
    assert {text: held[text] for text in wanted if held[text] != 1} == {}
    wait_for(lambda: all(part.runs for part in cluster.parts), log=cluster.store.log)
    assert web.api.get("/integrity").raise_for_status().json()["broken"] == []


def texts(api: httpx.Client) -> list[str]:
    found: list[str] = []
    cursor = ""
    while True:
        page: dict[str, Any] = api.get("/memories", params={"limit": 200, "cursor": cursor}).raise_for_status().json()
        found += [item["text"].strip() for item in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            return found
