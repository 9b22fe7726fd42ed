"""A conversation as it is: the packaged rules read it, the packaged model compares it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.turn import ReadingStatus, Role
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.remember import ReadReport, read_turns
from memoryapp.review import decide
from memoryapp.spaces import Space, open_space
from memoryapp.store import conflicts, memories, turns
from tests.remember.talk import say
from tests.samples import AGENT, PERSON, REVIEW, HandClock, open_spaces

MARCH = datetime(2026, 2, 1, 10, tzinfo=UTC)


@pytest.fixture
def talking() -> Iterator[Space]:
    with open_spaces(encoder="all-MiniLM-L6-v2", clock=HandClock()):
        space = open_space("talk", tuning=Tuning(**REVIEW))
        space.encoder.get(60)
        yield space


def read(space: Space) -> ReadReport:
    return read_turns(space, reader=reader_of("rules", model=None, worth=space.tuning.fact_worth), actor=AGENT)


def held(space: Space) -> list[str]:
    return [m.text for m in memories.scan(space.db) if m.state is State.HELD and m.kind is Kind.FACT]


def test_a_move_is_put_to_a_person_and_decided(talking: Space) -> None:
    say(talking, "I live in Seoul.", "Good for you!", speaker=None, at=MARCH)
    (moved,) = say(talking, "I moved to Busan.", session="later", speaker=None, at=MARCH + timedelta(days=21))
    report = read(talking)
    assert (report.facts, report.conflicts, report.extractor) == (2, 1, "rules")
    (conflict,) = conflicts.page(talking.db, status=ConflictStatus.WAITING)
    assert conflict.outcome is Outcome.REPLACE and conflict.run == report.run
    assert sorted(held(talking)) == ["The user lives in Seoul.", "The user moved to Busan."]
    told = turns.readings(talking.db, [moved])[moved]
    assert [one.outcome for one in told.learned] == ["conflict"]
    decide(talking, conflict.id, Outcome.REPLACE, actor=PERSON)
    assert held(talking) == ["The user moved to Busan."]


def test_likings_stand_side_by_side_and_a_repetition_confirms(talking: Space) -> None:
    say(talking, "I really like Python.", speaker="Mara", at=MARCH)
    say(talking, "I really like Rust.", session="later", speaker="Mara", at=MARCH + timedelta(days=1))
    say(talking, "I really like Python.", session="last", speaker="Mara", at=MARCH + timedelta(days=2))
    report = read(talking)
    assert (report.facts, report.reinforced, report.conflicts) == (2, 1, 0)


def test_tools_and_systems_teach_nothing(talking: Space) -> None:
    keys = say(talking, "I live in Seoul.", role=Role.TOOL) + say(talking, "I live in Busan.", role=Role.SYSTEM)
    assert read(talking).turns == 0
    assert {one.status for one in turns.readings(talking.db, keys).values()} == {ReadingStatus.SKIPPED}
    assert held(talking) == []
