"""The same work at two web processes over one store: what one of them acknowledged the other one knows."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from memoryapp.domain.identity import new_id
from tests.acceptance.place import Place, client, got
from tests.concurrency.judged import judge
from tests.concurrency.test_many_at_once import LONG, SEED
from tests.concurrency.work import work
from tests.concurrency.world import furnish
from tests.conftest import missing
from tests.live import Live
from tests.server.cluster import Cluster, started

pytestmark = [
    pytest.mark.server,
    pytest.mark.slow,
    pytest.mark.skipif(not LONG, reason="part of the long form: MEMORY_TEST_CONCURRENCY=minutes:5"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if shutil.which("redis-server") is None:
        missing("redis-server")
    with started(tmp_path_factory.mktemp("webs"), workers=0, MEMORY_RATE_LIMIT="0") as running:
        yield running


@pytest.fixture
def doors(cluster: Cluster, tmp_path: Path) -> Iterator[list[Place]]:
    """A new space, by either process."""
    name, made = f"a-{new_id()}", []
    cluster.webs[0].api.post("/spaces", json={"name": name, "settings": {}}).raise_for_status()
    for web in cluster.webs:
        key = web.api.headers["Authorization"].removeprefix("Bearer ")
        nobodys = cast("subprocess.Popen[str]", None)
        live = Live(url=web.url, link="", key=key, data=cluster.folder / "data", process=nobodys, output=[])
        made.append(Place(live, name, client(web.url, key, name), tmp_path))
    made[0].still()
    yield made
    for place in made:
        place.api.close()


@pytest.mark.long
def test_two_web_processes_keep_one_history(doors: list[Place]) -> None:
    seconds = 60 * float(LONG.removeprefix("minutes:"))
    world, until = furnish(doors[0]), time.monotonic() + seconds
    done = work(world, seed=SEED, enough=lambda _: time.monotonic() > until, patience=seconds + 240, doors=doors)
    print(f"\nseed {SEED}\n{done.told()}")
    assert done.stuck == []
    breaches = judge(done.ops, done.end)
    assert not breaches, "\n".join([f"{len(breaches)} breaches, seed {SEED}", *breaches[:40]])
    for place in doors:
        whole = got(place.api, "/integrity")
        assert whole["sound"], whole["broken"]
    print(done.in_short("Two web processes", SEED))
