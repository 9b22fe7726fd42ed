"""A talk into a space in memory, as an agent would bring it: session by session, each turn kept, read by the rules and
told; or a folder of notes ingested. No language model takes part; facts are read together by the packaged judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from benchmarks.quality import ACTOR, empty
from benchmarks.talk_read import Talk
from memoryapp.contradictions import pair_judge
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.turn import NewTurn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.graph import embed_names, relate
from memoryapp.inference.embedding import Encoder
from memoryapp.ingest import ingest
from memoryapp.remember import Judges, append_turns, read_turns, remember_turns
from memoryapp.spaces import Space
from memoryapp.store import sessions, turns
from memoryapp.store.write import new_run
from memoryapp.summaries import narrate_session

_END = timedelta(minutes=1)  # after the last turn


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
            _held(space, talk, session)
        remember_turns(space)
        relate(space, actor=ACTOR)
        embed_names(space, encoder)
        space.index.refresh()
        yield Filled(space, _learned(space, talk), _said(space, talk))


def _held(space: Space, talk: Talk, session: str) -> None:
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


def _learned(space: Space, talk: Talk) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for session in talk.sessions:
        said = {one.id: one.ref for one in turns.of_session(space.db, session)}
        for turn, reading in turns.readings(space.db, list(said)).items():
            for one in reading.learned:
                found[one.memory].add(said[turn] or "")
    return {memory: frozenset(refs) for memory, refs in found.items()}


def _said(space: Space, talk: Talk) -> dict[str, str]:
    every = [one for session in talk.sessions for one in turns.of_session(space.db, session)]
    return {one.id: one.ref or "" for one in every}
