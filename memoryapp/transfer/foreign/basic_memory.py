"""A folder of basic-memory: markdown notes with front matter, `- [category] observation #tag (context)` and
`- relation [[Target]] (context)`. Each note becomes an entity, each observation and each stretch of prose a note about
it, each relation and each link in the prose a link."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from markdown_it import MarkdownIt

from memoryapp.domain.cleaning import pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.cut import outline
from memoryapp.ingest.frontmatter import front_matter
from memoryapp.transfer.entries import Brought, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.foreign.files import MARKDOWN, ImportFiles, Part
from memoryapp.transfer.foreign.records import items, line, moment, reference, said_of, tags, text_of, words

FORM = "basic-memory"
_PARSER = MarkdownIt("commonmark", {"maxNesting": 20})
_PARSER.core.ruler.enableOnly(["normalize", "block"])
# A category, but no checkbox ([x], [/], [ ]) and no clock time of a transcript ([00:12:40]).
_OBSERVATION = re.compile(r"\[(?![^\w\s]?\]|[xX ]\]|\d{1,3}:\d{2}[\d:.,\s-]*\])([^\[\]()]+)\]\s+(\S.*)", re.DOTALL)
_RELATION = re.compile(r"""(?:(\S+)|"([^"]+)"|'([^']+)')\s+\[\[([^\[\]]+)\]\]\s*(\(.*\))?$""", re.DOTALL)
_WIKI_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_TAGS = re.compile(r"(?:^|(?<=\s))(?:#(?!\d+(?:\s|$))[^\s#]+)+")  # “#a #b” and “#a#b”; “#12” is a number
_LAST_TAGS = re.compile(r"(?:\s+(?:#(?!\d+(?:\s|$))[^\s#]+)+)+$")
_CONTEXT = re.compile(r"\s*\(([^()]*)\)$")
_BARE = re.compile(r"\s*(?:#{1,6}(?:\s.*)?|[=*_-]*)$")  # a heading, a rule, nothing
_CALLED_SO_BY_ITSELF = frozenset({"note", "notes", "document", "file"})  # types that say nothing of what it is


@dataclass(frozen=True, slots=True)
class _Note:
    """A file as it was read. `key` is its permalink, else its path; `body` the line, from 0, at which its front matter
    is over; `lines` those from there on, none until it is its turn."""

    where: str
    key: str
    title: str
    type: str
    tags: tuple[str, ...]
    at: datetime | None
    body: int
    lines: tuple[str, ...] = ()


def is_one(part: Part) -> bool:
    """Whether the file is a note of basic-memory: by the permalink that it gives each, or by its way of writing."""
    if isinstance(text := text_of(part), SkippedEntry):
        return False
    matter = front_matter(text)
    if matter and "permalink" in matter.values:
        return True
    found = [body for body, _, _ in _list_items(text.split("\n"))]
    return any(_OBSERVATION.match(body) for body in found) and any(_RELATION.match(body) for body in found)


def read(opened: ImportFiles) -> Iterator[Brought]:
    # The names of all come first, as a relation may lead to any of them; the words of one at a time.
    notes = [(part, _note(part)) for part in opened.of(MARKDOWN)]
    names: dict[str, str] = {}
    for part, note in notes:
        if isinstance(note, _Note):
            stem = PurePosixPath(part.name).with_suffix("")
            for spelling in (note.title, note.key, str(stem), stem.name):
                names.setdefault(_normal_title(spelling), note.title)
    for part, note in notes:
        text = text_of(part) if isinstance(note, _Note) else note
        if isinstance(text, SkippedEntry):
            yield text
        elif isinstance(note, _Note):
            yield from _note_entries(replace(note, lines=tuple(text.split("\n")[note.body :])), names)


def _note(part: Part) -> _Note | SkippedEntry:
    text = text_of(part)
    if isinstance(text, SkippedEntry):
        return text
    matter = front_matter(text)
    values: dict[str, Any] = matter.values if matter else {}
    path = str(PurePosixPath(part.name).with_suffix(""))
    kind = line(values.get("type"), 40)
    given = values.get("tags")
    return _Note(
        where=part.name,
        key=line(values.get("permalink"), 500) or path,
        title=line(values.get("title"), 200) or line(PurePosixPath(path).name, 200),
        type="" if kind.casefold() in _CALLED_SO_BY_ITSELF else kind,
        tags=tags(given.split(",") if isinstance(given, str) else items(given)),
        at=next((at for key in ("created", "date", "created_at") if (at := moment(values.get(key)))), None),
        body=matter.lines if matter else 0,
    )


def _note_entries(note: _Note, names: dict[str, str]) -> Iterator[Brought]:
    yield ImportedEntity(note.title, note.type)
    seen: Counter[str] = Counter()
    taken: set[int] = set()
    for body, start, end in _list_items(note.lines):
        relation, observation = _RELATION.match(body), _OBSERVATION.match(body)
        if relation:
            label = line(next(text for text in relation.groups()[:3] if text), 80)
            yield from _link(note, label, relation.group(4), names, seen)
        elif said := _observation_items(note, body, observation, seen) if observation or _TAGS.search(body) else ():
            yield from said
            yield from _links(note, body, names, seen)
        else:
            continue
        taken.update(range(start, end))
    yield from _prose(note, taken, names, seen)


def _observation_items(note: _Note, body: str, found: re.Match[str] | None, seen: Counter[str]) -> tuple[Item, ...]:
    """None where nothing but tags is said."""
    category, text = (line(found.group(1), 80), found.group(2)) if found else ("", body)
    own = [tag for run in _TAGS.findall(text) for tag in run.split("#")]
    context = _CONTEXT.search(text)
    bare = _LAST_TAGS.sub("", " " + (text[: context.start()] if context else text))
    said = words(" ".join((bare + (f" ({context.group(1)})" if context else "")).split()))
    # The ref hangs on the words alone, so that what was moved in earlier is rewritten and not doubled.
    return tuple(_items(note, said_of(note.title, said), note.title, said, seen, (category,), own)) if said else ()


def _items(note: _Note, text: str, title: str, own: str, seen: Counter[str], *groups: Iterable[str]) -> Iterator[Item]:
    """The text as notes of ours. The ref hangs on the permalink and on `own`, never on the line: a line that is put in
    above must not give each one below it another's id."""
    for piece in pieces(text, LIMITS.text_chars):
        seen[own] += 1
        yield Item(
            text=piece,
            ref=reference(FORM, derived_id(note.key, own, str(seen[own]))),
            title=title,
            tags=tags(note.tags, *groups),
            occurred_at=note.at,
            subject=note.title,
            source=note.where,
        )


def _prose(note: _Note, taken: set[int], names: dict[str, str], seen: Counter[str]) -> Iterator[Brought]:
    """What is left of the body: a note for each stretch below a heading of the first two levels."""
    headings = [heading for heading in outline(note.lines)[0] if heading.level <= 2]
    borders = [0, *(heading.line for heading in headings), len(note.lines)]
    titles = ["", *(heading.title for heading in headings)]
    for title, first, last in zip(titles, borders[:-1], borders[1:], strict=True):
        start = first + 1 if title else first
        text = words("\n".join(note.lines[at] for at in range(start, last) if at not in taken))
        if all(_BARE.match(each) for each in text.split("\n")):
            continue  # a heading whose list was taken out from under it
        named = title if title and title != note.title else ""
        called = f"{note.title}: {named}"[:300] if named else note.title
        # By its heading, so that prose that is rewritten there is the same note here.
        yield from _items(note, text, called, f"prose\0{title}", seen)
        yield from _links(note, text, names, seen)


def _links(note: _Note, text: str, names: dict[str, str], seen: Counter[str]) -> Iterator[Brought]:
    for target in _WIKI_LINK.findall(text):
        yield from _link(note, "links_to", target, names, seen)


def _link(note: _Note, label: str, target: str, names: dict[str, str], seen: Counter[str]) -> Iterator[Brought]:
    # [[Target|shown]], [[project::Target]] and [[memory://target]] all mean the note Target.
    bare = target.split("|")[0].rpartition("::")[2].removeprefix("memory://").strip()
    name = names.get(_normal_title(bare)) or line(bare, 200)
    ref = reference(FORM, "relation", derived_id(note.key, label, name))
    seen[ref] += 1
    if name and seen[ref] == 1 and name != note.title:
        yield Link(note.title, label, name, ref)


def _normal_title(spelling: str) -> str:
    """Titles, permalinks and paths of one note come to the same: “Coffee Brewing” and “coffee-brewing”."""
    return re.sub(r"[\s_-]+", "-", spelling.strip().casefold())


def _list_items(lines: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The first paragraph of each list item, with its lines [first, last): none of a quotation or a code fence."""
    inside, quoted = 0, 0
    for token in _PARSER.parse("\n".join(lines)):
        inside += token.nesting if token.type.startswith("list_item") else 0
        quoted += token.nesting if token.type.startswith("blockquote") else 0
        if token.type == "inline" and inside and not quoted and token.map:
            yield token.content.strip(), token.map[0], token.map[1]
