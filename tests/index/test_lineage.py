from __future__ import annotations

import numpy as np

from memoryapp.index.compact import compact_draft
from memoryapp.index.draft import Draft
from memoryapp.index.lineage import Lineage
from memoryapp.store.lineage import Derivation
from tests.index.world import NOW, memory, named


def test_an_edge_may_arrive_before_both_its_ends() -> None:
    draft = Draft()
    draft.put_source(Derivation(named("made"), named("source")))
    assert draft.publish(1).roster.trust(NOW).size == 0
    draft.put_memory(memory("made", key=named("made"), confidence=0.9))
    assert draft.publish(2).roster.trust(NOW)[0] == np.float32(0.9)
    draft.put_memory(memory("source", key=named("source"), confidence=0.5))
    assert draft.publish(3).roster.trust(NOW).tolist() == [np.float32(0.5)] * 2


def test_a_published_ceiling_does_not_move_when_the_writer_goes_on() -> None:
    draft = Draft()
    draft.put_memory(memory("made", key=named("made"), confidence=0.9))
    draft.put_memory(memory("source", key=named("source"), confidence=0.5))
    draft.put_source(Derivation(named("made"), named("source")))
    before = draft.publish(1).roster
    draft.drop_source((named("made"), named("source")))
    assert before.trust(NOW)[0] == np.float32(0.5)
    assert draft.publish(2).roster.trust(NOW)[0] == np.float32(0.9)


def test_new_words_and_a_sweep_move_slots_and_not_ceilings() -> None:
    draft = Draft()
    for n in range(4):
        draft.put_memory(memory(f"filler {n}", key=named(str(n))))
    draft.put_memory(memory("made", key=named("made"), confidence=0.9))
    draft.put_memory(memory("source", key=named("source"), confidence=0.5))
    draft.put_source(Derivation(named("made"), named("source")))
    draft.publish(1)
    draft.put_memory(memory("other words", key=named("made"), confidence=0.9))
    for n in range(4):
        draft.drop_memory(named(str(n)))
    draft.publish(2)
    roster = compact_draft(draft).publish(3).roster
    slot = roster.slot(named("made"))
    assert slot is not None
    assert roster.trust(NOW)[slot] == np.float32(0.5)


def test_a_purged_source_takes_its_ceiling_along() -> None:
    lineage = Lineage([("made", "source"), ("made", "other")])
    lineage.leave("source", 0.1, 0.0)
    lineage.forget("source")
    assert lineage.edges == {("made", "other")}
    assert lineage.away == {}
