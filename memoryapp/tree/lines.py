"""The lines of a node's markdown that say something: found, added to, replaced, taken out. Every other byte stays.

A line is an item of a list, or a paragraph; where its author wrapped it, it is known by the first of its rows. Code,
tables, quotations and headings say nothing by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memoryapp.domain.node import line_key

_ENDS = "\r\n"
LINE_CHARS = 300  # a longer paragraph is prose: it is neither merged into nor contradicted as a whole
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_BULLET = re.compile(r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?")
_PARSER = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
_PARSER.core.ruler.enableOnly(["normalize", "block"])


@dataclass(frozen=True, slots=True)
class Standing:
    """A line as it stands in rows [first, last). `said`: its words, in one line; `section`: which heading it stands
    under, −1 before the first; `listed`: whether it is an item of a list."""

    first: int
    last: int
    said: str
    key: str
    section: int
    listed: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """`row`: the first of its rows, `last` the one after it."""

    row: int
    last: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class List:
    """A list of bullets that stands in no other: rows [first, last), `bullet` as its items are written. `loose`: with
    an empty row between its items."""

    first: int
    last: int
    bullet: str
    loose: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A node's markdown taken apart. `rows` keep their ends, so that joined they are the text."""

    rows: tuple[str, ...]
    lines: tuple[Standing, ...]
    headings: tuple[Heading, ...]
    lists: tuple[List, ...]

    @property
    def end(self) -> str:
        """How its rows end."""
        first = self.rows[0] if self.rows else ""
        return first[len(first.rstrip(_ENDS)) :] or "\n"

    def section_of(self, row: int) -> int:
        return sum(1 for heading in self.headings if heading.row <= row) - 1

    def rows_of(self, section: int) -> tuple[int, int]:
        """[first, last) of a section, without its heading; −1: what stands before the first."""
        last = self.headings[section + 1].row if section + 1 < len(self.headings) else len(self.rows)
        return (self.headings[section].last if section >= 0 else 0), last


def read(text: str) -> Page:
    rows = tuple(_ROW.findall(text))
    tokens = _PARSER.parse(text)
    headings = tuple(
        Heading(token.map[0], token.map[1], int(token.tag[1]), " ".join(tokens[at + 1].content.split()))
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )
    page = Page(rows, (), headings, tuple(_lists(tokens, rows)))
    return Page(rows, tuple(_lines(tokens, page)), headings, page.lists)


def added(text: str, said: str, *, beside: int | None = None) -> str:
    """The text with one more line: at the end of the list at or before row `beside`, in its section; where there is
    none, of the section. `beside` None: at the end of the last list there is."""
    page = read(text)
    section = -1 if beside is None else page.section_of(beside)
    first, last = (0, len(page.rows)) if beside is None else page.rows_of(section)
    inside = [one for one in page.lists if first <= one.first < last]
    if inside:
        at_or_before = [one for one in inside if beside is None or one.first <= beside]
        chosen = (at_or_before or inside[:1])[-1]
        row = _said_until(page, chosen.last)
        return _inserted(page, row, [*([""] if chosen.loose else []), f"{chosen.bullet}{said}"])
    row = _said_until(page, last)
    rows = [f"- {said}"]
    if row and page.rows[row - 1].strip():
        rows.insert(0, "")
    if row < len(page.rows) and page.rows[row].strip():
        rows.append("")
    return _inserted(page, row, rows)


def appended(text: str, block: str) -> str:
    """The text with a block of its own behind everything else, an empty row between them."""
    page = read(text)
    row = _said_until(page, len(page.rows))
    return _inserted(page, row, [*([""] if row else []), *block.split("\n")])


def replaced(text: str, key: str, said: str) -> str:
    """The text with other words in place of the first line of this key; the same text where there is none."""
    page = read(text)
    standing = next((one for one in page.lines if one.key == key), None)
    if standing is None:
        return text
    opening = _opening(page.rows[standing.first])
    last = page.rows[standing.last - 1]
    row = f"{opening}{said}{last[len(last.rstrip(_ENDS)) :]}"
    return "".join((*page.rows[: standing.first], row, *page.rows[standing.last :]))


def taken_out(text: str, keys: Collection[str]) -> str:
    """The text without the lines of these keys, and without the empty row that would then stand twice."""
    page = read(text)
    gone = {row for one in page.lines if one.key in keys for row in range(one.first, one.last)}
    kept: list[str] = []
    for row, words in enumerate(page.rows):
        doubled = row - 1 in gone and not words.strip() and (not kept or not kept[-1].strip())
        if doubled:
            gone.add(row)
        if row not in gone:
            kept.append(words)
    return "".join(kept)


def bare(row: str) -> str:
    """A row without the blanks and the bullet it opens with."""
    return _BULLET.sub("", row, count=1)


def escaped(said: str) -> str:
    """Words in one line that open no heading, list, quotation or code where they stand behind a bullet."""
    line = " ".join(said.split())
    line = re.sub(r"^(?:[-*+•]\s+)+", "", line)
    if re.match(r"#{1,6}(?:\s|$)|>|```|~~~|\|", line):
        return f"\\{line}"
    return re.sub(r"^(\d{1,9})([.)])(?=\s)", r"\1\\\2", line)


def _lists(tokens: list[Token], rows: tuple[str, ...]) -> Iterator[List]:
    for at, token in enumerate(tokens):
        if token.type != "bullet_list_open" or token.level != 0 or token.map is None:
            continue
        inside = tokens[at + 1 : next(n for n in range(at + 1, len(tokens)) if tokens[n].level == 0)]
        loose = any(one.type == "paragraph_open" and one.level == 2 and not one.hidden for one in inside)
        items = [one.map[0] for one in inside if one.type == "list_item_open" and one.level == 1 and one.map]
        opening = re.match(r"\s*[-*+][ \t]*", rows[items[-1]])
        bullet = opening.group() if opening else "- "
        bullet = bullet if bullet[-1] in " \t" else f"{bullet} "
        yield List(token.map[0], token.map[1], bullet, loose and len(items) > 1)


def _lines(tokens: list[Token], page: Page) -> Iterator[Standing]:
    quoted = 0
    within: list[str] = []
    for at, token in enumerate(tokens):
        if token.type in ("blockquote_open", "blockquote_close"):
            quoted += token.nesting
        if token.type in ("list_item_open", "list_item_close"):
            within = [*within, token.type] if token.nesting == 1 else within[:-1]
        if token.type != "paragraph_open" or quoted or token.map is None:
            continue
        said = " ".join(bare(tokens[at + 1].content).split())
        if said:
            first, last = token.map[0], token.map[1]
            yield Standing(first, last, said, line_key(page.rows[first]), page.section_of(first), bool(within))


def _opening(row: str) -> str:
    """What a row begins with before its words: blanks, and the bullet."""
    return row[: len(row) - len(bare(row))]


def _said_until(page: Page, row: int) -> int:
    """The row after the last one before `row` that says something."""
    while row > 0 and not page.rows[row - 1].strip():
        row -= 1
    return row


def _inserted(page: Page, row: int, rows: list[str]) -> str:
    before = list(page.rows[:row])
    made = [f"{words}{page.end}" for words in rows]
    if before and not before[-1].endswith(("\n", "\r")):
        before[-1] += page.end  # the last row of a file without an end keeps none
        made[-1] = made[-1][: -len(page.end)]
    return "".join((*before, *made, *page.rows[row:]))
