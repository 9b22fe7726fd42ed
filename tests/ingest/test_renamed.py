"""Files that get another name and other words between two readings, with the real store."""

from __future__ import annotations

import pytest

from memoryapp.domain.document import FileOutcome
from memoryapp.domain.memory import State
from memoryapp.review import edit
from tests.ingest.conftest import ACTOR, Notes

PLAN = "# Plan\n\nWe launch on the first of December, at nine.\n\n## Rollback\n\nRun `make rollback`, then page Sora.\n"


def rename(notes: Notes, before: str, after: str, text: str) -> None:
    (notes.root / before).unlink()
    notes.put(after, text)


@pytest.mark.parametrize("after", ["plan-b.md", "deep/down/plan.md"])
def test_a_file_renamed_and_edited_keeps_its_memories_and_what_a_person_made_of_them(notes: Notes, after: str) -> None:
    notes.put("plan.md", PLAN)
    notes.ingest()
    before = {memory.title: memory.id for memory in notes.all()}
    edit(notes.space, before["Rollback"], {"text": "## Rollback\n\nPage Sora first."}, actor=ACTOR)
    rename(notes, "plan.md", after, PLAN.replace("nine", "ten") + "\n## Guests\n\nTwelve.\n")
    rehearsed = notes.ingest(dry_run=True)
    report = notes.ingest()
    assert (report.changed, report.unchanged, report.added, report.archived, report.conflicts) == (1, 1, 1, 0, 0)
    assert rehearsed.changed == report.changed and rehearsed.archived == report.archived
    assert notes.told(after).outcome is FileOutcome.MOVED
    held = {memory.title: memory for memory in notes.all()}
    assert {title: held[title].id for title in before} == before
    assert held["Plan"].text.endswith("at ten.") and held["Rollback"].text.endswith("Page Sora first.")


def test_a_file_that_shares_little_with_one_that_is_gone_is_new(notes: Notes) -> None:
    notes.put("plan.md", PLAN)
    notes.ingest()
    rename(notes, "plan.md", "party.md", "# Plan\n\nThirty guests, a cake with candles, and a band until two.\n")
    report = notes.ingest()
    assert (report.added, report.archived) == (1, 2)
    assert {memory.state for memory in notes.all() if memory.origin.path == "plan.md"} == {State.ARCHIVED}


def test_days_of_a_diary_on_one_template_are_not_taken_for_each_other(notes: Notes) -> None:
    template = "## Standup\n\nWhat I did, what I will do, what is in my way.\n\n## Mood\n\n{}\n"
    notes.put("2026-11-01.md", template.format("Good."))
    notes.ingest()
    rename(notes, "2026-11-01.md", "2026-11-02.md", template.format("Tired."))
    report = notes.ingest()
    assert (report.added, report.archived) == (2, 2)


def test_of_many_files_each_is_known_by_its_own_words(notes: Notes) -> None:
    form = (
        "The day when this customer was first seen\n\nNumber {0} bought {0} lamps, {0} chairs and a table in shop {0}\n"
    )
    for number in range(12):
        notes.put(f"{number}.md", form.format(number))
    notes.ingest()
    before = {memory.origin.path: memory.id for memory in notes.all()}
    for number in range(12):
        rename(notes, f"{number}.md", f"new/{number}.md", form.format(number) + "\nPaid.\n")
    (notes.root / "new/11.md").unlink()
    report = notes.ingest()
    assert (report.changed, report.added, report.archived) == (11, 0, 1)
    after = {memory.origin.path: memory.id for memory in notes.all() if memory.state is State.HELD}
    assert after == {f"new/{path}": key for path, key in before.items() if path != "11.md"}


def test_a_file_that_was_only_renamed_comes_before_one_that_looks_like_it(notes: Notes) -> None:
    notes.put("plan.md", PLAN)
    notes.ingest()
    before = {memory.title: memory.id for memory in notes.all()}
    rename(notes, "plan.md", "a-copy.md", PLAN.replace("nine", "ten"))
    notes.put("the-plan.md", PLAN)
    report = notes.ingest()
    assert (report.added, report.unchanged, report.archived) == (2, 2, 0)
    assert {m.title: m.id for m in notes.all() if m.origin.path == "the-plan.md"} == before
