"""What a simple model says of a space, beside what its store says: the ground on which lives are lived."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from hypothesis.stateful import RuleBasedStateMachine, invariant

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import State
from memoryapp.integrity import check
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories
from tests.samples import REVIEW, HandClock, a_space, runs_of

Standing = tuple[str, State]
Act = Callable[[], object]


class Model(RuleBasedStateMachine):
    """`known`: what the model says of every memory; `before`: the same before the last act; `gone`: what was purged.

    What is drawn never hangs on the state, since ids are random: an act that makes no sense just then does nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.clock = HandClock()
        opened = self.stack.enter_context(a_space(clock=self.clock))
        self.space: Space = replace(opened, tuning=Tuning(trust_floor=0.3, **REVIEW))
        self.known: dict[str, Standing] = {}
        self.before: dict[str, Standing] | None = None
        self.gone: dict[str, str] = {}

    def teardown(self) -> None:
        self.stack.close()

    def some(self, n: int) -> str | None:
        """One of the memories, in the order in which they came."""
        return list(self.known)[n % len(self.known)] if self.known else None

    def does(self, act: Act, then: dict[str, Standing] | None = None) -> bool:
        """An act that may be refused: then nothing has changed. Otherwise `then` is what the model says of it; without
        one the model takes over what the store says, and what is checked is that it holds together."""
        was = dict(self.known)
        runs = len(runs_of(self.space.db))
        try:
            act()
        except PalimpsestError:
            return False
        if then is None:
            self.look()
        else:
            self.known |= then
        self.before = was if len(runs_of(self.space.db)) == runs + 1 else None
        return True

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        assert self._all() == set(self.known)
        assert {key: self.stands(key) for key in self.known} == self.known
        assert not set(self.gone) & set(self.known)

    @invariant()
    def every_invariant_holds(self) -> None:
        broken = check(self.space).broken
        assert broken == (), broken

    def stands(self, key: str) -> Standing:
        memory = memories.get(self.space.db, key)
        return memory.text, memory.state

    def look(self) -> None:
        """Takes over what the store says, in the order in which the memories came."""
        there = self._all()
        self.known = {
            key: self.stands(key)
            for key in [*(one for one in self.known if one in there), *sorted(there - set(self.known))]
        }

    def conflicts(self, status: ConflictStatus) -> list[Conflict]:
        """In the order in which they were found: ids are random."""
        return sorted(conflicts.page(self.space.db, status=status), key=lambda one: one.created_at)

    def _all(self) -> set[str]:
        return set(self.space.db.query("SELECT VALUE record::id(id) FROM memory")[0])
