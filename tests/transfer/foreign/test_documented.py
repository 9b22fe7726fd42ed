"""The page on moving in names every form; what it has a reader run writes a file that is recognised."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from memoryapp.transfer.foreign import FORMS, recognise
from tests.transfer.foreign.conftest import Found

PAGE = (Path(__file__).parents[3] / "docs" / "MOVING-IN.md").read_text("utf-8")
BLOCKS = [token.content for token in MarkdownIt().parse(PAGE) if token.type == "fence" and token.info == "python"]


def test_every_form_is_in_the_table_and_has_a_section() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| [`")]
    assert {row.split("`")[1] for row in rows} == set(FORMS)
    headings = {line[3:].casefold().replace(" ", "-") for line in PAGE.splitlines() if line.startswith("## ")}
    assert {row.split("(#")[1].split(")")[0] for row in rows} <= headings


def test_the_code_for_mem0_fetches_all_pages_into_a_file_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Service:
        """Answers two pages, as the hosted service does."""

        def get_all(self, *, filters: dict[str, str], page: int, page_size: int) -> dict[str, Any]:
            memory = {"id": f"m{page}", "memory": f"Memory {page}", "user_id": "mara"}
            return {"count": 2, "next": "…" if page == 1 else None, "results": [memory]}

    monkeypatch.setitem(sys.modules, "mem0", SimpleNamespace(MemoryClient=Service))
    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in BLOCKS if "MemoryClient" in block)
    exec(compile(block, "MOVING-IN.md", "exec"), {})
    assert recognise(tmp_path / "mem0.json") == "mem0"
    assert Found(tmp_path / "mem0.json", "mem0").refs == ["mem0:m1", "mem0:m2"]


def test_the_code_for_langgraph_writes_a_file_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Item:
        def dict(self) -> dict[str, Any]:
            when = "2025-01-01T00:00:00+00:00"
            return {"namespace": ["a"], "key": "k", "value": {"text": "Rows"}, "created_at": when, "updated_at": when}

    class Store:
        def search(self, prefix: tuple[str, ...], /, *, limit: int) -> list[Item]:
            return [Item()]

    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in BLOCKS if "store.search" in block)
    exec(compile(block, "MOVING-IN.md", "exec"), {"store": Store()})
    assert recognise(tmp_path / "store.json") == "langgraph"
    assert Found(tmp_path / "store.json", "langgraph").texts == ["Rows"]
