"""Server mode as docker/compose.yaml runs it, without the containers: Redis, a store behind ws://, two web processes
and two workers, which share nothing but these and one folder. Each may be ended and started again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from celery import Celery

from tests.server.processes import PASSWORD, ROOT, USER, Part, bridge_words, free_port, wait_for

PATIENCE = 90.0  # seconds; a busy machine is slow, not wrong
ENDED = ("done", "failed", "cancelled")
# docker/compose.yaml starts workers so, with a concurrency of 2.
WORKER = ("-m", "celery", "-A", "memoryapp", "worker", "--pool", "threads", "--concurrency", "1", "--loglevel", "INFO")
BEAT = ("-m", "celery", "-A", "memoryapp", "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile", "")


def image_command() -> list[str]:
    """How docker/Dockerfile starts a web process."""
    (words,) = re.findall(r"^CMD (\[.+\])$", (ROOT / "docker" / "Dockerfile").read_text().replace("\\\n", ""), re.M)
    command: list[str] = json.loads(words)
    return command


class Web(Part):
    """One uvicorn, and a client of its API."""

    def __init__(self, folder: Path, env: dict[str, str], name: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.api = httpx.Client(base_url=f"{self.url}/api/v1", timeout=PATIENCE, trust_env=False)
        words = [sys.executable, "-m", *image_command(), "--port", str(port), "--host", "127.0.0.1"]
        super().__init__(folder / f"{name}.log", words, self.is_ready, env)

    def is_ready(self) -> bool:
        return self.answers("/health/ready") == 200

    def is_alive(self) -> bool:
        return self.answers("/health/live") == 200

    def answers(self, address: str) -> int:
        """The status, 0 where nobody answers."""
        try:
            return self.api.get(address).status_code
        except httpx.HTTPError:
            return 0

    def found(self, query: str, **more: Any) -> list[str]:
        """The texts that a search finds, best first."""
        answer = self.api.post("/search", json={"query": query, **more}).raise_for_status().json()
        return [item["text"] for item in answer["items"]]

    def job(self, key: str) -> dict[str, Any]:
        told: dict[str, Any] = self.api.get(f"/jobs/{key}").raise_for_status().json()
        return told

    def upload(self, name: str, text: str) -> str:
        """Sends a file to be read; the id of the job."""
        answer = self.api.post("/ingest", files={"upload": (name, text.encode(), "text/markdown")})
        assert answer.status_code == 202, answer.text
        key: str = answer.json()["job"]["id"]
        return key


@dataclass(slots=True)
class Cluster:
    folder: Path
    env: dict[str, str]
    redis: Part
    store: Part
    webs: tuple[Web, ...]
    workers: tuple[Part, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self.redis, self.store, *self.webs, *self.workers)

    def mend(self) -> None:
        """Everything runs and is ready, whatever an earlier test left."""
        ended = [part for part in self.parts if not part.runs]
        for part in ended:
            part.begin()
        for part in (*ended, *self.webs):
            part.wait()

    def ended(self, job: str, *, ticking: bool = False) -> dict[str, Any]:
        """The job once it is over, however. `ticking`: as beat would, only more often."""
        told: dict[str, Any] = {}
        ticked_at = time.monotonic()

        def over() -> bool:
            nonlocal ticked_at
            told.update(self.webs[0].job(job))
            if ticking and time.monotonic() - ticked_at > 3:
                self.tick()
                ticked_at = time.monotonic()
            return told["status"] in ENDED

        wait_for(over, log=self.workers[0].log, within=PATIENCE)
        return told

    def tick(self) -> None:
        """What beat sends every minute, now."""
        with Celery(broker=self.env["CELERY_BROKER_URL"]) as app:
            app.send_task("memoryapp.jobs.tasks.tick")

    def silence(self, status: str, *, minutes: int) -> None:
        """As if so much time had passed since jobs of this status were last heard of: nobody waits for a clock here."""
        then = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(time.time() - 60 * minutes))
        with contextlib.closing(sqlite3.connect(self.folder / "data" / "people.sqlite3", timeout=20)) as people, people:
            people.execute(
                "UPDATE jobs_job SET heartbeat_at = ? WHERE status = ? AND heartbeat_at IS NOT NULL",
                (f"{then}.000000", status),
            )

    def logs(self) -> str:
        """What the web processes and the workers said since they were last started."""
        return "".join(part.said() for part in (*self.webs, *self.workers))


def environment(folder: Path, *, store: int, redis: int) -> dict[str, str]:
    secret = folder / "store_password"
    secret.write_text(PASSWORD + "\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "CELERY_", "DJANGO_"))}
    kept.pop("DATABASE_URL", None)
    return kept | {
        "MEMORY_DATA_DIR": str(folder / "data"),
        "MEMORY_STORE_URL": f"ws://127.0.0.1:{store}/rpc",
        "MEMORY_STORE_USER": USER,
        "MEMORY_STORE_PASSWORD_FILE": str(secret),
        "CELERY_BROKER_URL": f"redis://127.0.0.1:{redis}/0",
        "MEMORY_ENCODER": "hashing",
        "MEMORY_SEARCH_ENGINE": os.environ.get("MEMORY_TEST_ENGINE", "local"),
    }


def redis_part(folder: Path, port: int) -> Part:
    # Written to disk as in docker/compose.yaml, where the volume outlives the process.
    words = ["redis-server", "--port", str(port), "--save", "60", "1", "--dir", str(folder), "--bind", "127.0.0.1"]
    part = Part(folder / "redis.log", words, lambda: "Ready to accept" in part.said(), dict(os.environ))
    return part


def store_part(folder: Path, port: int) -> Part:
    part = Part(folder / "bridge.log", bridge_words(folder, port), lambda: "listening" in part.said(), dict(os.environ))
    return part


def worker_part(folder: Path, env: dict[str, str], name: str) -> Part:
    words = [sys.executable, *WORKER, "--hostname", f"{name}@%h"]
    part = Part(folder / f"{name}.log", words, lambda: " ready." in part.said(), env)
    return part


@contextlib.contextmanager
def started(folder: Path, *, webs: int = 2, workers: int = 2, **settings: str) -> Iterator[Cluster]:
    """All of it, ready; ended when the block ends. `settings`: more of the environment."""
    store, redis = free_port(), free_port()
    env = environment(folder, store=store, redis=redis) | settings
    made = subprocess.run(
        [sys.executable, "manage.py", "key", "--role", "admin", "--all-spaces"],
        cwd=ROOT, env=env, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    cluster = Cluster(
        folder=folder,
        env=env,
        redis=redis_part(folder, redis),
        store=store_part(folder, store),
        webs=tuple(Web(folder, env, f"web{n + 1}") for n in range(webs)),
        workers=tuple(worker_part(folder, env, f"worker{n + 1}") for n in range(workers)),
    )
    for web in cluster.webs:
        web.api.headers["Authorization"] = f"Bearer {made.stdout.strip()}"
    try:
        cluster.mend()
        yield cluster
    finally:
        for part in reversed(cluster.parts):
            part.stop()
        for web in cluster.webs:
            web.api.close()
