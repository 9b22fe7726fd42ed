"""Merging: two nodes become one. What the one says is put into the other, and what that says too is not said twice.

Two markdowns are joined into the first, with what only the second says put where it belongs. Sections of one title come
together. What is left out is a block (an item of a list with all it holds, a paragraph, a piece of code) of which every
line stands in the first already: single lines are not taken out of a paragraph, nor out of code, which would then say
something else. A heading goes with what it heads: where nothing of that is new, it is left out as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    MOST_KEYWORDS,
    ROOT,
    Line,
    Node,
    line_key,
    lines_of,
    parent_of,
    rewritten,
    with_description,
)
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.edit import changed_by_move
from memoryapp.tree.links import moved_places, relink_markdown, reword_lines
from memoryapp.tree.markdown import blocks_of, bytes_of, lines_of_text, newline_of
from memoryapp.tree.placement import beneath, children_of, gave_way, next_position
from memoryapp.tree.write import check_markdown, node_at, require_version, write


@dataclass(frozen=True, slots=True)
class Merge:
    """What merging `path` into `into` makes. `text`: what `into` says then; `added`, `doubled`: lines of the other that
    are put in, and that were there; `moved`: the new paths of the nodes beneath it, by their old ones; `linked`: other
    nodes in which a link changes."""

    path: str
    into: str
    title: str
    text: str
    keywords: tuple[str, ...]
    added: int
    doubled: int
    moved: tuple[tuple[str, str], ...]
    linked: tuple[str, ...]
    version: int

    @property
    def size(self) -> int:
        """Bytes of the markdown."""
        return bytes_of(self.text)


def preview_merge(space: Space, path: str, into: str) -> Merge:
    """Changes nothing. Raises what `merge` raises."""
    return _plan_merge(space, path, into)[0]


def merge(space: Space, path: str, into: str, *, actor: Actor, version: int | None = None) -> tuple[Node, Run]:
    """Puts what the node at `path` says into the one at `into`, and takes the first out of the tree. Sections of one
    heading come together; blocks whose lines stand there already are left out. Keywords and the memories behind lines
    are united; nodes beneath the first come beneath the other, under another name where theirs is taken there. Links
    to them lead where they are now. One run.

    `version`: of the node at `into`. Raises BadInput, also for a node with itself or with one beneath it; NotFound;
    TooLarge; Stale.
    """

    def done() -> tuple[Node, Run]:
        preview, pairs = _plan_merge(space, path, into)
        require_version(node_at(space, preview.into), version)
        detail = {"path": preview.path, "into": preview.into}
        run = new_run("merge", actor, now=space.clock(), detail=detail)
        write(space, run, updated=pairs)
        return node_at(space, preview.into), run

    return retry_write(done, version=version)


def _plan_merge(space: Space, path: str, into: str) -> tuple[Merge, list[tuple[Memory, Memory]]]:
    gone, stands = node_at(space, path), node_at(space, into, field="/into")
    if gone.id == stands.id:
        raise BadInput(f"“{gone.path}” cannot be merged into itself.", field="/into")
    if stands.path.startswith(f"{gone.path}/"):
        raise BadInput(f"“{stands.path}” lies beneath “{gone.path}”: move it out of there first.", field="/into")
    every = [one for one in nodes.every(space.db) if one.path != ROOT]
    moved = _places(gone, stands, every)
    places = {gone.path: stands.path, **moved}
    added = relink_markdown(gone.text, was=gone.path, now=stands.path, places=moved_places(places))
    own = relink_markdown(stands.text, was=stands.path, now=stands.path, places=moved_places(places))
    join = merge_texts(own, added)
    keywords = tuple(dict.fromkeys((*stands.keywords, *_new_words(gone, stands))))[:MOST_KEYWORDS]
    others = [one for one in every if one.id not in (gone.id, stands.id)]
    after = changed_by_move(space, others, places)
    linked = tuple(one.path for one in others if one.path not in moved and one.id in after)
    merged = rewritten(stands.memory, check_markdown(join.text) if stands.has_file or gone.has_file else None)
    lines = _lines(reword_lines(stands.memory, stands.text, own), reword_lines(gone.memory, gone.text, added))
    merged = with_description(merged, keywords=keywords, lines=lines or None)
    order = _positions_behind(stands, every, moved, after)
    before = {one.id: one.memory for one in every}
    pairs = [
        *gave_way(space, list(moved.values()), set(moved)),
        (gone.memory, replace(gone.memory, state=State.DELETED)),
        (stands.memory, merged),
        *((before[key], order.get(key, one)) for key, one in after.items()),
    ]
    preview = Merge(
        path=gone.path,
        into=stands.path,
        title=stands.title,
        text=join.text,
        keywords=keywords,
        added=join.added,
        doubled=join.doubled,
        moved=tuple(moved.items()),
        linked=linked,
        version=stands.memory.version,
    )
    return preview, pairs


def _places(gone: Node, stands: Node, every: Sequence[Node]) -> dict[str, str]:
    """New paths of the nodes beneath the one that goes, by their old ones."""
    taken = {one.path.casefold() for one in every if not one.path.startswith(f"{gone.path}/")}
    places: dict[str, str] = {}
    for child in children_of(every, gone.path):
        wanted = path = f"{stands.path}/{child.name}"
        number = 2
        while path.casefold() in taken:
            path, number = f"{wanted}-{number}", number + 1
        taken.add(path.casefold())
        places |= {one.path: path + one.path[len(child.path) :] for one in (child, *beneath(every, child.path))}
    return {old: new for old, new in sorted(places.items()) if old != new}


def _positions_behind(
    stands: Node, every: Sequence[Node], moved: dict[str, str], after: dict[str, Memory]
) -> dict[str, Memory]:
    """By id, the nodes that come directly beneath the one that stands: behind those it has, in their order."""
    coming = [one for one in every if parent_of(moved.get(one.path, "")) == stands.path and one.path in moved]
    begin = next_position([one for one in every if one.path not in moved], stands.path)
    ordered = sorted(coming, key=lambda one: (one.position, one.path))
    return {one.id: replace(after[one.id], position=begin + n) for n, one in enumerate(ordered)}


def _new_words(gone: Node, stands: Node) -> list[str]:
    known = {word.casefold() for word in stands.keywords}
    return [word for word in gone.keywords if word.casefold() not in known]


def _lines(stands: Memory, gone: Memory) -> list[Line]:
    """What stands behind the lines of both, each memory once a line; of the one that goes only what its text has."""
    standing = {line_key(line) for line in gone.text.splitlines()}
    brought = [line for line in lines_of(gone) if line.key in standing]
    found = {(line.key, line.memory): line for line in reversed([*lines_of(stands), *brought])}
    return list(reversed(found.values()))


# ── joining two markdowns


@dataclass(frozen=True, slots=True)
class MergedText:
    """`added`, `doubled`: lines with words of the second that were put in, and that stood in the first."""

    text: str
    added: int
    doubled: int


@dataclass(slots=True)
class _Section:
    """A heading with what it heads: its own blocks, then the sections within. The text itself is one of level 0.
    `new`: it was not in the first of the two."""

    level: int
    title: str
    heading: str
    own: list[str] = field(default_factory=list)
    within: list[_Section] = field(default_factory=list)
    new: bool = False


def merge_texts(text: str, more: str) -> MergedText:
    """One text with the lines of another that it does not hold yet, each under its own heading."""
    if not more.strip():
        return MergedText(text, 0, 0)
    newline = newline_of(text or more)
    whole, second = _read(text), _read("".join(_end_line(line, newline) for line in lines_of_text(more)))
    known = {line_key(line) for line in text.splitlines() if line.strip()}
    counts = [0, 0]
    _take_in(whole, second, known, newline, counts)
    return MergedText("".join(_written_lines(whole, newline)), counts[0], counts[1])


def _read(text: str) -> _Section:
    lines = lines_of_text(text)
    root = _Section(0, "", "")
    above = [root]
    for block in blocks_of(lines):
        if block.level:
            while above[-1].level >= block.level:
                above.pop()
            section = _Section(block.level, block.title, "".join(lines[block.first : block.last]))
            above[-1].within.append(section)
            above.append(section)
            continue
        cuts = [block.first, *(at for at in block.items if at > block.first), block.last]
        above[-1].own += ["".join(lines[a:b]) for a, b in itertools.pairwise(cuts)]
    return root


def _take_in(section: _Section, other: _Section, known: set[str], newline: str, counts: list[int]) -> bool:
    """Puts what is new of another section into this one. Whether anything was."""
    fresh = [block for block in other.own if _is_new(block, known, counts)]
    if fresh:
        _append(section, fresh, newline)
    took = bool(fresh)
    for one in other.within:
        same = next((mine for mine in section.within if _is_same(mine, one)), None)
        if same is not None:
            took = _take_in(same, one, known, newline, counts) or took
            continue
        added = _Section(one.level, one.title, one.heading, new=True)
        if _take_in(added, one, known, newline, counts) or not (one.own or one.within):
            counts[0] += 1
            section.within.append(added)
            took = True
        else:
            counts[1] += 1
    return took


def _is_same(one: _Section, other: _Section) -> bool:
    return one.level == other.level and line_key(one.title) == line_key(other.title)


def _is_new(block: str, known: set[str], counts: list[int]) -> bool:
    keys = [line_key(line) for line in block.splitlines() if line.strip()]
    doubled = bool(keys) and known.issuperset(keys)
    counts[doubled] += len(keys)
    return bool(keys) and not doubled


def _append(section: _Section, fresh: list[str], newline: str) -> None:
    """Behind the section's own blocks: an item goes on with a list, anything else stands apart."""
    first = fresh[0].lstrip("\r\n")
    before = section.own[-1] if section.own else section.heading
    if section.own and _is_item(first) and _is_item(before):
        tail = before.rstrip()
        section.own[-1] = tail + newline
        blanks = before[len(tail) :]
        fresh = [*fresh[:-1], fresh[-1].rstrip() + (blanks if blanks.strip(" \t") else newline)]
    elif section.own:
        section.own[-1] = _with_blank_line(before, newline)
    elif section.heading:
        section.heading = _with_blank_line(before, newline)
    section.own += fresh
    if section.within:
        section.own[-1] = _with_blank_line(section.own[-1], newline)


def _with_blank_line(text: str, newline: str) -> str:
    """The text with a blank line behind it."""
    if not text.strip():
        return text
    lines = lines_of_text(text)
    if not lines[-1].endswith(("\r", "\n")):
        return text + newline * 2
    return text if not lines[-1].strip() else text + newline


def _is_item(block: str) -> bool:
    words = block.lstrip()
    return words.startswith(("- ", "* ", "+ ")) or words.split(" ", 1)[0].rstrip(".)").isdigit()


def _end_line(line: str, newline: str) -> str:
    """The line with the end that the lines of the other text have."""
    bare = line.rstrip("\r\n")
    return bare if bare == line else bare + newline


def _written_lines(whole: _Section, newline: str) -> Iterator[str]:
    """What is new stands apart from what is before it and behind it."""
    before = ""
    new = False
    for section in _walk_sections(whole):
        if before:
            unended = not before.endswith(("\n", "\r"))
            yield _with_blank_line(before, newline) if section.new or new or unended else before
        new = section.new
        *first, before = section.heading, *section.own
        yield from first
    yield before


def _walk_sections(section: _Section) -> Iterator[_Section]:
    yield section
    for one in section.within:
        yield from _walk_sections(one)
