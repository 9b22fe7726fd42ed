"""A space as of an instant: what stood then, in the words of then, found and listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memoryapp.domain.conflict import Outcome
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.filters import AsOfBy, Filters
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.domain.turn import NewTurn
from memoryapp.ingest import ingest
from memoryapp.remember import append_turns, remember
from memoryapp.review import archive, decide, delete, edit, hold, purge
from memoryapp.search import search
from memoryapp.search.browse import browse
from memoryapp.spaces import Space, past, space_at
from memoryapp.store import turns
from memoryapp.store.sessions import Session, open_session
from memoryapp.store.write import new_run
from tests.review.pairs import facts, raised
from tests.samples import AGENT, PERSON, HandClock, a_space

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def space(clock: HandClock) -> Iterator[Space]:
    with a_space(clock=clock) as opened:
        yield opened
    past.forget()


def reader_of_deleted(space: Space) -> Space:
    return replace(space, reads_deleted=True)


def say(space: Space, text: str, **more: object) -> str:
    return remember(space, [NewMemory(text, **{"kind": Kind.FACT} | more)], actor=AGENT)[0].id  # type: ignore[arg-type]


def hits(space: Space, words: str, at: datetime | None = None) -> list[str]:
    found = search(space, Query(words, strategy="keyword", filters=Filters(as_of=at))).hits
    return [hit.memory.text for hit in found]


def listed(space: Space, at: datetime | None = None) -> set[str]:
    return {memory.text for memory in browse(space, Filters(as_of=at)).memories}


def test_what_was_edited_is_found_and_listed_by_its_words_of_then(space: Space, clock: HandClock) -> None:
    key = say(space, "The wifi password is kestrel.")
    then = clock.now + DAY
    clock.move(days=2)
    edit(space, key, {"text": "The wifi password is osprey."}, actor=PERSON)
    assert hits(space, "kestrel", then) == hits(space, "wifi password", then) == ["The wifi password is kestrel."]
    assert hits(space, "osprey", then) == hits(space, "kestrel") == []
    assert hits(space, "osprey") == ["The wifi password is osprey."]
    assert listed(space, then) == {"The wifi password is kestrel."}
    assert browse(space, Filters(as_of=then), contains="kestrel").total == 1


def test_what_was_deleted_since_is_there_for_whoever_reads_deleted_words(space: Space, clock: HandClock) -> None:
    key, other = say(space, "The heron stands in the reeds."), say(space, "The heron has flown.")
    archive(space, [other], actor=PERSON)
    then = clock.now + DAY
    clock.move(days=2)
    delete(space, [key, other], actor=PERSON)
    assert hits(space, "heron", then) == [] and listed(space, then) == set()
    curator = reader_of_deleted(space)
    assert hits(curator, "heron", then) == ["The heron stands in the reeds."]
    assert listed(curator, then) == {"The heron stands in the reeds."}
    assert hits(curator, "heron") == []
    purge(space, key, actor=PERSON)
    assert hits(curator, "heron", then) == [] and listed(curator, then) == set()


def test_what_was_archived_and_came_back_stood_while_it_stood(space: Space, clock: HandClock) -> None:
    key = say(space, "The heron stands in the reeds.")
    clock.move(days=2)
    archive(space, [key], actor=PERSON)
    away = clock.now + DAY
    clock.move(days=2)
    hold(space, [key], actor=PERSON)
    assert listed(space, clock.now - 3 * DAY) == listed(space) == {"The heron stands in the reeds."}
    assert listed(space, away) == set()


def test_trust_and_words_of_then_follow_the_clock_of_then(space: Space, clock: HandClock) -> None:
    say(space, "The heron stands in the reeds.", confidence=0.8)
    then = clock.now + DAY
    clock.move(days=90)
    (hit,) = search(space, Query("heron", filters=Filters(as_of=then))).hits
    assert hit.trust == pytest.approx(0.8 * 0.5 ** (1 / 90))
    assert search(space, Query("heron")).hits[0].trust == pytest.approx(0.4)


def test_a_later_memory_changes_nothing_of_the_past_that_is_kept(space: Space, clock: HandClock) -> None:
    say(space, "The heron stands in the reeds.")
    then = clock.now + DAY
    assert listed(space, then) == {"The heron stands in the reeds."}
    clock.move(days=5)
    first = space_at(space, then).index
    say(space, "The owl sleeps.")
    assert space_at(space, then).index is first
    say(space, "The bittern booms.", occurred_at=then - DAY / 2)  # told late
    assert listed(space, then) == {"The heron stands in the reeds.", "The bittern booms."}


def test_what_somebody_said_later_of_an_earlier_day_was_not_known_then(space: Space, clock: HandClock) -> None:
    clock.move(days=10)
    open_session(space.db, Session("s", clock.now))
    append_turns(space, "s", [NewTurn("I moved last week.", speaker="Mina", at=clock.now)], actor=AGENT)
    (turn,) = turns.of_session(space.db, "s")
    week_ago = clock.now - 7 * DAY
    say(space, "Mina moved to Busan.", session="s", turn=turn.id, occurred_at=week_ago, speaker="Mina")
    assert listed(space, week_ago + DAY) == set()
    assert listed(space, clock.now + DAY) == {"Mina moved to Busan."}


def test_a_section_that_was_renamed_since_stands_once_and_a_log_that_came_late_on_its_day(
    space: Space, clock: HandClock, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    source = Source(derived_id("source", "folder", str(folder)), SourceKind.FOLDER, str(folder), "notes", clock.now)
    file = folder / "2026-02-20.md"
    file.write_text("# 20 February\n\n## Heron\n\nIt stands in the reeds.\n")
    ingest(space, source, run=new_run("ingest", PERSON, now=clock.now))
    day = datetime(2026, 2, 20, 12, tzinfo=clock.now.tzinfo)
    assert len(browse(space, Filters(as_of=day)).memories) == 1  # brought in late, of its own day
    clock.move(days=3)
    file.write_text("# 20 February\n\n## Grey heron\n\nIt stands in the reeds.\n")
    ingest(space, source, run=new_run("ingest", PERSON, now=clock.now))
    assert [memory.title for memory in browse(space, Filters(as_of=day)).memories] == ["Heron"]
    assert [memory.title for memory in browse(space, Filters()).memories] == ["Grey heron"]


def true(space: Space, at: datetime) -> set[str]:
    found = {memory.text for memory in browse(space, Filters(as_of=at, as_of_by=AsOfBy.VALID)).memories}
    query = Query("lives", strategy="keyword", filters=Filters(as_of=at, as_of_by=AsOfBy.VALID))
    assert {hit.memory.text for hit in search(space, query).hits} <= found
    return found


def test_what_was_true_is_told_by_its_validity_as_it_is_known_today(space: Space, clock: HandClock) -> None:
    begun, moved = clock.now, clock.now + 10 * DAY
    clock.move(days=40)
    (old,) = facts(space, "Minsu lives in Seoul.", created_at=begun, valid_from=begun)
    (new,) = facts(space, "Minsu lives in Busan.", created_at=clock.now, valid_from=moved)
    decide(space, raised(space, old, new).id, Outcome.REPLACE, actor=PERSON)
    edit(space, old.id, {"text": "Minsu lives in Mapo, Seoul."}, actor=PERSON)
    assert true(space, begun - DAY) == set()
    assert true(space, begun + DAY) == {"Minsu lives in Mapo, Seoul."}  # in the words of today
    assert true(space, moved) == true(space, clock.now) == {"Minsu lives in Busan."}
    assert listed(space, begun + DAY) == {"Minsu lives in Seoul."}
    (shown,) = browse(space, Filters(as_of=begun + DAY, as_of_by=AsOfBy.VALID)).memories
    assert shown.state is State.HELD


def test_what_lost_against_an_older_belief_and_what_was_put_aside_was_never_true(
    space: Space, clock: HandClock
) -> None:
    begun = clock.now
    clock.move(days=4)
    (first,) = facts(space, "Minsu lives in Seoul.", created_at=begun)
    second, gone = facts(space, "Minsu lives in Jeju.", "The heron has flown.", created_at=begun + DAY)
    decide(space, raised(space, first, second).id, Outcome.KEEP, actor=PERSON)
    archive(space, [gone.id], actor=PERSON)
    then = begun + 2 * DAY
    assert listed(space, then) == {"Minsu lives in Seoul.", "Minsu lives in Jeju.", "The heron has flown."}
    assert true(space, then) == {"Minsu lives in Seoul."}


def test_what_is_true_of_then_follows_every_later_change(space: Space, clock: HandClock) -> None:
    then = clock.now
    clock.move(days=5)
    assert true(space, then) == set()
    key = say(space, "The house lives on.", valid_from=then - DAY)
    assert true(space, then) == {"The house lives on."} and listed(space, then) == set()
    edit(space, key, {"text": "The old house lives on."}, actor=PERSON)
    assert true(space, then) == {"The old house lives on."}
    archive(space, [key], actor=PERSON)
    assert true(space, then) == set()
