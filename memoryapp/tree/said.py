"""A memory put into lines: one for a statement, one for each item and sentence of a longer note, or a block of its own.

A note goes in as a block, under a heading, where one of its lines would be longer than LINE_CHARS, where there would be
more than MOST_LINES, and where it holds code, a table or a quotation, which mean nothing cut up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memoryapp.domain.memory import Kind, Memory, words_of
from memoryapp.domain.node import line_key
from memoryapp.domain.routing import unmarked
from memoryapp.extract.facts.sentences import cut
from memoryapp.tree.lines import LINE_CHARS, Standing, bare, escaped, read

MOST_LINES = 12
TITLE_CHARS = 80
_BLOCKS = re.compile(r"^ {0,3}(?:```|~~~|>|\|)|^(?: {4}|\t)\S", re.MULTILINE)
_HEADING = re.compile(r"^( {0,3})(#{1,6})(?=\s)")
_WORD = re.compile(r"\w+")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Told:
    """`lines`: its words as they go into a node, without bullets. `block`: the same as one piece of markdown with a
    heading above; empty where lines are enough."""

    lines: tuple[str, ...]
    block: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of every row of it that says something, the block's heading among them."""
        rows = self.block.split("\n") if self.block else self.lines
        return tuple(dict.fromkeys(line_key(row) for row in rows if row.strip()))


def told(memory: Memory, table: Mapping[str, str]) -> Told:
    """`table`: the routing table; a marker of it that the words begin with is taken off."""
    text = unmarked(memory.text, table)
    one = words_of(text, speaker=memory.speaker)
    if memory.kind is Kind.FACT or ("\n" not in text.strip() and len(one) <= LINE_CHARS):
        return Told((escaped(one),))
    lines = () if _BLOCKS.search(text) else _lines(text, memory.speaker)
    short = len(lines) <= MOST_LINES and all(len(line) <= LINE_CHARS for line in lines)
    return Told(lines) if short and _tells_all(lines, text) else Told((), _block(memory, text))


def _lines(text: str, speaker: str | None) -> tuple[str, ...]:
    """Items as they are, paragraphs sentence by sentence."""
    found = [line for standing in read(text.strip()).lines for line in _sentences(standing)]
    return tuple(dict.fromkeys(escaped(words_of(line, speaker=speaker)) for line in found))


def _sentences(standing: Standing) -> list[str]:
    if standing.listed and len(standing.said) <= LINE_CHARS:
        return [standing.said]
    return [piece.text for piece in cut(standing.said)]


def _tells_all(lines: Sequence[str], text: str) -> bool:
    """Whether no word of the text is lost: headings and links by reference are no lines."""
    rows = (bare(row) for row in text.splitlines())
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
