"""The search lab: one question by several plans, and where one memory stands in each of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from memoryapp.domain.golden import Profile
from memoryapp.domain.memory import Kind
from memoryapp.domain.plan import numbers_as_run
from memoryapp.domain.strategies import DEFAULT, Fusion, Strategy
from memoryapp.interfaces.api.schemas import FullName, Id, Moment, Response, Sparse
from memoryapp.interfaces.search.schemas import (
    AnswerOut,
    FiltersIn,
    HitOut,
    PlanText,
    Question,
    StrategyOut,
    TopK,
    show_answer,
    show_hit,
)
from memoryapp.lab import Column, Comparison
from memoryapp.search import Explanation
from memoryapp.spaces import Space

Stage = Literal["state", "index", "as_of", "filter", "kinds", "question", "arm", "fusion", "cut"]


class QuestionIn(Sparse):
    query: Question
    top_k: TopK = 10
    filters: FiltersIn = FiltersIn()
    as_of: Moment | None = Field(None, description="Answer with what was held at this instant.")


class CompareIn(QuestionIn):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"query": "why did we leave RabbitMQ?", "strategies": ["hybrid", "keyword"], "top_k": 5}]
        },
    )

    strategies: list[PlanText] = Field(min_length=1, max_length=4)
    trace: bool = False


class ExplainIn(QuestionIn):
    """`id` or `ref` says which memory is meant: by its own id, or by the one that the caller gave it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"query": "why did we leave RabbitMQ?", "ref": "D1:3", "strategies": ["hybrid", "keyword"]}]
        },
    )

    id: Id | None = None
    ref: FullName | None = Field(None, examples=["D1:3"])
    strategies: list[PlanText] = Field([DEFAULT], min_length=1, max_length=4)

    @model_validator(mode="after")
    def by_one_of_both(self) -> Self:
        if (self.id is None) == (self.ref is None):
            raise ValueError("name the memory either by its id or by its ref")
        return self


class AgreementOut(Response):
    """How far the columns agree: `ids` maps a memory to its rank in each column (null where absent); `overlap` tells
    of each pair of columns how many results are common, their Jaccard (common / all), and their rank-biased overlap,
    which weighs the first ranks most."""

    ids: dict[str, list[int | None]] = Field(examples=[{"9f2c1b7a40d3e685": [1, 2]}])
    overlap: list[dict[str, Any]] = Field(
        examples=[[{"a": "hybrid", "b": "keyword", "common": 4, "jaccard": 0.67, "rbo": 0.71}]]
    )
    in_all: list[str] = Field(examples=[["9f2c1b7a40d3e685"]])


class PlanOut(Response):
    """A plan as it was run, with the space's numbers and every change put in: what the shares can be worked out from.
    `fusion` says how the arms are joined, `depth` how many places of an arm count (0: all)."""

    name: str = Field(examples=["hybrid;vector=1.4"])
    arms: list[str] = Field(examples=[["vector", "keyword", "graph"]])
    fusion: Fusion
    weights: dict[str, float] = Field(examples=[{"vector": 1.4, "keyword": 1.0, "graph": 1.25}])
    k: int = Field(description="Of reciprocal rank fusion alone.", examples=[60])
    depth: dict[str, int] = Field(examples=[{"vector": 0, "keyword": 0, "graph": 0}])
    factors: list[str] = Field(examples=[["feedback"]])
    kinds: list[Kind] = Field(description="What it looks for where no kinds are named.", examples=[[]])
    numbers: dict[str, float] = Field(examples=[{"speaker_boost": 0.15, "date_weight": 0.6}])


class ColumnOut(AnswerOut):
    """An answer, and the plan that made it."""

    plan: PlanOut


class CompareOut(Response):
    columns: list[ColumnOut]
    agreement: AgreementOut


class WhyStepOut(Response):
    """One stage on a memory's way through a search. `passed`: false where it fell out; null where the stage decides
    nothing, or it did not come so far. `detail` has the numbers, and names the `filter` or `arm`."""

    stage: Stage = Field(examples=["arm"])
    passed: bool | None = Field(examples=[True])
    told: str = Field(examples=["Rank 34 of 412 by BM25, 2.9263; the 10th has 3.5034. It has rabbitmq 2.31."])
    detail: dict[str, Any] = Field(examples=[{"arm": "keyword", "rank": 34}])


class LiftOut(Response):
    """What would have brought a memory in, tried: `change` is top_k, filter, factor, or a weight or number of the plan.
    With it the memory has the `rank`. `plan`: the plan with the change in it, to be asked by."""

    change: str = Field(examples=["vector"])
    told: str = Field(examples=["With vector 1.62 instead of 1.1 it would be 10th."])
    rank: int = Field(examples=[10])
    plan: str = Field(description="Empty where it is no change of the plan.", examples=["hybrid;vector=1.62"])
    before: float | None = Field(examples=[1.1])
    after: float | None = Field(examples=[1.62])


class ExplanationOut(Response):
    """Where a memory stands for a query. `stage`: found · cut (it came too late) · arms (nothing of the query touches
    it) · filter (`detail.filters` names which take it out) · index (deleted, or not indexed yet). `below`: how far it
    stands under `cut`, the score of the last result given. `hit`: its shares and evidence, wherever it has a score.
    `steps`: every stage in order; `lifts`: what would have brought it in. Of a memory of a parent space,
    `detail.inherited_from` names that."""

    id: Id
    strategy: str = Field(examples=["hybrid"])
    found: bool = Field(examples=[False])
    stage: Literal["found", "cut", "arms", "filter", "index"] = Field(examples=["cut"])
    reason: str = Field(
        examples=["It came 14th; the first 10 were asked for. It stands 0.06000 below the last of them."]
    )
    rank: int | None = Field(examples=[14])
    score: float | None = Field(examples=[0.41])
    cut: float | None = Field(examples=[0.47])
    below: float | None = Field(examples=[0.06])
    hit: HitOut | None
    notes: list[str] = Field(examples=[[]])
    detail: dict[str, Any] = Field(examples=[{}])
    steps: list[WhyStepOut]
    lifts: list[LiftOut]


class ExplanationsOut(Response):
    """One explanation for each strategy that was named, in their order."""

    items: list[ExplanationOut]


def show_column(space: Space, column: Column) -> ColumnOut:
    return ColumnOut(**dict(show_answer(column.answer)), plan=show_plan(space, column.plan))


def show_plan(space: Space, plan: Strategy) -> PlanOut:
    """`plan` as it was run; the numbers are those of the space where it has none of its own."""
    return PlanOut.of(
        plan,
        arms=[arm.value for arm in plan.arms],
        weights={arm.value: plan.weight(arm) for arm in plan.arms},
        depth={arm.value: plan.depth.get(arm, 0) for arm in plan.arms},
        factors=[factor.value for factor in plan.factors],
        numbers=numbers_as_run(space.tuning, plan.numbers),
    )


def show_agreement(made: Comparison) -> AgreementOut:
    names = [column.plan.name for column in made.columns]
    return AgreementOut(
        ids={key: list(ranks) for key, ranks in made.agreement.ranks.items()},
        overlap=[asdict(one) | {"a": names[one.a], "b": names[one.b]} for one in made.agreement.overlap],
        in_all=list(made.agreement.in_all),
    )


def show_explanation(found: Explanation, *, strategy: str) -> ExplanationOut:
    return ExplanationOut.of(
        found,
        id=found.memory,
        strategy=strategy,
        hit=show_hit(found.hit) if found.hit else None,
        steps=[WhyStepOut(**asdict(step)) for step in found.steps],
        lifts=[LiftOut(**asdict(lift)) for lift in found.lifts],
    )


def show_strategy(strategy: Strategy, *, name: str, plan: str, profile: Profile | None = None) -> StrategyOut:
    """A strategy by its own name, or a profile's plan by the name of the profile, with its note for a summary."""
    return StrategyOut(
        name=name,
        summary=(profile.note or f"A profile of this space: {plan}") if profile else strategy.summary,
        arms=[arm.value for arm in strategy.arms],
        fusion=strategy.fusion,
        weights={arm.value: strategy.weight(arm) for arm in strategy.arms},
        k=strategy.k,
        factors=[factor.value for factor in strategy.factors],
        default=name == DEFAULT,
        profile=profile is not None,
        plan=plan,
        numbers=dict(strategy.numbers),
    )
