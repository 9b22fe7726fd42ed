"""A space that nobody uses is closed by the tick, and all that was in it is there when somebody asks again."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from memoryapp.accounts import opening
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.people import create_person
from memoryapp.accounts.spaces import create_space, open_space, set_settings, space_named
from memoryapp.domain.results import Query
from memoryapp.domain.turn import NewTurn
from memoryapp.jobs import run
from memoryapp.jobs.heartbeat import set_schedule
from memoryapp.jobs.models import Job
from memoryapp.jobs.tasks import tick
from memoryapp.remember import append_turns
from memoryapp.search import search
from memoryapp.search.record import record
from memoryapp.spaces import is_open, list_open_spaces, pipeline
from memoryapp.store import documents, memories, sessions, usage
from tests.jobs.conftest import ADA
from tests.search.conftest import memory, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queued", "on_disk")]

REED = memory("갈대는 물가에 선다. Reeds stand at the water.")


@pytest.fixture
def on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Spaces that can be closed: those of the other tests live in memory. A space is idle as soon as it is let go."""
    close_spaces()
    monkeypatch.setattr(settings, "STORE_URL", f"surrealkv://{tmp_path / 'spaces'}")
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(opening, "_setup", None)
    monkeypatch.setattr(opening, "IDLE", 0.0)
    create_space("reeds", encoder="hashing")
    yield
    close_spaces()
    opening._setup = None


def rested(name: str = "reeds") -> bool:
    """Whether the tick leaves it closed, once the jobs that it sends are done."""
    for _ in range(5):
        tick()
        for job in Job.objects.filter(status="queued"):
            run.run(job.pk)
        if not is_open(name):
            return True
    return False


def openings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    real = pipeline.open_database

    def counted(url: str, name: str, **more: object) -> object:
        names.append(name)
        return real(url, name, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "open_database", counted)
    return names


def test_a_space_that_was_closed_is_found_again_with_everything() -> None:
    write(open_space("reeds"), REED)
    assert rested()
    found = search(open_space("reeds"), Query("갈대"))
    assert [hit.memory.id for hit in found.hits] == [REED.id]
    write(open_space("reeds"), memory("A second one."))
    assert rested()
    assert len(list(memories.scan(open_space("reeds").db))) == 2


def test_the_tick_does_not_open_what_is_closed_and_has_nothing_due(monkeypatch: pytest.MonkeyPatch) -> None:
    names = openings(monkeypatch)
    assert rested() and names.count("reeds") == 1  # it was never looked at before
    assert rested() and rested() and names.count("reeds") == 1


def test_whoever_holds_a_handle_keeps_its_space_and_its_parent_from_being_closed() -> None:
    create_space("marsh", encoder="hashing")
    child = create_space("pond", parent=space_named("marsh"), encoder="hashing")
    held = open_space(child.name)
    tick()
    assert is_open("pond") and is_open("marsh") and not is_open("reeds")
    assert held.parent is not None
    write(held, REED)
    assert list(memories.scan(held.parent.db)) == []
    del held
    gc.collect()
    assert rested("pond") and rested("marsh")


def test_work_aside_keeps_its_space_open_after_whoever_began_it_is_gone() -> None:
    begun, may, told = threading.Event(), threading.Event(), []

    def work(space: object) -> None:
        begun.set()
        may.wait(20)
        told.append(len(list(memories.scan(space.db))))  # type: ignore[attr-defined]

    thread = threading.Thread(target=work, args=(open_space("reeds"),))
    thread.start()
    begun.wait(20)
    assert not rested()
    may.set()
    thread.join(20)
    del thread
    assert told == [0]
    assert rested()


def test_a_space_rests_only_a_while_after_it_was_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "IDLE", 600.0)
    open_space("reeds")
    assert not rested()
    monkeypatch.setattr(opening, "IDLE", 0.0)
    assert rested()


def test_what_reads_the_figures_of_open_spaces_does_not_use_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.interfaces.health.metrics import exposition

    monkeypatch.setattr(opening, "IDLE", 600.0)
    open_space("reeds")
    before = pipeline._opened["reeds"].used_at
    assert b'space="reeds"' in exposition()
    assert pipeline._opened["reeds"].used_at == before
    monkeypatch.setattr(opening, "IDLE", 0.0)
    assert rested()
    assert b'space="reeds"' not in exposition() and not is_open("reeds")


def test_accesses_are_counted_though_the_space_is_about_to_be_closed() -> None:
    write(open_space("reeds"), REED)
    space = open_space("reeds")
    record(space, [REED.id], now=space.clock())
    del space  # it would keep it open
    for _ in range(50):
        if rested():
            break
        threading.Event().wait(0.1)
    assert not is_open("reeds")
    assert usage.get_many(open_space("reeds").db, [REED.id])[REED.id].accesses == 1


def test_turns_that_wait_keep_it_open_and_are_sent_to_be_read() -> None:
    space = open_space("reeds")
    sessions.open_session(space.db, sessions.Session("monday", timezone.now()))
    append_turns(space, "monday", [NewTurn("Mara likes tea.", "Mara")], actor=ADA)
    del space  # it would keep it open
    tick()
    assert is_open("reeds")
    assert Job.objects.filter(kind="read", space="reeds").exists()


def test_a_process_that_was_killed_leaves_no_space_resting_that_was_written_to() -> None:
    assert rested() and space_named("reeds").rests_until is not None
    space = open_space("reeds")
    assert space_named("reeds").rests_until is None  # before anything can be written
    sessions.open_session(space.db, sessions.Session("monday", timezone.now()))
    append_turns(space, "monday", [NewTurn("Mara likes tea.", "Mara")], actor=ADA)
    del space  # it would keep it open
    pipeline.close_space("reeds")  # as a new start finds it
    tick()
    assert Job.objects.filter(kind="read", space="reeds").exists()


def test_a_source_of_a_closed_space_is_read_when_it_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.jobs.sources import ingest_path

    monkeypatch.setattr(settings, "INGEST_ROOTS", (tmp_path,))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "reed.md").write_text("# Reeds\n\nReeds stand at the water.\n")
    run.run(ingest_path("reeds", str(tmp_path / "notes"), actor=ADA).pk)
    (source,) = documents.sources(open_space("reeds").db)
    documents.put_source(open_space("reeds").db, replace(source, every_minutes=60))
    assert rested()
    until = space_named("reeds").rests_until
    assert until is not None and timezone.now() + timedelta(minutes=50) < until < timezone.now() + timedelta(minutes=61)
    monkeypatch.setattr(timezone, "now", lambda now=timezone.now: now() + timedelta(minutes=62))
    tick()
    assert Job.objects.filter(kind="ingest", space="reeds", status="queued").exists()


def test_settings_and_schedules_have_a_closed_space_looked_at_again() -> None:
    assert rested()
    set_settings(space_named("reeds"), {"summary_after": 7})
    assert space_named("reeds").rests_until is None
    assert rested() and space_named("reeds").rests_until is not None
    set_schedule(space_named("reeds"), "graph", on=False)
    assert space_named("reeds").rests_until is None


def test_a_space_that_lives_in_memory_is_never_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    close_spaces()
    monkeypatch.setattr(settings, "STORE_URL", "mem://")
    monkeypatch.setattr(opening, "_setup", None)
    write(open_space("reeds"), REED)
    assert not rested()
    assert len(list(memories.scan(open_space("reeds").db))) == 1


def test_the_next_look_comes_after_a_day_at_most() -> None:
    assert rested()
    until = Row.objects.get(name="reeds").rests_until
    assert until is not None and until <= timezone.now() + timedelta(days=1)
    Row.objects.filter(name="reeds").update(rests_until=timezone.now())
    assert rested()
    assert Row.objects.get(name="reeds").rests_until > until
    assert list_open_spaces() == () or is_open("default")


def test_a_page_and_an_answer_let_go_of_their_space_when_they_are_done() -> None:
    person = create_person("ada", password="a long password of hers", admin=True)
    browser = Client()
    browser.force_login(person)
    for address in ("/", "/memories/", "/search/?q=reed", "/settings/health/", "/facts/", "/consolidate/"):
        assert browser.get(address, {"space": "reeds"}, follow=True).status_code in (200, 404), address
    assert is_open("reeds") and rested()
