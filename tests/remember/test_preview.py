from __future__ import annotations

from datetime import timedelta

from memoryapp.domain.fact import SpokenTurn
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.statement import Relation
from memoryapp.remember import preview, remember
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, turns
from tests.remember.talk import LineReader
from tests.samples import AGENT, NOON


def test_a_preview_tells_what_would_become_of_each_and_stores_nothing(space: Space) -> None:
    kept = [NewMemory(text, kind=Kind.FACT, speaker="Mara") for text in ("Mara lives in Seoul.", "Mara likes tea.")]
    seoul, tea = (one.id for one in remember(space, kept, actor=AGENT))
    said = [
        SpokenTurn("Mara moved to Busan.\nMara likes tea.\nIs it late?", "Mara", NOON + timedelta(days=1)),
        SpokenTurn("Odo repairs old boats.", "Odo", NOON),
    ]
    first, second = preview(space, said, reader=LineReader())
    moved, likes = first.would
    assert (moved.outcome, moved.near and moved.near.id) == (Became.CONFLICT, seoul)
    assert moved.verdict is not None and moved.verdict.relation is Relation.SUCCESSION
    assert (likes.outcome, likes.near and likes.near.id) == (Became.REINFORCED, tea)
    assert [one.reason for one in first.extracted.passed_over] == ["a question"]
    assert [one.outcome for one in second.would] == [Became.WRITTEN]
    assert len(tuple(memories.scan(space.db))) == 2
    assert conflicts.count_waiting(space.db) == 0 and turns.count_waiting(space.db) == 0
    assert [one.reinforcements for one in memories.scan(space.db)] == [0, 0]


def test_what_is_said_twice_in_one_preview_has_nothing_held_to_show(space: Space) -> None:
    (one,) = preview(space, [SpokenTurn("Mara likes tea.\nMara likes tea.", "user")], reader=LineReader())
    assert [would.outcome for would in one.would] == [Became.WRITTEN, Became.REINFORCED]
    assert [would.near for would in one.would] == [None, None]


def test_a_candidate_without_words_is_left_out(space: Space) -> None:
    (one,) = preview(space, [SpokenTurn("! \nMara likes tea.", "Mara")], reader=LineReader())
    assert [would.candidate.text for would in one.would] == ["Mara likes tea."]
