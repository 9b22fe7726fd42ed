"""Relations: typed, directed edges between entities, and the hierarchy `is_a`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.identity import derived_id


class RelationType(StrEnum):
    """The taxonomy every space knows; a space may have more of its own. `is_a` is the hierarchy."""

    USES = "uses"
    PREFERS = "prefers"
    OWNS = "owns"
    WORKS_AT = "works_at"
    WORKS_ON = "works_on"
    COLLABORATES_WITH = "collaborates_with"
    KNOWS = "knows"
    MANAGES = "manages"
    MEMBER_OF = "member_of"
    CREATED = "created"
    IMPLEMENTS = "implements"
    SKILLED_IN = "skilled_in"
    LIVES_IN = "lives_in"
    LOCATED_IN = "located_in"
    VISITED = "visited"
    PART_OF = "part_of"
    RUNS_ON = "runs_on"
    DEPENDS_ON = "depends_on"
    RELATED_TO = "related_to"
    IS_A = "is_a"


class MadeBy(StrEnum):
    """Who found an edge. What rules found is a hint, and shown as one."""

    RULES = "rules"
    LLM = "llm"
    ATOM = "atom"
    PERSON = "person"


class RelationState(StrEnum):
    """`refused`: a person said no; the same finding does not bring it back."""

    HELD = "held"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Relation:
    """subject → object. It holds while the memory it was found in does (`fact`), or until `valid_to`.

    `label`: as it was said, where its words are not its type's. `planned`: wished or intended, not so yet. `at`: when
    it was said or became so. One edge a memory it was found in: several memories that say the same are several edges.
    """

    id: str
    subject: str
    type: str
    object: str
    confidence: float
    made_by: MadeBy
    created_at: datetime
    label: str = ""
    fact: str | None = None
    session: str | None = None
    at: datetime | None = None
    valid_to: datetime | None = None
    planned: bool = False
    state: RelationState = RelationState.HELD
    version: int = 1

    @property
    def hint(self) -> bool:
        return self.made_by is MadeBy.RULES


def relation_id(subject: str, type: str, object: str, fact: str | None) -> str:
    """The id of a relation: the same two ends, type and fact are the same relation."""
    return derived_id("relation", subject, type, object, fact or "")


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity as a text names it. `type` is a guess, "" where there is none."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation as a text states it, before its ends are entities. `label`: the words between them."""

    subject: NamedEntity
    type: str
    object: NamedEntity
    confidence: float
    label: str = ""
    planned: bool = False
