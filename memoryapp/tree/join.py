"""Two markdowns in, one out: the first, with what only the second says put where it belongs.

Sections of one title come together. What is left out is a block (an item of a list with all it holds, a paragraph, a
piece of code) of which every line stands in the first already: single lines are not taken out of a paragraph, nor out
of code, which would then say something else. A heading goes with what it heads: where nothing of that is new, it is
left out as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from memoryapp.domain.node import line_key
from memoryapp.tree.blocks import blocks_of, lines_of_text, newline_of


@dataclass(frozen=True, slots=True)
class Joined:
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


def joined(text: str, more: str) -> Joined:
    if not more.strip():
        return Joined(text, 0, 0)
    newline = newline_of(text or more)
    whole, second = _read(text), _read("".join(_ended(line, newline) for line in lines_of_text(more)))
    known = {line_key(line) for line in text.splitlines() if line.strip()}
    counts = [0, 0]
    _take_in(whole, second, known, newline, counts)
    return Joined("".join(_written(whole, newline)), counts[0], counts[1])


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
        above[-1].own += ["".join(lines[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)]
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
        section.own[-1] = _apart(before, newline)
    elif section.heading:
        section.heading = _apart(before, newline)
    section.own += fresh
    if section.within:
        section.own[-1] = _apart(section.own[-1], newline)


def _apart(text: str, newline: str) -> str:
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


def _ended(line: str, newline: str) -> str:
    """The line with the end that the lines of the other text have."""
    bare = line.rstrip("\r\n")
    return bare if bare == line else bare + newline


def _written(whole: _Section, newline: str) -> Iterator[str]:
    """What is new stands apart from what is before it and behind it."""
    before = ""
    new = False
    for section in _each(whole):
        if before:
            unended = not before.endswith(("\n", "\r"))
            yield _apart(before, newline) if section.new or new or unended else before
        new = section.new
        *first, before = section.heading, *section.own
        yield from first
    yield before


def _each(section: _Section) -> Iterator[_Section]:
    yield section
    for one in section.within:
        yield from _each(one)
