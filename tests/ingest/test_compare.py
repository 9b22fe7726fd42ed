"""Files against documents and sections against memories, without a store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.document import Document, FileOutcome, FileReport, Section
from memoryapp.domain.identity import section_id
from memoryapp.domain.memory import Kind, Memory, Origin, State
from memoryapp.ingest.compare import Fate, Files, pair
from memoryapp.ingest.cut import VERSION
from memoryapp.ingest.walk import FoundFile, WalkResult

READ_AT = datetime(2026, 3, 1, tzinfo=UTC)
EARLIER = int((READ_AT.timestamp() - 3_600) * 1e9)


def found(path: str, *, size: int = 1, modified: int = EARLIER) -> FoundFile:
    return FoundFile(path, size, modified, lambda: b"")


def document(path: str, *, key: str = "", content: str = "h", present: bool = True) -> Document:
    return Document(key or path, "s", path, path, content, 1, EARLIER, READ_AT, present=present, cutter=VERSION)


def files(walked: WalkResult, *held: Document) -> Files:
    return Files("s", walked, {one.path: one for one in held})


def looked_at(compared: Files) -> list[str]:
    return [one.path for one in compared.to_look_at]


def test_size_and_time_stamp_tell_an_unchanged_file() -> None:
    compared = files(
        WalkResult((found("a"), found("b", size=2), found("c", modified=EARLIER + 1))), *map(document, "abc")
    )
    assert looked_at(compared) == ["b", "c"]


def test_a_stamp_as_young_as_the_reading_is_not_believed() -> None:
    young = int((READ_AT.timestamp() - 1) * 1e9)
    compared = files(WalkResult((found("a", modified=young),)), replace(document("a"), modified_ns=young))
    assert looked_at(compared) == ["a"]


def test_an_upload_has_no_stamp_and_is_compared_by_content() -> None:
    compared = files(WalkResult((found("a", modified=0),)), replace(document("a"), modified_ns=0))
    assert looked_at(compared) == ["a"]


def test_a_file_that_was_gone_is_read_although_its_stamp_is_old() -> None:
    assert looked_at(files(WalkResult((found("a"),)), document("a", present=False))) == ["a"]


def test_a_document_without_its_file_is_missing_unless_the_file_was_refused_or_unseen() -> None:
    refused = FileReport("shut.md", FileOutcome.NOT_READ)
    walked = WalkResult((), (refused,), ("dark",))
    compared = files(walked, *map(document, ("gone.md", "shut.md", "dark/a.md", "darker.md")))
    assert [one.path for one in compared.missing()] == ["gone.md", "darker.md"]


def test_a_move_is_known_by_content_and_taken_once() -> None:
    compared = files(WalkResult((found("new"),)), document("old", content="x"))
    assert compared.moved("y") is None
    moved = compared.moved("x")
    assert moved is not None and moved.path == "old"
    compared.take(moved)
    assert compared.moved("x") is None
    assert compared.missing() == []


def test_a_new_file_where_a_moved_one_stood_gets_another_id() -> None:
    first = Files("s", WalkResult(()), {}).new_id("a.md")
    compared = files(WalkResult(()), document("b.md", key=first))
    assert compared.new_id("a.md") not in (first, "")


def section(title: str, text: str, ordinal: int = 0) -> Section:
    return Section(section_id("d", title, ordinal=ordinal), title, text, (), 1, 2, ordinal)


def memory(of: Section, **more: object) -> Memory:
    made = Memory(of.id, Kind.SECTION, of.text, READ_AT, READ_AT, title=of.title, origin=Origin("d", "p", 1, 2))
    return replace(made, **more)  # type: ignore[arg-type]


def fates(sections: list[Section], memories: list[Memory]) -> list[Fate]:
    return [one.fate for one in pair(sections, memories)]


def test_every_fate() -> None:
    a, gone = section("A", "a"), Origin("d", "p")
    assert fates([a], []) == [Fate.ADDED]
    assert fates([a], [memory(a)]) == [Fate.UNCHANGED]
    assert fates([a], [memory(a, text="b")]) == [Fate.CHANGED]
    assert fates([], [memory(a)]) == [Fate.GONE]
    assert fates([a], [memory(a, state=State.ARCHIVED, origin=gone)]) == [Fate.RETURNED]
    assert fates([a], [memory(a, text="mine", source_text="b")]) == [Fate.EDITED]
    assert fates([a], [memory(a, text="mine", source_text="a")]) == [Fate.UNCHANGED]
    assert fates([a], [memory(a, text="a", source_text="b")]) == [Fate.AGREED]
    assert fates([a], [memory(a, text="b", state=State.DELETED)]) == [Fate.LEFT]


def test_what_a_person_put_aside_is_not_put_away_again() -> None:
    a = section("A", "a")
    assert fates([], [memory(a, state=State.ARCHIVED)]) == []
    assert fates([], [memory(a, origin=Origin("d", "p"))]) == []  # held again by hand after it had gone


def test_of_two_sections_that_change_places_each_keeps_its_memory() -> None:
    one, two = section("T", "x"), section("T", "y", 1)
    swapped = [section("T", "y"), section("T", "x", 1)]
    pairs = pair(swapped, [memory(one), memory(two)])
    assert [(p.fate, p.memory.text if p.memory else "") for p in pairs] == [
        (Fate.UNCHANGED, "y"),
        (Fate.UNCHANGED, "x"),
    ]


@given(st.lists(st.sampled_from("abcd"), max_size=7), st.lists(st.sampled_from("abcd"), max_size=7))
def test_each_section_and_each_memory_is_in_exactly_one_pair(old: list[str], new: list[str]) -> None:
    before = [memory(section("T", text, n)) for n, text in enumerate(old)]
    pairs = pair([section("T", text, n) for n, text in enumerate(new)], before)
    ids = [one.section.id for one in pairs if one.section]
    assert len(ids) == len(set(ids)) == len(new)
    met = [one.memory.id for one in pairs if one.memory]
    assert sorted(met) == sorted(one.id for one in before)
    kept = sum(one.fate is Fate.UNCHANGED for one in pairs)
    assert kept == sum(min(old.count(text), new.count(text)) for text in "abcd")
