"""Logs in files: what is folded is not brought back by reading the files again, unless it says something else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryapp.consolidate import consolidate, preview, told_in
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import IngestReport, Source, SourceKind
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.ingest import ingest
from memoryapp.review import edit
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.write import new_run
from tests.samples import PERSON, HandClock, a_space

HEARTBEAT = Actor(ActorKind.MACHINE, "heartbeat")
MONDAY = "# Monday\n\n## GPU\nDecided: one rented [[H100]] for a month.\n\n## Lunch\nSoup.\n"
TUESDAY = "# Tuesday\n\n## Costs\nThe [[H100]] is paid by the quarter of an hour.\n"


class Logs:
    def __init__(self, root: Path, space: Space) -> None:
        self.root, self.space = root, space
        self.source = Source("5" * 16, SourceKind.FOLDER, str(root), root.name, space.clock())

    def write(self, day: str, text: str) -> None:
        (self.root / f"{day}.md").write_text(text, encoding="utf-8")

    def read(self) -> IngestReport:
        return ingest(self.space, self.source, run=new_run("ingest", PERSON, now=self.space.clock()))

    def titled(self, title: str) -> Memory:
        return next(m for m in memories.scan(self.space.db) if m.kind is Kind.SECTION and m.title == title)

    def digest(self) -> Memory:
        return next(m for m in memories.scan(self.space.db) if m.kind is Kind.DIGEST)


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[Logs]:
    """Two days' logs, read and folded."""
    with a_space(clock=HandClock(datetime(2027, 3, 1, 12, tzinfo=UTC))) as space:
        made = Logs(tmp_path, space)
        made.write("2027-02-08", MONDAY)
        made.write("2027-02-09", TUESDAY)
        made.read()
        done = consolidate(space, actor=HEARTBEAT)
        assert [memory.title for memory in done.written] == ["H100, 8 to 9 February"] and done.archived == 2
        yield made


def test_reading_unchanged_files_again_brings_nothing_back(logs: Logs) -> None:
    before = {memory.id: (memory.state, memory.version) for memory in memories.scan(logs.space.db)}
    assert logs.read().changed == 0
    logs.write("2027-02-08", MONDAY.replace("Soup.", "Bread."))  # another section of the same file
    logs.read()
    after = {memory.id: (memory.state, memory.version) for memory in memories.scan(logs.space.db)}
    lunch = logs.titled("Lunch").id
    assert {key: value for key, value in after.items() if key != lunch} == {
        key: value for key, value in before.items() if key != lunch
    }
    assert preview(logs.space).digests == ()


def test_a_section_with_other_words_in_its_file_is_held_again_and_then_told_anew(logs: Logs) -> None:
    digest = logs.digest()
    logs.write("2027-02-08", MONDAY.replace("for a month", "for a year"))
    assert logs.read().changed == 1
    section = logs.titled("GPU")
    assert section.state is State.HELD and "for a year" in section.text and told_in(section) == digest.id
    assert logs.titled("Costs").state is State.ARCHIVED

    done = consolidate(logs.space, actor=HEARTBEAT)
    assert [memory.id for memory in done.written] == [digest.id]
    assert "for a year" in done.written[0].text and "quarter of an hour" in done.written[0].text
    assert logs.titled("GPU").state is State.ARCHIVED
    assert consolidate(logs.space, actor=HEARTBEAT).written == ()


def test_what_a_person_archived_by_hand_stays_so_when_its_file_changes(logs: Logs) -> None:
    from memoryapp.review import archive

    archive(logs.space, [logs.titled("Lunch").id], actor=PERSON)
    logs.write("2027-02-08", MONDAY.replace("Soup.", "Bread."))
    logs.read()
    assert logs.titled("Lunch").state is State.ARCHIVED


def test_an_edited_section_that_was_folded_and_whose_file_changed_is_held_with_its_conflict(tmp_path: Path) -> None:
    with a_space(clock=HandClock(datetime(2027, 3, 1, 12, tzinfo=UTC))) as space:
        logs = Logs(tmp_path, space)
        logs.write("2027-02-08", MONDAY)
        logs.write("2027-02-09", TUESDAY)
        logs.read()
        edit(space, logs.titled("GPU").id, {"text": "Decided: two [[H100]]."}, actor=PERSON)
        consolidate(space, actor=HEARTBEAT)
        assert "two H100" in logs.digest().text
        logs.write("2027-02-08", MONDAY.replace("a month", "a year"))
        assert logs.read().conflicts == 1
        section = logs.titled("GPU")
        assert section.state is State.HELD and section.text == "Decided: two [[H100]]."
        assert preview(space).digests == ()
        assert [stays.why for stays in preview(space).staying if stays.id == section.id] == [
            "a conflict about it waits for a decision"
        ]


def test_a_section_gone_from_its_file_stays_in_its_digest_and_comes_back_when_it_says_something_else(
    logs: Logs,
) -> None:
    digest = logs.digest()
    (logs.root / "2027-02-09.md").unlink()
    logs.read()
    assert logs.titled("Costs").state is State.ARCHIVED and logs.digest().text == digest.text
    logs.write("2027-02-09", TUESDAY)
    logs.read()
    assert logs.titled("Costs").state is State.ARCHIVED
    assert preview(logs.space).digests == ()
