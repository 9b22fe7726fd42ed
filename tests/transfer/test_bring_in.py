"""Things of other programs into a space: each kind where it belongs, each once, what cannot be kept told."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest

from memoryapp import graph, review
from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.domain.relation import RelationType
from memoryapp.domain.turn import NewTurn, Role
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories, relations, revisions, sessions, turns
from memoryapp.store.write import new_run
from memoryapp.transfer.bring_in import Thing, bring_in
from memoryapp.transfer.entries import Conversation, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.report import Report
from tests.samples import NOON, PERSON, HandClock
from tests.transfer.worlds import Watched

HOUR = timedelta(hours=1)


def brought(space: Space, *things: Thing, dry_run: bool = False, progress: Watched | None = None) -> Report:
    run = new_run("import", PERSON, now=space.clock(), reason="their.json")
    progress = progress or Watched()
    return bring_in(space, iter(things), form="theirs", run=run, actor=PERSON, progress=progress, dry_run=dry_run)


def names(space: Space) -> dict[str, str]:
    return {one.name: str(one.type) for one in entities.scan(space.db)}


ADA = ImportedEntity("Ada Lovelace", "Person", ("Ada wrote the first program.", "She was born in 1815."))
THINGS: tuple[Thing, ...] = (
    ADA,
    ImportedEntity("Analytical Engine", "machine"),
    Link("Ada Lovelace", "works_on", "Analytical Engine"),
    Link("Ada Lovelace", "admires greatly", "Charles Babbage"),
    Link("Analytical Engine", "created_by", "Charles Babbage"),
    Item("Ada prefers tea.", ref="theirs:1", kind=Kind.FACT, category=Category.PREFERENCES, subject="Ada Lovelace"),
    Item("A note.", ref="theirs:2", title="Note", tags=("x",), occurred_at=NOON - HOUR, confidence=0.4),
    Conversation("theirs:chat-1", (NewTurn("I live in London.", "Ada", at=NOON, ref="1"), NewTurn("Noted.",
    role=Role.ASSISTANT,
         at=NOON, ref="2")), title="Where I live", at=NOON),
    SkippedEntry("line 9", "It is no record.", 2),
)  # fmt: skip


def test_each_kind_of_thing_goes_where_it_belongs(other: Space) -> None:
    report = brought(other, *THINGS)
    assert (report.written, report.sessions, report.turns) == (4, 1, 2)
    assert (report.entities, report.relations, report.skipped) == (3, 3, 2)
    assert names(other)["Ada Lovelace"] == EntityType.PERSON and names(other)["Analytical Engine"] == "machine"
    fact = memories.by_refs(other.db, ["theirs:1"])["theirs:1"]
    assert fact.kind is Kind.FACT and fact.category is Category.PREFERENCES
    note = memories.by_refs(other.db, ["theirs:2"])["theirs:2"]
    assert (note.title, note.tags, note.confidence, note.occurred_at) == ("Note", ("x",), 0.4, NOON - HOUR)
    session = sessions.get(other.db, "theirs:chat-1")
    assert session.started_at == NOON and session.metadata == {"title": "Where I live"}
    assert [turn.text for turn in turns.of_session(other.db, session.name)] == ["I live in London.", "Noted."]


def test_relations_have_a_type_of_ours_and_keep_their_own_words(other: Space) -> None:
    brought(other, *THINGS)
    by_id = {one.id: one.name for one in entities.scan(other.db)}
    found = {
        (by_id[one.subject], one.type, by_id[one.object]): one.label for one in relations.scan(other.db, "relates")
    }
    assert found == {
        ("Ada Lovelace", RelationType.WORKS_ON, "Analytical Engine"): "",
        ("Ada Lovelace", RelationType.RELATED_TO, "Charles Babbage"): "admires greatly",
        ("Charles Babbage", RelationType.CREATED, "Analytical Engine"): "created by",  # turned round
    }


def test_the_same_things_again_change_nothing(other: Space) -> None:
    first = brought(other, *THINGS)
    before = tuple(memories.scan(other.db)), tuple(entities.scan(other.db)), tuple(relations.scan(other.db, "relates"))
    again = brought(other, *THINGS)
    changed = ("written", "reinforced", "conflict", "sessions", "turns", "entities", "relations")
    assert not any(getattr(again, name) for name in changed) and again.run is None
    assert again.unchanged >= first.written + first.turns + first.entities - 1 + first.relations
    assert (
        tuple(memories.scan(other.db)),
        tuple(entities.scan(other.db)),
        tuple(relations.scan(other.db, "relates")),
    ) == before


def test_a_dry_run_counts_the_same_and_writes_nothing(other: Space) -> None:
    told = brought(other, *THINGS, dry_run=True)
    assert (
        tuple(memories.scan(other.db)) == ()
        and tuple(entities.scan(other.db)) == ()
        and sessions.count(other.db) == (0, 0)
    )
    assert {**told.counts} == {**brought(other, *THINGS).counts} and told.run is None


def test_what_contradicts_a_held_fact_waits_as_a_conflict(other: Space) -> None:
    brought(other, Item("Mara lives in Lisbon.", ref="a:1", kind=Kind.FACT))
    report = brought(other, Item("Mara lives in Oslo.", ref="a:2", kind=Kind.FACT))
    assert report.conflict == 1 and conflicts.count_waiting(other.db) == 1


def test_new_words_under_a_known_id_are_taken_over(other: Space) -> None:
    brought(other, Item("The port is 80.", ref="a:1"))
    assert brought(other, Item("The port is 443.", ref="a:1")).written == 1
    assert memories.by_refs(other.db, ["a:1"])["a:1"].text == "The port is 443."


def test_one_bad_thing_keeps_no_other_out(other: Space) -> None:
    progress = Watched()
    report = brought(
        other,
        Item("", ref="a:1", source="line 1"),
        Item("x" * 200_001, ref="a:2", source="line 2"),
        Item("No id.", ref="", source="line 3"),
        ImportedEntity("…"),
        Link("Ada", "knows", "x" * 90),
        Link("Ada", "knows", "Ada"),
        Conversation("empty", (NewTurn("  "),)),
        Conversation("chat", (NewTurn("y" * 20_001, ref="1"), NewTurn("Kept.", ref="2"))),
        SkippedEntry("line 4", "It is no record."),
        Item("Good.", ref="a:3"),
        progress=progress,
    )
    assert (report.written, report.turns, report.skipped) == (1, 1, 10)
    assert [one["where"] for one in report.told[:3]] == ["line 1", "line 2", "line 3"]
    assert all(one["why"].endswith(".") for one in report.told)
    assert [line[0] for line in progress.lines[:3]] == ["line 1", "line 2", "line 3"] and len(progress.lines) == 10
    assert ("line 4", "skipped", "It is no record.") in progress.lines


def test_of_two_things_with_one_id_the_later_counts(other: Space) -> None:
    assert brought(other, Item("One.", ref="a:1"), Item("Two.", ref="a:1")).written == 1
    assert [memory.text for memory in memories.scan(other.db)] == ["Two."]


def test_an_import_is_one_run_and_undone_as_one(other: Space) -> None:
    report = brought(other, *THINGS)
    assert report.run and revisions.get_run(other.db, report.run).reason == "their.json"
    review.undo_run(other, report.run, actor=PERSON)
    assert {one.state for one in memories.scan(other.db) if one.kind is not Kind.TURN} == {State.DELETED}
    assert not [one for one in relations.scan(other.db, "relates") if one.state == "held"]


def test_one_that_is_cancelled_keeps_what_is_in_and_goes_on_later(
    other: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.transfer.bring_in._AT_ONCE", 2)
    things = [Item(f"Note {n}.", ref=f"a:{n}") for n in range(10)]
    with pytest.raises(Cancelled, match="again to go on"):
        brought(other, *things, progress=Watched(stop_after=5))
    assert 2 <= len(tuple(memories.scan(other.db))) < 10
    report = brought(other, *things)
    assert report.unchanged >= 2 and report.written + report.unchanged == 10


def test_a_conversation_that_is_over_ends_and_one_that_goes_on_stays_open(other: Space, clock: HandClock) -> None:
    brought(other, Conversation("old", (NewTurn("Bye.", at=clock.now - 2 * 24 * HOUR, ref="1"),)))
    brought(other, Conversation("new", (NewTurn("Hello.", at=clock.now - HOUR, ref="1"),)))
    assert sessions.get(other.db, "old").ended_at == turns.of_session(other.db, "old")[0].at
    assert sessions.get(other.db, "new").ended_at is None


def test_a_conversation_that_went_on_after_its_end_goes_on_in_a_second_session(other: Space, clock: HandClock) -> None:
    first = NewTurn("Bye.", at=clock.now - 9 * 24 * HOUR, ref="1")
    later = NewTurn("Me again.", at=clock.now - 5 * 24 * HOUR, ref="2")
    last = NewTurn("And once more.", at=clock.now - HOUR, ref="3")
    brought(other, Conversation("chat", (first,)))
    for said in ((first, later), (first, later), (first, later, last), (first, later, last)):
        brought(other, Conversation("chat", said))
    for name, text in (("chat", "Bye."), ("chat (2)", "Me again."), ("chat (3)", "And once more.")):
        assert [turn.text for turn in turns.of_session(other.db, name)] == [text]


def test_a_name_that_was_only_proposed_is_known_from_then_on_and_a_refused_one_is_left(other: Space) -> None:
    brought(other, ImportedEntity("Redis", "tool"), ImportedEntity("Celery", "tool"))
    keys = {one.name: one.id for one in entities.scan(other.db)}
    graph.decide_entity(other, keys["Redis"], EntityState.REFUSED, actor=PERSON)
    report = brought(other, Link("Celery", "uses", "Redis"))
    assert report.relations == 0 and "refused" in report.told[0]["why"]


def test_a_circle_in_the_hierarchy_is_not_closed(other: Space) -> None:
    report = brought(other, Link("tool", "is_a", "thing"), Link("thing", "is_a", "tool"))
    assert report.relations == 1 and "circle" in report.told[0]["why"]


def test_an_alias_stands_for_its_entity(other: Space) -> None:
    brought(other, ImportedEntity("Neovim", "tool"))
    (neovim,) = entities.scan(other.db)
    graph.edit_entity(other, neovim.id, aliases=["nvim"], actor=PERSON)
    report = brought(other, Link("Ada", "uses", "nvim"))
    assert report.entities == 1 and set(names(other)) == {"Neovim", "Ada"}


def test_things_are_taken_as_they_come_and_never_all_at_once(other: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryapp.transfer.bring_in._AT_ONCE", 3)
    held = []

    def coming() -> Iterable[Thing]:
        for n in range(7):
            held.append(len(tuple(memories.scan(other.db))))
            yield Item(f"Note {n}.", ref=f"a:{n}")

    run = new_run("import", PERSON, now=other.clock())
    bring_in(other, coming(), form="theirs", run=run, actor=PERSON, progress=Watched())
    assert held == [0, 0, 0, 3, 3, 3, 6]
