"""“Expected something else?”: where a memory stands for a query, every stage it passed, and at which it fell out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.strategies import Arm
from memoryapp.search.admission import UNWRITTEN, admission_steps, guilty, kinds_told, not_indexed, unwritten
from memoryapp.search.arm_explanation import by_arm
from memoryapp.search.asked import question_step as asked_for
from memoryapp.search.hits import FoldedHits, hits_of
from memoryapp.search.lifts import Lift, filter_lift, lifts, rerun_without_filters
from memoryapp.search.plans import strategy_of
from memoryapp.search.query import check
from memoryapp.search.runs import Run, first, rank_of, runs
from memoryapp.search.stages import Step, cut_step, fusion_step, join_words, not_reached
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.text.wording import ordinal

_BY_VECTOR = frozenset({Arm.VECTOR, Arm.SEMANTIC, Arm.GRAPH})


@dataclass(frozen=True, slots=True)
class Explanation:
    """`stage`: "found" · "cut" (it came too late) · "arms" (nothing of the query touches it) · "filter" (a filter
    takes it out; `detail["filters"]` names which) · "index" (not searchable: deleted or not indexed yet).
    `cut`: the score of the last result given; `below`: how far the memory stands under it. `hit`: shares and evidence
    wherever it has a score. `steps`: all stages in their order; `lifts`: what would have brought it in, each tried.
    Of a memory of a space that is read along, `detail["inherited_from"]` names the space; the steps are those there,
    the rank is that among the results of both."""

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
    steps: tuple[Step, ...] = ()
    lifts: tuple[Lift, ...] = ()


def explain(space: Space, query: Query, memory: str) -> Explanation:
    """Raises NotFound for an id that neither the space nor one that it reads along holds, and what `search` raises for
    a bad query."""
    plan = strategy_of(space, query.strategy)
    check(query, strategy=plan)
    at, known = _home(space, memory)
    done = runs(space, query, plan)
    told = _explain_in_run(space, query, done, at, known)
    return told if at == 0 else replace(told, detail={**told.detail, "inherited_from": done[at].space.name})


def _home(space: Space, memory: str) -> tuple[int, Memory]:
    """(how many spaces up it lives, the memory)."""
    try:
        return 0, memories.get(space.db, memory)
    except NotFound:
        if space.parent is None:
            raise
    up, known = _home(space.parent, memory)
    return up + 1, known


def _explain_in_run(space: Space, query: Query, done: Sequence[Run], at: int, known: Memory) -> Explanation:
    run = done[at]
    question, arms = run.question, run.arms
    slot = question.view.roster.slot(known.id)
    if slot is None:
        why = "it is deleted" if known.state == State.DELETED else "its words are not indexed yet"
        steps = (*not_indexed(known), *not_reached(run.plan))
        reason = f"It cannot be found: {why}."
        return Explanation(known.id, False, "index", reason, notes=question.notes, steps=steps)
    if not question.mask[slot]:
        return _explain_filtered(space, query, done, at, known, slot)
    each = by_arm(run, known, slot)
    steps = (*admission_steps(run, query, known, slot), asked_for(run), *each)
    top = first(done)
    last = top[-1][1].score if len(top) == question.query.top_k else None
    given = None if last is None else round(last, 5)
    own = (
        hits_of(run.space, question, arms, run.fused, FoldedHits(np.array([slot]))) if run.fused.total[slot] > 0 else []
    )
    if not own:
        steps = (*steps, fusion_step(run, None, slot), cut_step(None, None, last, top_k=question.query.top_k))
        why = _too_deep(each) or _no_arm_reason(run, known)
        return Explanation(known.id, False, "arms", why, cut=given, notes=_notes(run), steps=steps)
    hit = own[0] if at == 0 else replace(own[0], inherited_from=run.space.name)
    rank = rank_of(done, at, slot)
    found = rank <= len(top)
    below = None if found or last is None else round(last - hit.score, 5)
    steps = (*steps, fusion_step(run, hit, slot), cut_step(hit, rank, last, top_k=question.query.top_k))
    return Explanation(
        memory=known.id,
        found=found,
        stage="found" if found else "cut",
        reason=_place(rank, found=found, below=below, top_k=question.query.top_k),
        rank=rank,
        score=hit.score,
        cut=given,
        below=below,
        hit=hit,
        notes=_notes(run),
        detail=dict(run.fused.trace),
        steps=steps,
        lifts=() if found else lifts(space, query, done, at, slot, rank=rank),
    )


def _place(rank: int, *, found: bool, below: float | None, top_k: int) -> str:
    if found:
        return f"It is result {rank}."
    reason = f"It came {ordinal(rank)}; the first {top_k} were asked for."
    return f"{reason} It stands {below:.5f} below the last of them." if below else reason


def _explain_filtered(
    space: Space, query: Query, done: Sequence[Run], at: int, known: Memory, slot: int
) -> Explanation:
    """What takes it out, each filter by itself; and where it would stand without them."""
    run = done[at]
    names, passed = guilty(run, slot), _not_looked_for(run, query, known, slot)
    if passed:
        reason, detail = passed, {"filters": ["kinds"]}
    else:
        reason = f"A filter takes it out before anything is ranked: {', '.join(names) or 'state'}."
        detail = {"filters": names}
    steps = [*admission_steps(run, query, known, slot), asked_for(run)]
    if unwritten(run.question, slot):  # nothing that is asked otherwise would bring it
        steps += not_reached(run.plan)
        return Explanation(
            known.id, False, "filter", reason, notes=run.question.notes, detail=detail, steps=tuple(steps)
        )
    again, rank = rerun_without_filters(space, query, known, names, at)
    there = again[at].question.view.roster.slot(known.id)
    lifted: tuple[Lift, ...] = ()
    if rank is not None:
        lifted = (filter_lift(query, known, names, rank),)
    if there is not None:
        steps += [_step_without_filter(one) for one in by_arm(again[at], known, there)]
    steps += not_reached(run.plan, arms=False)
    return Explanation(
        known.id, False, "filter", reason, notes=run.question.notes, detail=detail, steps=tuple(steps), lifts=lifted
    )


def _step_without_filter(step: Step) -> Step:
    """An arm's step where nothing took the memory out; one that was left out is so all the same."""
    return step if step.passed is None else replace(step, passed=None, told=f"Without that: {step.told}")


def _not_looked_for(run: Run, query: Query, known: Memory, slot: int) -> str:
    """Why the strategy, and no filter of the caller's, leaves it out; "" where that is not so."""
    if run.plan.kinds and not query.filters.kinds and known.kind not in run.plan.kinds:
        return kinds_told(run, known)
    return UNWRITTEN if unwritten(run.question, slot) else ""


def _too_deep(arms: Sequence[Step]) -> str:
    """Of one that arms found, and either too late in each of them or to no weight; "" where none did."""
    deep = [one.detail for one in arms if one.passed is False and 0 < one.detail["depth"] < (one.detail["rank"] or 0)]
    if deep:
        near = min(deep, key=lambda one: one["rank"] - one["depth"])
        return (
            f"No arm handed it on. It came closest in {near['arm']}, at rank {near['rank']:,}: "
            f"that arm hands on the first {near['depth']}."
        )
    idle = [one.detail["arm"] for one in arms if one.passed]
    return f"No arm that counts here reached it: the weight of {join_words(idle)} is 0." if idle else ""


def _no_arm_reason(run: Run, known: Memory) -> str:
    question, arms = run.question, run.arms
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
        why.append(_no_keyword_reason(known))
    if not arms.notes and Arm.RECALL in used:
        why.append("It is too many steps away from what the query names and from the nearest memories.")
    return " ".join(["No arm reached it.", *why])


def _no_keyword_reason(known: Memory) -> str:
    if known.kind is not Kind.NODE:
        return "It is no node of the Context Tree."
    if not Node(known).weight:
        return "Its weight of 0 keeps it out of reach of keywords."
    return "No keyword of it, or of a node above it, answers to a word of the question."


def _notes(run: Run) -> tuple[str, ...]:
    return (*run.question.notes, *run.arms.notes)
