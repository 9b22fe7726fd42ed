from __future__ import annotations

import numpy as np
import pytest

from memoryapp.index import tokens
from memoryapp.index.phrases import Phrases
from memoryapp.search.ppr import walk

BRIDGE = [
    "The Journal of Psychotherapy Integration is published by the American Psychological Association.",
    "G. Stanley Hall was the first president of the American Psychological Association.",
    "The Journal of Mathematical Physics is published monthly.",
    "Stanley is a town in the Falkland Islands.",
    "The first president of the Alpine Club was John Ball.",
]
QUERY = "Who was the first president of the association that published the Journal of Psychotherapy Integration?"


def phrases_of(texts: list[str]) -> Phrases:
    made = Phrases()
    for slot, text in enumerate(texts):
        made.put(slot, text, tokens(text))
    return made


def mass_of(texts: list[str], query: str, cosines: list[float]) -> np.ndarray | None:
    phrases = phrases_of(texts)
    walked = walk(
        phrases,
        seeds=phrases.named_in(query, tokens(query)),
        candidates=np.arange(len(texts)),
        cosines=np.array(cosines, dtype=np.float32),
        total=len(texts),
    )
    return None if walked is None else walked.mass


def test_the_walk_crosses_the_bridge_to_the_memory_the_query_does_not_name() -> None:
    mass = mass_of(BRIDGE, QUERY, [0.7, 0.5, 0.5, 0.5, 0.5])
    assert mass is not None
    assert set(np.argsort(-mass)[:2]) == {0, 1}


def test_a_memory_that_points_away_from_the_query_gets_no_mass() -> None:
    mass = mass_of(BRIDGE, QUERY, [0.7, -0.2, 0.5, 0.5, 0.5])
    assert mass is not None
    assert mass[1] == 0


@pytest.mark.parametrize("query", ["nothing known", "", "가치관"])
def test_without_a_seed_there_is_no_walk(query: str) -> None:
    assert mass_of(BRIDGE, query, [0.5] * 5) is None


def test_a_name_in_most_memories_starts_no_walk() -> None:
    texts = [f"Caroline met Person{n} in Town{n}." for n in range(600)]
    assert mass_of(texts, "Where did Caroline go?", [0.5] * 600) is None


def test_the_slots_order_changes_nothing() -> None:
    cosines = [0.7, 0.5, 0.4, 0.3, 0.2]
    forward = mass_of(BRIDGE, QUERY, cosines)
    backward = mass_of(BRIDGE[::-1], QUERY, cosines[::-1])
    assert forward is not None and backward is not None
    assert forward == pytest.approx(backward[::-1], rel=1e-9)
