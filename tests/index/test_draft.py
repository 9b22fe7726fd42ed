"""An index fed piece by piece is the index built at once, whatever happened in between."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memoryapp.domain.entity import Reference
from memoryapp.domain.memory import Memory, State, Usage
from memoryapp.index import disk
from memoryapp.index.compact import compact_draft
from memoryapp.index.disk import Stamp
from memoryapp.index.draft import Draft
from memoryapp.index.view import LocalView
from tests.index.world import NOW, direction, entity, memory, named
from tests.sampling import examples

KEYS = tuple(named(str(i)) for i in range(5))
WORDS = ("melon", "pear", "plum", "fig", "가치관", "Rome")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
keys = st.sampled_from(KEYS)
groups = st.sampled_from([None, "g", "g", "h"])
EXACT = ("kind", "state", "confidence", "created", "occurred", "length", "has", "accesses", "used", "window")


def told(view: LocalView) -> dict[str, Any]:
    """Everything a search could learn from a view, by memory id: exactly, to the last bit."""
    roster = view.roster
    slots = {key: slot for slot, key in enumerate(roster.ids[: view.n]) if roster.alive[slot]}
    answer: dict[str, Any] = {"keys": sorted(slots)}
    for query in (["melon", "fig"], ["가치", "pear", "rome", "nowher"], ["plum"]):
        for reach in (2, 1):
            scores = view.keyword(query, k1=0.9, b=0.6, neighbours=reach)
            answer[f"{query}{reach}"] = {
                key: (
                    *(field[slot] for field in (scores.own, scores.window, scores.whole, scores.cover)),
                    scores.fields_of(slot),
                )
                for key, slot in slots.items()
            }
            answer[f"{query} idf"] = (scores.idf, scores.df)
    for key, slot in slots.items():
        answer[key] = {name: _plain(roster.columns[name][slot]) for name in EXACT}
        answer[key]["tags"] = None if roster.tagset[slot] < 0 else roster.names["tagset"].names[roster.tagset[slot]]
        answer[key]["near"] = [roster.ids[other] for other in roster.neighbours(slot)]
        answer[key]["links"] = sorted((e.id, role, w) for e, role, w in view.incidence.of(slot))
        answer[key]["phrases"] = sorted(
            (view.phrases.name(int(code)), int(view.phrases.count(np.array([code]))[0]))
            for code in view.phrases.row(slot)
        )
    return answer


def cosines(view: LocalView) -> dict[str, float]:
    scores = view.vector(direction("query"))
    return {key: float(scores.cosines[s]) for key, s in view.roster.slot_of.items() if scores.has[s]}


def _plain(value: Any) -> Any:
    return None if value != value else value.item()


class Feeding(RuleBasedStateMachine):
    """`truth` is the database; `draft` hears of every change as it happens."""

    @initialize()
    def begin(self) -> None:
        self.draft = Draft()
        self.memories: dict[str, Memory] = {}
        self.vectors: dict[str, Any] = {}
        self.usage: dict[str, Usage] = {}
        self.references: set[Reference] = set()
        self.earlier: list[tuple[LocalView, dict[str, Any]]] = []
        self.draft.put_entity("e1", entity("e1", "Rome"))
        for at, key in enumerate(KEYS):  # something must be there before much can go wrong with it
            self.write(key, WORDS[at], "g", at, 0)
            self.embed(key, "x")
            self.use(key, at)

    @rule(key=keys, text=texts, group=groups, position=st.integers(0, 3), minutes=st.integers(0, 2))
    def write(self, key: str, text: str, group: str | None, position: int, minutes: int) -> None:
        at = NOW + timedelta(minutes=minutes)
        self._put(memory(text, key=key, group=group, position=position, created_at=at))

    @rule(key=keys, state=st.sampled_from(State))
    def change_state(self, key: str, state: State) -> None:
        if key in self.memories:
            self._put(replace(self.memories[key], state=state))

    @rule(key=keys, group=groups, position=st.integers(0, 3), tags=st.sampled_from([(), ("a",), ("a", "b")]))
    def move(self, key: str, group: str | None, position: int, tags: tuple[str, ...]) -> None:
        if key in self.memories:
            self._put(replace(self.memories[key], group=group, position=position, tags=tags))

    @rule(key=keys)
    def erase(self, key: str) -> None:
        self.vectors.pop(key, None)
        self.usage.pop(key, None)
        self.references = {one for one in self.references if one.memory != key}
        for role in ("subject", "object"):
            self.draft.drop_reference((key, "e1", role))
        if self.memories.pop(key, None):
            self.draft.drop_memory(key)
        self.draft.put_vector(key, None)
        self.draft.put_usage(key, None)

    @rule(key=keys, seed=st.sampled_from(["x", "y"]))
    def embed(self, key: str, seed: str) -> None:
        self.vectors[key] = direction(seed + key)
        self.draft.put_vector(key, self.vectors[key])

    @rule(key=keys, accesses=st.integers(0, 3))
    def use(self, key: str, accesses: int) -> None:
        self.usage[key] = Usage(key, accesses=accesses, accessed_at=NOW, used=accesses)
        self.draft.put_usage(key, self.usage[key])

    @rule(key=keys, role=st.sampled_from(["subject", "object"]), there=st.booleans())
    def refer(self, key: str, role: str, there: bool) -> None:
        reference = Reference(key, "e1", role)
        if there:
            self.references.add(reference)
            self.draft.put_reference(reference)
        else:
            self.references.discard(reference)
            self.draft.drop_reference((key, "e1", role))

    @rule()
    def publish(self) -> None:
        view = self.draft.publish(1)
        self.earlier = [*self.earlier[-2:], (view, told_without_counts(view))]

    @rule()
    def sweep(self) -> None:
        self.draft.publish(1)
        self.draft = compact_draft(self.draft)

    @rule()
    def through_the_disk(self) -> None:
        view = self.draft.publish(1)
        taken = disk.snapshot(self.draft, view, Stamp("db", "model"))
        header = disk.header_of(taken)
        self.draft = disk.restore_draft(header, {name: array.copy() for name, array in taken.items()})

    @invariant()
    def it_is_as_if_built_at_once(self) -> None:
        if not hasattr(self, "draft"):
            return
        built = Draft()
        built.put_entity("e1", entity("e1", "Rome"))
        for one in self.memories.values():
            built.put_memory(one)
        for key, vector in self.vectors.items():
            built.put_vector(key, vector)
        for key, usage in self.usage.items():
            built.put_usage(key, usage)
        for reference in self.references:
            built.put_reference(reference)
        one, other = self.draft.publish(1), built.publish(1)
        assert told(one) == told(other)
        assert cosines(one) == pytest.approx(cosines(other), abs=1e-6)

    @invariant()
    def earlier_views_are_as_they_were(self) -> None:
        for view, before in getattr(self, "earlier", ()):
            assert told_without_counts(view) == before

    def _put(self, one: Memory) -> None:
        self.memories[one.id] = one
        self.draft.put_memory(one)


def told_without_counts(view: LocalView) -> dict[str, Any]:
    """Counts of phrases are of the moment of asking; all else of a view stands still."""
    answer = told(view)
    for key in answer["keys"]:
        answer[key]["phrases"] = [name for name, _ in answer[key]["phrases"]]
    return answer


TestFeeding = Feeding.TestCase
TestFeeding.settings = settings(max_examples=examples(16), stateful_step_count=30, deadline=None)
