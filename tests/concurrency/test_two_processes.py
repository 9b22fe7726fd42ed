"""What two processes over one store do at once. Within one process they would wait for each other, so those locks are
taken away here: what is left is what the store itself prevents."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Barrier

import pytest

from memoryapp import graph, spaces
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import Clash, PalimpsestError
from memoryapp.domain.fact import Candidate, Extraction, SpokenTurn
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.turn import NewTurn, ReadingStatus
from memoryapp.integrity import check
from memoryapp.remember import append_turns, pipeline, read_turns, reading, remember
from memoryapp.review import decide
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, sessions, turns
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.graph.world import an_entity
from tests.samples import AGENT, NOON, PERSON, REVIEW, open_spaces
from tests.sampling import sample


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Space]:
    """A space on disk, in which nobody of this process waits for another."""
    merging = import_module("memoryapp.graph.merge")  # the room gives the function that name
    for module, lock in ((pipeline, "lock_names"), (reading, "lock_names"), (merging, "write_lock")):
        monkeypatch.setattr(module, lock, lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(Database, "embedded", False)  # others may write
    with open_spaces(f"surrealkv://{tmp_path}"):
        space = spaces.open_space("shared", tuning=Tuning(**REVIEW))
        space.encoder.get(30)
        yield space


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each gave, or the refusal it met."""

    def one(act: Callable[[], object]) -> object:
        try:
            return act()
        except PalimpsestError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, acts))


@dataclass(slots=True)
class Beside:
    """Reads every turn as one fact, and hands it over only when the other has read it, too."""

    gate: Barrier
    name: str = "beside"

    def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
        with contextlib.suppress(Exception):  # the other does not come again
            self.gate.wait(5)
        return [Extraction((Candidate(one.text, quote=one.text),), (), extractor=self.name) for one in said]


@pytest.mark.parametrize("held", [True, False], ids=["confirms a fact", "gives a new one"])
def test_a_turn_that_two_processes_read_counts_once(shared: Space, held: bool) -> None:
    if held:
        remember(shared, [NewMemory("Mara prefers green tea.", kind=Kind.FACT)], actor=AGENT)
    sessions.open_session(shared.db, sessions.Session("monday", shared.clock()))
    (turn,) = append_turns(shared, "monday", [NewTurn("Mara prefers green tea.")], actor=AGENT)
    gate = Barrier(2)
    read = [lambda: read_turns(shared, reader=Beside(gate), actor=AGENT)] * 2
    reports = at_once(*read)
    assert sorted(report.turns for report in reports) == [0, 1]  # type: ignore[attr-defined]
    (fact,) = (one for one in memories.scan(shared.db) if one.kind is Kind.FACT)
    assert fact.reinforcements == int(held)
    assert turns.readings(shared.db, [turn.id])[turn.id].status is ReadingStatus.DONE
    assert check(shared).broken == ()


@pytest.mark.long
def test_a_turn_that_gives_nothing_does_not_wipe_out_what_another_process_read_of_it(shared: Space) -> None:
    sessions.open_session(shared.db, sessions.Session("monday", shared.clock()))
    (turn,) = append_turns(shared, "monday", [NewTurn("Mara prefers green tea.")], actor=AGENT)
    gate = Barrier(2)

    class Deaf(Beside):
        def read(self, said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = ()) -> list[Extraction]:
            Beside.read(self, said, before=before)
            time.sleep(0.3)  # the other one is quicker, mostly; where it is not, nothing is learned by either
            return [Extraction((), (), extractor="deaf") for _ in said]

    at_once(
        lambda: read_turns(shared, reader=Beside(gate), actor=AGENT),
        lambda: read_turns(shared, reader=Deaf(gate), actor=AGENT),
    )
    told = turns.readings(shared.db, [turn.id])[turn.id]
    assert [one.memory for one in told.learned] == [one.id for one in memories.scan(shared.db) if one.kind is Kind.FACT]


ONES = [("Neovim", "nvim"), ("nvim", "Neovim"), ("nvim", "Vim"), ("Vim", "Neovim")]


@pytest.mark.parametrize("n", sample(range(5), 0))
def test_merges_by_several_processes_leave_one_that_stands(shared: Space, n: int) -> None:
    """Each alone is harmless; two of them together would close a circle, or merge one thing into two."""
    some = {name: an_entity(name) for name in ("Neovim", "nvim", "Vim")}
    changes: list[tuple[Entity | None, Entity]] = [(None, one) for one in some.values()]
    commit(shared.db, new_run("test", AGENT, now=NOON), Batch(entities=changes), now=NOON)
    merges = [partial(graph.merge, shared, some[keep].id, [some[gone].id], actor=PERSON) for keep, gone in ONES]
    results = at_once(*merges)
    assert all(isinstance(one, (tuple, Clash)) for one in results), results
    won = sum(isinstance(one, tuple) for one in results)
    now = entities.get_many(shared.db, [one.id for one in some.values()])
    gone = [one for one in now.values() if one.merged_into]
    assert (won, len(gone)) == (2, 2)
    assert all(one.merged_into != one.id for one in gone)
    assert check(shared, only=["merges", "names"]).broken == ()


def test_one_conflict_decided_by_two_processes_is_decided_once(shared: Space) -> None:
    for text in ("Mina lives in Seoul.", "Mina lives in Busan."):
        (done,) = remember(shared, [NewMemory(text, kind=Kind.FACT)], actor=AGENT)
    assert done.conflict
    outcomes = [Outcome.KEEP, Outcome.REPLACE, Outcome.BOTH, Outcome.NEITHER]
    results = at_once(*(partial(decide, shared, done.conflict, outcome, actor=PERSON) for outcome in outcomes))
    assert [type(one) for one in results].count(Clash) == 3
    assert [type(one) for one in results].count(tuple) == 1
    assert check(shared).broken == ()


@pytest.mark.parametrize("kind", sample([Kind.FACT, Kind.NOTE], Kind.FACT), ids=["a fact", "a note"])
def test_the_same_new_words_by_several_processes_are_one_memory(shared: Space, kind: Kind) -> None:
    for text in ("Buckets are emptied on Monday.", "Hyun plays the cello.", "Sven is allergic to walnuts."):
        # Facts each in a session of its own: who repeats themselves in one session and day confirms nothing.
        said = [NewMemory(text, kind=kind, session=f"s{n}" if kind is Kind.FACT else None) for n in range(4)]
        told = at_once(*(partial(remember, shared, [item], actor=AGENT) for item in said))
        outcomes = [one[0].outcome for one in told]  # type: ignore[index]
        assert sorted(outcomes) == sorted([Became.WRITTEN, *[Became.REINFORCED] * 3])
    confirmed = 3 if kind is Kind.FACT else 0
    assert [memory.reinforcements for memory in memories.scan(shared.db)] == [confirmed] * 3
    assert check(shared).broken == ()
