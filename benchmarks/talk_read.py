"""Talks of our own as they lie in talks/: what was said over months, what is asked of it, and which turn replaces
which; and two folders of notes, asked in the same way. They are part of the project and need no download."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memoryapp.domain.turn import Role

TALKS = Path(__file__).parent / "talks"
UNANSWERED = "abstain"  # the kind of the questions that nothing answers
UPDATE = "update"  # the kind of those whose answer has replaced an older one
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Said:
    """A turn. `ref` is unique in its talk."""

    ref: str
    session: str
    role: Role
    speaker: str | None
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`gold`: refs of the turns, or of the sections (“file.md#heading”), that answer it. `answer`: all of these must be
    found, each in one of its wordings. `stale`: wordings of what held before. `as_of`: what held then is asked for."""

    kind: str
    text: str
    gold: tuple[str, ...] = ()
    answer: tuple[tuple[str, ...], ...] = ()
    stale: tuple[str, ...] = ()
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """One space's worth: either `turns`, or a `folder` of notes. `half`: A was looked into while the rules were mended,
    B never. `updates`: refs of what held before, and of what replaced it."""

    name: str
    half: str
    turns: tuple[Said, ...]
    folder: Path | None
    questions: tuple[Question, ...]
    updates: tuple[tuple[str, str], ...]

    @property
    def sessions(self) -> tuple[str, ...]:
        """In the order in which they were held."""
        return tuple(dict.fromkeys(one.session for one in self.turns))


def read_talks(folder: Path = TALKS) -> tuple[Talk, ...]:
    """In order of name."""
    return tuple(_talk(json.loads(file.read_text(encoding="utf-8")), folder) for file in sorted(folder.glob("*.json")))


def passages(talk: Talk) -> Iterator[tuple[str, str]]:
    """(ref, text) of what a plain search would hold: turns with their day, sections with their file and heading."""
    for one in talk.turns:
        yield one.ref, f"{one.text} ({one.at:%Y-%m-%d})"
    for file in sorted(talk.folder.glob("*.md")) if talk.folder else ():
        parts = _HEADING.split(file.read_text(encoding="utf-8"))
        for heading, text in zip(parts[1::2], parts[2::2], strict=True):
            yield f"{file.name}#{heading}", f"{file.stem} {heading} {text}"


def _talk(row: Mapping[str, Any], folder: Path) -> Talk:
    return Talk(
        name=row["name"],
        half=row["half"],
        turns=tuple(_said(one) for one in row.get("turns", ())),
        folder=folder / row["folder"] if "folder" in row else None,
        questions=tuple(_question(one) for one in row["questions"]),
        updates=tuple((before, after) for before, after in row["updates"]),
    )


def _said(row: Mapping[str, Any]) -> Said:
    at = datetime.fromisoformat(row["at"])
    return Said(row["ref"], row["session"], Role(row["role"]), row.get("speaker"), at, row["text"])


def _question(row: Mapping[str, Any]) -> Question:
    return Question(
        kind=row["kind"],
        text=row["text"],
        gold=tuple(row.get("gold", ())),
        answer=tuple(tuple(wordings) for wordings in row.get("answer", ())),
        stale=tuple(row.get("stale", ())),
        as_of=datetime.fromisoformat(row["as_of"]) if "as_of" in row else None,
    )
