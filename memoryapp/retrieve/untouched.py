"""Why a walk does not come to a memory, for each of the arms that walk; a sentence each."""

from __future__ import annotations

from typing import Any

import numpy as np

from memoryapp.domain.strategies import Arm
from memoryapp.retrieve.arms.graph import SEEDS
from memoryapp.retrieve.filtered import names_at
from memoryapp.retrieve.found import Found, Scores
from memoryapp.retrieve.rank import best_slots
from memoryapp.retrieve.runs import Run
from memoryapp.retrieve.step import listed


def shared_with(run: Run, found: Found, slot: int, detail: dict[str, Any]) -> list[str]:
    """Names of the entities that it shares with the nearest, the rarest first. Puts into `detail` the nearest, by id,
    and the entities of both."""
    question = run.question
    roster, incidence = question.view.roster, question.view.incidence
    nearest = best_slots(_nearest(run), SEEDS, order=roster.order)
    worth = found.detail
    codes = [int(code) for code in incidence.matrix[slot].indices if worth[code] > 0]
    detail["seeds"] = [roster.ids[one] for one in nearest.tolist()]
    detail["entities"] = names_at(question, slot)
    detail["seed_entities"] = list(dict.fromkeys(name for one in nearest.tolist() for name in names_at(question, one)))
    codes.sort(key=lambda code: (-worth[code], code))
    return [one.name for code in codes if (one := incidence.entities[code]) is not None]


def _nearest(run: Run) -> Scores:
    return run.arms.cosines if run.question.vector is not None else run.arms.words.own * run.question.mask


def no_graph(run: Run, slot: int, detail: dict[str, Any]) -> str:
    if not detail["seeds"]:
        return "No memory is near the question, so there is nothing to share an entity with."
    if not detail["entities"]:
        return "It refers to no entity, so it shares none with the nearest."
    if run.question.view.roster.ids[slot] in detail["seeds"]:
        return f"It is one of the nearest {SEEDS} itself, and shares no entity with the others of them."
    if not detail["seed_entities"]:
        return f"The nearest {SEEDS} refer to no entity."
    return (
        f"It refers to {listed(detail['entities'])}, and the nearest {SEEDS} to {listed(detail['seed_entities'])}: "
        "they share none."
    )


def no_mass(run: Run, found: Found, slot: int, detail: dict[str, Any]) -> str:
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
    return f"It holds no name or rare word that the walk comes by from {listed(detail['seeds'])}."


def no_walk(run: Run, found: Found, slot: int) -> str:
    if found.note:
        return found.note
    walked, names = found.detail, names_at(run.question, slot)
    if not names:
        return "It refers to no entity, so no walk comes to it."
    if not walked.graph.member[slot].nnz:
        return f"It refers only to {listed(names)}, which nearly every memory does, so that they are left out."
    return f"The walk from {_seeds(run, Arm.STRUCTURAL)} does not come to {listed(names)}."


def no_path(run: Run, found: Found, slot: int) -> str:
    spread, names, hops = found.detail, names_at(run.question, slot), run.question.tuning.recall_hops
    if not spread.nearest and not spread.seeds:
        return "Recall has nothing to begin with: no memory is near and no entity is named."
    steps = f"{hops} relation{'s' if hops != 1 else ''}"
    if not names:
        return f"It refers to no entity, and stands in no chain within {hops} links of the nearest memories."
    begun = _seeds(run, Arm.RECALL)
    named = f"what the query names ({begun}) and from " if begun else ""
    return f"It refers to {listed(names)}, more than {steps} away from {named}what the nearest memories refer to."


def _seeds(run: Run, arm: Arm) -> str:
    """The names of the entities at which the walk of an arm began."""
    entities = run.question.view.graph.entities
    return listed(one.name for seed in run.arms.found[arm].detail.seeds if (one := entities[seed.code]) is not None)
