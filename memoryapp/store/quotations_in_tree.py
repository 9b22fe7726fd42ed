"""Where the Context Tree tells a memory: lines of nodes, what was said there before, and conflicts about those lines.
Read before a purge, and again after it as the proof."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memoryapp.domain.memory import Memory, words_of
from memoryapp.domain.node import (
    ROOT,
    Line,
    Node,
    line_conflict,
    line_key,
    lines_of,
    rewritten,
    with_description,
    without_rows,
)
from memoryapp.domain.redaction import quotes, redact_phrases, redacted_all
from memoryapp.store import entities, memories, nodes, rows
from memoryapp.store.database import Database

_PAGES = ("text", "incoming_text")  # fields that hold a page, also inside decisions and revisions


@dataclass(frozen=True, slots=True)
class Pages:
    """`nodes`, `conflicts`, `revisions`: rows as they are to stand without its words. `settled`: ids of conflicts about
    its lines, which are deleted. `unlinked`: edges of nodes to what only its words named. `lines`: how many go.

    `keys`: of the lines that go; `kept`: of those that another memory says in its own right; `looked_at`: ids of the
    nodes, so that the proof looks at the same ones."""

    gone: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    looked_at: tuple[str, ...] = ()
    nodes: list[rows.Row] = field(default_factory=list)
    conflicts: list[rows.Row] = field(default_factory=list)
    revisions: list[rows.Row] = field(default_factory=list)
    settled: tuple[str, ...] = ()
    unlinked: list[Any] = field(default_factory=list)
    lines: int = 0

    @property
    def changed(self) -> tuple[str, ...]:
        """Ids of the nodes that say something else without it."""
        return tuple(row["id"].id for row in self.nodes if "text" in row)


def pages_of(db: Database, purged: Sequence[Memory], phrases: Sequence[str]) -> Pages:
    """`purged`: the memory and what is purged along with it; `phrases`: its words, as they are recognised elsewhere."""
    found = {one.id: one for memory in purged for one in nodes.holding(db, memory.id)}
    gone = frozenset(memory.id for memory in purged)
    for key in _former_node_ids(db, gone):
        found.setdefault(key, memories.get(db, key))
    root = nodes.whatever_at(db, ROOT)
    if root is not None:
        found.setdefault(root.id, root)
    told = {line.key for node in found.values() for line in lines_of(node) if line.memory in gone}
    own = _own_keys(db, purged)
    kept = _said_by_others(db, found.values(), gone, told | own)
    keys = frozenset(told | own) - kept
    return _read(db, found, Pages(gone, keys, kept, tuple(found)), purged, phrases)


def still_told(db: Database, pages: Pages, phrases: Sequence[str]) -> dict[str, int]:
    """In how many places it is told after all."""
    found = memories.get_many(db, list(pages.looked_at))
    left = _read(db, found, pages, (), phrases)
    return {
        "tree": len(left.nodes),
        "tree revisions": len(left.revisions),
        "tree conflicts": len(left.conflicts) + len(left.settled),
    }


def _read(
    db: Database, found: dict[str, Memory], pages: Pages, purged: Sequence[Memory], phrases: Sequence[str]
) -> Pages:
    wash = _Wash(pages, phrases)
    after = {key: wash.node(node) for key, node in found.items()}
    settled = tuple(key for node in found.values() for key in wash.settled(node))
    disputes = db.query(
        """SELECT id, incoming_text, reason, decision, proposals FROM conflict WITH INDEX conflict_existing
        WHERE existing IN $nodes TIMEOUT 20s""",
        nodes=list(found),
    )[0]
    known = {row["id"].id for row in disputes}
    settled = tuple(key for key in dict.fromkeys(settled) if key in known)
    others = [row for row in disputes if row["id"].id not in settled]
    left = db.query(
        "SELECT id, before, after, reason FROM revision WHERE record_id IN $keys TIMEOUT 60s",
        keys=[*found, *(row["id"].id for row in others)],
    )[0]
    standing = [Node(node) for node in found.values()]
    return Pages(
        gone=pages.gone,
        keys=pages.keys,
        kept=pages.kept,
        looked_at=pages.looked_at,
        nodes=[row for key, node in found.items() if (row := _row(node, after[key]))],
        conflicts=_differing_rows(others, wash),
        revisions=_differing_rows(left, wash),
        settled=settled,
        unlinked=_unsupported_references(db, after.values(), purged) if purged else [],
        lines=sum(line_key(row) in pages.keys for node in standing for row in node.text.splitlines() if row.strip()),
    )


class _Wash:
    """Takes what is purged out of pages and of all that repeats them."""

    def __init__(self, pages: Pages, phrases: Sequence[str]) -> None:
        self.pages = pages
        # As they stand in words, and as an index that was brought writes them, in JSON.
        self.phrases = tuple(dict.fromkeys([*phrases, *(json.dumps(one)[1:-1] for one in phrases)]))

    def text(self, text: str) -> str:
        """A page without the lines that go. A line that somebody else says as well is left as it is."""
        text = without_rows(text, self.pages.keys)
        if not quotes(text, self.phrases):
            return text
        kept = self.pages.kept
        if not kept:
            return redact_phrases(text, self.phrases)
        found = text.splitlines(keepends=True)
        return "".join(row if line_key(row) in kept else redact_phrases(row, self.phrases) for row in found)

    def node(self, node: Memory) -> Memory:
        text, lines = Node(node).text, lines_of(node)
        washed = self.text(text)
        after = rewritten(node, washed) if washed != text else node
        left = [line for line in lines if not self._goes(line)]
        after = with_description(after, lines=left) if len(left) != len(lines) else after
        detail = self.anything(after.detail)
        return after if detail == after.detail else replace(after, detail=detail)

    def settled(self, node: Memory) -> Iterable[str]:
        """Ids of the conflicts between a line that goes and another one."""
        return [
            line_conflict(node.id, one.instead, one.key) for one in lines_of(node) if one.instead and self._goes(one)
        ]

    def row(self, row: rows.Row) -> rows.Row:
        return {name: value if name == "id" else self._field(name, value) for name, value in row.items()}

    def anything(self, value: Any) -> Any:
        """The same inside plain JSON: texts, lists of lines, ids of those left out."""
        if isinstance(value, str):
            return redact_phrases(value, self.phrases)
        if isinstance(value, list):
            return [self.anything(one) for one in value if not self._names(one)]
        if isinstance(value, dict):
            return {name: self._field(name, one) for name, one in value.items()}
        return redacted_all(value, self.phrases)

    def _field(self, name: str, value: Any) -> Any:
        return self.text(value) if name in _PAGES and isinstance(value, str) else self.anything(value)

    def _goes(self, line: Line) -> bool:
        return line.memory in self.pages.gone or line.key in self.pages.keys or line.instead in self.pages.keys

    def _names(self, one: Any) -> bool:
        """Whether an entry of a list is a line that goes, or the id of what is purged."""
        if not isinstance(one, dict):
            return isinstance(one, str) and one in self.pages.gone
        keys = self.pages.keys
        return one.get("memory") in self.pages.gone or one.get("key") in keys or one.get("instead") in keys


def _row(before: Memory, after: Memory) -> rows.Row | None:
    if before == after:
        return None
    row: rows.Row = {"id": rows.record("memory", before.id), "detail": after.detail}
    return row | ({"text": after.text} if after.text != before.text else {})


def _differing_rows(found: Iterable[rows.Row], wash: _Wash) -> list[rows.Row]:
    return [after for row in found if (after := wash.row(row)) != row]


def _former_node_ids(db: Database, gone: Collection[str]) -> list[str]:
    """Nodes of which a revision names one of these memories: a line of it stood there once."""
    every = db.query("SELECT VALUE record::id(id) FROM memory WHERE kind = 'node' TIMEOUT 10s")[0]
    if not every:
        return []
    found = db.query(
        """SELECT VALUE record_id FROM revision WITH INDEX revision_record WHERE record_id IN $nodes
        AND (before.detail.lines.*.memory CONTAINSANY $gone OR after.detail.lines.*.memory CONTAINSANY $gone)
        TIMEOUT 60s""",
        nodes=every,
        gone=list(gone),
    )[0]
    return list(dict.fromkeys(found))


def _own_keys(db: Database, purged: Sequence[Memory]) -> set[str]:
    """Keys of whatever these memories ever said in one line."""
    said = []
    for memory in purged:
        found = db.query("SELECT before, after FROM revision WHERE record_id = $key TIMEOUT 10s", key=memory.id)[0]
        texts = [row[side].get("text") for row in found for side in ("before", "after")]
        for text in filter(None, [memory.text, memory.source_text, *texts]):
            said += [*text.splitlines(), words_of(text, speaker=memory.speaker)]
    return {line_key(one) for one in said if one.strip()}


def _said_by_others(
    db: Database, found: Iterable[Memory], gone: Collection[str], keys: Collection[str]
) -> frozenset[str]:
    """Keys of those lines that another memory, which stays, stands behind and says in these very words."""
    pairs = {(line.memory, line.key) for node in found for line in lines_of(node)}
    others = {memory for memory, key in pairs if key in keys and memory not in gone}
    said = memories.get_many(db, sorted(others))
    return frozenset(
        key
        for memory, key in pairs
        if memory in said
        and key in {line_key(said[memory].text), line_key(words_of(said[memory].text, speaker=said[memory].speaker))}
    ) & frozenset(keys)


def _unsupported_references(db: Database, after: Iterable[Memory], purged: Sequence[Memory]) -> list[Any]:
    """References of nodes to entities of the purged memory that the rest of the page does not name."""
    ids = [memory.id for memory in purged]
    named = {edge.entity for edges in entities.references_of(db, ids).values() for edge in edges}
    if not named:
        return []
    words = db.query(
        "SELECT record::id(id) AS key, array::concat([name], aliases) AS names FROM $keys TIMEOUT 10s",
        keys=[rows.record("entity", key) for key in named],
    )[0]
    names = {row["key"]: [name.casefold() for name in row["names"]] for row in words}
    pages = {node.id: node.text.casefold() for node in after}
    edges = [edge for some in entities.references_of(db, list(pages)).values() for edge in some]
    return [
        rows.reference_row(edge)["id"]
        for edge in edges
        if edge.entity in names and not any(name in pages[edge.memory] for name in names[edge.entity])
    ]
