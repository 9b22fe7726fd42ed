"""A memory's life as a machine of states: told, edited, judged, taken back, purged. What else happens in a space is in
`wider_life`."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from memoryapp import review
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import Stale
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.remember import remember
from memoryapp.store import conflicts, memories
from tests.integrity.model import Model
from tests.samples import AGENT, PERSON, runs_of

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


class Life(Model):
    """`Model`, in which memories come, change and go."""

    @initialize(known=st.booleans())
    def something_is_known(self, known: bool) -> None:
        """In half of the lives, so that there is something to act on from the beginning."""
        for text in SAID[:5] if known else ():
            self.tell(text, Kind.FACT)

    @rule(text=st.sampled_from(SAID), kind=st.sampled_from([Kind.FACT, Kind.NOTE]))
    def is_told(self, text: str, kind: Kind) -> None:
        self.tell(text, kind)

    def tell(self, text: str, kind: Kind) -> None:
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
            # Another act may have put one of its sides away since: then it waits until that side is held again.
            sides = [self.stands(side)[1] for side in (one.existing, one.incoming) if side]
            held = all(state is State.HELD for state in sides)
            assert there is not None
            assert there.status is (ConflictStatus.WAITING if held else ConflictStatus.WITHDRAWN)
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
