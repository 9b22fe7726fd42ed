"""What a search did, for a reader who asked to see it: the terms, the weights, the times of the steps."""

from __future__ import annotations

from typing import Any

from memoryapp.retrieve.found import Arms, Fused, Question


def told(question: Question, arms: Arms, fused: Fused) -> dict[str, Any]:
    """Plain values only. "covered": the share of the query's idf that one window holds, where the graph asked it.
    "seeds": the entities at which a walk began, by name."""
    plan = question.strategy
    return {
        "strategy": plan.name,
        "fusion": plan.fusion.value,
        "weights": {arm.value: plan.weight(arm) for arm in plan.arms},
        "factors": [factor.value for factor in plan.factors],
        "terms": [
            {"term": term, "idf": round(arms.words.idf[term], 4), "df": arms.words.df[term]} for term in question.terms
        ],
        "seeds": _seeds(question, arms),
        "speaker": question.speaker,
        "dated": question.dated is not None,
        "searched": int(question.mask.sum()),
        "encode_ms": round(question.encode_ms, 3),
        **{name: round(float(value), 4) for name, value in fused.trace.items()},
    }


def _seeds(question: Question, arms: Arms) -> list[dict[str, Any]]:
    used = {seed.code: seed for found in arms.found.values() for seed in getattr(found.detail, "seeds", ())}
    entities = question.view.graph.entities
    return [
        {"name": one.name, "by": seed.by, "weight": round(seed.weight, 4)}
        for code, seed in used.items()
        if (one := entities[code]) is not None
    ]
