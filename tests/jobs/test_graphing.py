"""The graph is read, embedded and drawn by jobs: when something is due, not before, and not twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space, set_settings, space_named
from memoryapp.domain.entity import Entity
from memoryapp.domain.memory import Kind
from memoryapp.domain.relation import MadeBy
from memoryapp.domain.remembering import NewMemory
from memoryapp.graph import edit_entity
from memoryapp.jobs import graphing, run
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.tasks import tick
from memoryapp.remember import atoms_of, remember
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities, relations, revisions
from tests.jobs.conftest import ADA
from tests.samples import a_memory, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]
FACTS = [
    "Adam uses Terraform.", "Mina works at Hangang Labs.", "Jihye lives in Busan.", "Minsu uses Neovim.",
    "Mina uses Terraform.",
]  # fmt: skip


@pytest.fixture
def space() -> Iterator[Space]:
    graphing._looked_at.clear()
    opened = open_space(DEFAULT)
    opened.encoder.get(30)
    yield opened
    close_spaces()  # its store is in memory: gone with the handle


def tell(space: Space, *texts: str, kind: Kind = Kind.FACT) -> None:
    remember(space, [NewMemory(text, kind=kind) for text in texts], actor=ADA)


def submitted() -> list[str]:
    return [job.kind for job in graphing.submit_graphs()]


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def waiting(kind: str) -> list[Job]:
    return list(Job.objects.filter(kind=kind, status=Status.QUEUED))


def calm(space: Space) -> None:
    """Everything that is due is done, and the clock of the pauses stands well in the past."""
    for _ in range(4):
        for job in (*waiting("graph"), *waiting("layout"), *graphing.submit_graphs()):
            if job.status == Status.QUEUED:
                done(job)
    an_hour_passes()
    assert submitted() == []


def an_hour_passes() -> None:
    for job in Job.objects.exclude(finished_at=None):
        times = {name: getattr(job, name) - timedelta(hours=1) for name in ("created_at", "started_at", "finished_at")}
        Job.objects.filter(pk=job.pk).update(**times)


def test_an_empty_space_has_nothing_due(space: Space) -> None:
    assert submitted() == [] and submitted() == []
    assert Job.objects.count() == 0


def test_five_new_facts_are_read_for_relations_by_one_job(space: Space) -> None:
    tell(space, *FACTS)
    assert submitted() == ["graph"] and submitted() == []
    (job,) = waiting("graph")
    report = done(job).report
    assert report["read"] == 5 and report["relations"] >= 4 and report["reader"] == "rules" and report["added"] > 0
    assert relations.count_due(space.db) == 0
    edges = [one for table in relations.TABLES for one in relations.scan(space.db, table)]
    assert {one.made_by for one in edges} == {MadeBy.RULES}
    found = revisions.get_run(space.db, Job.objects.get(pk=job.pk).run)
    assert (found.act, found.actor) == ("relate", graphing.GRAPH)


def test_names_become_vectors_with_them(space: Space) -> None:
    tell(space, *FACTS)
    report = done(graphing.submit_graph(DEFAULT, actor=ADA)).report
    assert report["names"] == len(tuple(embeddings.scan_names(space.db, space.encoder.name))) > 0
    assert report["unnamed"] == 0


def test_a_single_fact_waits_two_minutes(space: Space) -> None:
    tell(space, "Adam uses Terraform.")
    close_to = timezone.now() + graphing.WAIT - timedelta(seconds=20)
    assert not graphing._words_wait(space, now=close_to)
    assert graphing._words_wait(space, now=close_to + timedelta(minutes=1))


def test_what_is_due_and_gone_is_cleared_away(space: Space) -> None:
    (memory,) = written(space.db, a_memory("Adam uses Terraform.", kind=Kind.FACT))
    space.db.query("DELETE type::record('memory', $key)", key=memory.id)
    assert graphing._words_wait(space, now=timezone.now())
    done(graphing.submit_graph(DEFAULT, actor=ADA))
    assert not graphing._words_wait(space, now=timezone.now())


def test_new_names_are_due_where_no_words_are(space: Space) -> None:
    calm(space)
    remember(space, atoms_of("(uses :subject Alice :object tmux)", NewMemory("")), actor=ADA)
    assert relations.count_due(space.db) == 0
    assert submitted() == ["graph"]
    assert done(waiting("graph")[0]).report["names"] == 2


def test_nothing_is_counted_twice_where_nothing_was_written(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(space, *FACTS)
    calm(space)
    monkeypatch.setattr(graphing, "count_unnamed", lambda space: pytest.fail("counted again"))
    assert submitted() == []


def test_a_name_that_no_model_takes_is_not_tried_for_ever(space: Space) -> None:
    tell(space, *FACTS)
    calm(space)
    last = Job.objects.filter(kind="graph", status=Status.DONE).order_by("-created_at")[0]
    Job.objects.filter(pk=last.pk).update(report={**last.report, "unnamed": 1})
    space.db.query("DELETE (SELECT VALUE id FROM name_embedding LIMIT 1)")
    tell(space, "The sea was calm.", kind=Kind.NOTE)
    space.index.refresh()
    assert not graphing._names_wait(space)


def test_where_extraction_is_off_words_wait_and_no_job_is_made(space: Space) -> None:
    set_settings(space_named(DEFAULT), {"extractor": "off"})
    written(space.db, *(a_memory(text, kind=Kind.FACT) for text in FACTS))
    assert submitted() == []
    set_settings(space_named(DEFAULT), {"extractor": "auto"})
    assert submitted() == ["graph"]


def test_the_map_is_drawn_once_there_is_a_graph_and_again_when_it_has_grown(space: Space) -> None:
    tell(space, *FACTS)
    done(graphing.submit_graph(DEFAULT, actor=ADA))
    (job,) = waiting("layout")  # the graph job asked for it
    report = done(job).report
    assert report["entities"] > 4 and report["edges"] > 0 and report["communities"] >= 1
    assert set(entities.read_layout(space.db)) >= {
        one.id for one in entities.scan(space.db) if one.name in ("Adam", "Terraform")
    }
    tell(space, "Adam works at Nordwind.", "Adam uses Grafana.", "Adam uses Loki.", "Adam uses Vault.", "Adam uses Go.")
    done(graphing.submit_graph(DEFAULT, actor=ADA))
    assert waiting("layout") == [] and submitted() == []  # drawn a moment ago
    an_hour_passes()
    assert submitted() == ["layout"]


def test_a_graph_that_stays_as_it_is_is_not_drawn_again(space: Space) -> None:
    tell(space, *FACTS)
    calm(space)
    tell(space, "The sea was calm.", kind=Kind.NOTE)
    assert "layout" not in submitted()


def test_a_drawing_that_takes_long_rests_longer() -> None:
    began = timezone.now()
    short = Job(started_at=began, finished_at=began + timedelta(seconds=1))
    long = Job(started_at=began, finished_at=began + timedelta(minutes=1))
    assert graphing._rested_at(short) == short.finished_at + graphing.PAUSE
    assert graphing._rested_at(long) == long.finished_at + timedelta(minutes=10)


@pytest.mark.parametrize("kind", ["graph", "layout"])
def test_what_failed_is_not_tried_every_minute(space: Space, kind: str) -> None:
    tell(space, *FACTS)
    if kind == "layout":
        done(graphing.submit_graph(DEFAULT, actor=ADA))
    job = waiting("layout")[0] if kind == "layout" else graphing.submit_graph(DEFAULT, actor=ADA)
    Job.objects.filter(pk=job.pk).update(status=Status.FAILED)
    assert kind not in submitted()
    later = timezone.now() + graphing.TRY_AGAIN + timedelta(minutes=1)
    assert kind in [job.kind for job in graphing.submit_graphs(now=later)]


def test_two_of_a_kind_are_never_about_one_space(space: Space) -> None:
    first = graphing.submit_graph(DEFAULT, actor=ADA)
    assert graphing.submit_graph(DEFAULT, actor=ADA).pk == first.pk
    assert graphing.submit_layout(DEFAULT, actor=ADA).pk == graphing.submit_layout(DEFAULT, actor=ADA).pk


def test_a_cancelled_job_keeps_what_was_read_and_the_next_goes_on(space: Space) -> None:
    tell(space, *FACTS)
    job = graphing.submit_graph(DEFAULT, actor=ADA)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.CANCELLED and relations.count_due(space.db) == 5
    done(graphing.submit_graph(DEFAULT, actor=ADA))
    assert relations.count_due(space.db) == 0


def test_one_that_is_asked_for_looks_for_names_that_may_be_one_even_where_nothing_is_new(space: Space) -> None:
    remember(space, atoms_of("(uses :subject Alice :object nvim)", NewMemory("")), actor=ADA)
    remember(space, atoms_of("(uses :subject Bob :object neovim)", NewMemory("")), actor=ADA)
    done(graphing.submit_graph(DEFAULT, actor=ADA, force=True))
    assert named(space, "nvim").merged_into == named(space, "neovim").id
    assert done(graphing.submit_graph(DEFAULT, actor=ADA, force=True)).report["added"] == 0


def test_a_new_name_is_embedded_by_the_next_job(space: Space) -> None:
    tell(space, *FACTS)
    calm(space)
    edit_entity(space, named(space, "Adam").id, name="Adam Nowak", actor=ADA)
    assert done(graphing.submit_graph(DEFAULT, actor=ADA)).report["names"] == 1


def named(space: Space, name: str) -> Entity:
    return next(one for one in entities.scan(space.db) if one.name == name)


def test_old_jobs_do_not_pile_up(space: Space) -> None:
    for _ in range(55):
        Job.objects.create(kind="graph", space=DEFAULT, status=Status.DONE)
    done(graphing.submit_graph(DEFAULT, actor=ADA))
    assert Job.objects.filter(kind="graph").count() == 51


@pytest.mark.django_db(transaction=True)
def test_the_tick_does_all_this(space: Space) -> None:
    tell(space, *FACTS)
    tick()
    assert len(waiting("graph")) == 1
