from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tree import COLUMNS, articles, measure, notes, tree_table
from memoryapp.domain.node import Node
from memoryapp.inference.embedding import load_encoder
from tests.benchmarks.conftest import asked, lines

SAID = {
    "git/rebase.md": "Use `git rebase` to move commits onto another branch.",
    "git/stash.md": "The stash keeps what is not committed yet. The stash is a stack.",
    "tea/kettle.md": "A kettle boils at sea level at a hundred degrees.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines(tmp_path / "markdown/files_no_h1.jsonl", [{"pid": pid, "title": "x", "text": t} for pid, t in SAID.items()])
    questions = [
        asked("1", "what does the stash keep", ["git/stash.md"]),
        asked("2", "what is the kettle for", ["tea/kettle.md"]),
        asked("3", "held out", ["git/rebase.md"], split="heldout"),
    ]
    lines(tmp_path / "markdown/queries.jsonl", questions)
    return tmp_path


def test_folders_are_branches_and_notes_are_numbered_nodes_with_suggested_keywords(folder: Path) -> None:
    grove = notes(folder, "dev")
    nodes = {node.path: node for node in map(Node, grove.nodes)}
    assert list(nodes) == ["git", "git/1", "git/2", "tea", "tea/1"]
    assert (nodes["git"].keywords, nodes["git"].has_file) == (("git",), False)
    assert nodes["tea/1"].text == SAID["tea/kettle.md"]
    assert "kettle" in nodes["tea/1"].keywords
    assert grove.questions == (("what does the stash keep", "git/2"), ("what is the kettle for", "tea/1"))


def test_articles_are_branches_of_their_passages(tmp_path: Path) -> None:
    rows = [
        {"pid": f"k{n}", "title": "한강", "text": text} for n, text in enumerate(["서울을 흐른다.", "다리가 많다."])
    ]
    lines(tmp_path / "korean/passages.jsonl", rows)
    lines(tmp_path / "korean/queries.jsonl", [asked("1", "다리는 몇 개인가?", ["k1"])])
    grove = articles(tmp_path, "dev")
    assert [node.detail["path"] for node in grove.nodes] == ["한강", "한강/1", "한강/2"]
    assert grove.questions == (("다리는 몇 개인가?", "한강/2"),)


def test_it_measures_whether_a_node_is_reached_and_how_little_is_loaded(folder: Path) -> None:
    told: list[str] = []
    figures = measure(folder, encoder=load_encoder("hashing"), split="dev", limit=0, say=told.append)
    assert list(figures) == ["notes"] and told[-1] == "tree: articles are not in the folder, skipped"
    notes_ = figures["notes"]
    assert (notes_["nodes"], notes_["questions"]) == (5, 2)
    assert notes_["bank"] == sum(len(text.encode()) for text in SAID.values())
    assert list(notes_["columns"]) == list(COLUMNS)
    assert {name: values["P@1"] for name, values in notes_["columns"].items()} == dict.fromkeys(COLUMNS, 1.0)
    for values in notes_["columns"].values():
        assert values["loaded holds it"] == 1
        assert 0 < values["bytes loaded"] <= notes_["bank"]
    assert notes_["columns"]["tree"]["bytes loaded"] < notes_["bank"]
    table = "\n".join(tree_table(figures))
    assert "tree of notes: 5 nodes" in table and "bytes loaded" in table
