"""Golden queries asked by a plan: how it did on them, and what changed since the run before."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Id, Shown, Sparse
from memoryapp.api.schemas.search import PlanText

SOME_MEASURES = {"recall": 0.92, "mrr": 0.81, "ndcg": 0.84, "precision": 0.14}
SOME_CONDITIONS: dict[str, Any] = {
    "encoder": "minilm",
    "memories": 5480,
    "digests": 12,
    "numbers": {"date_weight": 0.6, "feedback_reach": 0.2},
    "strategy": {"weights": {"vector": 1.1, "keyword": 1.0, "graph": 1.25}, "k": 60, "factors": ["feedback"]},
    "left_out": [],
    "notes": {},
}


class GoldenRunIn(Sparse):
    """Which strategies or profiles are asked all golden queries, each with changes or without."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"strategies": ["hybrid", "hybrid;vector=1.4"], "k": 10}]}
    )

    strategies: list[PlanText] = Field(default=["hybrid"], min_length=1, max_length=10)
    k: Annotated[int, Field(ge=1, le=100, description="At how many results it is measured.")] = 10


class GoldenRunOut(Shown):
    """`measures`: means over the queries, recall, nDCG and precision at `k`. `conditions`: what the figures stand
    under, with the ids of golden queries that were left out (nothing of what they mean is left) and how many answers
    bore a note."""

    id: Id
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    by: str = Field(examples=["alice"])
    plan: str = Field(examples=["hybrid"])
    k: int = Field(examples=[10])
    measures: dict[str, float] = Field(examples=[SOME_MEASURES])
    conditions: dict[str, Any] = Field(examples=[SOME_CONDITIONS])
    took_ms: float = Field(examples=[184.2])


class GoldenRunPage(Shown):
    items: list[GoldenRunOut]
    next_cursor: str | None = Field(examples=[None])


class OutcomeOut(Shown):
    """One golden query in a run. `ranks`: of each relevant memory, null where it was not among the places looked at
    (20, or `k` where that is more)."""

    golden: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    ranks: dict[str, int | None] = Field(examples=[{"9f2c1b7a40d3e685": 1}])
    measures: dict[str, float] = Field(examples=[{"recall": 1.0, "mrr": 1.0, "ndcg": 1.0, "precision": 0.1}])


class MovedQueryOut(Shown):
    """A query that got better or worse. `ranks`: of each relevant memory, before and after."""

    golden: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    ranks: dict[str, tuple[int | None, int | None]] = Field(examples=[{"9f2c1b7a40d3e685": [3, 1]}])


class RunChangeOut(Shown):
    """A run beside the one before it. `deltas`: of each measure at `k`, after less before, over the `shared` queries,
    those that both asked for the same memories. `conditions`: what had changed, in words. `worse`: a measure fell by
    .02 or more."""

    before: Id
    k: int = Field(examples=[10])
    shared: int = Field(examples=[24])
    deltas: dict[str, float] = Field(examples=[{"recall": -0.04, "mrr": 0.01, "ndcg": -0.01, "precision": 0.0}])
    conditions: list[str] = Field(examples=[["vector 1.1 → 1.4", "380 more memories"]])
    worse_queries: list[MovedQueryOut]
    better_queries: list[MovedQueryOut]
    worse: bool = Field(examples=[True])


class GoldenRunWhole(GoldenRunOut):
    """`change`: against the run before it by the same plan at the same `k`; null where it is the first."""

    outcomes: list[OutcomeOut]
    change: RunChangeOut | None
