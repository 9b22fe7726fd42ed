from __future__ import annotations

import math

import numpy as np
import pytest

from memoryapp.domain.errors import BadInput
from memoryapp.domain.results import Query
from memoryapp.search import search
from memoryapp.search.fusion import diversity_losses
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

SAME = [memory(f"The pump in the boiler room hums at night{end}") for end in (".", "!", "…")]
OTHER = memory("The boiler was serviced in March by Ostrander, pump included.")


def found(space: Space, strategy: str, **more: int) -> list[str]:
    return [hit.memory.id for hit in search(space, Query("boiler room pump hums", strategy=strategy, **more)).hits]


def test_without_it_nothing_is_taken_from_anybody(space: Space) -> None:
    write(space, *SAME, OTHER)
    hits = search(space, Query("boiler room pump hums")).hits
    assert all("diversity" not in hit.arms for hit in hits)
    assert hits[-1].memory.id == OTHER.id


def test_what_says_the_same_again_loses_a_share_that_is_seen(space: Space) -> None:
    write(space, *SAME, OTHER)
    hits = search(space, Query("boiler room pump hums", strategy="hybrid;diversity=0.9")).hits
    assert hits[1].memory.id == OTHER.id, "the one that says something else comes before the repetitions"
    assert hits[0].arms["diversity"].share == 0
    repeated = hits[-1]
    others = sum(arm.share for name, arm in repeated.arms.items() if name != "diversity")
    lost = repeated.arms["diversity"]
    assert lost.share == pytest.approx(0.9 * lost.score * others)
    assert lost.score == pytest.approx(-1, abs=0.05) and lost.rank is None
    for hit in hits:
        assert hit.score == sum(arm.share for arm in hit.arms.values()) * math.prod(hit.factors.values())
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("weight", [0.1, 0.5, 0.9])
def test_the_first_are_those_that_choosing_among_all_would_give(space: Space, weight: float) -> None:
    words = ["boiler", "room", "pump", "hums", "night", "red", "blue", "valve", "leak", "steam"]
    many = [memory(" ".join(words[j] for j in range(10) if (i >> j) & 1)) for i in range(1, 120)]
    write(space, *many)
    question = _Asked(space, weight)
    view = question.view
    rng = np.random.default_rng(3)
    total, times = rng.random(view.n), np.ones(view.n)
    share, _ = diversity_losses(question, total, times)  # type: ignore[arg-type]
    ranked = np.lexsort((view.roster.order, -(total + share)))[:5].tolist()
    assert ranked == _by_hand(view.vectors_of(np.arange(view.n)), total, weight, 5)


def test_a_share_over_nine_tenths_is_refused(space: Space) -> None:
    write(space, OTHER)
    with pytest.raises(BadInput, match="diversity"):
        search(space, Query("boiler", strategy="hybrid;diversity=1"))


class _Asked:
    """What diversified reads of a question."""

    def __init__(self, space: Space, weight: float) -> None:
        space.index.refresh()
        self.view = space.index.view()
        self.tuning = type("Numbers", (), {"diversity": weight})
        self.query = Query("boiler", top_k=5)


def _by_hand(vectors: np.ndarray, total: np.ndarray, weight: float, count: int) -> list[int]:
    chosen: list[int] = []
    while len(chosen) < count:
        left = [slot for slot in range(len(total)) if slot not in chosen]
        near = [max((float(vectors[slot] @ vectors[one]) for one in chosen), default=0.0) for slot in left]
        worth = [total[slot] * (1 - weight * max(n, 0)) for slot, n in zip(left, near, strict=True)]
        chosen.append(left[int(np.argmax(worth))])
    return chosen
