from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.domain.results import Query
from memoryapp.search import search
from memoryapp.spaces import Space
from tests.search.conftest import NOW, memory, write

OLD = memory("Deploys run from the basement server.", occurred_at=NOW - timedelta(days=300))
NEW = memory("Deploys run from the attic server now and then, they say.", occurred_at=NOW - timedelta(days=30))
UNDATED = memory("Deploys run from a server.", created_at=NOW)


def factors(space: Space, strategy: str) -> dict[str, float | None]:
    hits = search(space, Query("where do deploys run from?", strategy=strategy)).hits
    return {hit.memory.id: hit.factors.get("recency") for hit in hits}


def test_it_is_off_unless_a_plan_asks_for_it(space: Space) -> None:
    write(space, OLD, NEW)
    assert set(factors(space, "hybrid").values()) == {None}


def test_half_of_it_is_lost_after_the_half_life(space: Space) -> None:
    write(space, OLD, NEW, UNDATED)
    told = factors(space, "hybrid;recency=0.5")
    assert told[NEW.id] == pytest.approx(0.75)
    assert told[OLD.id] == pytest.approx(0.5, abs=1e-3)
    assert told[UNDATED.id] == pytest.approx(1), "without a date, what was learned just now is new"
    assert factors(space, "hybrid;recency=0.5;recency_days=270")[OLD.id] == pytest.approx(0.731, abs=1e-3)


def test_every_fusion_takes_it(space: Space) -> None:
    write(space, OLD, NEW)
    for strategy in ("rrf", "keyword", "vector"):
        assert factors(space, f"{strategy};recency=0.9")[NEW.id] == pytest.approx(0.55)
