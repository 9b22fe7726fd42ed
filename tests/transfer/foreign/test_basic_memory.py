"""A basic-memory folder: entities, observations, prose, relations; and nothing that only looks like one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind
from memoryapp.transfer.entries import ImportedEntity, Item
from memoryapp.transfer.foreign import read, recognise
from tests.transfer.foreign.conftest import SAMPLES, Found

FOLDER = SAMPLES / "basic-memory"
NOTE = "---\ntitle: Tea\npermalink: tea\n---\n"


def test_observations_come_as_notes_about_their_note_with_category_and_tags() -> None:
    assert recognise(FOLDER) == "basic-memory"
    items = {item.text: item for item in Found(FOLDER, "basic-memory").items}
    one = items["Pour Over: Bloom for 30 seconds before the first pour"]
    assert one.kind is Kind.NOTE
    assert one.subject == one.title == "Pour Over"
    assert one.tags == ("coffee", "brewing", "method", "timing")
    assert one.occurred_at == datetime(2025, 6, 1, 8, 30, tzinfo=UTC)
    assert "Pour Over: 94 °C tastes best with light roasts (tried in June)" in items
    assert items["Pour Over: A gooseneck kettle helps"].tags == ("coffee", "brewing", "equipment")


def test_prose_comes_as_a_note_for_each_heading_and_loses_nothing() -> None:
    notes = {item.title: item.text for item in Found(FOLDER, "basic-memory").items if item.text.count(" ") > 5}
    assert "paper filter" in notes["Pour Over"]
    assert notes["Pour Over: Failures"].startswith("The third attempt ran dry")
    everything = "\n".join(Found(FOLDER, "basic-memory").texts)
    assert "this is no observation" in everything, "code is kept as it stands"
    assert "[x] buy filters" in everything
    assert "[00:12:40] and then she said something" in everything


def test_checkboxes_timecodes_code_and_quotations_are_no_observations() -> None:
    tags = {tag for item in Found(FOLDER, "basic-memory").items for tag in item.tags}
    assert not tags & {"x", "00:12:40", "code", "!note"}


def test_relations_find_their_notes_by_title_permalink_and_alias() -> None:
    assert Found(FOLDER, "basic-memory").links == [
        ("French Press", "relates_to", "Pour Over"),
        ("Pour Over", "requires", "Gooseneck Kettle"),
        ("Pour Over", "tastes better than", "French Press"),
        ("Pour Over", "part_of", "Coffee Notes"),
        ("Pour Over", "links_to", "Yuna Baek"),
    ]


def test_a_type_that_says_nothing_is_left_out() -> None:
    assert Found(FOLDER, "basic-memory").named == [("French Press", ""), ("Pour Over", "technique")]


def test_a_file_that_is_no_text_is_named_while_the_others_are_read(notes: Path) -> None:
    found = Found(notes, "basic-memory")
    assert found.skipped == {"It is no text: not UTF-8 at byte 26.": 1}
    assert len(found.items) == len(Found(FOLDER, "basic-memory").items)


def test_a_line_put_in_above_changes_no_ref_below(tmp_path: Path) -> None:
    path = tmp_path / "Tea.md"
    path.write_text(NOTE + "- [taste] bitter after five minutes\n", "utf-8")
    before = Found(path, "basic-memory").refs
    path.write_text(NOTE + "- [taste] sweet after two\n- [taste] bitter after five minutes\n", "utf-8")
    assert before[0] in Found(path, "basic-memory").refs


def test_a_zip_of_the_folder_gives_the_same(zipped: Callable[[Path], Path]) -> None:
    archive = zipped(FOLDER)
    assert recognise(archive) == "basic-memory"
    assert set(Found(archive, "basic-memory").refs) == set(Found(FOLDER, "basic-memory").refs)


def test_a_folder_of_other_markdown_is_sent_to_ingest(tmp_path: Path) -> None:
    (tmp_path / "plain.md").write_text("# Plain\n\n- [x] done\n- a [link](http://example.org)\n", "utf-8")
    assert recognise(tmp_path) is None
    with pytest.raises(BadInput, match="ingest"):
        read(tmp_path, "basic-memory")


def test_tags_are_taken_from_the_end_and_numbers_and_bare_tags_stay_words(tmp_path: Path) -> None:
    path = tmp_path / "Tea.md"
    path.write_text(NOTE + "- [bug] fixed by #12 #leaf#green\n- #todo\n- keep #cold in summer\n", "utf-8")
    found = {item.text: item.tags for item in Found(path, "basic-memory").items}
    assert found == {
        "Tea: fixed by #12": ("bug", "leaf", "green"),
        "Tea: keep #cold in summer": ("cold",),
        "- #todo": (),
    }


def test_a_file_sent_under_another_name_is_known_by_its_own(tmp_path: Path) -> None:
    refs = []
    for kept in ("0a1b-Tea.md", "9f8e-Tea.md"):
        (tmp_path / kept).write_text("- [taste] bitter\n- part_of [[Drinks]]\n", "utf-8")
        found = list(read(tmp_path / kept, "basic-memory", called="Tea.md"))
        refs.append([one.ref for one in found if isinstance(one, Item)])
        assert ImportedEntity("Tea") in found
    assert refs[0] == refs[1] != []
