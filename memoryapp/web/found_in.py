"""Relations that were found in one memory, in words: what stands on its page under who and what is in it."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.relation import Held, MadeBy, Relation
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.web.entity_names import words_of
from memoryapp.web.graph_table import Mark

_MOST = 24
MADE_BY = {
    MadeBy.RULES: "found by rules",
    MadeBy.LLM: "found by a language model",
    MadeBy.ATOM: "said so in an atom",
    MadeBy.PERSON: "said so by a person",
}


@dataclass(frozen=True, slots=True)
class FoundIn:
    id: str
    subject: Entity
    words: str
    object: Entity
    by: str
    marks: list[Mark]


def found_in(space: Space, memory: str) -> list[FoundIn]:
    """Those that are not refused, oldest first; what leads to a refused entity is left out."""
    held = [one for one in relations.of_facts(space.db, [memory]) if one.state is Held.HELD]
    ends = entities.get_many(space.db, sorted({end for one in held for end in (one.subject, one.object)}))
    there = {key: one for key, one in ends.items() if one.state is not EntityState.REFUSED}
    return [
        FoundIn(one.id, there[one.subject], words_of(one), there[one.object], MADE_BY[one.made_by], marks_of(one))
        for one in held
        if one.subject in there and one.object in there
    ][:_MOST]


def marks_of(relation: Relation) -> list[Mark]:
    marks = [Mark("planned", "caution")] if relation.planned else []
    return [*marks, Mark("hint")] if relation.hint else marks
