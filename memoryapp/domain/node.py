"""A node of the Context Tree: a page of curated markdown at a path, with the keywords a question reaches it by.

A node is a Memory of kind `node`: its history, undo, as-of, search, backup and purge are those of every memory. What
only a node has lies in `detail`: path, keywords, weight, file (whether it has one), empty (whether that is), lines, and
`given`, the fields of an imported index that are not ours, kept for the way out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import derived_id, new_id
from memoryapp.domain.memory import Kind, Memory, MemoryType

ROOT = ""  # the path of the node above all; it holds what an imported index says of the tree as a whole
INBOX = "inbox"  # where what nothing speaks for is put
MOST_BYTES = 10_000  # a larger node is to be split …
PIECE_BYTES = (2_000, 5_000)  # … into pieces between these sizes
PATH_CHARS = 200
MOST_KEYWORDS = 40
KEYWORD_CHARS = 60
MOST_WEIGHT = 2.0
EQUAL, WITHIN = 1.0, 0.7  # a keyword that is a word of the question, and one that contains it or is contained
FADE = 0.5  # what a node without a keyword of its own gets of its parent's score

_OPENS = re.compile(r"\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|>|\||```|~~~)")  # a row that goes on with none before it
_SEGMENT = re.compile(r"[^\W_](?:[\w .·+&()'’-]*[\w+)])?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a node that says what a memory says. `key` is line_key() of the line as it stands in the markdown, so
    that an edit of the line parts the two; `version` the version of the memory it was written from; `why` how it was
    routed. `instead`: the key of the line that it contradicts, in whose place it stands once that is decided so."""

    key: str
    memory: str
    version: int
    at: datetime
    why: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory of kind `node` read as one. `text` is the markdown of its file under bank/, byte for byte; where there
    is no file (`has_file` False: a branch that only holds others) it is the title, as a memory needs some words."""

    memory: Memory

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def path(self) -> str:
        return str(self.memory.detail.get("path", ""))

    @property
    def parent(self) -> str:
        """Path of the node above; ROOT's parent is ROOT."""
        return parent_of(self.path)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def title(self) -> str:
        return self.memory.title

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(self.memory.detail.get("keywords", ()))

    @property
    def weight(self) -> float:
        return float(self.memory.detail.get("weight", 1.0))

    @property
    def has_file(self) -> bool:
        return bool(self.memory.detail.get("file", True))

    @property
    def text(self) -> str:
        """Its markdown; empty where it has no file."""
        return "" if not self.has_file or self.memory.detail.get("empty") else self.memory.text

    @property
    def size(self) -> int:
        """Bytes of its markdown in UTF-8."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def position(self) -> int:
        """Its place among its siblings."""
        return self.memory.position

    @property
    def given(self) -> Mapping[str, Any]:
        return dict(self.memory.detail.get("given") or {})

    @property
    def lines(self) -> tuple[Line, ...]:
        """Lines that a memory stands behind, of those still in the text."""
        standing = {line_key(line) for line in self.text.splitlines()}
        return tuple(line for line in lines_of(self.memory) if line.key in standing)


def new_node(
    path: str,
    *,
    title: str,
    text: str | None,
    now: datetime,
    keywords: Sequence[str] = (),
    weight: float = 1.0,
    position: int = 0,
    given: Mapping[str, Any] | None = None,
    content_hash: str = "",
) -> Memory:
    """A node as it is first written. `text` None: it has no file of its own. `path` as check_path() gives it."""
    detail: dict[str, Any] = {"path": path, "keywords": list(keywords), "weight": weight, "file": text is not None}
    if given:
        detail["given"] = dict(given)
    return Memory(
        id=new_id(),
        kind=Kind.NODE,
        text=text or title,  # an empty file is a file all the same
        title=title,
        breadcrumb=above(path),
        ref=ref_of(path),
        memory_type=MemoryType.SEMANTIC,
        created_at=now,
        updated_at=now,
        position=position,
        content_hash=content_hash,
        detail=detail | ({"empty": True} if text == "" else {}),
    )


def placed_at(memory: Memory, path: str) -> Memory:
    """The node at another path; nodes beneath it are moved by whoever moves it."""
    return replace(memory, ref=ref_of(path), breadcrumb=above(path), detail={**memory.detail, "path": path})


def rewritten(memory: Memory, text: str | None) -> Memory:
    """The node with other markdown; None takes its file away. As a memory it needs words, so without any it says its
    title."""
    detail = {name: value for name, value in memory.detail.items() if name != "empty"} | {"file": text is not None}
    return replace(memory, text=text or memory.title, detail=detail | ({"empty": True} if text == "" else {}))


def with_description(
    memory: Memory,
    *,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
    lines: Iterable[Line] | None = None,
) -> Memory:
    """The node with other keywords, weight or lines."""
    detail = dict(memory.detail)
    if keywords is not None:
        detail["keywords"] = list(keywords)
    if weight is not None:
        detail["weight"] = weight
    if lines is not None:
        detail["lines"] = [
            {"key": one.key, "memory": one.memory, "version": one.version, "at": one.at.isoformat(), "why": one.why}
            | ({"instead": one.instead} if one.instead else {})
            for one in lines
        ]
    return replace(memory, detail=detail)


def lines_of(memory: Memory) -> tuple[Line, ...]:
    """Every line that was ever taken in and not been taken out by hand, whether it still stands in the text or not."""
    return tuple(
        Line(
            key=one["key"],
            memory=one["memory"],
            version=int(one["version"]),
            at=datetime.fromisoformat(one["at"]),
            why=one.get("why", ""),
            instead=one.get("instead", ""),
        )
        for one in memory.detail.get("lines", ())
    )


def line_key(line: str) -> str:
    """16 hex digits of a line's words, without bullet, case or spacing: by it a line is known again."""
    words = re.sub(r"^\s*(?:[-*+•]|\d+[.)])\s+", "", line)
    return derived_id("line", " ".join(unicodedata.normalize("NFKC", words).casefold().split()))


def line_conflict(node: str, standing: str, incoming: str) -> str:
    """The id of the conflict between a line that stands in a node and one that came in, by their keys: the same
    contradiction is raised once."""
    return derived_id("conflict", "tree", node, standing, incoming)


def without_rows(text: str, keys: Collection[str]) -> str:
    """The text without the rows of these keys and the rows in which they went on; the others stay byte for byte."""
    rows, kept, gone = text.splitlines(keepends=True), [], False
    for row in rows:
        goes_on = gone and row.strip() and not _OPENS.match(row)
        gone = bool(goes_on) or (bool(row.strip()) and line_key(row) in keys)
        if not gone:
            kept.append(row)
    return "".join(kept)


def with_row(text: str, key: str, row: str) -> str:
    """The text with this row in place of the first one of this key, and of the rows in which that went on; the same
    text where there is none."""
    rows = text.splitlines(keepends=True)
    at = next((n for n, one in enumerate(rows) if line_key(one) == key), None)
    if at is None:
        return text
    after = at + 1
    while after < len(rows) and rows[after].strip() and not _OPENS.match(rows[after]):
        after += 1
    end = rows[after - 1][len(rows[after - 1].rstrip("\r\n")) :]
    return "".join((*rows[:at], row.rstrip("\r\n"), end, *rows[after:]))


def ref_of(path: str) -> str:
    """What makes a path unique in its space."""
    return f"tree/{path}"


def parent_of(path: str) -> str:
    """The path above; "" at the top."""
    return path.rpartition("/")[0]


def above(path: str) -> tuple[str, ...]:
    """The parts of the path above its last one."""
    return tuple(path.split("/")[:-1]) if path else ()


def file_of(path: str) -> str:
    """Where its markdown lies in an exported tree."""
    return f"bank/{path}.md"


def check_path(path: str, *, field: str = "/path") -> str:
    """The path in NFC, without slashes at its ends. Raises BadInput for an empty one, and for parts that could not be
    names of files everywhere."""
    cleaned = "/".join(part.strip() for part in unicodedata.normalize("NFC", path).strip().strip("/").split("/"))
    if not cleaned:
        raise BadInput("A node needs a path, as “identity/values”.", field=field)
    if len(cleaned) > PATH_CHARS:
        raise BadInput(f"A path has at most {PATH_CHARS} characters.", field=field)
    for part in cleaned.split("/"):
        if not _SEGMENT.fullmatch(part):
            raise BadInput(
                f"“{part[:40]}” cannot be part of a path: letters, digits, spaces and . - _ + & ( ) ' between them.",
                field=field,
            )
    return cleaned


def check_keywords(keywords: Sequence[str], *, field: str = "/keywords") -> tuple[str, ...]:
    """Trimmed, each once whatever its case, in order. Raises BadInput for too many or too long ones."""
    found: dict[str, str] = {}
    for raw in keywords:
        word = " ".join(unicodedata.normalize("NFC", raw).split())
        if word:
            found.setdefault(word.casefold(), word)
    if len(found) > MOST_KEYWORDS:
        raise BadInput(f"{len(found)} keywords; a node has at most {MOST_KEYWORDS}.", field=field)
    if any(len(word) > KEYWORD_CHARS for word in found.values()):
        raise BadInput(f"A keyword has at most {KEYWORD_CHARS} characters.", field=field)
    return tuple(found.values())


def check_weight(weight: float, *, field: str = "/weight") -> float:
    """Raises BadInput outside 0–MOST_WEIGHT."""
    if isinstance(weight, bool) or not 0 <= weight <= MOST_WEIGHT:
        raise BadInput(f"A weight lies between 0 and {MOST_WEIGHT:g}, not at {weight!r}.", field=field)
    return float(weight)
