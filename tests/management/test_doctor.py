"""`manage.py doctor` names what is wrong, and says so by its exit code."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.test import override_settings
from pytest_django import Settings

from memoryapp.contradictions import pair_judge
from memoryapp.domain.errors import StoreUnavailable
from memoryapp.management.doctor import Finding, app, setup
from memoryapp.management.doctor.finding import findings_of
from memoryapp.management.doctor.setup import chat_model, pair_model
from memoryapp.management.running import Running, announce, holding
from memoryapp.management.serve import bind
from tests.chat_server import ChatServer, completion, refusal
from tests.damaged import DAMAGES, damaged
from tests.extraction.facts.test_fitness import able
from tests.inference.test_pairs import LABELS, tiny
from tests.live import manage


def test_a_healthy_folder_passes_and_an_ingest_folder_that_is_gone_is_a_warning_and_no_failure(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    rooted = os.pathsep.join(map(str, (tmp_path, gone)))
    done = manage("doctor", "--json", data=tmp_path / "data", timeout=120, MEMORY_INGEST_ROOTS=rooted)
    found = {one["name"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0
    assert found["Store"]["level"] == found["Data folder"]["level"] == "ok"
    assert all(one["fix"] for one in found.values() if one["level"] != "ok")
    (missed,) = [one for one in found.values() if str(gone) in one["told"]]
    assert missed["level"] == "warn" and "MEMORY_INGEST_ROOTS" in missed["fix"]


def test_a_model_that_is_not_there_is_named_and_fails_the_check(tmp_path: Path) -> None:
    done = manage("doctor", data=tmp_path / "data", timeout=120, MEMORY_ENCODER="/no/such/model")
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if "Model:" in line]
    assert line.startswith("✗") and "/no/such/model" in line


def test_the_chat_model_is_asked_and_what_is_wrong_with_it_is_a_warning(
    chat_server: ChatServer, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path

    def look(**settings: object) -> Finding:
        with override_settings(LLM=settings):
            finding, *work = chat_model()
        assert len(work) == (finding.told.startswith("good at"))
        return finding

    assert look(timeout=60.0).level == "ok" and "none set up" in look(timeout=60.0).told
    chat_server.answers = [completion("yes")]
    chat_server.judge = lambda body: refusal(401, "who are you")
    there = {"url": chat_server.address, "timeout": 60.0}
    answers = look(**there, name="good")
    assert answers.level == "ok" and "good at http://" in answers.told
    refused = look(**there, name="bad")
    assert refused.level == "warn" and "MEMORY_LLM_KEY" in refused.told and "rules" in refused.fix


def test_a_model_that_answers_is_tried_once_and_again_only_where_all_is_looked_at(
    chat_server: ChatServer, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.LLM = tmp_path, {"url": chat_server.address, "name": "good", "timeout": 60.0}
    chat_server.judge = lambda body: completion("yes") if "word yes" in str(body["messages"][-1]) else able(body)
    _, work = chat_model()
    assert work.level == "ok" and "rewrites facts: 11 of 12 right" in work.told
    asked = len(chat_server.asked)
    assert list(chat_model())[1] == work and len(chat_server.asked) == asked + 1
    list(chat_model(whole=True))
    assert len(chat_server.asked) > asked + 12


@pytest.mark.long
def test_the_inference_model_is_loaded_and_asked_and_what_is_wrong_with_it_is_a_warning(tmp_path: Path) -> None:
    def look(folder: str) -> Finding:
        with override_settings(NLI_MODEL=folder):
            (finding,) = pair_model()
        return finding

    assert look("").level == "ok" and "none set up" in look("").told
    gone = look(str(tmp_path / "gone"))
    assert gone.level == "warn" and "no such folder" in gone.told and "rules" in gone.fix
    (tmp_path / "empty").mkdir()
    empty = look(str(tmp_path / "empty"))
    assert empty.level == "warn" and "does not load" in empty.told
    answers = look(str(tiny(tmp_path / "small", LABELS)))
    assert answers.level == "ok" and "small judges a pair" in answers.told


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_judge_that_does_not_load_is_a_warning_and_says_what_goes_on_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(pair_judge, "JUDGE", damaged(pair_judge.JUDGE, tmp_path, damage=damage))
    finding = found_by(setup.judge_model)
    assert finding.level == "warn" and DAMAGES[damage] in finding.told and "the rules alone judge" in finding.fix


def found_by(look: Callable[[], Iterator[Finding]]) -> Finding:
    (finding,) = findings_of(look)
    return finding


def test_a_package_in_another_version_than_the_pinned_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_by(setup.packages).level == "ok"
    real = setup.version
    monkeypatch.setattr(setup, "version", lambda name: "2.9.0" if name == "surrealdb" else real(name))
    old = found_by(setup.packages)
    assert old.level == "bad" and "surrealdb 2.9.0 instead of 3." in old.told and "pip install" in old.fix


def test_a_full_disk_is_told_from_one_that_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_free(free: int) -> Finding:
        monkeypatch.setattr(setup.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
        return found_by(setup.disk)

    assert [with_free(free).level for free in (10 * 2**20, 500 * 2**20, 5 * 2**30)] == ["bad", "warn", "ok"]


def test_a_clock_behind_what_was_written_is_seen(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    file = tmp_path / "people.sqlite3"
    file.write_bytes(b"")
    assert found_by(setup.clock).level == "ok"
    os.utime(file, (time.time() + 86_400,) * 2)
    behind = found_by(setup.clock)
    assert behind.level == "warn" and "timedatectl" in behind.fix


def test_a_folder_that_others_may_read_or_that_is_somebody_elses_comes_with_the_command_that_mends_it(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o755)
    assert found_by(setup.data_folder).fix == f"chmod 700 {tmp_path}"
    tmp_path.chmod(0o700)
    assert found_by(setup.data_folder).level == "ok"
    monkeypatch.setattr(setup.os, "geteuid", lambda: os.getuid() + 1)
    assert "belongs to user" in found_by(setup.data_folder).told
    (tmp_path / "lock").write_text("")
    monkeypatch.setattr(setup.os, "access", lambda path, mode: path == tmp_path)
    foreign = found_by(setup.data_folder)
    assert foreign.level == "bad" and str(tmp_path / "lock") in foreign.told and "chown" in foreign.fix


def test_a_port_that_is_taken_is_told_with_another_one(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    with closing(bind("127.0.0.1", 0)) as taken:
        taken.listen()
        number = taken.getsockname()[1]
        there = found_by(lambda: setup.port("127.0.0.1", number))
        assert there.level == "warn" and f"--port {number + 1}" in there.fix
        announce(tmp_path, Running(url=f"http://127.0.0.1:{number}", key="k", pid=1))
        assert found_by(lambda: setup.port("127.0.0.1", number)).level == "ok"  # it is our own


def test_a_broker_that_is_down_is_told_without_its_password(settings: Settings) -> None:
    assert "no Redis is needed" in found_by(setup.broker).told
    settings.CELERY_BROKER_URL = "redis://:secret@127.0.0.1:1/0"
    down = found_by(setup.broker)
    assert down.level == "bad" and "127.0.0.1:1" in down.told and "secret" not in down.told + down.fix


def test_who_holds_the_folder_without_answering_is_named(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    assert found_by(app.process).level == "ok"
    with holding(tmp_path):
        held = found_by(app.process)
        assert held.level == "bad" and f"kill {os.getpid()}" in held.fix
    announce(tmp_path, Running(url="http://127.0.0.1:1", key="k", pid=2**22 + 1))
    left = found_by(app.process)
    assert left.level == "warn" and "manage.py up" in left.fix


@pytest.mark.django_db
def test_tables_that_wait_for_a_migration_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_by(setup.people_database).level == "ok"
    monkeypatch.setattr(setup.MigrationExecutor, "migration_plan", lambda self, targets: [("accounts", "0009")])
    pending = found_by(setup.people_database)
    assert pending.level == "warn" and "manage.py migrate" in pending.fix


def test_a_look_that_fails_is_a_finding_with_a_remedy_and_the_next_ones_still_look() -> None:
    def store() -> Iterator[Finding]:
        raise StoreUnavailable("ws://nowhere does not answer.")
        yield

    def files() -> Iterator[Finding]:
        raise OSError("gone")
        yield

    def database() -> Iterator[Finding]:
        raise OperationalError("disk I/O error")
        yield

    for look in (store, files, database):
        failed = found_by(look)
        assert failed.level == "bad" and failed.fix and failed.name == look.__name__.capitalize()
    assert "MEMORY_STORE_URL" in found_by(store).fix
