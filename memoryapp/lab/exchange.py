"""Golden queries as JSON lines: out of a space, and into one, with a report for each line.

    {"query": "Who booked the boat?", "relevant": ["5be1c0…"], "refs": ["trip-12"], "filters": {}, "note": ""}

`refs` holds the callers' own ids beside `relevant`, null where there is none: in another space, where the ids say
nothing, they stand for the same memories. By hand either of the two is enough.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.filters import Filters, filters_read, filters_told
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.lab.golden import (
    check_relevant,
    fresh_id,
    ids_of,
    join_relevant,
    normalize_query,
    note_of,
    print_of,
    refs_of,
)
from memoryapp.spaces import Space
from memoryapp.store import golden

_FIELDS = ("query", "relevant", "refs", "filters", "note")


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """One line as it was read, before its memories are looked up."""

    query: str
    relevant: tuple[str, ...]
    refs: tuple[str | None, ...]
    filters: Filters
    note: str

    def names(self) -> tuple[str, ...]:
        return (*self.relevant, *(ref for ref in self.refs if ref is not None))


def parse_line(line: str) -> ParsedLine | BadInput:
    """Return one line, read and checked but for whether its memories are there; or what is wrong with it."""
    try:
        return _parse_object(json.loads(line, parse_constant=_refuse_constant))
    except BadInput as error:
        return error
    except (ValueError, RecursionError) as error:
        at = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return BadInput(f"This is no line of JSON{at}. Write one object a line, without breaks inside.")


def _refuse_constant(constant: str) -> Any:
    raise BadInput(f"{constant} is no number of JSON.")


def _parse_object(told: Any) -> ParsedLine:
    if not isinstance(told, dict):
        raise BadInput('Write an object, as in {"query": "…", "relevant": ["…"]}.')
    for name in told:
        if name not in _FIELDS:
            raise BadInput(f"A golden query has no “{name[:40]}”. It has {', '.join(_FIELDS)}.")
    query, note, filters = told.get("query", ""), told.get("note", ""), told.get("filters", {})
    if not isinstance(query, str) or not isinstance(note, str):
        raise BadInput("“query” and “note” are texts.")
    if not isinstance(filters, dict):
        raise BadInput('“filters” is an object, as in {"kinds": ["fact"]}.')
    text, narrowed = normalize_query(query, filters_read(filters))
    relevant, refs = _texts(told, "relevant"), _texts(told, "refs")
    if any(name is None for name in relevant):
        raise BadInput("“relevant” holds texts: ids, or your own.")
    return ParsedLine(text, tuple(name for name in relevant if name is not None), refs, narrowed, note_of(note))


def _texts(told: dict[str, Any], name: str) -> tuple[str | None, ...]:
    value = told.get(name, [])
    if not isinstance(value, list) or not all(one is None or isinstance(one, str) for one in value):
        raise BadInput(f"“{name}” is a list of texts.")
    return tuple(value)


def names_of(said: ParsedLine, known: dict[str, str]) -> Sequence[str]:
    """By what each relevant memory is looked up: its id where that is known, else its ref."""
    if not said.relevant or not said.refs:
        return said.relevant or [ref for ref in said.refs if ref is not None]
    if len(said.relevant) != len(said.refs):
        raise BadInput(
            "“refs” stands beside “relevant”, one for each, null where there is none; or leave one of them out."
        )
    pairs = list(zip(said.relevant, said.refs, strict=True))
    for name, ref in pairs:
        if ref is not None and name in known and ref in known and known[name] != known[ref]:
            raise BadInput(f"“{name[:40]}” and “{ref[:40]}” are two memories here. Leave one of the two out.")
    return [name if ref is None or name in known or ref not in known else ref for name, ref in pairs]


@dataclass(frozen=True, slots=True)
class Line:
    """What becomes of a line, counted from 1: `outcome` is add, join (something asks the same, and means more now),
    same (nothing new) or bad. `told`: why, and what to do. `golden`: the id, None for a bad one."""

    number: int
    outcome: str
    told: str
    query: str = ""
    golden: str | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """`written`: whether what the lines say was done; a dry run does nothing, nor does a strict one with a bad line."""

    lines: tuple[Line, ...]
    written: bool

    def count(self, outcome: str) -> int:
        return sum(line.outcome == outcome for line in self.lines)


def export_golden(space: Space) -> tuple[str, ...]:
    """One line, without its end, for each golden query, the oldest first."""
    every = golden.every(space.db)
    refs = refs_of(space, {key for one in every for key in one.relevant})
    return tuple(_line(one, refs) for one in every)


def import_golden(
    space: Space, text: str, *, actor: Actor, dry_run: bool = False, strict: bool = False
) -> ImportResult:
    """Adds what the lines say, all in one batch; lines that ask the same are joined, in the file and with what is
    there. Bad lines are told and left out; with `strict` one of them keeps all from being written.

    Raises TooLarge for a text over LIMITS.file_bytes, Clash where the space would hold too many, Stale where somebody
    changed one of them meanwhile.
    """
    if len(text.encode("utf-8", "replace")) > LIMITS.file_bytes:
        raise TooLarge(f"At most {LIMITS.file_bytes // 1024 // 1024} MB at once.", field="/lines")
    reading = _Reading(space, actor)
    # By line feeds alone: other ends of lines may stand within the words of a query.
    numbered = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    read = [(number, parse_line(line)) for number, line in numbered if line.strip()]
    reading.known = ids_of(space, {name for _, one in read if isinstance(one, ParsedLine) for name in one.names()})
    lines = tuple(reading.line(number, one) for number, one in read)
    reading.check_room()
    done = not dry_run and not (strict and any(line.outcome == "bad" for line in lines))
    if done:
        reading.write()
    return ImportResult(lines, written=done)


class _Reading:
    """The golden queries as they are after each line, by what they ask."""

    def __init__(self, space: Space, actor: Actor) -> None:
        self._space, self._actor, self._now = space, actor, space.clock()
        every = golden.every(space.db)
        self._there = {print_of(one.query, one.filters): one for one in every}
        self._ids = {one.id for one in every}
        self._after: dict[str, Golden] = {}
        self._first: dict[str, int] = {}  # line by what it asks
        self.known: dict[str, str] = {}

    def line(self, number: int, said: ParsedLine | BadInput) -> Line:
        if isinstance(said, BadInput):
            return Line(number, "bad", clean(said.detail))
        try:
            return self._taken(number, said)
        except BadInput as error:
            return Line(number, "bad", clean(error.detail), said.query)

    def check_room(self) -> None:
        new = len(self._after.keys() - self._there.keys())
        if len(self._there) + new > golden.MOST:
            raise Clash(
                f"With these the space would have {len(self._there) + new:,} golden queries; it takes {golden.MOST:,}."
            )

    def write(self) -> None:
        golden.save(self._space.db, list(self._after.values()))

    def _taken(self, number: int, said: ParsedLine) -> Line:
        mark = print_of(said.query, said.filters)
        ids = check_relevant(names_of(said, self.known), self.known)
        was = self._after.get(mark) or self._there.get(mark)
        if was is None:
            made = self._made(said, ids, mark)
            self._after[mark], self._first[mark] = made, number
            return Line(number, "add", f"new, {_relevant_text(len(ids))}", said.query, made.id)
        like = f"as line {self._first[mark]}" if mark in self._first else "as one that is here"
        more = join_relevant(was, ids)
        fresh = len(more) - len(was.relevant)
        if not fresh and (was.note or not said.note):
            return Line(number, "same", f"asks the same {like}, and means nothing new", said.query, was.id)
        version = was.version if mark in self._after else was.version + 1
        self._after[mark] = replace(
            was,
            relevant=more,
            note=was.note or said.note,
            by=self._actor.name,
            updated_at=self._now,
            version=version,
        )
        told = (
            f"asks the same {like}: {_relevant_text(fresh)} joined to it"
            if fresh
            else f"asks the same {like}: its note"
        )
        return Line(number, "join", told, said.query, was.id)

    def _made(self, said: ParsedLine, ids: tuple[str, ...], mark: str) -> Golden:
        key = fresh_id(said.query, said.filters)
        if key in self._ids:
            key = new_id()
        # A microsecond apart, so that the order of the lines is the order of the list.
        at = self._now + timedelta(microseconds=len(self._first))
        return Golden(key, said.query, ids, said.note, self._actor.name, at, at, said.filters)


def _line(one: Golden, refs: dict[str, str]) -> str:
    told = {
        "query": one.query,
        "relevant": list(one.relevant),
        "refs": [refs.get(key) for key in one.relevant],
        "filters": filters_told(one.filters),
        "note": one.note,
    }
    return json.dumps(told, ensure_ascii=False)


def _relevant_text(memories: int) -> str:
    return "1 relevant memory" if memories == 1 else f"{memories:,} relevant memories"
