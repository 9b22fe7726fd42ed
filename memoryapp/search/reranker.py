"""Reading again: a cross-encoder reads the query beside each of the best memories, and what it says is a factor.

Off unless a plan asks for it (`hybrid;rerank=1`) and MEMORY_RERANK_MODEL names a model. It comes last, after
diversity:

    score = Σ shares · Π factors · (1 + rerank·p)      p: how well the memory answers the query, by the model, 0–1

for the first `rerank_top` of what stands before it, and times 1 for all others, so that none of those overtakes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from memoryapp.domain.plan import plan_number
from memoryapp.inference.reranking.reranker import VARIABLE, reranker_slot
from memoryapp.search.rank import best_slots
from memoryapp.search.state import FusionResult, Question, Reread

NO_MODEL = f"No model is set up that could read the results again ({VARIABLE}), so they stay in their order."
LOADING = "The model that reads the results again is still loading; they stay in their order."


def reread_of(numbers: Mapping[str, float]) -> tuple[Reread | None, str]:
    """(what a plan with these numbers asks for, None where it asks for nothing or there is no model; the sentence that
    says why there is none, where it was asked for)."""
    weight = plan_number("rerank", numbers)
    if weight <= 0:
        return None, ""
    slot = reranker_slot()
    if slot is None:
        return None, NO_MODEL
    if slot.ready is None:
        return None, LOADING if slot.error is None else f"{slot.error} The results stay in their order."
    return Reread(slot.ready, weight, int(plan_number("rerank_top", numbers))), ""


def reweigh_reread(asked: Reread | None, numbers: Mapping[str, float]) -> Reread | None:
    """The same with the numbers of another plan."""
    if asked is None:
        return None
    return replace(asked, weight=plan_number("rerank", numbers), top=int(plan_number("rerank_top", numbers)))


def reread(question: Question, fused: FusionResult) -> FusionResult:
    """The same with the factor "rerank", where the question has it read again."""
    asked = question.reread
    if asked is None or asked.weight <= 0:
        return fused
    view = question.view
    slots = best_slots(fused.total, asked.top, order=view.roster.order)
    factor = np.ones(view.n)
    factor[slots] += asked.weight * asked.model.worth(question.query.text, question.texts(slots)).astype(np.float64)
    trace = {**fused.trace, "reread": len(slots)}
    return replace(fused, factors={**fused.factors, "rerank": factor}, total=fused.total * factor, trace=trace)


def rerank_text(question: Question, fused: FusionResult, slot: int) -> str:
    """One sentence for a reader of the sum; "" where nothing was read again."""
    asked = question.reread
    if asked is None or "rerank" not in fused.factors:
        return ""
    factor = float(fused.factors["rerank"][slot])
    if factor == 1.0:
        return f"{asked.model.name} read the first {asked.top} again; this one was not among them."
    worth = (factor - 1) / asked.weight
    return f"{asked.model.name} read it again and gives it {worth:.3f} of 1, times {asked.weight:g}."
