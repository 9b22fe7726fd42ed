"""Search out: a query in, hits with the whole reason for their place; and why a memory was not among them."""

from __future__ import annotations

from memoryapp.retrieve.explain import Explanation, explain
from memoryapp.retrieve.lifts import Lift
from memoryapp.retrieve.outdated import mark_outdated
from memoryapp.retrieve.pipeline import CLOSEST, NOTHING, above, forget, search
from memoryapp.retrieve.plans import names_of, strategy_of
from memoryapp.retrieve.printed import printed
from memoryapp.retrieve.reaching import Arrived, Reaching, reaching
from memoryapp.retrieve.record import settle
from memoryapp.retrieve.reranker import mark_answers
from memoryapp.retrieve.stages import Step

__all__ = [
    "CLOSEST",
    "NOTHING",
    "Arrived",
    "Explanation",
    "Lift",
    "Reaching",
    "Step",
    "above",
    "explain",
    "forget",
    "mark_answers",
    "mark_outdated",
    "names_of",
    "printed",
    "reaching",
    "search",
    "settle",
    "strategy_of",
]
