"""A reader for tests: each line of a turn is a fact, as it stands. “!” before it makes it unsure, and some lines make
the reader fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memoryapp.domain.fact import Candidate, Cost, Extraction, PassedOver, SpokenTurn
from memoryapp.domain.turn import NewTurn
from memoryapp.remember import append_turns
from memoryapp.spaces import Space
from memoryapp.store import sessions
from tests.samples import AGENT


@dataclass(slots=True)
class LineReader:
    """`shown` keeps what it was given: (texts, texts before)."""

    name: str = "lines"
    cost: Cost = field(default_factory=Cost)
    shown: list[tuple[list[str], list[str]]] = field(default_factory=list)

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
        self.shown.append(([one.text for one in said], [one.text for one in before]))
        return [self._read(one) for one in said]

    def _read(self, said: SpokenTurn) -> Extraction:
        if "unreadable" in said.text:
            raise ValueError("no sense in it")
        kept, passed = [], []
        for line in said.text.splitlines():
            if line.endswith("?"):
                passed.append(PassedOver(line, "a question"))
            else:
                text = line.removeprefix("!")
                kept.append(Candidate(text, quote=text, confidence=0.5 if line.startswith("!") else 0.9))
        return Extraction(tuple(kept), tuple(passed), extractor=self.name, cost=self.cost)


def open_session(space: Space, name: str = "monday") -> None:
    sessions.open_session(space.db, sessions.Session(name, space.clock()))


def say(space: Space, *texts: str, session: str = "monday", speaker: str | None = "Mara", **more: object) -> list[str]:
    """Turns of a session, and their ids."""
    open_session(space, session)
    new = [NewTurn(text, speaker=speaker, **more) for text in texts]  # type: ignore[arg-type]
    return [turn.id for turn in append_turns(space, session, new, actor=AGENT)]
