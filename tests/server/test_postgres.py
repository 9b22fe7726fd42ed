"""The database of people, keys and jobs on a real PostgreSQL: tables, whatever two processes do at once, and a whole
server on it."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from tests.conftest import missing
from tests.server.cluster import started
from tests.server.processes import ROOT, Part, free_port

pytestmark = pytest.mark.server
PASSWORD = "kept apart"
AT_ONCE = 4
# Each process says which of the jobs it claimed, and whether the login link let it in.
CLAIMS = """
import django; django.setup()
import sys
from memoryapp.accounts.login import use_login_token
from memoryapp.jobs import run
jobs, link = sys.argv[1].split(","), sys.argv[2]
came_in = use_login_token(link) is not None
print(sum(run._claim(job) is not None for job in jobs), int(came_in))
"""
MADE = """
import django; django.setup()
from memoryapp.accounts.login import make_login_token
from memoryapp.accounts.people import first_admin
from memoryapp.jobs.models import Job
said = {"said": "Café 카페"}
jobs = [Job.objects.create(kind="read", space="default", subject=f"s{n}", arguments=said) for n in range(12)]
print(",".join(job.pk for job in jobs), make_login_token(first_admin()))
"""


def programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    known = [Path(found).resolve().parent] if found else []
    return next(iter([*known, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]), None)


def as_its_user(*words: str) -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *words] if getpass.getuser() == "root" else list(words)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The address of a new, empty server; it ends with the tests."""
    bin = programs()
    if bin is None:
        missing("postgresql")
    with tempfile.TemporaryDirectory(prefix="palimpsest-pg-") as name:
        folder = Path(name)
        password = folder / "password"
        password.write_text(PASSWORD)
        if getpass.getuser() == "root":
            for path in (folder, password):
                shutil.chown(path, "postgres")
        data, port = folder / "data", free_port()
        made = [
            str(bin / "initdb"),
            "-D",
            str(data),
            "-U",
            "palimpsest",
            "--auth=scram-sha-256",
            f"--pwfile={password}",
        ]
        subprocess.run(as_its_user(*made, "--encoding=UTF8"), check=True, capture_output=True, cwd=folder)
        settings = ["-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
        log = Path(tempfile.mkstemp(prefix="palimpsest-pg-", suffix=".log")[1])
        server = Part(
            log,
            as_its_user(str(bin / "postgres"), "-D", str(data), *settings),
            lambda: "ready to accept connections" in server.said(),
            dict(os.environ),
        )
        server.start()
        try:
            yield f"postgres://palimpsest@127.0.0.1:{port}/"
        finally:
            server.stop()
            log.unlink(missing_ok=True)


@pytest.fixture
def env(database: str, tmp_path: Path) -> dict[str, str]:
    """What a process on a database of its own is started with. The password comes in a file, as containers hand it."""
    import psycopg

    name = f"t{uuid4().hex}"  # a test that is run again has another
    with psycopg.connect(f"{database}postgres", password=PASSWORD, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    secret = tmp_path / "database_password"
    secret.write_text(PASSWORD + "\n")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MEMORY_", "CELERY_", "DJANGO_"))}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        "MEMORY_DATA_DIR": str(tmp_path / "data"),
        "MEMORY_ENCODER": "hashing",
        "DATABASE_URL": f"{database}{name}",
        "DATABASE_PASSWORD_FILE": str(secret),
    }


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=180)


@pytest.mark.long
def test_processes_that_prepare_the_database_at_once_make_it_once(env: dict[str, str]) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda _: run(env, "manage.py", "prepare", "--json"), range(AT_ONCE)))
    assert [one.returncode for one in done] == [0] * AT_ONCE, [one.stderr for one in done]
    told = [json.loads(one.stdout) for one in done]
    assert {one["database"] for one in told} == {"postgresql"} and len({one["administrator"] for one in told}) == 1
    people = json.loads(run(env, "manage.py", "people", "list", "--json").stdout)["items"]
    assert [one["name"] for one in people] == [told[0]["administrator"]]


def test_a_database_that_is_away_or_refuses_is_told_plainly(env: dict[str, str]) -> None:
    for broken in (env | {"DATABASE_PASSWORD_FILE": os.devnull}, env | {"DATABASE_URL": "postgres://a@127.0.0.1:9/b"}):
        done = run(broken, "manage.py", "prepare")
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert (
            "The database of people, keys and jobs of DATABASE_URL fails" in done.stderr and PASSWORD not in done.stderr
        )


def test_a_job_is_begun_by_one_process_and_a_link_lets_one_in(env: dict[str, str]) -> None:
    assert run(env, "manage.py", "prepare").returncode == 0
    made = run(env, "-c", MADE)
    assert made.returncode == 0, made.stderr
    jobs, link = made.stdout.split()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda _: run(env, "-c", CLAIMS, jobs, link), range(AT_ONCE)))
    assert all(one.returncode == 0 for one in done), [one.stderr for one in done]
    counts = [tuple(map(int, one.stdout.split())) for one in done]
    assert sum(claimed for claimed, _ in counts) == 12 and sum(came_in for _, came_in in counts) == 1


@pytest.mark.long
def test_a_whole_server_works_on_it(env: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("redis-server") is None:
        missing("redis-server")
    kept = {name: env[name] for name in ("DATABASE_URL", "DATABASE_PASSWORD_FILE")}
    with started(tmp_path, webs=2, workers=1, **kept) as cluster:
        job = cluster.webs[0].upload("note.md", "# Heron\n\n## Where\n\nThe heron stands in the reeds.\n")
        assert cluster.ended(job)["status"] == "done"
        assert any("heron" in text for text in cluster.webs[1].found("heron"))
        assert not (tmp_path / "data" / "people.sqlite3").exists()
        assert "Traceback" not in cluster.logs()
