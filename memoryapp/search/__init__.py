"""Search: the hits of a question with the whole reason for their place, and why a memory was not among them."""

from __future__ import annotations

from memoryapp.search.answers import mark_answers
from memoryapp.search.explain import Explanation, explain
from memoryapp.search.lifts import Lift
from memoryapp.search.outdated import mark_outdated
from memoryapp.search.pipeline import CLOSEST, NOTHING, above, forget, search
from memoryapp.search.plans import names_of, strategy_of
from memoryapp.search.printed import rounded_shares
from memoryapp.search.reaching import ReachedNode, Reaching, reaching
from memoryapp.search.record import settle
from memoryapp.search.stages import Step
from memoryapp.search.traces import trace_search

__all__ = [
    "CLOSEST",
    "NOTHING",
    "ReachedNode",
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
    "rounded_shares",
    "reaching",
    "search",
    "settle",
    "strategy_of",
    "trace_search",
]
