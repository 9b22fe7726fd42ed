"""A memory's life as a machine of states: whatever order its acts come in, the store says what a simple model of them
says, the last act can be taken back, what was purged is gone, and every invariant holds."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memoryapp import review
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.integrity import check
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories
from tests.samples import AGENT, PERSON, HandClock, a_space, runs_of

# Facts that repeat, contradict and succeed one another, and some that have nothing to do with the rest.
SAID = (
    "Mara lives in Seoul.",
    "Mara lives in Busan.",
    "Mara moved to Busan.",
    "Mara likes tea.",
    "Mara does not like tea.",
    "The build takes 12 minutes.",
    "The build takes 40 minutes.",
    "Buckets are emptied on Monday.",
    "배포는 금요일 16시부터 멈춘다.",
)
Standing = tuple[str, State]


class Life(RuleBasedStateMachine):
    """`known`: what the model says of every memory; `before`: the same before the last act; `gone`: what was purged.

    What is drawn never hangs on the state, since ids are random: an act that makes no sense just then does nothing."""

    @initialize()
    def open_it(self) -> None:
        self.stack = ExitStack()
        self.space: Space = self.stack.enter_context(a_space(clock=HandClock()))
        self.known: dict[str, Standing] = {}
        self.before: dict[str, Standing] | None = None
        self.gone: dict[str, str] = {}

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    def some(self, n: int) -> str | None:
        """One of the memories, in the order in which they came."""
        return list(self.known)[n % len(self.known)] if self.known else None

    def does(self, act: Any, then: dict[str, Standing]) -> None:
        """An act that may be refused: then nothing has changed. Otherwise `then` is what the model says of it."""
        was = dict(self.known)
        runs = len(runs_of(self.space.db))
        try:
            act()
        except PalimpsestError:
            return
        self.known |= then
        self.before = was if len(runs_of(self.space.db)) == runs + 1 else None

    @rule(text=st.sampled_from(SAID), kind=st.sampled_from([Kind.FACT, Kind.NOTE]))
    def is_told(self, text: str, kind: Kind) -> None:
        was = dict(self.known)
        (done,) = remember(self.space, [NewMemory(text, kind=kind)], actor=AGENT)
        if done.outcome in (Became.WRITTEN, Became.CONFLICT):
            assert done.id not in self.known
            self.known[done.id] = (text, State.HELD)
        else:
            assert done.id in self.known
            self.known[done.id] = (self.known[done.id][0], memories.get(self.space.db, done.id).state)
        self.before = was if done.outcome is Became.WRITTEN else None

    @rule(n=st.integers(0, 50), text=st.sampled_from(SAID))
    def is_edited(self, n: int, text: str) -> None:
        key = self.some(n)
        if key is None:
            return
        self.does(lambda: review.edit(self.space, key, {"text": text}, actor=PERSON), {key: (text, self.known[key][1])})

    @rule(n=st.integers(0, 50), state=st.sampled_from([State.HELD, State.ARCHIVED, State.DELETED]))
    def is_moved(self, n: int, state: State) -> None:
        key = self.some(n)
        if key is None:
            return
        act = {State.HELD: review.hold, State.ARCHIVED: review.archive, State.DELETED: review.delete}[state]
        self.does(lambda: act(self.space, [key], actor=PERSON), {key: (self.known[key][0], state)})

    @rule(n=st.integers(0, 50))
    def is_confirmed(self, n: int) -> None:
        key = self.some(n)
        if key is not None:
            self.does(lambda: review.confirm(self.space, [key], actor=PERSON), {})

    @rule(outcome=st.sampled_from(Outcome))
    def a_conflict_is_decided(self, outcome: Outcome) -> None:
        waiting = conflicts.page(self.space.db, status=ConflictStatus.WAITING)
        if not waiting:
            return
        text = "Mara lives somewhere in Korea." if outcome is Outcome.MERGE else None
        self.does(lambda: review.decide(self.space, waiting[0].id, outcome, actor=PERSON, text=text), {})
        self._look()

    @rule()
    def the_last_act_is_undone(self) -> None:
        if self.before is None:
            return
        review.undo_run(self.space, runs_of(self.space.db)[0].id, actor=PERSON)
        for key, was in self.before.items():
            assert self._stands(key) == was
        for key in self.known.keys() - self.before.keys():
            assert self._stands(key)[1] is not State.HELD
        self.known = {key: self._stands(key) for key in self.known}
        self.before = None

    @rule(n=st.integers(0, 50))
    def is_purged(self, n: int) -> None:
        key = self.some(n)
        if key is None:
            return
        self.gone[key] = self.known[key][0]
        review.purge(self.space, key, actor=PERSON)
        self._look()
        self.before = None

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        if not hasattr(self, "space"):
            return
        assert self._all() == set(self.known)
        assert {key: self._stands(key) for key in self.known} == self.known
        assert not set(self.gone) & set(self.known)

    @invariant()
    def every_invariant_holds(self) -> None:
        if hasattr(self, "space"):
            assert check(self.space).broken == ()

    def _stands(self, key: str) -> Standing:
        memory = memories.get(self.space.db, key)
        return memory.text, memory.state

    def _look(self) -> None:
        """Takes over what the store says, in the order in which the memories came."""
        there = self._all()
        self.known = {
            key: self._stands(key)
            for key in [*(one for one in self.known if one in there), *sorted(there - set(self.known))]
        }

    def _all(self) -> set[str]:
        return set(self.space.db.query("SELECT VALUE record::id(id) FROM memory")[0])


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
)
