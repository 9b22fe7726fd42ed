from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memoryapp.domain.errors import Cancelled, StoreUnavailable
from memoryapp.domain.fact import Cost
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import LearnedFact, ReadingStatus
from memoryapp.remember import ReadReport, pipeline, read_again, read_turns, reading
from memoryapp.review import delete, edit, purge, undo_run
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories, revisions, turns
from tests.remember.talk import LineReader, say
from tests.samples import AGENT, PERSON, HandClock, runs_of

LONG_AGO = datetime(2025, 3, 1, tzinfo=UTC)


def read(space: Space, **more: Any) -> ReadReport:
    return read_turns(space, **{"reader": LineReader(), "actor": AGENT} | more)


def facts(space: Space) -> list[Memory]:
    return [memory for memory in memories.scan(space.db) if memory.kind is Kind.FACT]


def test_a_turn_gives_a_fact_that_knows_where_it_comes_from(space: Space) -> None:
    (key,) = say(space, "Mara lives in Ghent.\nShall we go?", at=LONG_AGO)
    report = read(space)
    assert (report.turns, report.facts, report.passed_over, report.extractor) == (1, 1, 1, "lines")
    (fact,) = facts(space)
    assert (fact.text, fact.speaker, fact.occurred_at) == ("Mara lives in Ghent.", "Mara", LONG_AGO)
    assert (fact.origin.session, fact.origin.turn, fact.sessions) == ("monday", key, ("monday",))
    assert fact.detail == {"quote": "Mara lives in Ghent."}
    assert fact.group is None and fact.slots
    told = turns.readings(space.db, [key])[key]
    assert (told.status, told.learned, told.passed_over) == (
        ReadingStatus.DONE,
        (LearnedFact(fact.id, "written"),),
        1,
    )
    assert told.run == report.run


def test_a_draining_is_one_run_that_tells_what_it_did_and_can_be_undone(space: Space) -> None:
    say(space, "Mara likes tea.")
    say(space, "Odo likes rain.", session="tuesday", speaker="Odo")
    report = read(space, reader=LineReader(cost=Cost(calls=1, tokens_in=100, tokens_out=10, money=0.5)))
    assert report.run is not None
    run = revisions.get_run(space.db, report.run)
    assert run.act == "extract" and run.ended_at is not None and run.detail is not None
    assert (run.detail["turns"], run.detail["facts"], run.detail["extractor"]) == (2, 2, "lines")
    assert run.detail["cost"]["tokens_in"] == 200 and run.detail["cost"]["money"] == 1.0
    undo_run(space, report.run, actor=PERSON)
    assert {fact.state for fact in facts(space)} == {State.DELETED}


def test_a_draining_that_learns_nothing_is_no_run(space: Space) -> None:
    (key,) = say(space, "How are you?")
    report = read(space)
    assert (report.turns, report.run) == (1, None)
    assert turns.readings(space.db, [key])[key].passed_over == 1
    assert runs_of(space.db) == ()
    assert read(space) == ReadReport()


def test_turns_are_read_in_order_with_those_before_them(space: Space) -> None:
    say(space, *(f"Odo owns boat {'x' * n}." for n in range(40)))
    reader = LineReader()
    read(space, reader=reader)
    (first, before_first), (second, before_second) = reader.shown
    assert [len(text) for text in first + second] == sorted(len(text) for text in first + second)
    assert (len(first), before_first, before_second) == (32, [], first[-6:])


def test_a_short_session_does_not_wait_for_the_end_of_a_long_one(space: Space) -> None:
    say(space, *(f"Odo owns boat {'x' * n}." for n in range(70)), session="long")
    say(space, "Mara likes tea.", session="short")
    reader = LineReader()
    read(space, reader=reader)
    assert [len(texts) for texts, _ in reader.shown] == [32, 1, 32, 6]


def test_what_was_said_first_is_read_first(space: Space) -> None:
    say(space, "Mara likes rain.", session="a", at=LONG_AGO + timedelta(days=1))
    say(space, "Mara likes tea.", session="b", at=LONG_AGO)
    reader = LineReader()
    read(space, reader=reader)
    assert [texts for texts, _ in reader.shown] == [["Mara likes tea."], ["Mara likes rain."]]


def test_one_session_can_be_read_alone(space: Space) -> None:
    say(space, "Mara likes tea.")
    say(space, "Odo likes rain.", session="tuesday")
    assert read(space, session="tuesday").turns == 1
    assert turns.count_waiting(space.db) == 1


def test_what_is_said_again_in_another_session_confirms_the_fact(space: Space) -> None:
    say(space, "Mara likes tea.", at=LONG_AGO)
    read(space)
    (key,) = say(space, "Mara likes tea.", session="tuesday", at=LONG_AGO + timedelta(days=30))
    assert read(space).reinforced == 1
    (fact,) = facts(space)
    assert (fact.reinforcements, fact.sessions) == (1, ("monday", "tuesday"))
    assert fact.last_confirmed == LONG_AGO + timedelta(days=30)
    assert turns.readings(space.db, [key])[key].learned == (LearnedFact(fact.id, "reinforced"),)


def test_a_saying_from_before_makes_a_fact_no_older(space: Space) -> None:
    say(space, "Mara likes tea.", at=LONG_AGO)
    read(space)
    say(space, "Mara likes tea.", session="tuesday", at=LONG_AGO - timedelta(days=300))
    read(space)
    (fact,) = facts(space)
    assert (fact.reinforcements, fact.last_confirmed) == (1, LONG_AGO)


def test_saying_it_twice_in_one_turn_is_saying_it_once(space: Space) -> None:
    say(space, "Mara likes tea.\nMara likes tea.")
    read(space)
    (fact,) = facts(space)
    assert fact.reinforcements == 0


def test_reading_again_gives_nothing_twice(space: Space) -> None:
    (first,) = say(space, "Mara likes tea.")
    (second,) = say(space, "Mara likes tea.\nOdo likes rain.", session="tuesday")
    read(space)
    before = facts(space), turns.readings(space.db, [first, second])
    assert read_again(space, [first, second]) == 2
    report = read(space)
    assert (report.turns, report.facts, report.reinforced) == (2, 0, 0)
    after = turns.readings(space.db, [first, second])
    assert facts(space) == before[0]
    assert [after[key].learned for key in after] == [before[1][key].learned for key in after]


def test_reading_again_leaves_a_persons_words_alone(space: Space) -> None:
    (key,) = say(space, "Mara lives in Ghent.")
    read(space)
    (fact,) = facts(space)
    edit(space, fact.id, {"text": "Mara lives in Oslo."}, actor=PERSON)
    read_again(space, [key])
    read(space)
    assert [one.text for one in facts(space)] == ["Mara lives in Oslo."]
    assert conflicts.count_waiting(space.db) == 0


def test_what_a_person_deleted_does_not_come_back_by_being_heard_again(space: Space) -> None:
    say(space, "Mara lives in Ghent.")
    read(space)
    delete(space, [facts(space)[0].id], actor=PERSON)
    (key,) = say(space, "Mara lives in Ghent.\nMara likes tea.", session="tuesday")
    report = read(space)
    assert (report.facts, report.passed_over) == (1, 1)
    assert turns.readings(space.db, [key])[key].passed_over == 1
    assert [one.text for one in facts(space) if one.state is State.HELD] == ["Mara likes tea."]


def test_what_was_purged_does_not_come_back_by_reading_again(space: Space) -> None:
    (key,) = say(space, "Mara lives in Ghent.")
    read(space)
    purge(space, facts(space)[0].id, actor=PERSON)
    read_again(space, [key])
    read(space)
    assert facts(space) == []


def test_a_turn_that_cannot_be_read_is_given_up_and_the_others_are_read(space: Space) -> None:
    keys = say(space, "Mara likes tea.", "unreadable", "Odo likes rain.")
    report = read(space)
    assert (report.turns, report.facts, report.given_up) == (2, 2, 1)
    found = turns.readings(space.db, keys)
    assert found[keys[1]].status is ReadingStatus.FAILED
    assert found[keys[1]].tries == reading.TRIES and "no sense in it" in found[keys[1]].problem
    assert read_again(space, [keys[1]]) == 1
    assert turns.readings(space.db, keys)[keys[1]].tries == 0


def test_a_store_that_fails_between_facts_and_readings_keeps_neither_and_the_next_run_goes_on(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = say(space, *(f"Mara owns {what}." for what in ["tea", "herons", "reeds"]))
    commit, calls = pipeline.commit, []

    def fail_once(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise StoreUnavailable("gone")
        return commit(*args, **more)

    monkeypatch.setattr(pipeline, "commit", fail_once)
    with pytest.raises(StoreUnavailable):
        read(space)
    assert facts(space) == [] and turns.count_waiting(space.db) == 3
    assert read(space).facts == 3
    found = turns.readings(space.db, keys)
    assert {one.status for one in found.values()} == {ReadingStatus.DONE}
    assert [one.tries for one in found.values()] == [0] * 3


def test_a_run_that_was_killed_after_a_chunk_goes_on_with_the_next(space: Space) -> None:
    say(space, *(f"Odo owns boat {'x' * n}." for n in range(40)))

    class Killed(BaseException):
        pass

    class Dies(LineReader):
        def read(self, said: Any, *, before: Any = ()) -> Any:
            if before:
                raise Killed
            return LineReader.read(self, said, before=before)

    with pytest.raises(Killed):
        read(space, reader=Dies())
    first = {fact.id: fact.reinforcements for fact in facts(space)}
    assert turns.count_waiting(space.db) == 8
    read(space)
    assert turns.count_waiting(space.db) == 0
    assert {key: count for key, count in first.items() if memories.get(space.db, key).version != 1} == {}


def test_a_cancelled_reading_keeps_what_it_read(space: Space) -> None:
    say(space, *(f"Odo owns boat {'x' * n}." for n in range(40)))

    class Impatient:
        told: list[tuple[int, int]] = []

        def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None:
            self.told.append((done, total))

        def cancelled(self) -> bool:
            return bool(self.told)

    with pytest.raises(Cancelled):
        read(space, progress=Impatient())
    assert Impatient.told == [(32, 40)]
    assert turns.count_waiting(space.db) == 8


def test_names_the_reader_found_are_linked_and_a_role_is_no_name(space: Space) -> None:
    class Names(LineReader):
        def read(self, said: Any, *, before: Any = ()) -> Any:
            one = LineReader.read(self, said, before=before)[0]
            return [replace(one, candidates=tuple(replace(c, entities=("heronry",)) for c in one.candidates))]

    say(space, "It stands by the heronry.", speaker="user")
    read(space, reader=Names())
    (fact,) = facts(space)
    assert fact.speaker is None
    (entity,) = [one for one in entities.scan(space.db) if one.normal == "heronry"]
    assert entity.id in {edge.entity for edge in entities.references_of(space.db, [fact.id])[fact.id]}


def test_a_date_that_is_spoken_of_makes_a_fact_no_staler(space: Space, clock: HandClock) -> None:
    class Dated(LineReader):
        def read(self, said: Any, *, before: Any = ()) -> Any:
            one = LineReader.read(self, said, before=before)[0]
            born = datetime(1990, 5, 1, tzinfo=UTC)
            return [replace(one, candidates=tuple(replace(c, occurred_at=born, when="1990") for c in one.candidates))]

    say(space, "Mara was born in 1990.", at=LONG_AGO)
    read(space, reader=Dated())
    (fact,) = facts(space)
    assert fact.occurred_at == datetime(1990, 5, 1, tzinfo=UTC) and fact.last_confirmed == LONG_AGO
    assert fact.detail["when"] == "1990"
