from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, index_text
from memoryapp.domain.turn import LearnedFact, Reading, ReadingStatus, Role, Turn
from memoryapp.store import memories, sessions, turns
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory, written


def said(key: str, text: str = "I live in Seoul.", **more: object) -> tuple[Turn, ReadingStatus]:
    return Turn(id=key, session="", number=0, text=text, at=NOON, **more), ReadingStatus.WAITING  # type: ignore[arg-type]


def test_turns_are_numbered_in_order_of_arrival(db: Database) -> None:
    first = turns.append(db, "monday", [said("a"), said("b", role=Role.ASSISTANT, speaker="atlas")])
    second = turns.append(db, "monday", [said("c")])
    other = turns.append(db, "tuesday", [said("d")])
    assert [turn.number for turn in (*first, *second, *other)] == [1, 2, 3, 1]
    assert turns.of_session(db, "monday") == (*first, *second)
    assert turns.of_session(db, "monday", after=1, limit=1) == (first[1],)
    assert turns.counts(db, ["monday", "tuesday", "none"]) == {"monday": 3, "tuesday": 1}


def test_the_same_turn_again_is_given_back_as_it_was_kept(db: Database) -> None:
    kept = turns.append(db, "monday", [said("a")])
    again = turns.append(db, "monday", [said("a", "Other words."), said("b")])
    assert again[0] == kept[0] and again[1].number == 2


def test_eight_writers_of_one_session_leave_no_gap_and_no_double(kept: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: turns.append(kept, "monday", [said(f"t{n}")]), range(24)))
    assert [turn.number for turn in turns.of_session(kept, "monday")] == list(range(1, 25))


def test_whoever_counted_before_somebody_else_appended_is_numbered_behind_them(db: Database) -> None:
    turns.append(db, "monday", [said("a"), said("b")])
    late = turns.append(db, "monday", [said("c"), said("d"), said("e")], behind=1, apart=["d"], private={"d": "words"})
    assert [turn.number for turn in late] == [3, 4, 5] == [turn.number for turn in turns.get_many(db, "cde").values()]
    held = memories.get_many(db, list("abcde"))
    assert {key: memory.position for key, memory in held.items()} == {"a": 1, "b": 2, "c": 3, "e": 5}
    assert [turn.number for turn in turns.append(db, "monday", [said("f")], behind=5)] == [6]


def test_whether_any_of_some_turns_waits_is_told(db: Database) -> None:
    turns.append(db, "monday", [said("a"), (said("b")[0], ReadingStatus.SKIPPED)])
    assert turns.any_waiting(db, ["b", "a"])
    assert not turns.any_waiting(db, ["b", "none"]) and not turns.any_waiting(db, [])


def test_the_words_that_are_embedded_are_those_that_are_indexed(db: Database) -> None:
    turns.append(
        db, "monday", [said("a", speaker="Mina"), said("b", "Mina lives in Seoul.", speaker="Mina"), said("c")]
    )
    held = memories.get_many(db, ["a", "b"])
    expected = {key: index_text(memory) for key, memory in held.items()}
    assert turns.words(db, ["a", "b", "none"]) == (expected, True)
    turns.set_all_remembered(db, to=False)
    assert turns.words(db, ["a"]) == ({"a": "Mina: I live in Seoul."}, False)


def test_turns_wait_until_they_are_read_and_sessions_come_one_after_the_other(db: Database) -> None:
    turns.append(db, "tuesday", [said("c")])
    turns.append(db, "monday", [said("a"), (said("b")[0], ReadingStatus.SKIPPED)])
    assert [turn.id for turn in turns.waiting(db)] == ["a", "c"]
    assert turns.count_waiting(db) == 2 and turns.count_waiting(db, session="monday") == 1
    fact = a_memory("Mina lives in Seoul.", kind=Kind.FACT)
    reading = Reading("a", "monday", ReadingStatus.DONE, "rules", (LearnedFact(fact.id, "written"),), 1, at=NOON)
    commit(db, new_run("extract", AGENT, now=NOON), Batch(created=[fact], readings=[reading]), now=NOON)
    assert [turn.id for turn in turns.waiting(db)] == ["c"]
    assert turns.waiting_by_session(db, ["monday", "tuesday", "never"]) == {
        name: n for name in ("monday", "tuesday") if (n := turns.count_waiting(db, session=name))
    }
    assert turns.readings(db, ["a"]) == {"a": reading}


def test_a_reading_is_kept_with_its_facts_or_not_at_all(db: Database) -> None:
    turns.append(db, "monday", [said("a")])
    (taken,) = written(db, a_memory("Taken.", ref="one"))
    batch = Batch(
        created=[a_memory("Mina lives in Seoul.", kind=Kind.FACT, ref=taken.ref)],
        readings=[Reading("a", "monday", ReadingStatus.DONE)],
    )
    with pytest.raises(Exception, match="one"):
        commit(db, new_run("extract", AGENT, now=NOON), batch, now=NOON)
    assert turns.count_waiting(db) == 1


def test_the_turns_before_one_are_given_in_order(db: Database) -> None:
    kept = turns.append(db, "monday", [said(key) for key in "abcde"])
    assert turns.before(db, kept[3], count=2) == (kept[1], kept[2])
    assert turns.before(db, kept[0], count=2) == ()


def test_a_turn_that_is_not_there_is_named(db: Database) -> None:
    with pytest.raises(NotFound, match="no turn zzz"):
        turns.get(db, "zzz")


def test_sessions_are_listed_the_last_opened_first_in_pages(db: Database) -> None:
    for n, name in enumerate(("one", "two", "three")):
        sessions.open_session(db, sessions.Session(name, NOON + timedelta(minutes=n // 2)))
    first = sessions.page(db, limit=2)
    assert [one.name for one in first] == ["three", "two"]
    assert [one.name for one in sessions.page(db, before=(first[-1].started_at, first[-1].name))] == ["one"]


def test_what_was_derived_is_found_from_both_ends(db: Database) -> None:
    one, two = a_memory("One.", kind=Kind.FACT), a_memory("Two.", kind=Kind.FACT)
    told = a_memory("One and two.", kind=Kind.EPISODE, detail={"decision": "Two.", "turns": 2})
    written(db, one, two, told, derived=[(told.id, one.id), (told.id, two.id)])
    assert {m.id for m in memories.sources_of(db, told.id)} == {one.id, two.id}
    assert memories.derived_from(db, [one.id, two.id]) == (memories.get(db, told.id),)
    assert memories.get(db, told.id).detail == {"decision": "Two.", "turns": 2}


def test_a_memory_written_before_facts_came_can_be_read_and_changed(db: Database) -> None:
    (old,) = written(db, a_memory("Written long ago."))
    db.query("UPDATE memory UNSET slots, sessions, decision_point, emotional_signal, detail RETURN NONE")
    assert memories.get(db, old.id) == old
