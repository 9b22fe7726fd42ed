from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import review, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.errors import StoreLocked
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.interfaces.home.changes import MOST, Since, _newest_revisions, sentence
from memoryapp.jobs.heartbeat import pulses, set_schedule
from memoryapp.jobs.models import Job
from memoryapp.store import conflicts, revisions
from memoryapp.store.write import Batch, commit, new_run
from tests.pages.talking import say, told

MINA = Actor(ActorKind.PERSON, "mina")
HTMX = {"HX-Request": "true"}
Write = Callable[..., Memory]


def squeezed(page: str) -> str:
    """The page with each stretch of blanks as one, and none before the end of a tag: a template may break there."""
    return re.sub(r"\s+>", ">", re.sub(r"\s+", " ", page))


def test_the_first_page_turns_housekeeping_on_and_loads_the_example(
    enter: Callable[[Role], Client], row: Space, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.jobs.pipeline.queue", lambda job_id: None)
    admin, writer = enter(Role.ADMIN), enter(Role.WRITER)
    assert "/housekeeping/" in admin.get("/").content.decode() and "/demo/" in admin.get("/").content.decode()
    assert "/demo/" not in writer.get("/").content.decode()
    assert [writer.post(path, {"space": row.name}).status_code for path in ("/housekeeping/", "/demo/")] == [403, 403]
    set_schedule(row, "take-in", on=False)
    admin.post("/housekeeping/", {"space": row.name})
    schedules = {one.act.key: one.schedule for one in pulses(row)}
    assert schedules["consolidate"].on and schedules["tree-size"].split and not schedules["take-in"].on
    assert "/housekeeping/" not in admin.get("/").content.decode()
    for _ in range(2):
        admin.post("/demo/", {"space": row.name})
    assert Job.objects.filter(kind="demo", space=row.name).count() == 1


def test_a_writer_is_not_sent_to_where_only_a_curator_may_do_something(
    writer: Client, space: spaces.Space, write: Write
) -> None:
    assert "/ingest/start/" not in writer.get("/").content.decode()
    write("The heron stands in the reeds.")
    for address in ("/", "/memories/?q=zzxxqq", "/search/?q=zzxxqq"):
        assert "Ingest notes" not in writer.get(address).content.decode()
    assert "Ingesting notes requires a curator." in writer.get("/ingest/").content.decode()


def test_thousands_of_new_edges_hide_nothing_that_was_learned(
    reader: Client, space: spaces.Space, write: Write
) -> None:
    memory = write("The heron stands in the reeds.")
    entity = Entity("e" * 16, "Heron", "heron", EntityType.CONCEPT, EntityState.KNOWN, space.clock())
    edge = Reference(memory.id, entity.id, "mention", 1.0)
    commit(space.db, new_run("ingest", MINA, now=space.clock()), Batch(entities=[(None, entity)]), now=space.clock())
    for n in range(MOST + 1):
        run = new_run("ingest", MINA, now=space.clock())
        batch = Batch(references_removed=[edge]) if n % 2 else Batch(references_added=[edge])
        commit(space.db, run, batch, now=space.clock())
    page = reader.get("/").content.decode()
    assert "Nothing has changed" not in page and "The heron stands in the reeds." in page


def test_all_that_came_in_is_counted_however_much_it_was(
    reader: Client, space: spaces.Space, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.interfaces.home.changes.MOST", 3)  # as if a whole folder came in
    for n in range(7):
        write(f"Memory number {n}.")
    page = reader.get("/").content.decode()
    assert "Your agents added seven memories since yesterday." in page
    assert 'All <span class="n">7</span>' in page and 'Added <span class="n">7</span>' in page
    assert "and the rest of the last" in page


@pytest.mark.parametrize("ahead", [0, 3], ids=["written as they were learned", "learned later than they were written"])
def test_the_newest_changes_are_the_same_however_far_back_is_looked(
    space: spaces.Space, write: Write, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    monkeypatch.setattr("memoryapp.interfaces.home.changes.MOST", 3)
    first = write("The heron stands in the reeds.")
    now = space.clock()
    for n in range(5):
        memory = replace(first, id=new_id(), text=f"Memory {n}.", created_at=now + timedelta(hours=ahead))
        commit(space.db, new_run("create", MINA, now=now), Batch(created=[memory]), now=now)
    review.edit(space, first.id, {"text": "The heron left."}, actor=MINA)
    since = now - timedelta(days=1)
    space.index.refresh()
    found = _newest_revisions(space, since)
    assert len(found) == 3
    assert found == revisions.page(space.db, since=since, kinds=("memory", "conflict"), limit=3)


def test_what_changed_is_grouped_by_what_was_done(reader: Client, space: spaces.Space, write: Write) -> None:
    one, two, three = (write(f"Memory number {n}.") for n in range(3))
    review.edit(space, one.id, {"text": "Memory number one."}, actor=MINA)
    review.archive(space, [two.id], actor=MINA)
    review.confirm(space, [three.id], actor=MINA)
    page = reader.get("/").content.decode()
    for group in ("3 notes by atlas", "Edited", "Archived", "Confirmed"):
        assert f"<h2>{group}</h2>" in page
    assert "Your agents added three memories since yesterday." in page
    assert squeezed(page).count("Memory number <del>0.</del> <ins>one.</ins>") == 1
    assert "<h2>Edited</h2>" not in reader.get("/?act=added").content.decode()


def test_what_agents_said_again_and_what_was_decided_have_groups_of_their_own(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    write("I prefer tea to coffee.", kind=Kind.FACT, speaker="Mina")
    write("I prefer tea to coffee.", kind=Kind.FACT, speaker="Mina", session="later")
    home = write("Mina lives in Seoul.", kind=Kind.FACT)
    write("Mina lives in Busan.", kind=Kind.FACT)
    page = curator.get("/").content.decode()
    assert "<h2>Reinforced</h2>" in page
    assert "One conflict waits for you." in page
    (waiting,) = conflicts.page(space.db, status=ConflictStatus.WAITING)
    assert f'href="/conflicts/{waiting.id}/"' in page
    review.decide(space, waiting.id, Outcome.REPLACE, actor=MINA)
    page = curator.get("/").content.decode()
    assert "<h2>Superseded</h2>" in page
    assert "Mina lives in <del>Seoul.</del> <ins>Busan.</ins>" in squeezed(page)
    assert "<h2>Resolved</h2>" not in page, "what took its place tells it"
    assert "conflict waits" not in page
    alone = curator.get("/?act=resolved").content.decode()
    assert "<h2>Resolved</h2>" in alone and home.id in alone


def test_what_is_being_said_and_what_waits_to_be_read_is_told(
    reader: Client, space: spaces.Space, write: Write
) -> None:
    write("Something.")
    say(space, "I live in Busan.", session="오늘 오전")
    page = reader.get("/").content.decode()
    assert "In progress" in page
    assert "오늘 오전" in page
    assert "1 turn to process" in page


def test_what_was_added_is_told_by_where_it_came_from(
    reader: Client, space: spaces.Space, write: Write, section: Memory
) -> None:
    for fact in ("Mina keeps a bicycle.", "Odo plays the cello.", "Mara paints boats.", "Jiwon bakes bread."):
        write(fact, kind=Kind.FACT, session="standup")
    write("The heron stands in the reeds.")
    page = squeezed(reader.get("/").content.decode())
    for name, lines in (("2 sections from notes", 2), ("4 facts from session standup", 3), ("1 note by atlas", 1)):
        assert f"<h2>{name}</h2>" in page
        assert page.partition(f"<h2>{name}</h2>")[2].partition("</section>")[0].count('<li class="change">') == lines
    alone = reader.get("/?act=added").content.decode()
    assert alone.count('<li class="change">') == 7 and "<h2>Superseded</h2>" not in alone


def test_what_waits_is_told_with_the_time_that_it_takes(
    curator: Client, reader: Client, space: spaces.Space, write: Write
) -> None:
    write("The heron stands in the reeds.")
    assert "Waiting for you" not in curator.get("/").content.decode()
    for name in ("Mina", "Odo", "Jiwon"):
        write(f"{name} lives in Seoul.", kind=Kind.FACT)
        write(f"{name} lives in Busan.", kind=Kind.FACT)
    count = review.tallies(space)["waiting"]
    assert count > 1
    page = squeezed(curator.get("/").content.decode())
    assert f"<h2>{count} conflicts, about {max(1, round(count * 22 / 60))} minute" in page
    assert 'href="/conflicts/">Start</a>' in page and "in the inbox" in page
    assert 'href="/conflicts/">See them</a>' in squeezed(reader.get("/").content.decode())


def test_the_last_job_and_the_next_act_are_told(reader: Client, row: Space, write: Write) -> None:
    write("Something.")
    now = timezone.now()
    job = Job.objects.create(kind="embed", space=row.name, status="done", started_at=now, finished_at=now)
    page = reader.get("/").content.decode()
    assert f'href="/jobs/{job.pk}/">Embedding</a>' in page and "done just now" in page
    set_schedule(row, "expire", on=True, every_minutes=60)
    assert "Next: " in reader.get("/").content.decode()


def test_home_offers_to_consolidate_to_whoever_may(curator: Client, writer: Client, write: Write) -> None:
    write("Something.")
    main = curator.get("/").content.decode().partition("<main")[2]
    assert 'href="/consolidate/"' in main.partition("</main>")[0].partition("<h1")[0]
    assert 'href="/consolidate/"' not in writer.get("/").content.decode().partition("<main")[2].partition("<h1")[0]


def test_an_episode_is_told_on_the_day_it_was_written(reader: Client, space: spaces.Space) -> None:
    told(space, "We decided to move the database to Postgres 16.", "I live in Busan.")
    page = reader.get("/").content.decode()
    assert "<h2>Episodes</h2>" in page
    assert "2 turns, 2 facts, decided: " in page
    assert "added two memories" in page


def test_an_act_on_many_says_that_undo_takes_them_all_back(curator: Client, space: spaces.Space, write: Write) -> None:
    ids = [write(f"Memory number {n}.").id for n in range(3)]
    review.archive(space, ids[:2], actor=MINA)
    review.pin(space, ids[2:], actor=MINA)
    page = curator.get("/").content.decode()
    assert page.count(">Undo all 2<") == 2
    assert page.count(">Undo<") == 1


def test_charts_are_drawn_of_what_is_held(reader: Client, write: Write) -> None:
    write("Something.")
    page = reader.get("/").content.decode()
    assert 'aria-label="Trust of 1 memory: most are between 0.90 and 0.90"' in page


def test_a_running_job_is_live_until_it_ends(reader: Client, row: Space, write: Write) -> None:
    write("Something.")
    job = Job.objects.create(kind="ingest", space=row.name, status="running", progress_done=4, progress_total=9)
    assert 'hx-trigger="every 1s"' in reader.get("/").content.decode()
    live = reader.get("/running/", headers={"HX-Request": "true"})
    assert "4 of 9 files" in live.content.decode()
    job.status = "done"
    job.save()
    assert reader.get("/running/", headers={"HX-Request": "true"}).status_code == 286


@pytest.mark.parametrize(
    ("counts", "agents", "strong", "faint"),
    [
        (
            {"added": 21, "superseded": 4},
            True,
            "Your agents added 21 memories since yesterday.",
            "Four were superseded.",
        ),
        ({"added": 1}, False, "One memory was added since yesterday.", "1,284 memories in total."),
        (
            {"edited": 1, "deleted": 2},
            False,
            "Nothing new since yesterday.",
            "One was edited and two were deleted.",
        ),
        ({}, False, "Nothing has changed since yesterday.", "1,284 memories in total."),
    ],
)
def test_the_sentence_tells_what_came_in_and_what_went(
    counts: dict[str, int], agents: bool, strong: str, faint: str
) -> None:
    told = sentence(Since([], counts, False, agents), held=1284, told="since yesterday")
    assert (told.strong, told.faint) == (strong, faint)


@pytest.mark.parametrize(
    ("added", "agents", "strong"),
    [
        (884, False, "884 sections were imported from your notes since yesterday."),
        (
            895,
            True,
            "884 sections were imported from your notes, and your agents added eleven memories since yesterday.",
        ),
        (885, False, "884 sections were imported from your notes, and one memory was added since yesterday."),
    ],
)
def test_sections_of_files_are_not_what_agents_learned(added: int, agents: bool, strong: str) -> None:
    told = sentence(Since([], {"added": added}, False, agents, 884), held=900, told="since yesterday")
    assert told.strong == strong


def test_what_was_taken_back_since_has_not_changed(curator: Client, space: spaces.Space, write: Write) -> None:
    write("Mina lives in Seoul.", kind=Kind.FACT)
    write("Mina lives in Busan.", kind=Kind.FACT)
    (waiting,) = conflicts.page(space.db, status=ConflictStatus.WAITING)
    run = review.decide(space, waiting.id, Outcome.REPLACE, actor=MINA)[1].run
    note = write("The heron stands in the reeds.")
    review.archive(space, [note.id], actor=MINA)
    review.hold(space, [note.id], actor=MINA)
    edited = write("The queue is on Redis.")
    review.edit(space, edited.id, {"text": "The queue is on Kafka."}, actor=MINA)
    for group in ("Superseded", "Edited"):
        assert f"<h2>{group}</h2>" in curator.get("/").content.decode()
    review.undo_run(space, run.id, actor=MINA)
    review.edit(space, edited.id, {"text": "The queue is on Redis."}, actor=MINA)
    page = curator.get("/").content.decode()
    for group in ("Superseded", "Resolved", "Restored", "Archived"):
        assert f"<h2>{group}</h2>" not in page, group
    assert "by atlas</h2>" in page and "One conflict waits for you." in page
    assert f"/runs/{run.id}/undo" not in page


def test_what_was_written_and_taken_back_is_not_told_and_what_was_deleted_is_told_once(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    kept, taken, deleted = (write(words) for words in ("One stays.", "One is taken back.", "One is deleted."))
    created = revisions.of_record(space.db, taken.id)[0]
    review.undo_run(space, created.run, actor=MINA)
    review.delete(space, [deleted.id], actor=MINA)
    page = curator.get("/").content.decode()
    assert 'Added <span class="n">1</span>' in page and 'Deleted <span class="n">1</span>' in page
    assert kept.text in page and taken.text not in page and "<h2>Restored</h2>" not in page


def test_a_store_that_cannot_be_opened_is_told_in_plain_words(
    reader: Client, row: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(row: Any) -> None:
        raise StoreLocked("Close the other Palimpsest, or give this one its own folder.")

    monkeypatch.setattr("memoryapp.interfaces.pages.access.open_row", locked)
    for address in ("/", "/memories/", "/search/?q=x", "/ingest/"):
        answer = reader.get(address)
        assert answer.status_code == 503
        assert "The store is in use by another program." in answer.content.decode()
        assert "Try again" in answer.content.decode()
    health = reader.get("/settings/health/")
    assert health.status_code == 200
    assert "in use by another program" in health.content.decode()


def test_a_span_or_group_that_means_nothing_is_refused(reader: Client, space: spaces.Space, write: Write) -> None:
    write("Something.")
    assert reader.get("/?days=900").status_code == 422
    assert reader.get("/?act=dancing").status_code == 422


def test_the_page_names_the_day_in_the_readers_zone(reader: Client, space: spaces.Space) -> None:
    reader.cookies["tz"] = "Pacific%2FKiritimati"
    day = datetime.now(UTC).astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert f"{day.day} {day:%b %Y}, {day:%H:}" in reader.get("/").content.decode()
    reader.cookies["tz"] = "../../etc/passwd"
    assert reader.get("/").status_code == 200


def test_growth_ends_at_the_number_of_memories_that_home_tells(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    write(text="We moved the queue to Redis.")
    write(text="The deploy freeze is over.")
    say(space, "I prefer tea.")
    page = curator.get("/").context
    assert page["growth"] is not None and page["growth"].last == 2 == int(space.index.roster.listed.sum())
