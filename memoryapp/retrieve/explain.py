"""“Expected something else?”: where a memory stands for a query, and at which stage it dropped out."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.strategies import Arm
from memoryapp.retrieve.arms.run import run_arms
from memoryapp.retrieve.check import check
from memoryapp.retrieve.collect import hits_of
from memoryapp.retrieve.found import Arms, Fused, Question
from memoryapp.retrieve.fuse import fuse
from memoryapp.retrieve.plans import strategy_of
from memoryapp.retrieve.question import understand
from memoryapp.retrieve.rank import best_slots
from memoryapp.spaces import Space
from memoryapp.store import memories

_BY_VECTOR = frozenset({Arm.VECTOR, Arm.SEMANTIC, Arm.GRAPH})


@dataclass(frozen=True, slots=True)
class Explanation:
    """`stage`: "found" · "cut" (it came too late) · "arms" (nothing of the query touches it) · "filter" (a filter
    takes it out; `detail["filters"]` names which) · "index" (not searchable: deleted or not indexed yet).
    `cut`: the score of the last result given; `below`: how far the memory stands under it. `hit`: shares and evidence
    wherever it has a score."""

    memory: str
    found: bool
    stage: str
    reason: str
    rank: int | None = None
    score: float | None = None
    cut: float | None = None
    below: float | None = None
    hit: Hit | None = None
    notes: tuple[str, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)


def explain(space: Space, query: Query, memory: str) -> Explanation:
    """Raises NotFound for an id that the space does not hold, and what `search` raises for a bad query."""
    plan = strategy_of(space, query.strategy)
    asked = check(query, strategy=plan)
    known = memories.get(space.db, memory)
    space.index.refresh()
    view = space.index.view()
    question = understand(space, asked, view=view, strategy=plan)
    slot = view.roster.slot(memory)
    if slot is None:
        why = "it is deleted" if known.state == State.DELETED else "its words are not indexed yet"
        return Explanation(memory, False, "index", f"It cannot be found: {why}.", notes=question.notes)
    if not question.mask[slot]:
        if passed := _not_looked_for(question, query, known, slot):
            return Explanation(memory, False, "filter", passed, notes=question.notes, detail={"filters": ["kinds"]})
        return _filtered(space, question, memory, slot)
    fused = fuse(question, arms := run_arms(question), encoder=space.encoder.name)
    best = best_slots(fused.total, asked.top_k, order=view.roster.order)
    cut = hits_of(space, question, arms, fused, best[-1:])
    given = round(cut[0].score, 5) if cut and len(best) == asked.top_k else None
    own = hits_of(space, question, arms, fused, np.array([slot])) if fused.total[slot] > 0 else []
    if not own:
        why = _untouched(question, arms, known)
        return Explanation(memory, False, "arms", why, cut=given, notes=_notes(question, arms))
    return _placed(question, arms, fused, own[0], slot, found=slot in best, cut=given)


def _placed(
    question: Question, arms: Arms, fused: Fused, hit: Hit, slot: int, *, found: bool, cut: float | None
) -> Explanation:
    total, order = fused.total, question.view.roster.order
    ahead = (total > total[slot]) | ((total == total[slot]) & (order < order[slot]))
    rank = int(np.count_nonzero(ahead)) + 1
    below = None if found or cut is None else round(cut - hit.score, 5)
    reason = (
        f"It is result {rank}."
        if found
        else f"It came {_ordinal(rank)}; the first {question.query.top_k} were asked for."
    )
    if below:
        reason += f" It stands {below:.5f} below the last of them."
    stage = "found" if found else "cut"
    return Explanation(
        hit.memory.id, found, stage, reason, rank, hit.score, cut, below, hit, _notes(question, arms), dict(fused.trace)
    )


def _not_looked_for(question: Question, query: Query, known: Memory, slot: int) -> str:
    """Why the strategy, and no filter of the caller's, leaves it out; "" where that is not so."""
    plan = question.strategy
    if plan.kinds and not query.filters.kinds and known.kind not in plan.kinds:
        return f"It is no {' or '.join(plan.kinds)}, and {plan.name} looks for nothing else unless kinds are named."
    if question.tree is not None and slot in question.tree.unwritten:
        return "It is a node without words of its own: it only holds other nodes, and answers nothing."
    return ""


def _filtered(space: Space, question: Question, memory: str, slot: int) -> Explanation:
    """Names each filter that takes it out: the query is asked with that filter alone."""
    given, none = question.query.filters, Filters(states=())
    guilty = []
    for one in fields(Filters):
        value = getattr(given, one.name)
        if value in ((), None):
            continue
        alone = replace(none, **{one.name: value})
        mask = question.view.roster.mask(alone, now=question.now, half_life=space.tuning.trust_half_life_days)
        if not mask[slot]:
            guilty.append(one.name)
    named = ", ".join(guilty) or "state"
    reason = f"A filter takes it out before anything is ranked: {named}."
    return Explanation(memory, False, "filter", reason, notes=question.notes, detail={"filters": guilty})


def _untouched(question: Question, arms: Arms, known: Memory) -> str:
    if not question.terms and question.vector is None and not question.seeds:
        return "The query holds no word that is searched for."
    used, why = question.strategy.arms, list(arms.notes)
    if Arm.KEYWORD in used:
        why.append("None of the query's words stand in it or beside it.")
    if question.vector is not None and _BY_VECTOR.intersection(used):
        why.append("Its vector points elsewhere.")
    if not arms.notes and Arm.STRUCTURAL in used:
        why.append("The walk from the entities that the query names does not come to it.")
    if not arms.notes and Arm.TREE in used:
        why.append(_unreached(known))
    if not arms.notes and Arm.RECALL in used:
        why.append("It is too many steps away from what the query names and from the nearest memories.")
    return " ".join(["No arm reached it.", *why])


def _unreached(known: Memory) -> str:
    if known.kind is not Kind.NODE:
        return "It is no node of the Context Tree."
    if not Node(known).weight:
        return "Its weight of 0 keeps it out of reach of keywords."
    return "No keyword of it, or of a node above it, answers to a word of the question."


def _notes(question: Question, arms: Arms) -> tuple[str, ...]:
    return (*question.notes, *arms.notes)


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
