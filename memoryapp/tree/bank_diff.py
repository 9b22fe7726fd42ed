"""A node as a bank has it beside the node that is held: which of the two stands. What was changed on one side alone is
taken; what was changed on both waits for a person, where it is markdown, and stays as it is here, where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import Node, new_node, rewritten, with_description
from memoryapp.tree.bank_files import Leaf
from memoryapp.tree.index_record import IndexRecord, as_it_is, as_listed, read_index_record
from memoryapp.tree.markdown import title_of

_T = TypeVar("_T")


class Fate(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class NodeDiff:
    """The node as it is to stand. `notes`: sentences about what of the bank was not taken."""

    fate: Fate
    after: Memory
    notes: tuple[str, ...] = ()


def newly(leaf: Leaf, keywords: Sequence[str], *, was: Memory | None, in_index: bool, now: datetime) -> Memory:
    """A node that is not held yet; one that was deleted at its path comes back. `keywords`: what is suggested where
    the index names none. `in_index`: its index, if any, is to name it from now on."""
    entry = leaf.entry
    title = (entry.title if entry else None) or title_of(leaf.text or "") or leaf.path.rpartition("/")[2]
    words = entry.keywords if entry and entry.keywords is not None else tuple(keywords)
    weight = entry.weight if entry and entry.weight is not None else 1.0
    given = entry.given if entry else {}
    file_hash = content_hash(leaf.text) if leaf.text is not None else ""
    if was is None:
        made = new_node(
            leaf.path, title=title, text=leaf.text, now=now, keywords=words, weight=weight, position=leaf.position,
            given=given, content_hash=file_hash,
        )  # fmt: skip
    else:
        back = replace(was, state=State.HELD, title=title, position=leaf.position, content_hash=file_hash)
        made = _with_given(with_description(rewritten(back, leaf.text), keywords=words, weight=weight), given)
    return as_listed(made, as_it_is(Node(made), file=_file(leaf), in_index=in_index))


def diff_node(node: Node, leaf: Leaf, *, same_index: bool, has_index: bool) -> NodeDiff:
    """`same_index`: the index that comes says what is held. `has_index`: there is one at all."""
    fate, after, notes = _text(node, leaf)
    if has_index and not same_index:
        told, more = _merge_entry(node, leaf, after)
        notes += more
        if fate is Fate.UNCHANGED and _index_fields(told) != _index_fields(after):
            fate = Fate.CHANGED
        after = told
    return NodeDiff(fate, after, notes)


def _text(node: Node, leaf: Leaf) -> tuple[Fate, Memory, tuple[str, ...]]:
    held, memory = (node.text if node.has_file else None), node.memory
    if leaf.text is None:
        gone = held is not None and not leaf.unread
        return Fate.UNCHANGED, memory, ("has no file in the bank; its text stays.",) if gone else ()
    if leaf.text == held:
        return Fate.UNCHANGED, memory, ()
    if memory.content_hash == content_hash(leaf.text):
        return Fate.KEPT, memory, ()
    if held is None or memory.content_hash == content_hash(held):
        return Fate.CHANGED, replace(rewritten(memory, leaf.text), content_hash=content_hash(leaf.text)), ()
    return Fate.CONFLICT, memory, ()


def _merge_entry(node: Node, leaf: Leaf, after: Memory) -> tuple[Memory, tuple[str, ...]]:
    """What the index says of it, taken over as far as it was not changed here."""
    said, entry = read_index_record(node), leaf.entry
    notes: list[str] = []

    def stands(what: str, here: _T, was: _T | None, there: _T | None) -> _T:
        if there is None or there in (here, was):
            return here
        if was is not None and here == was:
            return there
        notes.append(f"has another {what} in the index ({_value_text(there)}); what it has here stays.")
        return here

    if entry is not None:
        title = stands("title", node.title, said.title if said else None, entry.title)
        words = stands("keywords", node.keywords, said.keywords if said else None, entry.keywords)
        weight = stands("weight", node.weight, said.weight if said else None, entry.weight)
        now = Node(after)
        after = with_description(replace(after, title=title), keywords=words, weight=weight)
        after = rewritten(after, now.text if now.has_file else None)  # without words it says its title
        if entry.given or node.given:
            after = _with_given(after, entry.given)
    if said is None or node.position == said.position:
        after = replace(after, position=leaf.position)
    return as_listed(after, _listed_record(Node(after), leaf, said)), tuple(notes)


def _listed_record(node: Node, leaf: Leaf, said: IndexRecord | None) -> IndexRecord:
    """What the index says of it now; where that is silent, what it was taken as before."""
    entry, was = leaf.entry, said or as_it_is(node, file=None, in_index=True)
    return IndexRecord(
        path=leaf.path,
        title=(entry.title if entry else None) or was.title,
        keywords=entry.keywords if entry and entry.keywords is not None else was.keywords,
        weight=entry.weight if entry and entry.weight is not None else was.weight,
        position=leaf.position,
        file=_file(leaf) or was.file,
        in_index=entry is not None,
    )


def _file(leaf: Leaf) -> str | None:
    return None if leaf.unread else leaf.file


def _with_given(memory: Memory, given: dict[str, Any]) -> Memory:
    rest = {name: value for name, value in memory.detail.items() if name != "given"}
    return replace(memory, detail=rest | ({"given": given} if given else {}))


def _index_fields(memory: Memory) -> tuple[Any, ...]:
    """What an index tells of it, without how that is kept."""
    node = Node(memory)
    return node.title, node.keywords, node.weight, node.position, node.given


def _value_text(value: Any) -> str:
    told = ", ".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)
    return told if len(told) <= 80 else f"{told[:79]}…"
