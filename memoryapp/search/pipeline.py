"""plan → check → recall → understand → arms → fuse → reread → collect → read: from a query to hits with all reasons
for their place.

A space that names a parent reads along in it: the parent's hits join its own, marked as inherited.

What a search did, for a reader who asked to see it: the terms, the weights, the times of the steps.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memoryapp.domain.results import Answer, ArmReport, Hit, Query
from memoryapp.domain.strategies import STRATEGIES, Strategy
from memoryapp.observability.counts import ARM_SECONDS, SEARCH_SECONDS, looked_up
from memoryapp.search.answers import mark_answers, sentence_vectors
from memoryapp.search.arms.run import NO_KEYWORD, NO_TREE, run_arms
from memoryapp.search.arms.structural import NO_ENTITIES, NO_SEED, ONLY_HUBS, hypergraphs
from memoryapp.search.cache import AnswerCache, key_of, stamp_of
from memoryapp.search.entities import matchers
from memoryapp.search.fusion import NO_WALK, fuse
from memoryapp.search.hits import collect
from memoryapp.search.outdated import mark_outdated
from memoryapp.search.plans import strategy_of
from memoryapp.search.query import NO_HANGUL, check, understand
from memoryapp.search.quoted import NOBODY
from memoryapp.search.reranker import NO_MODEL, reread
from memoryapp.search.rows import held
from memoryapp.search.state import Arms, FusionResult, Question
from memoryapp.search.trees import trees
from memoryapp.spaces import Space, past, space_at


def mark_inherited(hits: Sequence[Hit], *, parent: str) -> tuple[Hit, ...]:
    """The parent's hits marked with the space they live in; what it inherited itself keeps its mark."""
    return tuple(hit if hit.inherited_from else replace(hit, inherited_from=parent) for hit in hits)


def merge_hits(own: Sequence[Hit], theirs: Sequence[Hit], *, top_k: int) -> tuple[Hit, ...]:
    """The best `top_k` of both, by score and then by id."""
    return tuple(sorted([*own, *theirs], key=lambda hit: (-hit.score, hit.memory.id))[:top_k])


def search_trace(question: Question, arms: Arms, fused: FusionResult) -> dict[str, Any]:
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


NOTHING = "Nothing relevant is remembered."
CLOSEST = "Nothing clearly relevant is remembered: these are the closest."
_CLEAR = 0.16  # of 30 ordinary questions about what was never spoken of 25 stay below it, of 60 about what was 5 do
recalled = AnswerCache()
_LASTING = {
    NO_HANGUL,
    NO_ENTITIES,
    NO_SEED,
    ONLY_HUBS,
    NO_WALK,
    NO_TREE,
    NO_KEYWORD,
    NOBODY,
    NO_MODEL,
}  # until something is written


def forget(space: str | None = None) -> None:
    """Empties what was kept of a space's answers and rows, or of all: after a purge nothing waits for the next search
    to notice it."""
    recalled.forget(space)
    past.forget(space)
    held.forget(space)
    matchers.forget(space)
    hypergraphs.forget()
    trees.forget(space)
    sentence_vectors.clear()


def search(space: Space, query: Query, *, strategy: Strategy | None = None) -> Answer:
    """The answer to a query. It names a strategy, a profile of the space, or either with changes
    (domain.plan); `strategy` replaces that: one with an arm taken out.

    Raises BadInput or TooLarge that names the field, and StoreError where the database does not answer. A model that
    is still loading, or does not know the query's script, is left out and noted.
    """
    began = time.perf_counter()
    plan = strategy or strategy_of(space, query.strategy)
    asked = check(query, strategy=plan)
    space.index.refresh()
    space = space_at(space, asked.filters.as_of, asked.filters.as_of_by)
    known = None
    if space.at is None:
        stamp, key = stamp_of(space), key_of(space, asked, plan)
        known = recalled.find(space.name, stamp, key, now=space.clock(), minutes=space.tuning.cache_minutes)
        looked_up("answers", hit=known is not None)
    answer = known or _search_space(space, asked, plan)
    if known is None and space.at is None and set(answer.notes) <= _LASTING:  # else it will be better in a moment
        recalled.keep(space.name, stamp, key, answer)
    if space.parent is not None:
        answer = _with_parent(space.parent, asked, strategy or _portable_plan(plan, query), answer)
    answer = above(query.floor, answer)
    took = (time.perf_counter() - began) * 1000
    SEARCH_SECONDS.labels("recalled" if known else "computed").observe(took / 1000)
    return replace(answer, query=asked, took_ms=took, cached=known is not None)


def _search_space(space: Space, asked: Query, strategy: Strategy) -> Answer:
    began = time.perf_counter()
    view = space.index.view()
    question = understand(space, asked, view=view, strategy=strategy)
    arms = run_arms(question)
    fused = reread(question, fuse(question, arms, encoder=space.encoder.name))
    hits = collect(space, question, arms, fused)
    if asked.read:
        hits = mark_outdated(mark_answers(space, asked.text, hits))
    for arm, found in arms.found.items():
        ARM_SECONDS.labels(arm.value).observe(found.ms / 1000)
    return Answer(
        query=asked,
        hits=hits,
        took_ms=(time.perf_counter() - began) * 1000,
        arms={arm.value: ArmReport(found.count, round(found.ms, 3)) for arm, found in arms.found.items()},
        version=view.version,
        asked_at=question.now,
        notes=(*question.notes, *arms.notes),
        trace=search_trace(question, arms, fused) if asked.trace else {},
    )


def above(floor: float, answer: Answer) -> Answer:
    """Return the answer; one without hits where the best does not reach the `floor`; and one that says so where none
    is clearly relevant: what is nearest to a question need not answer it. By the words alone nobody can tell, so what
    was answered without vectors, and with a floor of 0, is given as it is."""
    best = max((hit.relevance for hit in answer.hits), default=1.0)
    if floor == 0 or best >= max(floor, _CLEAR) or not any(hit.evidence.get("cosine") for hit in answer.hits):
        return answer
    if best >= floor:
        return replace(answer, notes=(*answer.notes, CLOSEST))
    return replace(answer, hits=(), notes=(*answer.notes, NOTHING))


def _portable_plan(plan: Strategy, query: Query) -> Strategy | None:
    """The plan itself where its name says nothing to another space; a strategy takes each space's own numbers."""
    return None if query.strategy in STRATEGIES else plan


def _with_parent(parent: Space, asked: Query, strategy: Strategy | None, own: Answer) -> Answer:
    theirs = search(parent, asked, strategy=strategy)
    hits = merge_hits(own.hits, mark_inherited(theirs.hits, parent=parent.name), top_k=asked.top_k)
    return replace(own, hits=hits, notes=tuple(dict.fromkeys([*own.notes, *theirs.notes])))
