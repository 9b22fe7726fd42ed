"""What the search lab finds → shapes of the answers."""

from __future__ import annotations

from dataclasses import asdict, replace

from memoryapp.api.schemas.lab import AgreementOut, ColumnOut, ExplanationOut, LiftOut, PlanOut, WhyStepOut
from memoryapp.api.schemas.profile import ProfileOut
from memoryapp.api.schemas.search import StrategyOut
from memoryapp.api.showing import show_answer, show_hit
from memoryapp.domain.golden import Profile
from memoryapp.domain.plan import numbers_as_run
from memoryapp.domain.strategies import DEFAULT, Strategy
from memoryapp.lab import Column, Comparison
from memoryapp.retrieve import Explanation, strategy_of
from memoryapp.spaces import Space


def show_column(space: Space, column: Column) -> ColumnOut:
    return ColumnOut(**dict(show_answer(column.answer)), plan=show_plan(space, column.plan))


def show_plan(space: Space, plan: Strategy) -> PlanOut:
    """`plan` as it was run; the numbers are those of the space where it has none of its own."""
    return PlanOut(
        name=plan.name,
        arms=[arm.value for arm in plan.arms],
        fusion=plan.fusion,
        weights={arm.value: plan.weight(arm) for arm in plan.arms},
        k=plan.k,
        depth={arm.value: plan.depth.get(arm, 0) for arm in plan.arms},
        factors=[factor.value for factor in plan.factors],
        kinds=list(plan.kinds),
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
    return ExplanationOut(
        id=found.memory,
        strategy=strategy,
        found=found.found,
        stage=found.stage,  # type: ignore[arg-type]
        reason=found.reason,
        rank=found.rank,
        score=found.score,
        cut=found.cut,
        below=found.below,
        hit=show_hit(found.hit) if found.hit else None,
        notes=list(found.notes),
        detail=found.detail,
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


def show_profile(space: Space, profile: Profile) -> ProfileOut:
    return ProfileOut(
        name=profile.name,
        plan=profile.plan,
        note=profile.note,
        as_run=show_plan(space, replace(strategy_of(space, profile.plan), name=profile.name)),
        by=profile.by,
        created_at=profile.created_at,
        updated_at=profile.updated_at,
        version=profile.version,
    )
