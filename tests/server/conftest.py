"""One cluster for all tests of a process; whole again before each of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import missing
from tests.live import use_link
from tests.server.cluster import PATIENCE, Cluster, started


@pytest.fixture(scope="session")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if shutil.which("redis-server") is None:
        missing("redis-server")
    with started(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def cluster(_cluster: Cluster) -> Cluster:
    _cluster.mend()
    return _cluster


@pytest.fixture
def visitor(cluster: Cluster) -> Iterator[httpx.Client]:
    """Somebody who is signed in, at either web process."""
    api = cluster.webs[0].api
    name = api.get("/people").raise_for_status().json()["items"][0]["name"]
    link = httpx.URL(api.post(f"/people/{name}/login-link").raise_for_status().json()["url"])
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        assert use_link(client, f"{cluster.webs[0].url}{link.path}").is_redirect
        yield client
