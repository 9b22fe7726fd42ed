"""A memory's life as a machine of states: told, edited, judged, taken back, purged. What else happens in a space is in
`wider_life`."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memoryapp import review
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.errors import PalimpsestError, Stale
from memoryapp.domain.limits import Tuning
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
        self.clock = HandClock()
        opened = self.stack.enter_context(a_space(clock=self.clock))
        self.space: Space = replace(opened, tuning=Tuning(trust_floor=0.3))
        self.known: dict[str, Standing] = {}
        self.before: dict[str, Standing] | None = None
        self.gone: dict[str, str] = {}

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    def some(self, n: int) -> str | None:
        """One of the memories, in the order in which they came."""
        return list(self.known)[n % len(self.known)] if self.known else None

    def does(self, act: Any, then: dict[str, Standing] | None = None) -> bool:
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
        is_node = memories.get(self.space.db, key).kind is Kind.NODE  # whose words are markdown, and made into it
        then = None if is_node else {key: (text, self.known[key][1])}
        self.does(lambda: review.edit(self.space, key, {"text": text}, actor=PERSON), then)

    @rule(n=st.integers(0, 50), text=st.sampled_from(SAID), behind=st.sampled_from([-1, 1, 2]))
    def is_not_edited_by_one_who_read_another_version(self, n: int, text: str, behind: int) -> None:
        key = self.some(n)
        if key is None:
            return
        read = memories.get(self.space.db, key).version - behind
        with pytest.raises(Stale):
            review.edit(self.space, key, {"text": text}, actor=PERSON, expected=read)

    @rule(n=st.integers(0, 50), back=st.integers(0, 9))
    def is_brought_back_as_it_was(self, n: int, back: int) -> None:
        key = self.some(n)
        if key is None:
            return
        layers = review.history(self.space, key)
        layer = layers[back % len(layers)]
        done = self.does(lambda: review.restore_revision(self.space, key, layer.revision.id, actor=PERSON))
        assert not done or self.known[key] == (layer.text, State(layer.state))

    @rule(n=st.integers(0, 50), helped=st.booleans())
    def is_judged_by_those_who_used_it(self, n: int, helped: bool) -> None:
        key = self.some(n)
        if key is not None:
            review.feedback(self.space, **{"used" if helped else "not_useful": [key]}, query="where", actor=AGENT)

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

    @rule(outcome=st.sampled_from(Outcome), n=st.integers(0, 9))
    def a_conflict_is_decided(self, outcome: Outcome, n: int) -> None:
        waiting = self.conflicts(ConflictStatus.WAITING)
        if not waiting:
            return
        one = waiting[n % len(waiting)]
        text = "Mara lives somewhere in Korea." if outcome is Outcome.MERGE else None
        if self.does(lambda: review.decide(self.space, one.id, outcome, actor=PERSON, text=text)):
            there = conflicts.get(self.space.db, one.id)
            assert there is not None and there.status is ConflictStatus.DECIDED

    @rule(n=st.integers(0, 9))
    def a_decision_is_undone(self, n: int) -> None:
        decided = self.conflicts(ConflictStatus.DECIDED)
        if not decided:
            return
        one = decided[n % len(decided)]
        at_once = self.before is not None and one.decision and one.decision["run"] == runs_of(self.space.db)[0].id
        was = self.before
        if self.does(lambda: review.undo_decision(self.space, one.id, actor=PERSON)):
            there = conflicts.get(self.space.db, one.id)
            assert there is not None and there.status is ConflictStatus.WAITING
            assert not at_once or was is None or {key: self.known[key] for key in was} == was
        else:
            assert not at_once, "nothing happened since, and still it is not undone"
        self.before = None

    @rule(n=st.integers(0, 9))
    def some_act_is_undone(self, n: int) -> None:
        """Of all that were, undoing among them: what was changed since is left, and the rest stands together."""
        runs = runs_of(self.space.db)
        if runs:
            self.does(lambda: review.undo_run(self.space, runs[n % len(runs)].id, actor=PERSON))
            self.before = None

    @rule()
    def the_last_act_is_undone(self) -> None:
        if self.before is None:
            return
        review.undo_run(self.space, runs_of(self.space.db)[0].id, actor=PERSON)
        for key, was in self.before.items():
            assert self.stands(key) == was
        for key in self.known.keys() - self.before.keys():
            assert self.stands(key)[1] is not State.HELD
        self.known = {key: self.stands(key) for key in self.known}
        self.before = None

    @rule(n=st.integers(0, 50))
    def is_purged(self, n: int) -> None:
        key = self.some(n)
        if key is None:
            return
        self.gone[key] = self.known[key][0]
        review.purge(self.space, key, actor=PERSON)
        self.look()
        self.before = None

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        if not hasattr(self, "space"):
            return
        assert self._all() == set(self.known)
        assert {key: self.stands(key) for key in self.known} == self.known
        assert not set(self.gone) & set(self.known)

    @invariant()
    def every_invariant_holds(self) -> None:
        if hasattr(self, "space"):
            assert check(self.space).broken == ()

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
