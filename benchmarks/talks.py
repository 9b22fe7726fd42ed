"""Talks of our own as they lie in talks/: what was said over months, what is asked of it, and which turn replaces
which; and two folders of notes, asked in the same way. They are part of the project and need no download.

A talk goes into a space in memory as an agent would bring it: session by session, each turn kept, read by the rules and
told; or a folder of notes ingested. No language model takes part; facts are read together by the packaged judge.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality import ACTOR, empty
from memoryapp.contradictions import pair_judge
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.turn import NewTurn, Role
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.graph import embed_names, relate
from memoryapp.inference.embedding import Encoder
from memoryapp.ingest import ingest
from memoryapp.remember import Judges, append_turns, read_turns, remember_turns
from memoryapp.spaces import Space
from memoryapp.store import sessions, turns
from memoryapp.store.write import new_run
from memoryapp.summaries import narrate_session

TALKS = Path(__file__).parent / "talks"
UNANSWERED = "abstain"  # the kind of the questions that nothing answers
UPDATE = "update"  # the kind of those whose answer has replaced an older one
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_END = timedelta(minutes=1)  # after the last turn


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
        turns=tuple(_said_of(one) for one in row.get("turns", ())),
        folder=folder / row["folder"] if "folder" in row else None,
        questions=tuple(_question(one) for one in row["questions"]),
        updates=tuple((before, after) for before, after in row["updates"]),
    )


def _said_of(row: Mapping[str, Any]) -> Said:
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


@dataclass(frozen=True, slots=True)
class Filled:
    """`learned`: by memory, refs of the turns that gave or confirmed it; `said`: refs by turn."""

    space: Space
    learned: Mapping[str, frozenset[str]]
    said: Mapping[str, str]

    def refs(self, memory: Memory) -> frozenset[str]:
        """Of the turns that a memory comes from, or of the section that it is; none of what tells many at once."""
        if memory.origin.path is not None:
            return frozenset({f"{Path(memory.origin.path).name}#{memory.title}"})
        if memory.kind is Kind.TURN:
            return frozenset({self.said[memory.id]})
        return self.learned.get(memory.id, frozenset())


@contextmanager
def filled(talk: Talk, encoder: Encoder) -> Iterator[Filled]:
    """The space is gone afterwards."""
    with empty(f"bench-{talk.name}".lower(), encoder) as space:
        if talk.folder is not None:
            _notes(space, talk.folder)
        for session in talk.sessions:
            _append_session(space, talk, session)
        remember_turns(space)
        relate(space, actor=ACTOR)
        embed_names(space, encoder)
        space.index.refresh()
        yield Filled(space, _learned_refs(space, talk), _refs_by_turn(space, talk))


def _append_session(space: Space, talk: Talk, session: str) -> None:
    said = [one for one in talk.turns if one.session == session]
    sessions.open_session(space.db, sessions.Session(session, said[0].at))
    append_turns(
        space, session, [NewTurn(one.text, one.speaker, one.role, one.at, one.ref) for one in said], actor=ACTOR
    )
    rules = reader_of("rules", model=None, worth=space.tuning.fact_worth)
    judges = Judges() if space.encoder.name.startswith("hashing") else Judges(reads=pair_judge.later)
    read_turns(space, reader=rules, judges=judges, actor=ACTOR, session=session)
    sessions.end(space.db, session, at=said[-1].at + _END)
    narrate_session(space, session, model=None, actor=ACTOR)


def _notes(space: Space, folder: Path) -> None:
    source = Source(derived_id("bench"), SourceKind.FOLDER, str(folder), folder.name, space.clock())
    ingest(space, source, run=new_run("ingest", ACTOR, now=space.clock()))


def _learned_refs(space: Space, talk: Talk) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for session in talk.sessions:
        said = {one.id: one.ref for one in turns.of_session(space.db, session)}
        for turn, reading in turns.readings(space.db, list(said)).items():
            for one in reading.learned:
                found[one.memory].add(said[turn] or "")
    return {memory: frozenset(refs) for memory, refs in found.items()}


def _refs_by_turn(space: Space, talk: Talk) -> dict[str, str]:
    every = [one for session in talk.sessions for one in turns.of_session(space.db, session)]
    return {one.id: one.ref or "" for one in every}
