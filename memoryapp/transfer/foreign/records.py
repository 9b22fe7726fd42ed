"""A file in, its records out one after the other, so that a file of a gigabyte takes the room of one record; or the
words of a file of text; and plain values out of a record that may hold anything.

Three shapes of JSON are told apart by themselves: an array (its elements), JSON Lines (its lines), one object (itself).
What cannot be read is a `BrokenRecord` record with the reason, and the next one follows wherever its beginning can be
found. The functions for values each ask for one thing, and give an empty one where it is not there; they never raise.
"""

from __future__ import annotations

import codecs
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, TextIO

from memoryapp.domain.archive import DAMAGED
from memoryapp.domain.cleaning import clean
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.read import decode
from memoryapp.transfer.entries import SkippedEntry
from memoryapp.transfer.foreign.files import JSON, ImportFiles, Part, reason

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
_NOTHING = object()
_NAME_CHARS = 300  # as a title, a ref or a name of ours may have
_REF_CHARS = 200
_MILLISECONDS_FROM = 1e11  # seconds since 1970 that would lie in the year 5138
_YEARS = range(1970, 2200)  # outside of them a number is no time that a program kept
# What `clean` would take out. Looking for it first is worth it: hardly any text holds some, and `clean` goes letter by
# letter, which for an export of 100 MB takes half a minute.
_UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_FENCE = re.compile(r"```(?:[a-z]*\n)?(.*?)```", re.DOTALL)
_THE_USER = re.compile(r"(?:the )?user(?=[ '’])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """`where` it stands, for a person: “memories.json, record 12”."""

    where: str
    value: Any


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that is none. `why` is a sentence."""

    where: str
    why: str


def records(part: Part) -> Iterator[Record | BrokenRecord]:
    """Never raises for what the file holds; damage in the middle of it ends it with a `BrokenRecord`."""
    try:
        with part.open() as raw, _text(raw) as text:
            found = _records_from(part.name, text)
            yield from islice(found, MOST_RECORDS)
            if next(found, None) is not None:
                yield BrokenRecord(part.name, f"It holds more than {MOST_RECORDS:,} records; the rest is left.")
    except UNREADABLE as error:
        yield BrokenRecord(part.name, f"It is damaged from here on: {reason(error)}.")


def first(part: Part, most: int = 30) -> list[Any]:
    """The values of the first records that can be read, by which a form is known."""
    return [record.value for record in islice(records(part), most) if isinstance(record, Record)]


def parts_with(opened: ImportFiles, is_one: Callable[[Any], bool]) -> Iterator[Part]:
    """The files of a folder or an archive that hold such records; the file itself where the path is one."""
    for part in opened.of(JSON):
        if opened.single or any(is_one(value) for value in first(part)):
            yield part


def _text(raw: Any) -> TextIO:
    head = raw.peek(4)
    encoding = next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")
    return io.TextIOWrapper(raw, encoding=encoding, errors="replace", newline="")


def _records_from(name: str, text: TextIO) -> Iterator[Record | BrokenRecord]:
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
        yield BrokenRecord(name, "It is not JSON.")


def _elements(name: str, text: TextIO, buffer: str) -> Iterator[Record | BrokenRecord]:
    at, number = 1, 0
    while True:
        at = _BETWEEN.match(buffer, at).end()  # type: ignore[union-attr]
        if at == len(buffer):
            buffer, at = text.read(_CHUNK), 0
            if not buffer:
                yield BrokenRecord(f"{name}, record {number + 1}", "The file ends before its list does.")
                return
            continue
        if buffer[at] == "]":
            return
        number += 1
        where = f"{name}, record {number}"
        while True:
            value, end = _decode_value(buffer, at)
            if end is not None and end < len(buffer):
                break
            more = text.read(max(_CHUNK, len(buffer) - at)) if len(buffer) - at < MOST_CHARS else ""
            if not more and end is not None:
                break
            if not more:
                yield BrokenRecord(where, _why_not(len(buffer) - at))
                return
            buffer, at = buffer[at:] + more, 0
        yield BrokenRecord(where, "It is not JSON.") if value is _NOTHING else Record(where, value)
        at = end


def _why_not(chars: int) -> str:
    if chars >= MOST_CHARS:
        return f"It is longer than {MOST_CHARS >> 20} MiB, and so is left with what follows."
    return "The file ends in the middle of it."


def _decode_value(buffer: str, at: int) -> tuple[Any, int | None]:
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


def _objects(name: str, text: TextIO, head: str) -> Iterator[Record | BrokenRecord]:
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
            yield BrokenRecord(name, f"It is one object longer than {MOST_CHARS >> 20} MiB. Export it as JSON Lines.")
            return
    value = _loaded("\n".join(whole))
    yield BrokenRecord(name, "It is not JSON, or was cut short.") if value is _NOTHING else Record(name, value)


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


def _line(name: str, number: int, line: str) -> Record | BrokenRecord:
    where = f"{name}, line {number}"
    if len(line) >= MOST_CHARS:
        return BrokenRecord(where, f"It is longer than {MOST_CHARS >> 20} MiB.")
    value = _loaded(line)
    return BrokenRecord(where, "It is not JSON.") if value is _NOTHING else Record(where, value)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING


def words(value: Any) -> str:
    """Text without control characters and outer space; "" where it is none."""
    if not isinstance(value, str):
        return ""
    return (clean(value) if _UNCLEAN.search(value) else value).strip()


def line(value: Any, most: int = _NAME_CHARS) -> str:
    """Text as one line, cut short where it is longer."""
    text = " ".join(words(value).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def identifier(value: Any) -> str:
    """An id as text: programs give letters or a number."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
        return str(value)
    return " ".join(words(value).split())


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def moment(value: Any) -> datetime | None:
    """ISO 8601, or seconds or milliseconds since 1970, as UTC."""
    try:
        if isinstance(value, str):
            found = as_utc(datetime.fromisoformat(value.strip()))
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            found = datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError, BadInput):
        return None
    return found if found.year in _YEARS else None


def tags(*groups: Iterable[Any]) -> tuple[str, ...]:
    """As a memory may carry them: trimmed, without “#”, each once whatever its case, those that are too long left
    out."""
    found: dict[str, str] = {}
    for value in (value for group in groups for value in group):
        tag = " ".join(words(value).split()).strip("#").strip()
        if tag and len(tag) <= LIMITS.tag_chars:
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())[: LIMITS.tags]


def reference(form: str, *steps: str) -> str:
    """“mem0:8c1f…”: the same again for the same steps. Long ones are a digest."""
    own = "/".join(steps)
    return f"{form}:{own if 0 < len(own) <= _REF_CHARS else derived_id(*steps)}"


def strip_fences(text: str) -> str:
    """What stands between fences, where a program wrapped it so; else the text itself."""
    found = _FENCE.search(text)
    return (found.group(1) if found else text).strip()


class Tally:
    """Things left behind on the way, counted by reason, so that a report has a line for each reason and not for each
    thing."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, where: str, why: str, count: int = 1) -> None:
        self._counts[where, why] += count

    def skipped(self) -> Iterator[SkippedEntry]:
        for (where, why), count in self._counts.items():
            yield SkippedEntry(where, why, count)


# A name and what is said of it in, one sentence out that stands by itself: “John Smith”, “Speaks Spanish” →
# “John Smith speaks Spanish”. Where that is not certain the two stay apart, with a colon.

# Words that open a predicate, and hardly ever a name or a passive: “Works at Acme” is one, while “May 3” and
# “Founded in 2010” (by whom?) would not be.
_PREDICATE = re.compile(
    r"""(?:
    is | was | has | had | does | did | can | could | would | must | should | cannot
    | isn't | wasn't | hasn't | doesn't | didn't | can't | won't | never | also | currently | usually | often
    | likes | loves | prefers | enjoys | hates | dislikes | wants | needs | hopes | avoids
    | works | worked | lives | lived | studies | studied | speaks | owns | uses | knows | runs | manages | teaches
    | plays | writes | wrote | reads | builds | develops | maintains | joined | graduated | moved | married | grew
    | became | began | attended | visited | met | believes | thinks | says | said | asked | decided | agreed
    | requires | depends | contains | provides | implements | handles | follows | keeps | takes | goes | drinks | eats
    | wears | drives | suffers
    )(?=[ .,;]|$)""",
    re.VERBOSE | re.IGNORECASE,
)


def of_user(name: str, text: str) -> str:
    """The sentence with its user called by name, where the words leave out who it is or say “user”; else as it was."""
    if name.casefold() in text.casefold():
        return text
    name = name[:1].upper() + name[1:]
    if opening := _THE_USER.match(text):
        return name + text[opening.end() :]
    return f"{name} {text[0].lower()}{text[1:]}" if _PREDICATE.match(text) else text


def said_of(name: str, text: str) -> str:
    """The sentence. Words that name the subject themselves are left as they are."""
    if name.casefold() in text.casefold():
        return text
    if _PREDICATE.match(text):
        return f"{name} {text[0].lower()}{text[1:]}"
    return f"{name}: {text}"


def text_of(part: Part) -> str | SkippedEntry:
    """Of UTF-8, or of what a byte-order mark says."""
    if part.size > LIMITS.file_bytes:
        return SkippedEntry(part.name, f"It is longer than {LIMITS.file_bytes >> 20} MiB.")
    try:
        with part.open() as stream:
            return decode(stream.read(LIMITS.file_bytes + 1))
    except ValueError as error:
        return SkippedEntry(part.name, f"It is no text: {str(error).split('.')[0]}.")
    except UNREADABLE as error:
        return SkippedEntry(part.name, f"It cannot be read: {reason(error)}.")
