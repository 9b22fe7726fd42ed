"""Folders of notes and articles as Context Trees: does a question reach its node, and how little is loaded for it?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality import ACTOR, Say, empty
from benchmarks.table import align_columns
from memoryapp.domain.clock import utc_now
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import Node, new_node
from memoryapp.domain.reach import loaded_count
from memoryapp.domain.results import Query
from memoryapp.inference.embedding import Encoder
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store.write import new_run
from memoryapp.tree.keywords import Elsewhere, best_keywords
from memoryapp.tree.write import write

COLUMNS = ("context-tree", "tree", "keyword", "hybrid")
_BATCH = 100
_ONLY_NODES = Filters(kinds=(Kind.NODE,))


@dataclass(frozen=True, slots=True)
class Grove:
    """A tree, and what is asked of it: (question, path of the one node that answers)."""

    name: str
    nodes: tuple[Memory, ...]
    questions: tuple[tuple[str, str], ...]


def measure(folder: Path, *, encoder: Encoder, split: str, limit: int, say: Say) -> dict[str, Any]:
    """By grove: nodes, bytes of the bank, and by column P@1, the share of questions whose node is among what is loaded,
    and the mean bytes loaded. `limit`: questions of a grove, 0 for all."""
    figures: dict[str, Any] = {}
    for name, read in (("notes", notes), ("articles", articles)):
        try:
            grove = read(folder, split)
        except FileNotFoundError:
            say(f"tree: {name} are not in the folder, skipped")
            continue
        say(f"tree {name}: {len(grove.nodes)} nodes, {len(grove.questions)} questions")
        with empty(f"bench-tree-{name}", encoder) as space:
            for start in range(0, len(grove.nodes), _BATCH):
                run = new_run("import", ACTOR, now=space.clock())
                write(space, run, created=grove.nodes[start : start + _BATCH])
            asked = grove.questions[: limit or None]
            figures[name] = {
                "nodes": len(grove.nodes),
                "questions": len(asked),
                "bank": sum(Node(one).size for one in grove.nodes),
                "columns": {column: _figures(space, column, asked) for column in COLUMNS},
            }
    return figures


def notes(folder: Path, split: str) -> Grove:
    """Folders of notes as branches, each note without its title a node. Its name would be the title again, so that the
    nodes of a folder are numbered; its keywords are those that the tree suggests for it."""
    rows = [row for row in _rows(folder / "markdown/files_no_h1.jsonl") if row["text"].strip()]
    asked = _rows(folder / "markdown/queries.jsonl")
    return _grove("notes", [(row["pid"].partition("/")[0], row["pid"], row["text"]) for row in rows], asked, split)


def articles(folder: Path, split: str) -> Grove:
    """Korean articles as branches, each of their passages a node."""
    rows = _rows(folder / "korean/passages.jsonl")
    asked = _rows(folder / "korean/queries.jsonl")
    return _grove("articles", [(row["title"], row["pid"], row["text"]) for row in rows], asked, split)


def _grove(name: str, rows: Sequence[tuple[str, str, str]], asked: Sequence[Mapping[str, Any]], split: str) -> Grove:
    now = utc_now()
    branches: Counter[str] = Counter()
    made: list[Memory] = []
    paths: dict[str, str] = {}
    others = Elsewhere.of(text for *_, text in rows)
    led_to = [best_keywords(text, title="", elsewhere=others) for *_, text in rows]
    for (branch, pid, text), words in zip(rows, led_to, strict=True):
        above = branch.replace("_", " ")
        if not branches[branch]:
            made.append(new_node(above, title=above, text=None, now=now, keywords=[above]))
        branches[branch] += 1
        paths[pid] = f"{above}/{branches[branch]}"
        made.append(new_node(paths[pid], title=above, text=text, now=now, keywords=words))
    wanted = [row for row in asked if split in ("all", row["split"]) and row["gold"][0] in paths]
    return Grove(name, tuple(made), tuple((row["question"], paths[row["gold"][0]]) for row in wanted))


def _figures(space: Space, strategy: str, asked: Sequence[tuple[str, str]]) -> dict[str, float]:
    first = given = size = 0
    for question, path in asked:
        hits = search(space, Query(question, strategy=strategy, top_k=3, filters=_ONLY_NODES)).hits
        found = [Node(hit.memory) for hit in hits]
        taken = found[: loaded_count([one.size for one in found])]
        first += bool(found) and found[0].path == path
        given += any(one.path == path for one in taken)
        size += sum(one.size for one in taken)
    count = max(len(asked), 1)
    return {"P@1": first / count, "loaded holds it": given / count, "bytes loaded": size / count}


def tree_table(told: Mapping[str, Any]) -> Iterator[str]:
    for name, one in told.items():
        yield f"\ntree of {name}: {one['nodes']} nodes, {one['bank']:,} bytes, {one['questions']} questions"
        shares = ("P@1", "loaded holds it")
        rows = [["", *one["columns"]]]
        rows += [[name, *(f"{values[name]:.3f}" for values in one["columns"].values())] for name in shares]
        rows.append(["bytes loaded", *(f"{values['bytes loaded']:,.0f}" for values in one["columns"].values())])
        yield from align_columns(rows)


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
