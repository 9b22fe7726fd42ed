"""The text of a file in, its sections out (`cut`). A level-2 heading starts one; `split` divides the long ones.

Headings are those of CommonMark, at the top level of the text: none inside a code fence, a list or a quotation.
- An ATX heading of level 2 starts a section. So does a level-1 heading after the first one, or after a level 2.
- What stands before the first of these is a section. Where it begins with a level-1 heading, that is its title; text
  before any heading is titled by the note's name.
- The note's name leads every breadcrumb: `title` (of the front matter), else the level-1 heading where there is just
  one and no text before it, else `name` (of the file).
- Deeper headings, and a level 2 underlined with dashes (often a rule under a paragraph that happened to need no
  blank line), stay inside their section and make up its breadcrumb.
- A level-1 heading with nothing under it but the next section is no section: it is the first step of the
  breadcrumbs below it. Any other heading without text is one, since its words would be lost otherwise.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt

from memoryapp.domain.document import Section
from memoryapp.domain.identity import section_id
from memoryapp.ingest.obsidian import without_block_id
from memoryapp.ingest.split import Piece, Span, Window, split

VERSION = 2  # of these rules: a file that was cut by earlier ones is cut anew at the next ingest
TITLE_CHARS = 300
_CRUMBS = 24
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKED = re.compile(r"^ {0,3}(?:#|=+[ \t]*$|-+[ \t]*$|```|~~~)", re.MULTILINE)
# Blocks only: sections need no inline markup, and leaving it out makes the parser three times as fast.
_PARSER = MarkdownIt("commonmark", {"maxNesting": 20})
_PARSER.core.ruler.enableOnly(["normalize", "block"])


# Links, pictures, tags and HTML before the first heading say nothing by themselves.
_NO_WORDS = re.compile(r"<!--.*?-->|<[^<>]*>|!?\[[^\[\]]*\](?:\([^()]*\))?|#[\w/-]+|https?://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """`written` is the title with the block id that Obsidian puts behind it: ids hang on that."""

    level: int
    title: str
    line: int  # from 0, in the text's lines
    atx: bool
    written: str = ""


@dataclass(frozen=True, slots=True)
class Cutting:
    """`title`: what the note is called."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A section before it has an id: lines [first, last) and the headings inside, its own first."""

    title: str
    written: str
    first: int
    last: int
    above: tuple[str, ...]
    headings: tuple[Heading, ...]


def cut(
    text: str, *, key: str, name: str, title: str = "", body_line: int = 0, plain: bool = False, window: Window
) -> Cutting:
    """Sections of a document in order.

    `key`: what the ids hang on ("source:path"); `name`: the file's; `title`: what its front matter calls it;
    `body_line`: lines of front matter to leave out; `plain`: no markdown; `window`: the longest text of a section.
    """
    lines = text.split("\n")
    headings, fences = ([], []) if plain else outline(lines, body_line)
    for heading in headings:
        lines[heading.line] = without_block_id(lines[heading.line])
    opened = _opens_with_text(lines, headings, body_line)
    called = title or _only_title(headings, opened=opened) or name
    seen: Counter[str] = Counter()
    sections: list[Section] = []
    for stretch in _stretches(lines, headings, body_line, called, opened=opened):
        ordinal = seen[stretch.written]
        seen[stretch.written] += 1
        sections.extend(_sections(stretch, lines, fences, key=key, ordinal=ordinal, window=window))
    return Cutting(called, tuple(sections))


def _opens_with_text(lines: Sequence[str], headings: Sequence[Heading], body_line: int) -> bool:
    """Whether words stand before the first heading."""
    before = "\n".join(lines[body_line : headings[0].line if headings else len(lines)])
    return any(letter.isalnum() for letter in _NO_WORDS.sub(" ", before))


def _only_title(headings: Sequence[Heading], *, opened: bool) -> str:
    """The level-1 heading that names the note: of several each names a part, and one below text names what follows."""
    first = [heading.title for heading in headings if heading.level == 1]
    return first[0] if len(first) == 1 and not opened and headings[0].level == 1 else ""


def outline(lines: Sequence[str], body_line: int = 0) -> tuple[list[Heading], list[Span]]:
    """Top-level headings, and the code fences as spans of lines [first, last), of markdown in line numbers from 0."""
    body = "\n".join(lines[body_line:])
    if not _MARKED.search(body):
        return [], []
    headings, fences = [], []
    tokens = _PARSER.parse(body)
    for at, token in enumerate(tokens):
        if not token.map:
            continue
        if token.type == "heading_open" and token.level == 0:
            content = tokens[at + 1].content
            atx = token.markup.startswith("#")
            title = plain_title(without_block_id(content))
            headings.append(Heading(int(token.tag[1]), title, token.map[0] + body_line, atx, plain_title(content)))
        elif token.type == "fence":
            fences.append(Span(token.map[0] + body_line, token.map[1] + body_line))
    return headings, fences


def plain_title(markdown: str) -> str:
    """A heading as a title: links give their text, white space is single, very long ones are cut short."""
    text = _WIKI_LINK.sub(r"\1", _LINK.sub(r"\1", markdown[: 4 * TITLE_CHARS]))
    title = " ".join(text.split())
    return title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1] + "…"


def _stretches(
    lines: Sequence[str], headings: list[Heading], body_line: int, called: str, *, opened: bool
) -> list[_Stretch]:
    starts = _section_starts(headings, opened=opened)
    bounds = [body_line, *(headings[at].line for at in starts), len(lines)]
    inside = [0, *starts, len(headings)]
    stretches: list[_Stretch] = []
    above = ""
    for at, (first, last) in enumerate(itertools.pairwise(bounds)):
        within = tuple(headings[inside[at] : inside[at + 1]])
        above = next((heading.title for heading in within if heading.level == 1), above)
        own = within[0] if within and (at > 0 or within[0].level == 1) else None
        title = own.title if own and own.title else called
        if _is_only_a_step(lines, within, first, last, followed=at + 1 < len(bounds) - 1):
            continue
        written = own.written if own and own.title else called
        stretches.append(_Stretch(title, written, first, last, (called, above), within))
    return stretches


def _section_starts(headings: list[Heading], *, opened: bool) -> list[int]:
    """Which headings start a section. A first level 1 with no text before it does not: it titles what it opens."""
    starts = [at for at, h in enumerate(headings) if h.level == 1 or (h.level == 2 and h.atx)]
    return starts[1:] if starts[:1] == [0] and not opened and headings[0].level == 1 else starts


def _is_only_a_step(
    lines: Sequence[str], headings: tuple[Heading, ...], first: int, last: int, *, followed: bool
) -> bool:
    """Nothing to recall here: blank, or a lone level-1 heading above the next section."""
    words = sum(1 for line in lines[first:last] if line.strip())
    lone = len(headings) == 1 and headings[0].level == 1
    return words == 0 or (lone and followed and words <= (1 if headings[0].atx else 2))


def _sections(
    stretch: _Stretch, lines: Sequence[str], fences: list[Span], *, key: str, ordinal: int, window: Window
) -> list[Section]:
    whole = section_id(key, stretch.written, ordinal=ordinal)
    pieces = split(lines, Span(stretch.first, stretch.last), fences=fences, title=stretch.title, window=window)
    crumbs = _breadcrumbs(stretch, pieces)
    return [
        Section(
            # Part 1 keeps the section's own id, so that a section that outgrows the window stays the same memory.
            id=whole if part <= 1 else section_id(whole, stretch.written, ordinal=part),
            title=stretch.title,
            heading=stretch.written,
            text=piece.text,
            breadcrumb=crumb,
            first_line=piece.first + 1,
            last_line=piece.last,
            ordinal=ordinal,
            part=part,
        )
        for part, (piece, crumb) in enumerate(zip(pieces, crumbs, strict=True), start=1 if len(pieces) > 1 else 0)
    ]


def _breadcrumbs(stretch: _Stretch, pieces: Sequence[Piece]) -> Iterator[tuple[str, ...]]:
    """For each piece the titles from the file's down: those in force where it begins, then the headings inside it."""
    path: list[Heading] = []
    at = 0
    for piece in pieces:
        in_force = [heading.title for heading in path]
        inside: list[str] = []
        while at < len(stretch.headings) and stretch.headings[at].line < piece.last:
            heading = stretch.headings[at]
            inside.append(heading.title)
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
            at += 1
        steps = (*stretch.above, stretch.title, *in_force, *inside)
        yield tuple(dict.fromkeys(step for step in steps if step))[:_CRUMBS]
