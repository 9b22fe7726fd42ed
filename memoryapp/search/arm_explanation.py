"""Where a memory stands in each arm by itself, over everything the arm scored, and why an arm does not touch it.

Why a walk does not come to a memory, for each of the arms that walk; a sentence each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import Node
from memoryapp.domain.strategies import Arm, Fusion
from memoryapp.search.admission import names_at
from memoryapp.search.arms.run import LEAST, NEAREST, SEEDS
from memoryapp.search.asked import words_of
from memoryapp.search.rank import best_slots, ranks_of
from memoryapp.search.runs import Run
from memoryapp.search.stages import Step, join_words
from memoryapp.search.state import ArmResult, Scores
from memoryapp.text.wording import ordinal


def shared_with(run: Run, found: ArmResult, slot: int, detail: dict[str, Any]) -> list[str]:
    """Names of the entities that it shares with the nearest, the rarest first. Puts into `detail` the nearest, by id,
    and the entities of both."""
    question = run.question
    roster, incidence = question.view.roster, question.view.incidence
    nearest = best_slots(_nearness_scores(run), SEEDS, order=roster.order)
    worth = found.detail
    codes = [int(code) for code in incidence.matrix[slot].indices if worth[code] > 0]
    detail["seeds"] = [roster.ids[one] for one in nearest.tolist()]
    detail["entities"] = names_at(question, slot)
    detail["seed_entities"] = list(dict.fromkeys(name for one in nearest.tolist() for name in names_at(question, one)))
    codes.sort(key=lambda code: (-worth[code], code))
    return [one.name for code in codes if (one := incidence.entities[code]) is not None]


def _nearness_scores(run: Run) -> Scores:
    return run.arms.cosines if run.question.vector is not None else run.arms.words.own * run.question.mask


def no_graph(run: Run, slot: int, detail: dict[str, Any]) -> str:
    """Why the graph arm does not find it, as a sentence."""
    if not detail["seeds"]:
        return "No memory is near the question, so there is nothing to share an entity with."
    if not detail["entities"]:
        return "It refers to no entity, so it shares none with the nearest."
    if run.question.view.roster.ids[slot] in detail["seeds"]:
        return f"It is one of the nearest {SEEDS} itself, and shares no entity with the others of them."
    if not detail["seed_entities"]:
        return f"The nearest {SEEDS} refer to no entity."
    return (
        f"It refers to {join_words(detail['entities'])}, and the nearest {SEEDS} to "
        f"{join_words(detail['seed_entities'])}: "
        "they share none."
    )


def no_mass(run: Run, found: ArmResult, slot: int, detail: dict[str, Any]) -> str:
    """Of the walk over names and rare words that the fusions of scores and mass make."""
    question, phrases = run.question, run.question.view.phrases
    covered = run.fused.trace.get("covered")
    if covered is not None:
        detail["covered"] = float(covered)
        if covered >= 1:
            return "One place holds every word of the question, so no walk is made to a second one."
    seeds = phrases.named_in(question.query.text, question.terms)
    detail["seeds"] = [phrases.name(int(code)) for code in seeds]
    if found.detail is None:
        return found.note or "No name or rare word of the query leads from one memory to another."
    candidates, _ = found.detail
    if not np.isin(slot, candidates):
        return f"It is not among the {len(candidates):,} best by words and meaning, over which the walk goes."
    return f"It holds no name or rare word that the walk comes by from {join_words(detail['seeds'])}."


def no_walk(run: Run, found: ArmResult, slot: int) -> str:
    """Why no walk over entities comes to it, as a sentence."""
    if found.note:
        return found.note
    walked, names = found.detail, names_at(run.question, slot)
    if not names:
        return "It refers to no entity, so no walk comes to it."
    if not walked.graph.member[slot].nnz:
        return f"It refers only to {join_words(names)}, which nearly every memory does, so that they are left out."
    return f"The walk from {_seeds(run, Arm.STRUCTURAL)} does not come to {join_words(names)}."


def no_path(run: Run, found: ArmResult, slot: int) -> str:
    """Why recall does not reach it, as a sentence."""
    spread, names, hops = found.detail, names_at(run.question, slot), run.question.tuning.recall_hops
    if not spread.nearest and not spread.seeds:
        return "Recall has nothing to begin with: no memory is near and no entity is named."
    steps = f"{hops} relation{'s' if hops != 1 else ''}"
    if not names:
        return f"It refers to no entity, and stands in no chain within {hops} links of the nearest memories."
    begun = _seeds(run, Arm.RECALL)
    named = f"what the query names ({begun}) and from " if begun else ""
    return f"It refers to {join_words(names)}, more than {steps} away from {named}what the nearest memories refer to."


def _seeds(run: Run, arm: Arm) -> str:
    """The names of the entities at which the walk of an arm began."""
    entities = run.question.view.graph.entities
    return join_words(one.name for seed in run.arms.found[arm].detail.seeds if (one := entities[seed.code]) is not None)


_CONTEXTUAL = (Fusion.SCORES, Fusion.MASS)


def by_arm(run: Run, known: Memory, slot: int) -> list[Step]:
    """A step for each arm of the plan, and for those that stand in for them. `detail`: arm, rank and `of` how many it
    scored, score, `depth` how many it hands on (0: all), `last` the score of the last of them, `level` that of the
    top_k-th, share; and what is the arm's own. `passed`: it handed the memory on."""
    arms = dict.fromkeys([*run.plan.arms, *run.question.strategy.arms])
    return [_step(run, arm, known, slot) for arm in arms]


def _step(run: Run, arm: Arm, known: Memory, slot: int) -> Step:
    found = run.arms.found.get(arm)
    if found is None or arm not in run.question.strategy.arms:
        return Step("arm", None, _left_out(run, arm), {"arm": arm.value})
    detail = _arm_detail(run, arm, found, slot)
    passed = bool(found.scores[slot] > 0) and (not detail["depth"] or detail["rank"] <= detail["depth"])
    passed = passed or detail["share"] > 0  # in its context a memory may count whose own words say nothing
    told = _TOLD[arm](run, found, known, slot, detail)
    if passed and run.question.strategy.fusion != Fusion.SINGLE and not run.question.strategy.weight(arm):
        told += " Its weight here is 0."
    return Step("arm", passed, told, detail)


def _arm_detail(run: Run, arm: Arm, found: ArmResult, slot: int) -> dict[str, Any]:
    plan, order = run.question.strategy, run.question.view.roster.order
    scores = run.arms.cosines if arm == Arm.SEMANTIC else found.scores  # the far ones, too
    depth = plan.depth.get(arm, 0) if plan.fusion == Fusion.RRF else 0
    depth = min(depth or NEAREST, NEAREST) if arm == Arm.SEMANTIC else depth
    handed = np.sort(found.scores[found.scores > 0])[::-1][: depth or None]
    share, top_k = run.fused.shares.get(arm.value), run.question.query.top_k
    return {
        "arm": arm.value,
        "top_k": top_k,
        "rank": ranks_of(scores, np.array([slot]), order=order)[0],
        "of": int(np.count_nonzero(scores > 0)),
        "score": float(scores[slot]),
        "depth": depth,
        "last": float(handed[-1]) if handed.size else None,
        "level": float(handed[top_k - 1]) if len(handed) >= top_k else None,
        "share": 0.0 if share is None else float(share[slot]),
    }


def _left_out(run: Run, arm: Arm) -> str:
    question = run.question
    if question.vector is None:
        return f"Left out: {' '.join(question.notes) or 'the query has no vector.'}"
    if arm == Arm.GRAPH and question.hangul:
        return "Left out: a Korean question is answered without the walk over names and rare words."
    return "Left out of this answer."


def _place(detail: dict[str, Any], what: str) -> str:
    """Rank 34 of 412 by cosine, 0.382; this arm hands on 20, the last with 0.417."""
    rank, depth, level, top_k = (detail[name] for name in ("rank", "depth", "level", "top_k"))
    told = f"Rank {rank:,} of {detail['of']:,} by {what}, {detail['score']:.5g}"
    if depth and rank > depth and detail["last"] is not None:
        return f"{told}; this arm hands on {depth}, the last with {detail['last']:.5g}."
    return f"{told}; the {ordinal(top_k)} has {level:.5g}." if level is not None and rank > top_k else f"{told}."


def _vector(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    if detail["rank"] is None:
        told = "Its vector points elsewhere: the cosine is not above 0." if run.question.view.roster.has[slot] else (
            "It has no vector yet, so no meaning leads to it.")  # fmt: skip
    else:
        told = _place(detail, "cosine")
    return told + _in_context(run, found, slot, detail)


def _in_context(run: Run, found: ArmResult, slot: int, detail: dict[str, Any]) -> str:
    if run.question.strategy.fusion not in _CONTEXTUAL:
        return ""
    detail["base"] = float(found.base[slot])
    return f" With its neighbours {found.base[slot]:.3f} of 1."


def _semantic_reason(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    if detail["rank"] is None or detail["score"] >= LEAST:
        return _vector(run, found, known, slot, detail)
    return f"Rank {detail['rank']:,} by cosine, {detail['score']:.5g}; this arm takes none under {LEAST}."


def _keyword(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    words = run.arms.words
    fields = words.fields_of(slot)
    own = [term for term, where in fields.items() if "own" in where]
    near = [term for term in fields if term not in own]
    lacks = [term for term in run.question.terms if term not in own]
    said, idf = words_of(run.question), {term: words.idf[term] for term in run.question.terms}
    detail |= {"has": own, "near": near, "missing": lacks, "idf": idf}

    def weighed(terms: list[str]) -> str:
        return join_words(f"{said[term]} {idf[term]:.2f}" for term in terms)

    if not run.question.terms:
        return "The query holds no word that is searched for."
    told = [_place(detail, "BM25")] if detail["rank"] is not None else ["None of the query's words stand in it."]
    told += [f"It has {weighed(own)}."] if own else []
    told += [f"It lacks {weighed(lacks)}."] if lacks and own else []
    told += [f"Beside it stands {weighed(near)}."] if near and run.question.strategy.fusion in _CONTEXTUAL else []
    return " ".join(told) + (_in_context(run, found, slot, detail) if detail["rank"] or near else "")


def _graph(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    if run.question.strategy.fusion in _CONTEXTUAL:
        return _place(detail, "graph mass") if detail["rank"] else no_mass(run, found, slot, detail)
    names = shared_with(run, found, slot, detail)
    if detail["rank"] is None:
        return no_graph(run, slot, detail)
    return f"{_place(detail, 'shared entities')} It shares {join_words(names)} with the nearest."


def _structural_reason(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    detail["entities"] = names_at(run.question, slot)
    if detail["rank"] is None:
        return no_walk(run, found, slot)
    return f"{_place(detail, 'the mass of its entities')} It refers to {join_words(detail['entities'])}."


def _recall(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    detail["entities"] = names_at(run.question, slot)
    detail["hops"] = run.question.tuning.recall_hops
    if detail["rank"] is None:
        return no_path(run, found, slot)
    if slot in found.detail.nearest:
        return f"{_place(detail, 'closeness along the path')} Recall begins with it."
    return _place(detail, "closeness along the path")


def _tree(run: Run, found: ArmResult, known: Memory, slot: int, detail: dict[str, Any]) -> str:
    if known.kind is not Kind.NODE:
        return "It is no node of the Context Tree."
    node = Node(known)
    detail |= {"keywords": list(node.keywords), "weight": node.weight}
    if reached := found.detail.get(slot):
        told = join_words(one.keyword for one in reached.matches)
        whose = "" if reached.own else f" of {reached.via} above it"
        return f"{_place(detail, 'keywords')} By the keyword {told}{whose}; its weight is {node.weight:g}."
    if not node.weight:
        return "Its weight of 0 keeps it out of reach of keywords."
    has = f" Its own: {join_words(node.keywords)}." if node.keywords else " It has none of its own."
    return f"No keyword of it, or of a node above it, answers to a word of the question.{has}"


_TOLD: dict[Arm, Callable[[Run, ArmResult, Memory, int, dict[str, Any]], str]] = {
    Arm.VECTOR: _vector, Arm.SEMANTIC: _semantic_reason, Arm.KEYWORD: _keyword, Arm.GRAPH: _graph,
    Arm.STRUCTURAL: _structural_reason, Arm.RECALL: _recall, Arm.TREE: _tree,
}  # fmt: skip
