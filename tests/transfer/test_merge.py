"""An export into a space that holds things: its memories alone, once."""

from __future__ import annotations

from pathlib import Path

from memoryapp import review
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.write import new_run
from memoryapp.transfer.archive import open_export
from memoryapp.transfer.bring_in import bring_in
from memoryapp.transfer.entries import SkippedEntry
from memoryapp.transfer.report import Report
from memoryapp.transfer.restore import items_of
from tests.samples import AGENT, PERSON
from tests.transfer.worlds import Watched


def merged(space: Space, archive: Path, *, dry_run: bool = False) -> Report:
    run = new_run("import", PERSON, now=space.clock())
    things = items_of(open_export(archive), space.db)
    return bring_in(space, things, form="palimpsest", run=run, actor=PERSON, progress=Watched(), dry_run=dry_run)


def test_what_is_held_is_added_and_keeps_its_date_kind_and_tags(sample: Path, other: Space) -> None:
    remember(other, [NewMemory("Here first.")], actor=AGENT)
    report = merged(other, sample)
    assert report.written > 35 and report.run
    fact = memories.by_refs(other.db, ["fact-2"])["fact-2"]
    assert fact.text == "Ines uses SurrealDB at work in Kyoto." and fact.kind is Kind.FACT
    assert fact.tags == ("surrealdb",) and fact.confidence == 0.7 and fact.occurred_at is not None
    texts = {memory.text for memory in memories.scan(other.db)}
    assert "Here first." in texts and any("The nightly backup" in text for text in texts)


def test_the_same_export_again_changes_nothing(sample: Path, other: Space) -> None:
    first = merged(other, sample)
    before = tuple(memories.scan(other.db))
    again = merged(other, sample)
    assert (again.written, again.reinforced, again.conflict) == (0, 0, 0)
    assert again.unchanged == first.written + first.conflict + first.reinforced and again.run is None
    assert tuple(memories.scan(other.db)) == before


def test_merging_a_space_into_itself_adds_nothing(space: Space, archive: Path) -> None:
    before = tuple(memories.scan(space.db))
    report = merged(space, archive)
    assert report.written == report.conflict == report.reinforced == 0
    assert {one["why"] for one in report.told} == {"They are here already, by the same id."}
    assert tuple(memories.scan(space.db)) == before


def test_what_is_not_held_or_made_by_its_space_stays_out_and_is_told(sample: Path, other: Space) -> None:
    report = merged(other, sample)
    whys = " ".join(one["why"] for one in report.told)
    assert "superseded in the other space" in whys and "archived in the other space" in whys
    assert "Context Tree" in whys and report.skipped >= 3
    assert memories.by_refs(other.db, ["fact-1"]) == {}
    assert not [memory for memory in memories.scan(other.db) if memory.kind is Kind.NODE]


def test_a_merge_is_one_run_that_can_be_undone(sample: Path, other: Space) -> None:
    remember(other, [NewMemory("Here first.")], actor=AGENT)
    report = merged(other, sample)
    assert report.run
    review.undo_run(other, report.run, actor=PERSON)
    held = [memory for memory in memories.scan(other.db) if memory.state is State.HELD]
    assert [memory.text for memory in held] == ["Here first."]
    again = merged(other, sample)
    assert again.written == 0 and "stay so" in again.notes[-1]


def test_a_dry_run_of_a_merge_counts_alike_and_writes_nothing(sample: Path, other: Space) -> None:
    told = merged(other, sample, dry_run=True)
    assert tuple(memories.scan(other.db)) == () and told.run is None
    done = merged(other, sample)
    assert told.written + told.conflict == done.written + done.conflict


def test_a_line_that_is_no_memory_is_named_and_the_others_come_in(sample: Path, other: Space) -> None:
    export = open_export(sample)
    # Lines stand by ids that are drawn anew each time, so the first may be archived or a page of the tree.
    good = next(line for line, _ in export.lines("memories.jsonl") if (line["kind"], line["state"]) == ("note", "held"))
    bad = [{**good, "kind": "dream"}, {"state": "held"}, {**good, "tags": 7}]

    class Odd:
        def lines(self, file: str) -> list[tuple[dict[str, object], int]]:
            return [(line, 1) for line in [*bad, good]]

    found = list(items_of(Odd(), other.db))  # type: ignore[arg-type]
    assert [type(one) for one in found] == [SkippedEntry, SkippedEntry, SkippedEntry, NewMemory]
    assert [one.where for one in found[:3] if isinstance(one, SkippedEntry)] == [
        f"memories.jsonl, line {n}" for n in (1, 2, 3)
    ]
