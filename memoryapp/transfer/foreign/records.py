"""A file of JSON in, its records out one after the other, so that a file of a gigabyte takes the room of one record.

Three shapes are told apart by themselves: an array (its elements), JSON Lines (its lines), one object (itself). What
cannot be read is a `Broken` record with the reason, and the next one follows wherever its beginning can be found.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TextIO

from memoryapp.domain.archive import DAMAGED
from memoryapp.transfer.foreign.files import JSON, Opened, Part, reason

MOST_RECORDS = 500_000
MOST_CHARS = 64 * 1024**2  # of one record, or of a file that is one object
_CHUNK = 1 << 20
UNREADABLE = (*DAMAGED, UnicodeError)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BETWEEN = re.compile(r"[\s,]*")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\s,\]"]+', re.DOTALL)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Record:
    """`where` it stands, for a person: “memories.json, record 12”."""

    where: str
    value: Any


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that is none. `why` is a sentence."""

    where: str
    why: str


def records(part: Part) -> Iterator[Record | Broken]:
    """Never raises for what the file holds; damage in the middle of it ends it with a `Broken`."""
    try:
        with part.open() as raw, _text(raw) as text:
            found = _from(part.name, text)
            yield from islice(found, MOST_RECORDS)
            if next(found, None) is not None:
                yield Broken(part.name, f"It holds more than {MOST_RECORDS:,} records; the rest is left.")
    except UNREADABLE as error:
        yield Broken(part.name, f"It is damaged from here on: {reason(error)}.")


def first(part: Part, most: int = 30) -> list[Any]:
    """The values of the first records that can be read, by which a form is known."""
    return [record.value for record in islice(records(part), most) if isinstance(record, Record)]


def parts_with(opened: Opened, is_one: Callable[[Any], bool]) -> Iterator[Part]:
    """The files of a folder or an archive that hold such records; the file itself where the path is one."""
    for part in opened.of(JSON):
        if opened.single or any(is_one(value) for value in first(part)):
            yield part


def _text(raw: Any) -> TextIO:
    head = raw.peek(4)
    encoding = next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")
    return io.TextIOWrapper(raw, encoding=encoding, errors="replace", newline="")


def _from(name: str, text: TextIO) -> Iterator[Record | Broken]:
    head = ""
    while not head.strip():
        head = text.read(_CHUNK)
        if not head:
            return
    head = head.lstrip()
    if head[0] == "[":
        yield from _elements(name, text, head)
    elif head[0] == "{":
        yield from _objects(name, text, head)
    else:
        yield Broken(name, "It is not JSON.")


def _elements(name: str, text: TextIO, buffer: str) -> Iterator[Record | Broken]:
    at, number = 1, 0
    while True:
        at = _BETWEEN.match(buffer, at).end()  # type: ignore[union-attr]
        if at == len(buffer):
            buffer, at = text.read(_CHUNK), 0
            if not buffer:
                yield Broken(f"{name}, record {number + 1}", "The file ends before its list does.")
                return
            continue
        if buffer[at] == "]":
            return
        number += 1
        where = f"{name}, record {number}"
        while True:
            value, end = _decoded(buffer, at)
            if end is not None and end < len(buffer):
                break
            more = text.read(max(_CHUNK, len(buffer) - at)) if len(buffer) - at < MOST_CHARS else ""
            if not more and end is not None:
                break
            if not more:
                yield Broken(where, _why_not(len(buffer) - at))
                return
            buffer, at = buffer[at:] + more, 0
        yield Broken(where, "It is not JSON.") if value is _NOTHING else Record(where, value)
        at = end


def _why_not(chars: int) -> str:
    if chars >= MOST_CHARS:
        return f"It is longer than {MOST_CHARS >> 20} MiB, and so is left with what follows."
    return "The file ends in the middle of it."


_NOTHING = object()


def _decoded(buffer: str, at: int) -> tuple[Any, int | None]:
    """The value that begins here and where it ends; nothing, and its end, where it is broken; no end where more of the
    text must be read to find it."""
    try:
        return _DECODER.raw_decode(buffer, at)
    except (ValueError, RecursionError):
        return _NOTHING, _end(buffer, at)


def _end(buffer: str, at: int) -> int | None:
    """Where brackets are even again, strings left out of the count."""
    if buffer[at] not in "[{":
        scalar = _SCALAR.match(buffer, at)
        return scalar.end() if scalar else at + 1
    depth = 0
    for found in _BRACKETS.finditer(buffer, at):
        sign = found.group()
        depth += (sign in "[{") - (sign in "]}")
        if depth == 0 and sign in "]}":
            return found.end()
    return None


def _objects(name: str, text: TextIO, head: str) -> Iterator[Record | Broken]:
    """JSON Lines where the first or the second line is whole in itself, else one object over many lines."""
    lines = _lines(text, head)
    known = list(islice(lines, 2))
    if any(_loaded(line) is not _NOTHING for _, line in known):
        yield from (_line(name, number, line) for number, line in chain(known, lines))
        return
    whole, chars = [], 0
    for _, line in chain(known, lines):
        whole.append(line)
        chars += len(line)
        if chars > MOST_CHARS:
            yield Broken(name, f"It is one object longer than {MOST_CHARS >> 20} MiB. Export it as JSON Lines.")
            return
    value = _loaded("\n".join(whole))
    yield Broken(name, "It is not JSON, or was cut short.") if value is _NOTHING else Record(name, value)


def _lines(text: TextIO, head: str) -> Iterator[tuple[int, str]]:
    """Lines with their number from 1, empty ones left out; one that is too long comes cut off, so as to be refused."""
    number = 0
    before = io.StringIO(head)
    while line := before.readline():
        if not line.endswith("\n"):
            line += text.readline(max(1, MOST_CHARS - len(line)))
        number += 1
        if line.strip():
            yield number, line.rstrip("\r\n")
    while line := text.readline(MOST_CHARS):
        number += 1
        if line.strip():
            yield number, line.rstrip("\r\n")


def _line(name: str, number: int, line: str) -> Record | Broken:
    where = f"{name}, line {number}"
    if len(line) >= MOST_CHARS:
        return Broken(where, f"It is longer than {MOST_CHARS >> 20} MiB.")
    value = _loaded(line)
    return Broken(where, "It is not JSON.") if value is _NOTHING else Record(where, value)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING
