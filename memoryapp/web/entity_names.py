"""Entities as a person names them in a field: by their exact name or an alias, or by id."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memoryapp.domain.entity import Entity, EntityType, normal_form
from memoryapp.domain.errors import BadInput
from memoryapp.domain.relation import Relation, RelationType
from memoryapp.extract.lexicon import lexicon_of
from memoryapp.graph.snapshot import snapshot_of
from memoryapp.spaces import Space
from memoryapp.store import entities

OFFERED = 12
_ID = re.compile(r"[0-9a-f]{16}")


def entity_of(space: Space, text: str, *, field: str) -> Entity:
    """The entity of this id, name or alias. Raises NotFound for an id, BadInput that points at `field` for a name."""
    text = text.strip()
    if _ID.fullmatch(text):
        return entities.get(space.db, text)
    normal = normal_form(text)
    if not normal:
        raise BadInput("Enter an entity.", field=field)
    known = entities.by_normals(space.db, [normal]).get(normal)
    spelled = lexicon_of(space.db).spelled.get(normal) if known is None else None
    if known is None and spelled is None:
        raise BadInput(f"Nothing is called “{text[:80]}”. Choose one of the suggested names.", field=field)
    return known or entities.get(space.db, spelled or "")


def types_of(space: Space) -> list[str]:
    """The six types, then those of the space's own."""
    own = {str(one.type) for one in snapshot_of(space).entities if one is not None}
    return [*EntityType, *sorted(own - set(EntityType))]


def relations_of(space: Space) -> list[str]:
    """The taxonomy, then the space's own types; without the hierarchy, which has its own place."""
    own = set(map(str, snapshot_of(space).relations.types))
    return [one for one in (*RelationType, *sorted(own - set(RelationType))) if one != RelationType.IS_A]


def sentence(relation: Relation, names: dict[str, str]) -> str:
    """ "Adam uses Terraform"."""
    one, other = (names.get(end, end) for end in (relation.subject, relation.object))
    return f"{one} {words_of(relation)} {other}"


def words_of(relation: Relation) -> str:
    """ "works on"; for what fits no type, as it was said."""
    if relation.type == RelationType.RELATED_TO and relation.label:
        return relation.label
    return str(relation.type).replace("_", " ")


def names_of(space: Space, relations: Iterable[Relation]) -> dict[str, str]:
    """Names of the ends, by id: those that the words of the memories bear."""
    ends = {end for one in relations for end in (one.subject, one.object)}
    return {key: one.name for key, one in entities.get_many(space.db, sorted(ends)).items()}
