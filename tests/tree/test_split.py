"""A node that has grown too large becomes several, with nothing lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from memoryapp import spaces
from memoryapp.domain.errors import Clash, NotFound, Stale
from memoryapp.domain.node import MOST_BYTES, PIECE_BYTES, Line, line_key, with_description
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree import change, grow, overfull, preview_split, remove, split
from memoryapp.tree.markdown import blocks_of, bytes_of, lines_of_text
from memoryapp.tree.split import slug
from memoryapp.tree.write import write
from tests.samples import NOON, PERSON, open_spaces
from tests.sampling import examples
from tests.tree.gardens import a_large_page, held, markdowns, plant, said

TIL = Path(os.environ.get("MEMORY_BENCH_DIR") or "no-data-sets") / "markdown" / "til"


def headings(text: str) -> list[str]:
    return [one.title for one in blocks_of(lines_of_text(text)) if one.level]


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_page_of_four_topics_becomes_four_nodes_that_together_are_the_page(space: Space, newline: str) -> None:
    text = a_large_page(newline)
    grow(space, "infra/surrealdb", text=text, keywords=["surrealdb"], weight=1.4, actor=PERSON)
    preview = preview_split(space, "infra/surrealdb")
    assert [(one.path, one.title) for one in preview.pieces] == [
        ("infra/surrealdb/storage", "Storage"),
        ("infra/surrealdb/search", "Search"),
        ("infra/surrealdb/changefeed", "Changefeed"),
        ("infra/surrealdb/백업과-복구", "백업과 복구"),
    ]
    pieces, run = split(space, "infra/surrealdb", version=preview.version, actor=PERSON)
    assert preview.head + "".join(one.text for one in pieces) == text
    assert [(one.path, one.text, one.keywords) for one in pieces] == [
        (one.path, one.text, one.keywords) for one in preview.pieces
    ]
    assert [one.position for one in pieces] == [0, 1, 2, 3] and {one.weight for one in pieces} == {1.4}
    assert all(one.keywords for one in pieces) and all(one.size <= MOST_BYTES for one in pieces)
    assert [title for one in preview.pieces for title in one.headings] == headings(text)[1:]
    assert run.act == "split" and run.detail is not None and len(run.detail["into"]) == 4


def test_the_node_keeps_its_opening_and_links_to_the_pieces(space: Space) -> None:
    grow(space, "a b/surrealdb", text=a_large_page("\r\n"), title="DB", actor=PERSON)
    preview = preview_split(space, "a b/surrealdb")
    split(space, "a b/surrealdb", actor=PERSON)
    node = nodes.at(space.db, "a b/surrealdb")
    assert node is not None and node.title == "DB" and node.text == preview.text
    assert node.text == (
        "# SurrealDB\r\n\r\nWhat we know of it, 그리고 배운 것.\r\n\r\n- [Storage](surrealdb/storage.md)\r\n"
        "- [Search](surrealdb/search.md)\r\n- [Changefeed](surrealdb/changefeed.md)\r\n"
        "- [백업과 복구](surrealdb/백업과-복구.md)\r\n"
    )


def test_an_undo_restores_every_byte_and_the_pieces_go_and_come_back_as_the_same(space: Space) -> None:
    grow(space, "db", text=a_large_page(), actor=PERSON)
    plant(space, "db/storage", "x", x="[s](db.md#storage)\n")
    before = said(space)
    pieces, run = split(space, "db", actor=PERSON)
    assert pieces[0].path == "db/storage-2" and pieces[0].position == 1
    undone = undo_run(space, run.id, actor=PERSON)
    assert undone.left == () and said(space) == before
    again, _ = split(space, "db", actor=PERSON)
    assert [one.id for one in again] == [one.id for one in pieces]


def test_links_to_headings_lead_to_the_piece_that_has_them_and_others_stay(space: Space) -> None:
    page = a_large_page().replace(
        "## Search\n\n", "## Search\n\nSee [it](#storage), [gpu](gpu.md), [top](#surrealdb).\n\n"
    )
    grow(space, "infra/db", text=page, actor=PERSON)
    linking = "[a](infra/db.md#storage) [b](infra/db.md#백업과-복구) [c](infra/db.md) [d](infra/db.md#surrealdb)\n"
    grow(space, "x", text=linking, keywords=["x"], actor=PERSON)
    preview = preview_split(space, "infra/db")
    assert preview.linked == ("x",)
    _, run = split(space, "infra/db", actor=PERSON)
    tree = held(space)
    assert tree["x"].text == (
        "[a](infra/db/storage.md#storage) [b](infra/db/백업과-복구.md#백업과-복구) [c](infra/db.md)"
        " [d](infra/db.md#surrealdb)\n"
    )
    assert "See [it](storage.md#storage), [gpu](../gpu.md), [top](../db.md#surrealdb)." in tree["infra/db/search"].text
    undo_run(space, run.id, actor=PERSON)
    assert held(space)["x"].text == linking


def test_what_stands_behind_a_line_goes_with_its_text(space: Space) -> None:
    text = (
        a_large_page()
        .replace("# SurrealDB\n", "# SurrealDB\n\n- Kept.\n")
        .replace("## Search\n", "## Search\n\n- See [g](g.md).\n")
    )
    node, _ = grow(space, "db", text=text, actor=PERSON)
    lines = [
        Line(line_key(one), key, 1, NOON) for one, key in (("Kept.", "m1"), ("See [g](g.md).", "m2"), ("Edited.", "m3"))
    ]
    write(
        space, new_run("retain", PERSON, now=NOON), updated=[(node.memory, with_description(node.memory, lines=lines))]
    )
    pieces, _ = split(space, "db", actor=PERSON)
    assert {one.path: [line.memory for line in one.lines] for one in pieces if one.lines} == {"db/search": ["m2"]}
    parent = held(space)["db"]
    assert [one["memory"] for one in parent.detail["lines"]] == ["m1", "m3"]


def test_a_version_that_was_changed_since_the_preview_is_refused(space: Space) -> None:
    grow(space, "db", text=a_large_page(), actor=PERSON)
    preview = preview_split(space, "db")
    change(space, "db", weight=1.3, actor=PERSON)
    with pytest.raises(Stale):
        split(space, "db", version=preview.version, actor=PERSON)


def test_a_small_node_is_split_on_request_and_one_without_parts_is_not(space: Space) -> None:
    grow(space, "a", text="## One\n\nx\n\n## Two\n\ny\n", actor=PERSON)
    pieces, _ = split(space, "a", actor=PERSON)
    assert [(one.path, one.text) for one in pieces] == [("a/one", "## One\n\nx\n\n"), ("a/two", "## Two\n\ny\n")]
    assert held(space)["a"].text == "# One\n\n- [One](a/one.md)\n- [Two](a/two.md)\n"
    for n, text in enumerate(("", "One paragraph.\n", "# T\n\n```\n" + "x\n" * 9_000 + "```\n", None)):
        grow(space, f"b{n}", text=text, actor=PERSON)
        with pytest.raises(Clash, match="no place"):
            preview_split(space, f"b{n}")
    with pytest.raises(NotFound):
        preview_split(space, "nowhere")


def test_a_section_of_many_paragraphs_is_cut_and_each_piece_has_a_name_that_tells_something(space: Space) -> None:
    words = ("heron", "reeds", "harbour", "lantern", "orchard", "violin")
    text = "# Diary\n\n## Log\n\n" + "".join(
        f"{word.capitalize()} again, the {word}, by the {word}. " * 70 + "\n\n" for word in words
    )
    grow(space, "diary", text=text, actor=PERSON)
    preview = preview_split(space, "diary")
    names = [one.path.rpartition("/")[2] for one in preview.pieces]
    assert names[0] == "log" and all(name.startswith("log-") and not name[4:].isdigit() for name in names[1:])
    assert len(set(names)) == len(names) > 2 and preview.head + "".join(one.cut for one in preview.pieces) == text


def test_a_piece_does_not_take_the_place_of_a_node_that_is_there_and_revives_one_that_was(space: Space) -> None:
    grow(space, "a", text="## One\n\nx\n\n## Two\n\ny\n", actor=PERSON)
    there = plant(space, "a/One", "a/two")
    remove(space, "a/two", actor=PERSON)
    pieces, _ = split(space, "a", actor=PERSON)
    assert [one.path for one in pieces] == ["a/one-2", "a/two"]
    assert pieces[1].id == there["a/two"].id and pieces[1].text == "## Two\n\ny\n"


def test_the_heartbeat_is_told_of_nodes_over_the_limit(space: Space) -> None:
    grow(space, "small", text="x" * MOST_BYTES, actor=PERSON)
    grow(space, "large", text="가" * (MOST_BYTES // 3 + 1), actor=PERSON)
    grow(space, "larger", text=a_large_page(), actor=PERSON)
    assert [one.path for one in overfull(space)] == ["larger", "large"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Why we keep our own index", "why-we-keep-our-own-index"),
        ("“What's new?” (2.0)", "whats-new-20"),
        ("백업과 복구: 절차", "백업과-복구-절차"),
        ("a_b/c\\d..", "a-b-c-d"),
        ("🙂", ""),
        ("x" * 60, "x" * 48),
    ],
)
def test_a_heading_becomes_a_part_of_a_path(title: str, name: str) -> None:
    assert slug(title) == name


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(markdowns(), markdowns())
def test_whatever_is_split_comes_together_again(space: Space, one: str, other: str) -> None:
    text = (one + "\n\n" + other).replace("](", "] (").replace("]:", "] :")
    change(space, "a", text=text, actor=PERSON) if nodes.at(space.db, "a") else grow(
        space, "a", text=text, actor=PERSON
    )
    held_text = held(space)["a"].text if text.strip() else ""
    try:
        pieces, run = split(space, "a", actor=PERSON)
    except Clash:
        return
    preview_head = held(space)["a"].text
    assert len(pieces) > 1 and len({piece.path for piece in pieces}) == len(pieces)
    whole = "".join(piece.text for piece in pieces)
    assert held_text.endswith(whole) and preview_head.startswith(held_text.removesuffix(whole))
    undo_run(space, run.id, actor=PERSON)
    assert held(space)["a"].text == held_text and set(held(space)) == {"a"}


@pytest.mark.skipif(not TIL.is_dir(), reason="MEMORY_BENCH_DIR names no folder with these notes")
@pytest.mark.slow
def test_46_kilobytes_of_real_notes_are_split_with_nothing_lost() -> None:
    files = sorted(TIL.glob("git/*.md")) + sorted(TIL.glob("postgres/*.md"))
    text = "# Git\n\nNotes of several years.\n\n"
    for file in files:
        text += "#" + file.read_text(encoding="utf-8") + "\n"
        if bytes_of(text) > 46_000:
            break
    with open_spaces(encoder="all-MiniLM-L6-v2"):
        space = spaces.open_space("notes")
        grow(space, "tech/git", text=text, actor=PERSON)
        preview = preview_split(space, "tech/git")
        assert preview.head + "".join(one.cut for one in preview.pieces) == text
        pieces, run = split(space, "tech/git", actor=PERSON)
        sizes = [one.size for one in pieces]
        assert all(PIECE_BYTES[0] <= size <= PIECE_BYTES[1] for size in sizes), sizes
        parent = held(space)["tech/git"].text
        assert parent.startswith("# Git\n\nNotes of several years.\n\n- [")
        whole = preview.head + "".join(one.text for one in pieces)
        assert whole.replace("](../", "](") == text.replace("](../", "](")  # relative links lead on from one deeper
        undo_run(space, run.id, actor=PERSON)
        assert {path: one.text for path, one in held(space).items()}["tech/git"] == text
