"""A folder into a space, again and again, as its files change: the whole way, with the real store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memoryapp.domain.conflict import ConflictStatus
from memoryapp.domain.document import FileOutcome, Source, SourceKind
from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import Cancelled, ModelMissing, NotFound
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.inference.embedding.encoder import Encoder, Vectors
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.ingest import ingest
from memoryapp.review import archive, delete, edit, purge
from memoryapp.store import conflicts, documents, embeddings, revisions
from memoryapp.store.write import new_run
from tests.ingest.conftest import ACTOR, Notes, Watched

TWO = "# Infra\n\n## Backup\n\nNightly at two.\n\n## Restore\n\nTested in March.\n"


def test_sections_become_memories_with_their_place_date_tags_and_vector(notes: Notes) -> None:
    notes.put("log/2026-02-13.md", "---\ntags: [ops]\n---\n## Deploy\n\nDone. #release\n")
    report = notes.ingest()
    memory = notes.one("Deploy")
    assert (report.files, report.sections, report.added, report.embedded) == (1, 1, 1, 1)
    assert (memory.kind, memory.state, memory.text) == (Kind.SECTION, State.HELD, "## Deploy\n\nDone. #release")
    assert (memory.origin.path, memory.origin.first_line, memory.origin.last_line) == ("log/2026-02-13.md", 4, 6)
    assert (memory.tags, memory.daily) == (("ops", "release"), True)
    assert memory.occurred_at is not None and memory.occurred_at.date().isoformat() == "2026-02-13"
    document = documents.get(notes.space.db, memory.origin.document or "")
    assert document.text.split("\n")[3:6] == memory.text.split("\n")
    assert [e.memory for e in embeddings.scan(notes.space.db, notes.space.encoder.name)] == [memory.id]


def test_an_unchanged_folder_is_neither_written_nor_embedded(notes: Notes) -> None:
    notes.write(a=TWO, b="# B\n\nwords about [[tantivy]]")
    notes.ingest()
    before = notes.state()
    report = notes.ingest()
    assert (report.unchanged, report.added, report.changed, report.embedded, report.linked) == (3, 0, 0, 0, 0)
    assert notes.state() == before
    assert {file.outcome for file in notes.progress.files} == {FileOutcome.UNCHANGED}


def test_a_touched_file_with_the_same_words_is_unchanged(notes: Notes) -> None:
    file = notes.put("a.md", TWO)
    notes.ingest()
    os.utime(file, ns=(1, 1_000_000_000))
    before = notes.state()
    assert notes.ingest().unchanged == 2
    assert notes.state() == before
    assert documents.heads(notes.space.db, notes.source.id)["a.md"].modified_ns == 1_000_000_000


def test_a_changed_section_is_updated_in_place_and_the_others_only_move(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    backup, restore = notes.one("Backup"), notes.one("Restore")
    notes.write(a=TWO.replace("Nightly at two.", "Nightly at three.\n\nTo the bucket."))
    report = notes.ingest()
    assert (report.changed, report.unchanged, report.embedded) == (1, 1, 1)
    again, moved = notes.one("Backup"), notes.one("Restore")
    assert (again.id, again.version) == (backup.id, backup.version + 1)
    assert "three" in again.text
    assert (moved.version, moved.text, moved.origin.first_line) == (restore.version, restore.text, 9)
    assert revisions.of_record(notes.space.db, backup.id)[-1].before["text"] == backup.text


def test_a_section_that_is_gone_is_archived_and_comes_back_the_same(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    restore = notes.one("Restore")
    notes.write(a=TWO[: TWO.index("## Restore")])
    assert notes.ingest().archived == 1
    assert notes.one("Restore").state is State.ARCHIVED
    notes.write(a=TWO)
    report = notes.ingest()
    assert (report.added, report.unchanged) == (1, 1)
    back = notes.one("Restore")
    assert (back.id, back.state, back.text, back.origin.first_line) == (restore.id, State.HELD, restore.text, 7)
    assert "came back" in notes.told("a.md").note


def test_a_file_that_is_gone_has_its_memories_archived_and_returns_with_them(notes: Notes) -> None:
    notes.write(a=TWO, b="## Other\n\nx")
    notes.ingest()
    (notes.root / "a.md").unlink()
    report = notes.ingest()
    assert (report.archived, report.files) == (2, 1)
    assert set(notes.held()) == {"Other"}
    document = documents.get(notes.space.db, notes.one("Backup").origin.document or "")
    assert (document.present, document.text) == (False, TWO)
    assert notes.ingest().archived == 0
    notes.write(a=TWO)
    assert notes.ingest().added == 2
    assert set(notes.held()) == {"Backup", "Restore", "Other"}
    assert len(notes.all()) == 3


def test_a_moved_file_keeps_its_memories_even_when_it_is_changed_later(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    before = {memory.title: memory for memory in notes.all()}
    (notes.root / "deep").mkdir()
    (notes.root / "a.md").rename(notes.root / "deep/b.md")
    report = notes.ingest()
    assert (report.unchanged, report.added, report.archived, report.embedded) == (2, 0, 0, 0)
    assert notes.told("deep/b.md").outcome is FileOutcome.MOVED
    assert {m.title: (m.id, m.version, m.origin.path) for m in notes.all()} == {
        title: (memory.id, memory.version, "deep/b.md") for title, memory in before.items()
    }
    notes.put("deep/b.md", TWO.replace("two", "four"))
    assert notes.ingest().changed == 1
    notes.put("a.md", TWO)  # the old name is free again, and its ids are taken
    assert notes.ingest().added == 2
    assert len(notes.all()) == 4


def test_a_section_put_in_before_others_of_its_title_does_not_shift_them(notes: Notes) -> None:
    notes.write(log="## Note\n\nfirst\n\n## Note\n\nsecond\n")
    notes.ingest()
    ids = {memory.text: memory.id for memory in notes.all()}
    notes.write(log="## Note\n\nnew\n\n## Note\n\nfirst\n\n## Note\n\nsecond\n")
    report = notes.ingest()
    assert (report.added, report.changed, report.unchanged) == (1, 0, 2)
    assert {memory.text: memory.id for memory in notes.all() if memory.text in ids} == ids


def test_a_persons_edit_outlives_a_changed_source_and_is_asked_about_once(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    key = notes.one("Backup").id
    edit(notes.space, key, {"text": "Nightly at two, to Seoul."}, actor=ACTOR)
    notes.write(a=TWO.replace("two", "three"))
    report = notes.ingest()
    assert (report.conflicts, report.changed) == (1, 0)
    assert notes.one("Backup").text == "Nightly at two, to Seoul."
    (raised,) = conflicts.page(notes.space.db)
    assert (raised.existing, raised.incoming_text) == (key, "## Backup\n\nNightly at three.")
    notes.write(a=TWO.replace("two", "three").replace("March", "May"))
    assert notes.ingest().conflicts == 0
    assert len(conflicts.page(notes.space.db)) == 1


def test_a_conflict_is_withdrawn_when_the_source_says_again_what_is_held(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    edit(notes.space, notes.one("Backup").id, {"text": "## Backup\n\nHourly."}, actor=ACTOR)
    notes.write(a=TWO.replace("Nightly at two", "Weekly"))
    notes.ingest()
    notes.write(a=TWO.replace("Nightly at two", "Hourly"))
    assert notes.ingest().conflicts == 0
    assert [conflict.status for conflict in conflicts.page(notes.space.db)] == [ConflictStatus.WITHDRAWN]
    assert not notes.one("Backup").edited
    notes.write(a=TWO.replace("Nightly at two", "Daily"))
    assert notes.ingest().changed == 1  # the edit and the source agreed, so there is no edit any more


def test_what_a_person_archived_or_deleted_stays_so_when_its_file_changes(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    archive(notes.space, [notes.one("Backup").id], actor=ACTOR)
    delete(notes.space, [notes.one("Restore").id], actor=ACTOR)
    notes.write(a=TWO.replace("two", "three").replace("March", "May"))
    notes.ingest()
    assert [(m.title, m.state) for m in notes.all()] == [("Backup", State.ARCHIVED), ("Restore", State.DELETED)]
    assert "three" in notes.one("Backup").text


def test_a_purge_outlives_the_file(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    memory = notes.one("Restore")
    purge(notes.space, memory.id, actor=ACTOR)
    notes.write(a=TWO.replace("two", "three"))
    report = notes.ingest()
    assert report.added == 0
    assert "purged earlier, left out" in notes.told("a.md").note
    assert [m.title for m in notes.all()] == ["Backup"]
    assert "March" not in documents.get(notes.space.db, memory.origin.document or "").text


def test_tags_a_person_set_stay_and_the_sources_changes_are_carried_over(notes: Notes) -> None:
    notes.put("a.md", "---\ntags: [one, two]\n---\n## A\n\nx\n")
    notes.ingest()
    edit(notes.space, notes.one("A").id, {"tags": ["two", "mine"]}, actor=ACTOR)
    notes.put("a.md", "---\ntags: [one, three]\n---\n## A\n\nx\n")
    report = notes.ingest()
    assert set(notes.one("A").tags) == {"mine", "three"}
    assert (report.unchanged, report.embedded) == (1, 0)


def test_a_dry_run_counts_the_same_and_changes_nothing(notes: Notes) -> None:
    notes.write(
        a=TWO, b="## B\n\nWith [[tantivy]].", c="## C\n\n[[tantivy]] again, and Redis.", d="## D\n\nplain tantivy"
    )
    notes.ingest()
    notes.write(a=TWO.replace("two", "three"), e="## E\n\n`surreal` and [[Mina]]", f="## F\n\n`surreal`, mina, tantivy")
    (notes.root / "d.md").unlink()
    (notes.root / "b.md").rename(notes.root / "z.md")
    before = notes.state()
    rehearsed = notes.ingest(dry_run=True)
    assert notes.state() == before
    real = notes.ingest()
    assert replace(rehearsed, seconds=0.0, dry_run=False) == replace(real, seconds=0.0)
    assert real.linked > 0


@pytest.mark.parametrize("after", [1, 4, 9, 15, 30])
def test_stopped_anywhere_and_called_again_nothing_is_missing_or_doubled(notes: Notes, after: int) -> None:
    files = {
        f"2026-02-{n:02}": f"## Day {n}\n\nAbout [[tantivy]] and day {n}.\n\n## More {n}\n\nx" for n in range(1, 13)
    }
    notes.write(**files)
    try:
        notes.ingest(stop_after=after)
    except Cancelled:
        notes.ingest()
    stopped = notes.state()
    for row in stopped["memory"]:  # type: ignore[attr-defined]
        assert row["version"] == "1"
    assert len(notes.all()) == 24
    whole = {memory.id: memory.text for memory in notes.all()}
    assert notes.ingest().unchanged == 24
    assert {memory.id: memory.text for memory in notes.all()} == whole
    assert notes.entities()["tantivy"].state is EntityState.KNOWN
    assert len(stopped["follows"]) == 23  # type: ignore[arg-type]


def test_a_cancelled_ingest_keeps_what_it_wrote_and_says_so(notes: Notes) -> None:
    notes.write(**{f"n{n}": f"## N{n}\n\nx" for n in range(20)})
    with pytest.raises(Cancelled, match="stays"):
        notes.ingest(stop_after=3)
    assert len(notes.all()) < 20


def test_a_source_whose_folder_is_gone_archives_nothing(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    (notes.root / "a.md").rename(notes.root.parent / "a.md")
    notes.root.rmdir()
    with pytest.raises(NotFound):
        notes.ingest()
    assert len(notes.held()) == 2


def test_a_file_that_can_no_longer_be_read_keeps_its_memories(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    notes.put("a.md", b"caf\xe9")
    report = notes.ingest()
    assert (report.archived, len(report.failed)) == (0, 1)
    assert len(notes.held()) == 2


def test_bad_files_are_named_and_the_rest_is_read(notes: Notes) -> None:
    notes.put("latin.md", "caf\xe9".encode("latin-1"))
    notes.put("binary.md", b"a\x00b")
    notes.put("big.md", b"x" * (6 << 20))
    notes.put("empty.md", b"")
    notes.put("header.md", "# Only a header\n")
    notes.put("matter.md", "---\ntitle: x\n---\n")
    notes.put("many.md", "".join(f"## H{n % 50}\n\n{n}\n\n" for n in range(200)))
    notes.put("deep.md", "## Deep\n\n" + ">" * 5_000 + " x\n")
    notes.put("control.md", "## Bell\n\na\x07b\x1b[0m\n")
    (notes.root / "loop").symlink_to(notes.root)
    report = notes.ingest()
    assert {file.path for file in report.failed} == {"latin.md", "binary.md", "big.md", "loop"}
    assert notes.told("latin.md").note == "not UTF-8 at byte 3. Save it as UTF-8 and ingest again."
    assert notes.told("empty.md").note == "empty"
    assert "front matter" in notes.told("matter.md").note
    assert report.added == 200 + 3
    assert notes.held()["Only a header"].text == "# Only a header"
    assert notes.held()["Bell"].text == "## Bell\n\nab[0m"
    assert notes.ingest().unchanged == 203


def test_an_upload_is_read_again_by_its_name(notes: Notes) -> None:
    source = Source("up1", SourceKind.UPLOAD, "memo.md", "memo.md", notes.space.clock())

    def upload(text: str) -> tuple[int, int, int]:
        run = new_run("ingest", ACTOR, now=notes.space.clock())
        report = ingest(notes.space, source, run=run, upload=text.encode())
        return report.added, report.changed, report.unchanged

    assert upload("## A\n\none\n") == (1, 0, 0)
    assert upload("## A\n\none\n") == (0, 0, 1)
    assert upload("## A\n\ntwo\n") == (0, 1, 0)


def test_the_source_remembers_its_report_and_a_schedule_set_meanwhile(notes: Notes) -> None:
    notes.write(a=TWO)
    documents.put_source(notes.space.db, replace(notes.source, every_minutes=30))
    notes.ingest()
    stored = documents.source(notes.space.db, notes.source.id)
    assert (stored.every_minutes, stored.files) == (30, 1)
    assert stored.last_report is not None
    assert stored.last_report["added"] == 2
    assert stored.last_ingest_at is not None


def test_the_sections_of_one_large_file_are_counted_while_they_are_embedded(notes: Notes) -> None:
    notes.put("large.md", "# Log\n\n" + "\n".join(f"## Day {n}\n\nThe build took {n} minutes.\n" for n in range(200)))
    notes.ingest()
    told = [phase for phase in notes.progress.phases if phase.name == "embedding"]
    total = told[-1].total
    assert total >= 200 and {phase.total for phase in told} == {total} and all(phase.exact for phase in told)
    done = [phase.done for phase in told]
    assert done[0] == 0 and done[-1] == total and done == sorted(done) and len(set(done)) >= 3
    names = list(dict.fromkeys(phase.name for phase in notes.progress.phases))
    assert names == ["reading", "embedding", "writing", "linking"]


def test_how_many_sections_there_will_be_is_reckoned_until_all_files_are_read(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.ingest.look.FILES_A_WINDOW", 2)
    for n in range(6):
        notes.put(f"{n}.md", f"# Note {n}\n\nThe build took {n} minutes.\n")
    notes.ingest()
    told = [phase for phase in notes.progress.phases if phase.name == "embedding"]
    assert told[0].total == told[-1].total == 6 and [told[0].exact, told[-1].exact] == [False, True]
    notes.ingest()
    assert not [phase for phase in notes.progress.phases if phase.name == "embedding"]


def test_progress_is_told_of_every_file_and_ends_at_the_total(notes: Notes) -> None:
    notes.write(a=TWO, b="## B\n\nx", c="")
    notes.ingest()
    assert sorted(file.path for file in notes.progress.files) == ["a.md", "b.md", "c.md"]
    assert notes.progress.steps[-1] == (3, 3)


def test_a_run_is_written_with_its_changes_and_ended(notes: Notes) -> None:
    notes.write(a=TWO)
    run = new_run("ingest", ACTOR, now=notes.space.clock())
    ingest(notes.space, notes.source, run=run)
    stored = revisions.get_run(notes.space.db, run.id)
    assert stored.ended_at is not None
    assert stored.detail is not None
    assert (stored.detail["source"], stored.detail["added"]) == (notes.source.id, 2)
    changed = {r.record_id for r in revisions.of_run(notes.space.db, run.id) if r.record == "memory"}
    assert changed == {memory.id for memory in notes.all()}


def test_long_sections_are_cut_to_the_models_window(notes: Notes) -> None:
    space = replace(notes.space, tuning=replace(notes.space.tuning, window_tokens=40))
    notes.space = space
    notes.write(a="## Long\n\n" + "\n\n".join(f"Paragraph {n} " + "word " * 10 for n in range(10)))
    assert notes.ingest().added > 2
    parts: list[Memory] = notes.all()
    assert [memory.position for memory in parts] == list(range(len(parts)))
    assert {memory.title for memory in parts} == {"Long"}


def test_a_text_that_cannot_be_embedded_is_named_and_the_rest_goes_on(notes: Notes) -> None:
    class Stubborn(HashingEncoder):
        def encode_documents(self, texts: Sequence[str]) -> Vectors:
            if any("poison" in text for text in texts):
                raise RuntimeError("out of memory")
            return super().encode_documents(texts)

    slot = EncoderSlot(notes.space.encoder.name, lambda _: Stubborn())
    slot.fill()
    notes.space = replace(notes.space, encoder=slot)
    notes.write(a="## Good\n\nx", b="## Bad\n\npoison")
    report = notes.ingest()
    assert (report.added, report.embedded) == (2, 1)
    assert "“Bad” (RuntimeError: out of memory)" in notes.told("b.md").note
    assert set(notes.held()) == {"Good", "Bad"}


def test_an_edit_in_the_very_moment_of_writing_is_not_lost(notes: Notes) -> None:
    notes.write(a=TWO)
    notes.ingest()
    key = notes.one("Backup").id
    notes.write(a=TWO.replace("two", "three"))

    class Meddling(Watched):
        def cancelled(self) -> bool:
            # The third look comes after the file was compared with the store and before it is written.
            self.looks += 1
            if notes.one("Backup").version == 1 and self.looks >= 3:
                edit(notes.space, key, {"text": "Mine."}, actor=ACTOR)
            return False

    run = new_run("ingest", ACTOR, now=notes.space.clock())
    report = ingest(notes.space, notes.source, run=run, progress=Meddling())
    assert notes.one("Backup").text == "Mine."
    assert report.conflicts == 1
    assert conflicts.page(notes.space.db)[0].incoming_text == "## Backup\n\nNightly at three."


def test_without_a_usable_model_nothing_is_written_and_the_reason_is_told(notes: Notes) -> None:
    def fail(name: str) -> Encoder:
        raise ModelMissing(f"There is no model {name} here.")

    slot = EncoderSlot("gone", fail)
    slot.fill()
    notes.space = replace(notes.space, encoder=slot)
    notes.write(a=TWO)
    with pytest.raises(ModelMissing, match="gone"):
        notes.ingest()
    assert notes.all() == []
