"""The network that reads pairs is asked once for all that lies near a new fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Kind, Memory
from memoryapp.inference.embedding.zones import DEFAULT
from memoryapp.remember.candidates import Neighbour
from memoryapp.remember.judging import Judges, ReadAtOnce, find
from tests.samples import NOON, a_memory

Pairs = Sequence[tuple[str, str]]


class Reader:
    """Says of each pair how long it is, a label as much as the other, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[tuple[str, str]]] = []

    def __call__(self, pairs: Pairs) -> NDArray[np.float64]:
        self.asked.append(list(pairs))
        return np.array([[float(len(one) + len(other))] * 5 for one, other in pairs])


def fact(text: str) -> Memory:
    return replace(a_memory(text), kind=Kind.FACT, created_at=NOON)


def test_all_pairs_are_read_with_the_first_question_and_none_twice() -> None:
    reader = Reader()
    at_once = ReadAtOnce(reader, [("a", "bb"), ("a", "cc"), ("a", "bb")])
    assert at_once([("a", "cc")]).tolist() == [[3.0] * 5]
    assert at_once([("a", "bb"), ("a", "cc")]).tolist() == [[3.0] * 5] * 2
    assert reader.asked == [[("a", "bb"), ("a", "cc")]]


def test_a_pair_that_was_not_foreseen_is_read_by_itself() -> None:
    reader = Reader()
    at_once = ReadAtOnce(reader, [])
    assert at_once([("a", "bbb")]).tolist() == [[4.0] * 5]
    assert reader.asked == [[("a", "bbb")]]


def test_a_fact_and_those_around_it_are_one_question() -> None:
    reader = Reader()
    held = [fact(f"The user keeps {what} in the garden shed.") for what in ("bicycles", "flower pots", "old paint")]
    around = [Neighbour(memory, 0.6) for memory in held] + [Neighbour(fact("The user reads novels."), 0.1)]
    find(fact("The garden shed was torn down last spring."), around, zones=DEFAULT, judges=Judges(reads=reader))
    (asked,) = reader.asked
    assert len(asked) == len(held)
    assert not any("novels" in text for pair in asked for text in pair)
