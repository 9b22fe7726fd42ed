"""Who waits for whom: nobody for a model that thinks, and whoever asks it is still told of what came meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.remember import Judges, remember
from memoryapp.spaces import Space
from memoryapp.store import memories
from tests.samples import AGENT

THERE = "The heron by the lake paints boats every morning."
NEAR = "The heron by the lake paints boats every evening."


class Thinking:
    """Says nothing until it may, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.begun, self.may = threading.Event(), threading.Event()

    def __call__(self, existing: Statement, incoming: Statement) -> Verdict | None:
        self.asked.append((existing.text, incoming.text))
        self.begun.set()
        assert self.may.wait(30)
        return Verdict(Relation.COMPATIBLE, "llm", "Both hold.", 0.9)


def say(space: Space, text: str, *, judges: Judges | None = None, session: str | None = None) -> Became:
    item = NewMemory(text, kind=Kind.FACT, session=session)
    (told,) = remember(space, [item], actor=AGENT, judges=judges or Judges())
    return told.outcome


def test_facts_are_written_while_a_language_model_thinks_about_another(space: Space) -> None:
    say(space, THERE)
    model = Thinking()
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(say, space, NEAR, judges=Judges(model=model))
        try:
            assert model.begun.wait(30)
            quick = threads.submit(say, space, "Buckets are emptied on Monday.")
            assert quick.result(20) is Became.WRITTEN
            assert not slow.done()
        finally:
            model.may.set()
        assert slow.result(30) is Became.WRITTEN
    assert model.asked == [(THERE, NEAR)], "the model was asked about one pair twice"
    assert len(list(memories.scan(space.db))) == 3


def test_the_same_fact_written_while_a_model_thinks_about_it_is_confirmed(space: Space) -> None:
    say(space, THERE)
    model = Thinking()
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(say, space, NEAR, judges=Judges(model=model), session="another")
        try:
            assert model.begun.wait(30)
            assert threads.submit(say, space, NEAR).result(20) in (Became.WRITTEN, Became.CONFLICT)
        finally:
            model.may.set()
        assert slow.result(30) is Became.REINFORCED
    held = {memory.text: memory.reinforcements for memory in memories.scan(space.db)}
    assert held == {THERE: 0, NEAR: 1}
