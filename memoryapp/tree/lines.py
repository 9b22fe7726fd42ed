"""The lines of a node's markdown that say something: found, added to, replaced, taken out. Every other byte stays.

A line is an item of a list, or a paragraph; where its author wrapped it, it is known by the first of its rows. Code,
tables, quotations and headings say nothing by themselves.

A memory becomes lines: one for a statement, one for each item and sentence of a longer note. A note goes in as a block,
under a heading, where one of its lines would be longer than LINE_CHARS, where there would be more than MOST_LINES, and
where it holds code, a table or a quotation, which mean nothing cut up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memoryapp.domain.memory import Kind, Memory, words_of
from memoryapp.domain.node import line_key
from memoryapp.domain.routing import strip_marker
from memoryapp.extraction.facts.sentences import cut

_ENDS = "\r\n"
LINE_CHARS = 300  # a longer paragraph is prose: it is neither merged into nor contradicted as a whole
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_BULLET = re.compile(r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?")
_PARSER = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
MOST_LINES = 12
TITLE_CHARS = 80
_BLOCKS = re.compile(r"^ {0,3}(?:```|~~~|>|\|)|^(?: {4}|\t)\S", re.MULTILINE)
_HEADING = re.compile(r"^( {0,3})(#{1,6})(?=\s)")
_WORD = re.compile(r"\w+")
_FENCE = re.compile(r" {0,3}(```|~~~)")


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
    """A markdown text as rows, headings and lists."""
    rows = tuple(_ROW.findall(text))
    tokens = _PARSER.parse(text)
    headings = tuple(
        Heading(token.map[0], token.map[1], int(token.tag[1]), " ".join(tokens[at + 1].content.split()))
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )
    page = Page(rows, (), headings, tuple(_lists(tokens, rows)))
    return Page(rows, tuple(_lines(tokens, page)), headings, page.lists)


def add_line(text: str, said: str, *, beside: int | None = None) -> str:
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
        return _insert_rows(page, row, [*([""] if chosen.loose else []), f"{chosen.bullet}{said}"])
    row = _said_until(page, last)
    rows = [f"- {said}"]
    if row and page.rows[row - 1].strip():
        rows.insert(0, "")
    if row < len(page.rows) and page.rows[row].strip():
        rows.append("")
    return _insert_rows(page, row, rows)


def append_block(text: str, block: str) -> str:
    """The text with a block of its own behind everything else, an empty row between them."""
    page = read(text)
    row = _said_until(page, len(page.rows))
    return _insert_rows(page, row, [*([""] if row else []), *block.split("\n")])


def replace_line(text: str, key: str, said: str) -> str:
    """The text with other words in place of the first line of this key; the same text where there is none."""
    page = read(text)
    standing = next((one for one in page.lines if one.key == key), None)
    if standing is None:
        return text
    opening = _opening(page.rows[standing.first])
    last = page.rows[standing.last - 1]
    row = f"{opening}{said}{last[len(last.rstrip(_ENDS)) :]}"
    return "".join((*page.rows[: standing.first], row, *page.rows[standing.last :]))


def remove_lines(text: str, keys: Collection[str]) -> str:
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


def strip_bullet(row: str) -> str:
    """A row without the blanks and the bullet it opens with."""
    return _BULLET.sub("", row, count=1)


def escape_line(said: str) -> str:
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
        said = " ".join(strip_bullet(tokens[at + 1].content).split())
        if said:
            first, last = token.map[0], token.map[1]
            yield Standing(first, last, said, line_key(page.rows[first]), page.section_of(first), bool(within))


def _opening(row: str) -> str:
    """What a row begins with before its words: blanks, and the bullet."""
    return row[: len(row) - len(strip_bullet(row))]


def _said_until(page: Page, row: int) -> int:
    """The row after the last one before `row` that says something."""
    while row > 0 and not page.rows[row - 1].strip():
        row -= 1
    return row


def _insert_rows(page: Page, row: int, rows: list[str]) -> str:
    before = list(page.rows[:row])
    made = [f"{words}{page.end}" for words in rows]
    if before and not before[-1].endswith(("\n", "\r")):
        before[-1] += page.end  # the last row of a file without an end keeps none
        made[-1] = made[-1][: -len(page.end)]
    return "".join((*before, *made, *page.rows[row:]))


# ── a memory as lines


@dataclass(frozen=True, slots=True)
class MemoryLines:
    """`lines`: its words as they go into a node, without bullets. `block`: the same as one piece of markdown with a
    heading above; empty where lines are enough."""

    lines: tuple[str, ...]
    block: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of every row of it that says something, the block's heading among them."""
        rows = self.block.split("\n") if self.block else self.lines
        return tuple(dict.fromkeys(line_key(row) for row in rows if row.strip()))


def lines_from_memory(memory: Memory, table: Mapping[str, str]) -> MemoryLines:
    """`table`: the routing table; a marker of it that the words begin with is taken off."""
    text = strip_marker(memory.text, table)
    one = words_of(text, speaker=memory.speaker)
    if memory.kind is Kind.FACT or ("\n" not in text.strip() and len(one) <= LINE_CHARS):
        return MemoryLines((escape_line(one),))
    lines = () if _BLOCKS.search(text) else _statement_lines(text, memory.speaker)
    short = len(lines) <= MOST_LINES and all(len(line) <= LINE_CHARS for line in lines)
    return MemoryLines(lines) if short and _tells_all(lines, text) else MemoryLines((), _block(memory, text))


def _statement_lines(text: str, speaker: str | None) -> tuple[str, ...]:
    """Items as they are, paragraphs sentence by sentence."""
    found = [line for standing in read(text.strip()).lines for line in _sentences(standing)]
    return tuple(dict.fromkeys(escape_line(words_of(line, speaker=speaker)) for line in found))


def _sentences(standing: Standing) -> list[str]:
    if standing.listed and len(standing.said) <= LINE_CHARS:
        return [standing.said]
    return [piece.text for piece in cut(standing.said)]


def _tells_all(lines: Sequence[str], text: str) -> bool:
    """Whether no word of the text is lost: headings and links by reference are no lines."""
    rows = (strip_bullet(row) for row in text.splitlines())
    return set(_WORD.findall("\n".join(rows))) <= set(_WORD.findall("\n".join(lines)))


def _block(memory: Memory, text: str) -> str:
    """The whole text under a heading of level 2, its own headings below that."""
    rows = text.strip().split("\n")
    opening = _HEADING.match(rows[0])
    first = rows[0][opening.end() :].strip() if opening else ""
    title = " ".join((memory.title or first or cut(rows[0])[0].text).split())
    if first == title:
        rows.pop(0)
    found = list(_headings(rows))
    deeper = max(0, 3 - min((len(one[2]) for one in found if one), default=3))
    body = [
        f"{'#' * min(len(one[2]) + deeper, 6)}{row[one.end() :]}" if one else row
        for row, one in zip(rows, found, strict=True)
    ]
    heading = title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return f"## {heading}\n\n" + "\n".join(body).strip("\n")


def _headings(rows: Sequence[str]) -> Iterator[re.Match[str] | None]:
    """Of each row the marks of the heading it is; none inside a code fence."""
    fenced = ""
    for row in rows:
        mark = _FENCE.match(row)
        if mark:
            fenced = "" if fenced == mark[1] else fenced or mark[1]
        yield None if fenced or mark else _HEADING.match(row)
