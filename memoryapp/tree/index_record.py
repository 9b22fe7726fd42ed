"""What a tree-index.json last said of a node, kept with it (`detail.listed`): by it one knows what was changed here
since, and what was changed in a bank that comes again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from memoryapp.domain.memory import Memory
from memoryapp.domain.node import Node, file_of

_KEPT = "listed"


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """`file`: where its markdown lies, None for a branch. `in_index` False: the index does not name it; it came as a
    file alone, or as a branch that its path needs."""

    path: str
    title: str
    keywords: tuple[str, ...]
    weight: float
    position: int
    file: str | None
    in_index: bool


def read_index_record(node: Node) -> IndexRecord | None:
    """None for a node that was never in a bank."""
    kept: dict[str, Any] | None = node.memory.detail.get(_KEPT)
    if not kept:
        return None
    return IndexRecord(**{**kept, "file": kept.get("file"), "keywords": tuple(kept["keywords"])})


def as_listed(memory: Memory, said: IndexRecord) -> Memory:
    """The node with this kept of it."""
    kept = {name: value for name, value in asdict(said).items() if value is not None}
    return replace(memory, detail={**memory.detail, _KEPT: kept | {"keywords": list(said.keywords)}})


def as_it_is(node: Node, *, file: str | None, in_index: bool) -> IndexRecord:
    """What an index that tells all of it says."""
    return IndexRecord(node.path, node.title, node.keywords, node.weight, node.position, file, in_index)


def is_as_listed(node: Node, said: IndexRecord) -> bool:
    """Whether nothing that an index tells was changed since."""
    return as_it_is(node, file=said.file, in_index=said.in_index) == said and node.has_file is (said.file is not None)


def usual_file(node: Node, said: IndexRecord | None) -> str | None:
    """Where its markdown goes: to its own file, which moves with it where it was named by its path."""
    if not node.has_file:
        return None
    if said is None or said.file is None or said.file == file_of(said.path):
        return file_of(node.path)
    return said.file
