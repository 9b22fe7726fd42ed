"""A vault of Obsidian: what its notes are called, what is left out of them, and what an upgrade does to them."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from memoryapp.domain.document import FileOutcome, Source, SourceKind
from memoryapp.domain.memory import State, index_text
from memoryapp.ingest import ingest
from memoryapp.ingest.obsidian import without_marks
from memoryapp.review import edit, undo_run
from memoryapp.store import documents, embeddings
from memoryapp.store.write import new_run
from tests.ingest.conftest import ACTOR, Notes


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Open. %%not for others%% Closed.", "Open.  Closed."),
        ("a\n%%\nlong\n\n비밀\n%%\nb", "a\n\n\n\n\n\nb"),
        ("She said so. ^quote-1\n- item ^4f2a91\n배포는 월요일에. ^deploy", "She said so.\n- item\n배포는 월요일에."),
        ("![[plan.png]] and ![[Rent#Deposit]]", "[[plan.png]] and [[Rent#Deposit]]"),
        ("100%% sure, 50%% of it", "100%% sure, 50%% of it"),
        ("an open %% stays", "an open %% stays"),
        ("the area is r ^2\nx ^n", "the area is r ^2\nx ^n"),
        ("`%%time%%` and `![[x]]`", "`%%time%%` and `![[x]]`"),
        ("```\n%%sql%%\nx ^abcdef\n```\nend ^abcdef", "```\n%%sql%%\nx ^abcdef\n```\nend"),
    ],
)
def test_comments_block_ids_and_embeds_leave_the_text_and_code_stays(text: str, kept: str) -> None:
    assert without_marks(text) == kept
    assert without_marks(text).count("\n") == text.count("\n")


def test_a_note_without_a_heading_one_is_found_by_its_file_name(notes: Notes) -> None:
    notes.put("Kyushu trip.md", "## Budget\n\nWe have 2000 EUR.")
    notes.ingest()
    budget = notes.one("Budget")
    assert budget.breadcrumb == ("Kyushu trip", "Budget")
    assert index_text(budget).startswith("Kyushu trip\n")


def test_aliases_are_words_of_every_section_and_leave_with_the_front_matter(notes: Notes) -> None:
    notes.put("Ida Berg.md", "---\naliases: [Idchen, 이다]\n---\n## Flat\n\nTwo rooms.\n\n## Work\n\nA shop.")
    notes.ingest()
    assert all({"Idchen", "이다"} <= set(index_text(m).split("\n")) for m in notes.held().values())
    notes.put("Ida Berg.md", "## Flat\n\nTwo rooms.\n\n## Work\n\nA shop.")
    assert notes.ingest().embedded == 2
    assert "Idchen" not in index_text(notes.one("Flat"))


def test_a_comment_is_kept_nowhere(notes: Notes) -> None:
    notes.write(a="## A\n\nOpen. %%my pin is 1234%%\n\n%%\nmore of it\n%%")
    notes.ingest()
    memory = notes.one("A")
    assert memory.text == "## A\n\nOpen."
    assert "1234" not in documents.get(notes.space.db, memory.origin.document or "").text


def test_templates_and_other_documents_are_counted_as_skipped(notes: Notes) -> None:
    notes.put(".obsidian/templates.json", json.dumps({"folder": "Forms"}))
    notes.put(".obsidian/daily-notes.json", json.dumps({"folder": "days", "template": "bits/day"}))
    notes.put(".obsidian/plugins/templater-obsidian/data.json", json.dumps({"templates_folder": "자동"}))
    for path in ("Forms/book.md", "bits/day.md", "자동/회의.md", "bits/kept.md"):
        notes.put(path, "## {{title}}\n\nwords")
    for path in ("map.canvas", "list.base", "paper.pdf", "shot.png"):
        notes.put(path, b"%")
    report = notes.ingest()
    assert [m.origin.path for m in notes.all()] == ["bits/kept.md"]
    assert report.files == 1 and report.failed == ()
    assert report.skipped == {
        "template, left out": 3,
        "PDF, not read": 1,
        "Obsidian base, not read": 1,
        "Obsidian canvas, not read": 1,
    }
    assert notes.told("map.canvas").outcome is FileOutcome.SKIPPED


def test_a_file_that_became_a_template_is_put_away(notes: Notes) -> None:
    notes.put("Forms/book.md", "## Book\n\nwords")
    notes.ingest()
    notes.put(".obsidian/templates.json", json.dumps({"folder": "Forms"}))
    notes.ingest()
    assert notes.one("Book").state is State.ARCHIVED


def test_an_uploaded_vault_keeps_its_templates_out_too(notes: Notes) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("vault/.obsidian/templates.json", json.dumps({"folder": "Forms"}))
        archive.writestr("vault/Forms/book.md", "## Book\n\nwords")
        archive.writestr("vault/a.md", "## A\n\nwords")
        archive.writestr("vault/map.canvas", "{}")
    source = Source("s", SourceKind.UPLOAD, "vault.zip", "vault.zip", notes.space.clock())
    run = new_run("ingest", ACTOR, now=notes.space.clock())
    report = ingest(notes.space, source, run=run, upload=packed.getvalue())
    assert [m.title for m in notes.all()] == ["A"]
    assert report.skipped == {"Obsidian canvas, not read": 1, "template, left out": 1}


def test_settings_that_are_no_json_leave_nothing_out(notes: Notes) -> None:
    notes.put(".obsidian/templates.json", "{")
    notes.put(".obsidian/daily-notes.json", '["x"]')
    notes.write(a="## A\n\nwords")
    assert notes.ingest().files == 1


def test_sections_are_dated_by_the_day_a_note_was_begun_unless_it_was_changed_later(notes: Notes) -> None:
    notes.write(
        a="---\ncreated: 2024-03-01\n---\n## A\n\nx", b="---\ncreated: 2024-03-01\nupdated: 2025-01-01\n---\n## B\n\nx"
    )
    notes.ingest()
    dated = notes.one("A").occurred_at
    assert dated is not None and dated.date().isoformat() == "2024-03-01"
    assert not notes.one("A").daily and notes.one("B").occurred_at is None


def as_cut_by_earlier_rules(notes: Notes) -> None:
    """The store as the version before left it: other breadcrumbs, raw words, and no version of the rules."""
    db = notes.space.db
    db.query("UPDATE document SET cutter = NONE")
    db.query("UPDATE memory SET breadcrumb = [title] WHERE title = 'Budget'")
    db.query("UPDATE memory SET source_text = '## Food\\n\\nNoodles. %%cheap%%' WHERE title = 'Food'")
    db.query(
        "UPDATE memory SET title = 'Rooms ^4f2a91', text = '## Rooms ^4f2a91\n\nTwo. %%dear%%' WHERE title = 'Rooms'"
    )


def test_an_unchanged_file_is_cut_anew_once_by_new_rules_and_keeps_ids_edits_and_undo(notes: Notes) -> None:
    notes.put(
        "Kyushu trip.md",
        "## Budget\n\nWe have 2000 EUR.\n\n## Rooms ^4f2a91\n\nTwo. %%dear%%\n\n## Food\n\nNoodles. %%cheap%%",
    )
    notes.ingest()
    budget, rooms, food = (notes.one(title) for title in ("Budget", "Rooms", "Food"))
    edit(notes.space, food.id, {"text": "## Food\n\nNoodles and fish."}, actor=ACTOR)
    as_cut_by_earlier_rules(notes)
    run = new_run("ingest", ACTOR, now=notes.space.clock())
    report = ingest(notes.space, notes.source, run=run)
    assert report.conflicts == 0 and notes.one("Food").source_text == "## Food\n\nNoodles."
    assert {m.id for m in notes.all()} == {budget.id, rooms.id, food.id}
    assert notes.one("Budget").breadcrumb == ("Kyushu trip", "Budget")
    assert notes.one("Rooms").text == "## Rooms\n\nTwo."
    assert "fish" in notes.one("Food").text
    (vector,) = (e.vector for e in embeddings.scan(notes.space.db, notes.space.encoder.name) if e.memory == budget.id)
    wanted = notes.space.encoder.get().encode_documents([index_text(notes.one("Budget"))])[0]
    assert np.allclose(vector, wanted, atol=0.01)
    again = notes.ingest()
    assert (again.unchanged, again.changed, again.embedded) == (3, 0, 0)
    undo_run(notes.space, run.id, actor=ACTOR)
    assert notes.one("Rooms ^4f2a91").text.endswith("%%dear%%")
    assert "fish" in notes.one("Food").text


def test_a_title_that_a_person_gave_stays_when_the_rules_change(notes: Notes) -> None:
    notes.write(a="## Rooms ^4f2a91\n\nTwo.")
    notes.ingest()
    memory = notes.one("Rooms")
    notes.space.db.query("UPDATE document SET cutter = NONE")
    notes.space.db.query("UPDATE memory SET title = 'Our rooms'")
    notes.ingest()
    assert replace(notes.one("Our rooms"), title="Rooms").id == memory.id
