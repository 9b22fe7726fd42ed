"""A list that an assistant wrote of what it remembers, a line each: `[2025-05-02] - prefers metric units`. It is what
ChatGPT and Claude give when they are asked for their memory, and for some the only way it comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryapp.domain.cleaning import clean
from memoryapp.domain.fact import IMPLIED
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.transfer.entries import Brought, Item, SkippedEntry
from memoryapp.transfer.foreign.files import MARKDOWN, ImportFiles, Part
from memoryapp.transfer.foreign.records import line, moment, reference, text_of

FORM = "memory-list"
_LEAST = 2  # entries until it is a list
_ENTRY = re.compile(r"(?:[-*•]\s+|\d{1,4}[.)]\s+)?\[([^\[\]]{1,40})\](?:\.|\s*[-–—:])\s*(\S.*)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNDATED = re.compile(r"unknown|undated|no date|n/?a|date unknown|date not available|-+|\?+", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*$|\*\*(.+?)\*\*:?$")


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int  # of its line, from 1
    text: str
    date: str
    under: str  # the heading that it stands below


def is_one(part: Part) -> bool:
    """Whether at least half of the lines are entries with a date, or with a word that says there is none."""
    text = text_of(part)
    if isinstance(text, SkippedEntry):
        return False
    entries = list(_entries(text))
    others = [each for each in text.split("\n") if each.strip() and not each.strip().startswith(("```", "#", "**"))]
    return len(entries) >= _LEAST and 2 * len(entries) >= len(others)


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in opened.of(MARKDOWN):
        text = text_of(part)
        if isinstance(text, SkippedEntry):
            yield text
            continue
        seen: set[str] = set()
        for entry in _entries(text):
            digest = derived_id(" ".join(entry.text.casefold().split()))
            if digest in seen:
                continue
            seen.add(digest)
            yield Item(
                text=entry.text,
                ref=reference(FORM, digest),
                kind=Kind.FACT,
                tags=(entry.under,) if 0 < len(entry.under) <= LIMITS.tag_chars else (),
                occurred_at=moment(entry.date),
                confidence=IMPLIED,  # a model wrote it down from memory
                source=f"{part.name}, line {entry.number}",
            )


def _entries(text: str) -> Iterator[_Entry]:
    under = ""
    for number, each in enumerate(text.split("\n"), start=1):
        stripped = clean(each).strip()
        if heading := _HEADING.match(stripped):
            under = line(heading.group(1) or heading.group(2))
        elif found := _ENTRY.match(stripped):
            day = _DAY.match(found.group(1).strip())
            if day or _UNDATED.fullmatch(found.group(1).strip()):
                yield _Entry(number, found.group(2).strip(), day.group() if day else "", under)
