"""Which memory stands behind which line, and which lines are stale: they say what is held no longer.

Stale lines are told with what holds now, and brought up to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import Line, Node, line_key, lines_of, rewritten, with_description, without_rows
from memoryapp.domain.routing import read_table
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.lines import (
    MemoryLines,
    add_line,
    append_block,
    lines_from_memory,
    read,
    remove_lines,
    replace_line,
)
from memoryapp.tree.write import node_at, require_version, write

_STEPS = 20  # replacements one after the other that are followed
_WHY = {
    State.SUPERSEDED: "Its memory was superseded.",
    State.ARCHIVED: "Its memory was put aside.",
    State.DELETED: "Its memory was deleted.",
}
_CHANGED = "Its memory says something else since."
_PURGED = "Its memory was purged."


# ── stale lines


@dataclass(frozen=True, slots=True)
class Stale:
    """`line`: its row without the bullet; `memory` is behind it, and is held no longer or says something else.
    `now_says`: what holds in its place, by the memory `by`; None where nothing does. `until`: since when."""

    key: str
    line: str
    memory: str
    why: str
    now_says: str | None = None
    by: str | None = None
    until: datetime | None = None


def stale(space: Space, node: Node) -> tuple[Stale, ...]:
    """The stale lines of a node, in the order of its text. One that another held memory stands behind as well is not
    stale."""
    return tuple(one.told for one in _outdated_lines(space, node))


def freshen(
    space: Space, path: str, keys: Sequence[str] | None = None, *, actor: Actor, version: int | None = None
) -> tuple[Node, Run]:
    """Puts what holds now in place of stale lines, of all or of those with these keys; a line whose memory nothing
    replaces is taken out.

    Raises NotFound, Stale where the node is at another version than the one named, and Clash where none of them is
    stale.
    """
    return retry_write(lambda: _refresh_lines(space, path, keys, actor=actor, version=version), version=version)


@dataclass(frozen=True, slots=True)
class _OutdatedLine:
    told: Stale
    stands: Memory | None


def _outdated_lines(space: Space, node: Node) -> list[_OutdatedLine]:
    standing = by_key(node.lines)
    if not standing:
        return []
    found = memories.get_many(space.db, list({line.memory for lines in standing.values() for line in lines}))
    changed = _changed_lines(space, [line for lines in standing.values() for line in lines], found)
    gone = {key: lines for key, lines in standing.items() if not any(_is_support(one, found, changed) for one in lines)}
    after = in_place_of(space, {one.memory for lines in gone.values() for one in lines if one.memory in found})
    rows = {line_key(row): row for row in node.text.splitlines()}
    table = read_table(space.tuning.tree_routing)
    made = [_outdated_line(key, rows[key], gone[key], found, after, table) for key in rows if key in gone]
    return made


def _is_support(line: Line, found: Mapping[str, Memory], changed: set[tuple[str, str]]) -> bool:
    memory = found.get(line.memory)
    return memory is not None and memory.state is State.HELD and (line.key, line.memory) not in changed


def _changed_lines(space: Space, lines: Sequence[Line], found: Mapping[str, Memory]) -> set[tuple[str, str]]:
    """(key, memory) of lines whose memory says something else than when it was taken in. Being confirmed is no other
    words, and neither is a line that others worded."""
    table = read_table(space.tuning.tree_routing)
    moved = [
        line
        for line in lines
        if (memory := found.get(line.memory)) is not None
        and memory.version > line.version
        and line.key not in lines_from_memory(memory, table).keys
    ]
    said = revisions.words_before(space.db, list({line.memory for line in moved}))
    changed = set()
    for line in moved:
        then = next((text for version, text in said.get(line.memory, ()) if version > line.version), None)
        if then is not None and line_key(then) != line_key(found[line.memory].text):
            changed.add((line.key, line.memory))
    return changed


def _outdated_line(
    key: str,
    row: str,
    lines: Sequence[Line],
    found: dict[str, Memory],
    after: Mapping[str, Memory],
    table: Mapping[str, str],
) -> _OutdatedLine:
    from_bullet = read(row).lines
    words = from_bullet[0].said if from_bullet else row.strip()
    memory = last_of(lines, found, held_only=False)
    if memory is None:
        return _OutdatedLine(Stale(key, words, max(lines, key=lambda one: one.at).memory, _PURGED), None)
    held = memory.state is State.HELD
    stands = memory if held else after.get(memory.id)
    says = _words(lines_from_memory(stands, table)) if stands else None
    until = None if held else memory.valid_to or memory.ended_at or memory.updated_at
    why = _CHANGED if held else _WHY[memory.state]
    return _OutdatedLine(Stale(key, words, memory.id, why, says, stands.id if stands else None, until), stands)


def _words(new: MemoryLines) -> str:
    return " ".join(new.lines) or new.block.split("\n", 1)[0].lstrip("# ")


def _refresh_lines(
    space: Space, path: str, keys: Sequence[str] | None, *, actor: Actor, version: int | None
) -> tuple[Node, Run]:
    node = node_at(space, path)
    require_version(node, version)
    wanted = [one for one in _outdated_lines(space, node) if keys is None or one.told.key in keys]
    if not wanted:
        raise Clash(f"No line of “{node.path}” is stale{' among those named' if keys is not None else ''}.")
    now = space.clock()
    after = refresh_node(node.memory, [(one.told.key, one.stands) for one in wanted], space=space, now=now)
    detail = {"path": node.path, "lines": len(wanted)}
    run = new_run("freshen", actor, now=now, detail=detail)
    write(space, run, updated=[(node.memory, after)])
    return Node(memories.get(space.db, node.id)), run


def refresh_node(
    node: Memory, pairs: Sequence[tuple[str, Memory | None]], *, space: Space, now: datetime, why: str = ""
) -> Memory:
    """The node with what holds now in place of these lines. `pairs`: (key of the line, the memory that stands in the
    place of what is behind it; None takes the line out). Of one memory with several lines the first new one goes where
    the first old one stood."""
    table = read_table(space.tuning.tree_routing)
    text, lines = Node(node).text, lines_of(node)
    gone = [key for key, stands in pairs if stands is None]
    text = remove_lines(text, gone)
    whys = {line.key: line.why for line in lines}
    taken = {key for key, _ in pairs}
    made: list[Line] = []
    grouped: dict[str, tuple[Memory, list[str]]] = {}
    for key, stands in pairs:
        if stands is not None:
            grouped.setdefault(stands.id, (stands, []))[1].append(key)
    for stands, keys in grouped.values():
        new = lines_from_memory(stands, table)
        text = _with_words(text, keys, new)
        made += [Line(key, stands.id, stands.version, now, why or whys.get(keys[0], "")) for key in new.keys]
    kept = [line for line in lines if line.key not in taken]
    known = {(line.key, line.memory) for line in made}
    kept = [line for line in kept if (line.key, line.memory) not in known]
    return with_description(rewritten(node, text), lines=[*kept, *made])


def _with_words(text: str, keys: Sequence[str], new: MemoryLines) -> str:
    if new.block:
        return append_block(without_rows(text, keys), new.block)
    standing = {one.key: one for one in read(text).lines}
    fresh = [line for line in new.lines if line_key(line) not in standing]
    for key, line in zip(keys, fresh, strict=False):
        text = replace_line(text, key, line)
    for line in fresh[len(keys) :]:
        row = next((one.first for one in read(text).lines if one.key == line_key(fresh[0])), None)
        text = add_line(text, line, beside=row)
    return remove_lines(text, keys[len(fresh) :])


# ── memories behind lines


def behind(space: Space, node: Node) -> dict[str, Memory]:
    """By the key of each line of the node the memory that stands behind it: of several the one that was taken in last,
    held ones first. Lines of purged memories are absent."""
    found = memories.get_many(space.db, list({line.memory for line in node.lines}))
    return {
        key: one
        for key, lines in by_key(node.lines).items()
        if (one := last_of(lines, found, held_only=False)) is not None
    }


def by_key(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Lines by their keys: of what was merged, several memories stand behind one."""
    grouped: dict[str, list[Line]] = {}
    for line in lines:
        grouped.setdefault(line.key, []).append(line)
    return grouped


def last_of(lines: Iterable[Line], found: dict[str, Memory], *, held_only: bool = True) -> Memory | None:
    """The memory behind a line that was taken in last; with `held_only` none that is not held."""
    there = [(line, found[line.memory]) for line in lines if line.memory in found]
    ranked = sorted(there, key=lambda pair: (pair[1].state is State.HELD, pair[0].at))
    if not ranked or (held_only and ranked[-1][1].state is not State.HELD):
        return None
    return ranked[-1][1]


def in_place_of(space: Space, keys: Collection[str]) -> dict[str, Memory]:
    """By each of these memories that is held no longer: the held one that stands in its place, over however many
    replacements."""
    after: dict[str, set[str]] = {}
    found: dict[str, Memory] = {}
    edge = set(keys)
    for _ in range(_STEPS):
        pairs = lineage.superseding(space.db, sorted(edge))
        for stands, gone in pairs:
            after.setdefault(gone, set()).add(stands)
        edge = {stands for stands, _ in pairs} - after.keys() - found.keys()
        found |= memories.get_many(space.db, sorted(edge))
        edge = {key for key in edge if key in found and found[key].state is not State.HELD}
        if not edge:
            break
    standing = {key: memory for key, memory in found.items() if memory.state is State.HELD}
    return {key: one for key in keys if (one := _nearest_successor(key, after, standing)) is not None}


def _nearest_successor(key: str, after: dict[str, set[str]], standing: dict[str, Memory]) -> Memory | None:
    seen, edge = {key}, sorted(after.get(key, ()))
    while edge:
        held = [standing[one] for one in edge if one in standing]
        if held:
            return max(held, key=lambda one: (one.last_confirmed, one.id))
        seen |= set(edge)
        edge = sorted({one for each in edge for one in after.get(each, ())} - seen)
    return None
