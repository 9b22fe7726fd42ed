"""Each act of a space is done at its own time, skipped where nothing changed, and stops no other where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, create_space, open_space, set_settings, space_named
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.errors import BadInput, NotFound, StoreError
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.domain.node import MOST_BYTES, ROOT, new_node
from memoryapp.jobs import acts, graphing, heartbeat, narration, run
from memoryapp.jobs.acts import ACTS, Look
from memoryapp.jobs.heartbeat import beat, pulse, pulses, run_now, set_schedule
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.schedule import Schedule, check, is_due, next_at, open_to
from memoryapp.jobs.tasks import tick
from memoryapp.review import confirm
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.write import Batch, commit, new_run
from tests.jobs.conftest import ADA
from tests.samples import a_memory, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
KST = "Asia/Seoul"


@pytest.fixture
def space() -> Iterator[Space]:
    narration._looked_at.clear()
    graphing._looked_at.clear()
    yield open_space(DEFAULT)
    close_spaces()  # its store is in memory: gone with the handle


@pytest.fixture
def row(space: Space) -> Row:
    return space_named(DEFAULT)


def only(row: Row, *keys: str) -> None:
    """Everything but these is off."""
    for key in ACTS:
        set_schedule(row, key, on=key in keys)


def facts(space: Space, *texts: str, days: int = 0) -> list[str]:
    at = timezone.now() - timedelta(days=days)
    made = [a_memory(text, kind=Kind.FACT, category=Category.WORK, created_at=at, updated_at=at) for text in texts]
    return [memory.id for memory in written(space.db, *made)]


def a_node(space: Space, path: str, *, size: int) -> None:
    lines = "".join(f"- line {n} says something of its own\n" for n in range(size // 30))
    made = new_node(path, title=path, text=f"# {path}\n\n{lines}", now=space.clock())
    commit(space.db, new_run("grow", ADA, now=space.clock()), Batch(created=[made]), now=space.clock())


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def later(hours: float) -> datetime:
    return timezone.now() + timedelta(hours=hours)


# --- When -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "zone", "last", "due"),
    [
        ("03:00", "UTC", "2026-11-22T02:00", "2026-11-22T03:00"),
        ("03:00", "UTC", "2026-11-22T03:00", "2026-11-23T03:00"),
        ("03:00", "UTC", "2026-11-22T04:00", "2026-11-23T03:00"),
        ("03:00", KST, "2026-11-22T12:00", "2026-11-22T18:00"),
        ("23:59", KST, "2026-11-22T14:58", "2026-11-22T14:59"),
        ("03:00", "Europe/Berlin", "2026-10-24T22:00", "2026-10-25T02:00"),  # the clocks go back that night
        ("02:30", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:30"),  # and this hour does not exist
    ],
)
def test_a_time_of_day_is_due_once_a_day_where_its_zone_is(at: str, zone: str, last: str, due: str) -> None:
    schedule = Schedule(on=True, at=at, zone=zone)
    began, moment = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (last, due))
    assert next_at(schedule, last=began, now=began) == moment
    assert not is_due(schedule, last=began, now=moment - timedelta(minutes=1))
    assert is_due(schedule, last=began, now=moment)


def test_a_time_that_passed_while_nothing_ran_is_made_up_for_once() -> None:
    schedule = Schedule(on=True, at="03:00", zone="UTC")
    last, now = NOON - timedelta(days=5), NOON
    assert is_due(schedule, last=last, now=now)
    assert next_at(schedule, last=now, now=now) == NOON + timedelta(hours=15)


def test_an_interval_counts_from_the_last_time() -> None:
    schedule = Schedule(on=True, every_minutes=60)
    assert next_at(schedule, last=NOON, now=NOON) == NOON + timedelta(hours=1)
    assert next_at(schedule, last=None, now=NOON) == NOON
    assert next_at(Schedule(on=False, every_minutes=60), last=None, now=NOON) is None
    assert next_at(Schedule(on=True), last=None, now=NOON) is None


def test_without_a_zone_it_is_the_time_of_this_machine() -> None:
    found = next_at(Schedule(on=True, at="03:00"), last=NOON, now=NOON)
    assert found is not None and found.astimezone().strftime("%H:%M") == "03:00"


@pytest.mark.parametrize(
    ("schedule", "field"),
    [
        (Schedule(on=True, at="3:00"), "/at"),
        (Schedule(on=True, at="24:00"), "/at"),
        (Schedule(on=True, at="03:00", every_minutes=5), "/at"),
        (Schedule(on=True, at="03:00", zone="Mars/Olympus"), "/zone"),
        (Schedule(on=True, at="03:00", zone="../../etc/passwd"), "/zone"),
        (Schedule(on=True, every_minutes=10**9), "/every_minutes"),
    ],
    ids=["short", "late", "both", "mars", "path", "long"],
)
def test_a_schedule_that_cannot_be_kept_is_refused_at_its_field(schedule: Schedule, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        check(schedule)
    assert refused.value.field == field


def test_what_is_set_stays_set_and_a_time_takes_the_place_of_an_interval(row: Row) -> None:
    assert not pulse(row, "consolidate").schedule.on  # nothing folds anything unasked
    assert set_schedule(row, "consolidate", on=True, every_minutes=360).schedule == Schedule(True, 360)
    assert set_schedule(row, "consolidate", at="04:30", zone=KST).schedule == Schedule(True, 0, "04:30", KST)
    assert set_schedule(row, "consolidate", on=False).schedule == Schedule(False, 0, "04:30", KST)
    assert set_schedule(row, "consolidate", every_minutes=0).schedule == Schedule(False, 0, "", KST)
    with pytest.raises(BadInput):
        set_schedule(row, "expire", split=True)
    with pytest.raises(NotFound):
        set_schedule(row, "gossip", on=True)


def test_what_is_turned_on_waits_for_its_time(row: Row, space: Space) -> None:
    set_settings(row, {"trust_floor": 0.3})
    facts(space, "Mara owns a canoe.", days=400)
    only(row, "expire")
    assert beat() == []
    assert [job.kind for job in beat(now=later(25))] == ["expire"]


# --- What -----------------------------------------------------------------------------------------------------------


def test_what_is_hardly_trusted_any_more_is_put_aside_once_a_day(row: Row, space: Space) -> None:
    set_settings(row, {"trust_floor": 0.3})
    (old,) = facts(space, "Mara owns a canoe.", days=400)
    Row.objects.update(created_at=later(-25))
    (job,) = [one for one in beat() if one.kind == "expire"]
    assert done(job).report == {"archived": 1, "disputed": 0, "floor": 0.3}
    assert memories.get(space.db, old).state is State.ARCHIVED
    assert revisions.get_run(space.db, Job.objects.get(pk=job.pk).run).actor == heartbeat.HEARTBEAT
    assert not [one for one in beat(now=later(23)) if one.kind == "expire"]
    shown = pulse(row, "expire")
    assert (shown.told, shown.skipped, shown.failed) == ("1 memory archived.", False, False)
    assert shown.took is not None and shown.next_at is not None
    assert not [one for one in beat(now=later(25)) if one.kind == "expire"]
    assert pulse(row, "expire").told == "nothing has expired, and no fact is trusted less than 0.3"


def test_without_a_floor_nothing_expires_and_no_job_is_made(row: Row, space: Space) -> None:
    facts(space, "Mara owns a canoe.", days=4_000)
    beat(now=later(25))
    assert not Job.objects.filter(kind="expire").exists()
    shown = pulse(row, "expire")
    assert shown.skipped and "nothing has expired" in shown.told


def test_an_act_is_skipped_while_nothing_changed_since_it_was_last_begun(row: Row, space: Space) -> None:
    """A fact that a conflict is about stays under the floor: the same look every day, until something is written."""
    set_settings(row, {"trust_floor": 0.3})
    (old,) = facts(space, "Mara owns a canoe.", days=400)
    clash = Conflict("c0ffee0000000001", old, "slot", "two owners", timezone.now(), incoming_text="Jo owns the canoe.")
    commit(space.db, new_run("remember", ADA, now=NOON), Batch(conflicts=[clash]), now=NOON)
    only(row, "expire")
    (job,) = beat(now=later(25))
    assert done(job).report["disputed"] == 1
    assert beat(now=later(50)) == []
    assert (pulse(row, "expire").told, pulse(row, "expire").skipped) == (heartbeat.UNCHANGED, True)
    facts(space, "Mara sold engine Elm.")
    assert [one.kind for one in beat(now=later(75))] == ["expire"]


def test_a_look_that_fails_is_shown_and_stops_no_other(row: Row, space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    set_settings(row, {"trust_floor": 0.3})
    facts(space, "Mara owns a canoe.", days=400)
    for key, error in (("tree-size", StoreError("The store is gone.")), ("index", ValueError("oops"))):

        def fail(*_: Any, error: Exception = error) -> Look:
            raise error

        monkeypatch.setitem(ACTS, key, replace_look(ACTS[key], fail))
    other = create_space("beside")
    kinds = [(one.space, one.kind) for one in beat(now=later(25))]
    assert (DEFAULT, "expire") in kinds
    assert (pulse(row, "tree-size").told, pulse(row, "tree-size").failed) == ("The store is gone.", True)
    assert pulse(row, "index").told == "Unexpected ValueError: oops"
    assert pulse(other, "index").failed  # and the next space had its turn
    monkeypatch.undo()
    beat(now=later(50))
    assert not pulse(row, "tree-size").failed


def replace_look(act: acts.Act, look: Any) -> acts.Act:
    return acts.Act(act.key, act.name, act.told, act.kind, act.schedule, look, act.begin)


def test_a_job_that_failed_is_shown_with_its_error_and_tried_again_at_its_time(row: Row, space: Space) -> None:
    set_settings(row, {"trust_floor": 0.3})
    facts(space, "Mara owns a canoe.", days=400)
    only(row, "expire")
    (job,) = beat(now=later(25))
    Job.objects.filter(pk=job.pk).update(status=Status.FAILED, error="The disk is full.", finished_at=later(25))
    shown = pulse(row, "expire")
    assert (shown.told, shown.failed) == ("The disk is full.", True)
    assert [one.kind for one in beat(now=later(50))] == ["expire"]  # though nothing was written since


def test_no_act_runs_twice_at_once(row: Row, space: Space) -> None:
    only(row, "index")
    first = run_now(row, "index", actor=ADA)
    assert run_now(row, "index", actor=ADA).pk == first.pk
    assert beat(now=later(48)) == []
    assert pulse(row, "index").running == first


def test_what_one_asks_for_is_done_by_who_asked_even_where_it_is_off(row: Row, space: Space) -> None:
    set_settings(row, {"trust_floor": 0.3})
    facts(space, "Mara owns a canoe.", days=400)
    only(row)
    job = done(run_now(row, "expire", actor=ADA))
    assert revisions.get_run(space.db, job.run).actor == ADA
    with pytest.raises(NotFound):
        run_now(row, "gossip", actor=ADA)


def test_nodes_that_are_too_large_are_told_without_a_job_and_left_as_they_are(row: Row, space: Space) -> None:
    a_node(space, "identity/values", size=2 * MOST_BYTES)
    a_node(space, "projects", size=1_000)
    a_node(space, ROOT, size=3 * MOST_BYTES)  # the page of all, which nobody splits
    Row.objects.update(created_at=later(-25))
    assert not [one for one in beat() if one.arguments.get("act") == "tree-size"]
    assert pulse(row, "tree-size").told == "1 node is over 10 KB: identity/values"
    report = done(run_now(row, "tree-size", actor=ADA)).report
    assert (report["large"], report["split"]) == (["identity/values"], [])
    assert pulse(row, "tree-size").told == "1 node is over 10 KB: identity/values."


def test_the_index_is_written_to_disk(row: Row, space: Space) -> None:
    facts(space, "Mara owns a canoe.")
    report = done(run_now(row, "index", actor=ADA)).report
    assert report["rows"] == 1 and report["told"].startswith("1 memory, ")
    assert acts._index(space, Schedule(True), timezone.now()) == Look(False, "the index is on disk as it stands")
    facts(space, "Mara sold engine Elm.")
    assert acts._index(space, Schedule(True), timezone.now()).due


def test_an_act_the_job_does_not_know_is_refused(space: Space) -> None:
    job = acts.submit_act(DEFAULT, "gossip", actor=ADA)
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.FAILED and "gossip" in job.error


# --- What the tick does at once ------------------------------------------------------------------------------------


def test_summaries_and_graph_wait_for_nothing_until_somebody_gives_them_a_time(row: Row, space: Space) -> None:
    assert all(open_to(DEFAULT, key) for key in ("summaries", "graph", "layout"))
    facts(space, *(f"Mara repaired engine {name}." for name in ("Ash", "Birch", "Cedar", "Dogwood", "Elm")))
    set_schedule(row, "summaries", on=False)
    set_schedule(row, "graph", every_minutes=360)
    narration.submit_upkeep()
    graphing.submit_graphs(now=later(1))
    assert not Job.objects.filter(kind__in=("summaries", "graph")).exists()
    assert [one.kind for one in beat(now=later(7)) if one.kind in ("summaries", "graph")] == ["graph"]
    set_schedule(row, "summaries", on=True, every_minutes=0)
    narration.submit_upkeep()
    assert Job.objects.filter(kind="summaries").exists()


def test_confirming_an_old_fact_counts_as_a_change(row: Row, space: Space) -> None:
    (key,) = facts(space, "Mara owns a canoe.", days=400)
    before = acts.state_of(space)
    assert acts.state_of(space) == before
    confirm(space, [key], actor=ADA)
    assert acts.state_of(space) != before


def test_the_first_graph_job_waits_for_no_tick_and_the_next_one_does(row: Row, space: Space) -> None:
    assert graphing.submit_first_graph(space) is None  # nothing to read
    facts(space, "Adam uses Terraform.")
    assert graphing.submit_first_graph(space) is not None
    assert graphing.submit_first_graph(space) is None
    done(Job.objects.get(kind="graph"))
    facts(space, "Mina uses Terraform.")
    assert graphing.submit_first_graph(space) is None


def test_the_first_reading_and_the_first_ingest_begin_it(
    row: Row, space: Space, tmp_path: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.jobs.sources import ingest_path

    begun: list[str] = []
    for job, module in (("read", "sessions"), ("ingest", "ingest")):
        place = f"memoryapp.jobs.handlers.{module}.submit_first_graph"
        monkeypatch.setattr(place, lambda opened, job=job: begun.append(f"{job} {opened.name}"))
    settings.INGEST_ROOTS = (tmp_path,)
    (tmp_path / "notes.md").write_text("# Tools\n\n## Infrastructure\n\nAdam uses Terraform.\n")
    done(ingest_path(DEFAULT, str(tmp_path), actor=ADA))
    talked(space)
    from memoryapp.jobs.reading import submit_reading

    done(submit_reading(DEFAULT, actor=ADA))
    assert begun == ["ingest default", "read default"]


def talked(space: Space) -> None:
    from memoryapp.domain.turn import NewTurn
    from memoryapp.remember import append_turns
    from memoryapp.store import sessions

    sessions.open_session(space.db, sessions.Session("monday", timezone.now()))
    append_turns(space, "monday", [NewTurn("I live in Ulsan.", "Mara")], actor=ADA)


@pytest.mark.django_db(transaction=True)
def test_the_tick_beats(row: Row, space: Space) -> None:
    set_settings(row, {"trust_floor": 0.3})
    facts(space, "Mara owns a canoe.", days=400)
    Row.objects.update(created_at=later(-25))
    tick()
    assert Job.objects.filter(kind="expire", status=Status.QUEUED).exists()
    assert {one.act.key for one in pulses(row)} == set(ACTS)
