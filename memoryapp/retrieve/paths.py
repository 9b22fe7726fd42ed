"""How recall came to a memory: the way that adds most to its score, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from memoryapp.index.roster import Roster
from memoryapp.retrieve.arms.recall import SHARED, Spread
from memoryapp.retrieve.found import Question

RELATED = 3.0  # how much rather a way along relations is told than that a nearest memory says the same name

Steps = tuple[dict[str, Any], ...]


def path_to(question: Question, spread: Spread, slot: int) -> Steps:
    """From where recall began to the memory itself; () for one that it began with.

    {"memory": id, "by"} and {"entity": id, "name", "by"}, with "back": True where a relation is read against its
    direction. `by` says how the step was reached: the first is "named" or "nearest".
    """
    ids = question.view.roster.ids
    level, code, worth = _best(spread, slot)
    chain = spread.chained.get(slot)
    if max(spread.nearest.get(slot, 0.0), chain[1] if chain else 0.0) >= worth:
        return _chain(question.view.roster, spread, slot) if chain and slot not in spread.nearest else ()
    last = {"memory": ids[slot], "by": "mentions"}
    return (*_walked(question, spread, level, code), last)


def _best(spread: Spread, slot: int) -> tuple[int, int, float]:
    """(level, entity, worth) of the greatest part of what the entities add to a memory, with those that relations led
    to before others."""
    weight = spread.graph.weight
    row = slice(weight.indptr[slot], weight.indptr[slot + 1])
    codes = weight.indices[row]
    if not len(codes):
        return 0, -1, 0.0
    parts = np.array([level[codes] for level in spread.levels]) * (
        weight.data[row] / np.sqrt(np.maximum(spread.graph.degree[codes], 1))
    )
    told = parts.copy()
    told[1:] *= RELATED
    level, at = divmod(int(told.argmax()), len(codes))
    return level, int(codes[at]), float(parts[level, at])


def _walked(question: Question, spread: Spread, level: int, code: int) -> Steps:
    """The entities from the beginning to `code`, each reached from the one that gave it most."""
    steps: list[dict[str, Any]] = []
    joined = spread.joined
    for height in range(level, 0, -1):
        column = slice(joined.indptr[code], joined.indptr[code + 1])
        given = spread.levels[height - 1][joined.indices[column]] * joined.data[column]
        before = int(joined.indices[column][int(given.argmax())])
        steps.insert(0, _entity(question, code) | _relation(question, before, code))
        code = before
    return (*_begin(question, spread, code), *steps)


def _begin(question: Question, spread: Spread, code: int) -> Steps:
    """Named by the query, or mentioned by one of the nearest memories, whichever gave more."""
    named = next((seed.weight for seed in spread.seeds if seed.code == code), 0.0)
    choice = spread.graph.choice
    given = {slot: SHARED * worth * float(choice[slot, code]) for slot, worth in spread.nearest.items()}
    slot = max(given, key=given.__getitem__, default=-1)
    if slot < 0 or named >= given[slot]:
        return (_entity(question, code) | {"by": "named"},)
    nearest = {"memory": question.view.roster.ids[slot], "by": "nearest"}
    return nearest, _entity(question, code) | {"by": "mentions"}


def _chain(roster: Roster, spread: Spread, slot: int) -> Steps:
    """From a nearest memory along what follows what."""
    steps: list[dict[str, Any]] = []
    while slot in spread.chained and slot not in spread.nearest:
        steps.insert(0, {"memory": roster.ids[slot], "by": "follows"})
        slot = spread.chained[slot][0]
    return ({"memory": roster.ids[slot], "by": "nearest"}, *steps)


def _entity(question: Question, code: int) -> dict[str, Any]:
    entity = question.view.graph.entities[code]
    return {"entity": entity.id if entity else "", "name": entity.name if entity else ""}


def _relation(question: Question, one: int, other: int) -> dict[str, Any]:
    """The surest relation between the two that holds."""
    relations = question.view.graph.relations
    between = ((relations.subject == one) & (relations.object == other)) | (
        (relations.subject == other) & (relations.object == one)
    )
    holds = relations.holding(question.standing, now=question.now, as_of=question.query.filters.as_of)
    rows = np.flatnonzero(between & holds & ~relations.planned)
    if not rows.size:
        return {"by": "related_to"}
    row = int(rows[np.lexsort((rows, -relations.confidence[rows]))[0]])
    told: dict[str, Any] = {"by": relations.types[int(relations.type[row])]}
    return told if relations.subject[row] == one else told | {"back": True}
