"""Markdown as lines and top-level blocks, so that every byte is in exactly one of them.

Headings are those that ingest knows: at the top level of the text, none inside a code fence, a list or a quotation; a
level 2 underlined with dashes is a paragraph, as it is often a rule under one that happened to need no blank line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")
_MARKS = re.compile(r"[`*]+|(?<!\w)_+|_+(?!\w)")
_NOT_OF_ANCHORS = re.compile(r"[^\w\- ]")
_FRONT_MATTER_LINES = 200
_TITLE_CHARS = 300
# Blocks only: no step needs the inline markup, and leaving it out makes the parser three times as fast.
_PARSER = MarkdownIt("commonmark", {"maxNesting": 20})
_PARSER.core.ruler.enableOnly(["normalize", "block"])


@dataclass(frozen=True, slots=True)
class Block:
    """Lines [first, last), from 0, with the blank ones behind them. `level`: 1–6 of a heading, else 0; `title` its
    words. `items`: where the items of a list begin; `code`: whether it is nothing but code."""

    first: int
    last: int
    level: int = 0
    title: str = ""
    items: tuple[int, ...] = ()
    code: bool = False


def lines_of_text(text: str) -> list[str]:
    """Lines with their ends, which joined are the text. Only what markdown takes for the end of a line is one."""
    return _LINE.findall(text)


def blocks_of(lines: Sequence[str]) -> tuple[Block, ...]:
    """The blocks of the top level in order: they begin at the first line and leave none out."""
    begin = _front_matter(lines)
    body = "".join(line.removeprefix("\ufeff") if n == 0 else line for n, line in enumerate(lines) if n >= begin)
    found: list[Block] = [Block(0, begin)] if begin else []
    items: dict[int, list[int]] = {}
    tokens = _PARSER.parse(body)
    for at, token in enumerate(tokens):
        if not token.map:
            continue
        first = token.map[0] + begin
        if token.level == 0 and token.nesting >= 0:
            # What no token stands for (definitions of links, blank lines) belongs to the block above it.
            if not found or first > found[-1].first:
                heading = token.type == "heading_open" and token.markup != "-"
                found.append(
                    Block(
                        first,
                        len(lines),
                        level=int(token.tag[1]) if heading else 0,
                        title=plain_title(tokens[at + 1].content) if heading else "",
                        code=token.type in ("fence", "code_block"),
                    )
                )
        elif token.level == 1 and token.type == "list_item_open":
            items.setdefault(found[-1].first, []).append(first)
    found = [replace(block, items=tuple(items.get(block.first, ()))) for block in found]
    return _end_to_end(found or [Block(0, len(lines))] * bool(lines), len(lines))


def plain_title(markdown: str) -> str:
    """A heading as a title: links give their text, marks of code and stress are left off, white space is single."""
    title = " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown[: 4 * _TITLE_CHARS])).split())
    return title if len(title) <= _TITLE_CHARS else title[: _TITLE_CHARS - 1] + "…"


def title_of(text: str) -> str:
    """What the first heading of a markdown says; empty where there is none."""
    return next((block.title for block in blocks_of(lines_of_text(text)) if block.level and block.title), "")


def anchors_of(blocks: Sequence[Block]) -> tuple[str, ...]:
    """By block, what a link to it has behind its #; empty where it is no heading. As GitHub makes them: small letters,
    hyphens for spaces, and a number behind the second of one name."""
    seen: dict[str, int] = {}
    found = []
    for block in blocks:
        anchor = _NOT_OF_ANCHORS.sub("", block.title.casefold()).replace(" ", "-") if block.level else ""
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.append(f"{anchor}-{count}" if anchor and count else anchor)
    return tuple(found)


def newline_of(text: str) -> str:
    """How its lines end: as the first one does."""
    found = re.search(r"\r\n|\r|\n", text)
    return found.group() if found else "\n"


def bytes_of(text: str) -> int:
    """Its size as a file, in bytes of UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines it takes: between two of three dashes, at the very beginning, with a name and a colon in it."""
    if not lines or lines[0].removeprefix("\ufeff").rstrip() != "---":
        return 0
    for at, line in enumerate(lines[1:_FRONT_MATTER_LINES], start=1):
        if line.rstrip() in ("---", "..."):
            return at + 1 if any(":" in one for one in lines[1:at]) else 0
        if not line.strip():
            return 0
    return 0


def _end_to_end(found: Sequence[Block], lines: int) -> tuple[Block, ...]:
    """Each block up to the next one, and the first from the first line."""
    ends = [block.first for block in found[1:]] + [lines]
    return tuple(
        replace(block, first=block.first if n else 0, last=end)
        for n, (block, end) in enumerate(zip(found, ends, strict=False))
    )
