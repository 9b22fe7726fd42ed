"""Entities, the edges from memories to them, and pairs of entities that may be one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import derived_id

_TYPE = re.compile(r"[^\W\d_](?:[\w -]{0,38}\w)?")


class EntityType(StrEnum):
    """The types every space knows. A space may have more of its own: any short name (`type_named`)."""

    PERSON = "person"
    TOOL = "tool"
    CONCEPT = "concept"
    PLACE = "place"
    ORGANIZATION = "organization"
    PROJECT = "project"
    PRODUCT = "product"
    EVENT = "event"
    UNKNOWN = "unknown"  # nothing tells


# What a name is called of which nothing tells more: no guess, so a later one takes its place.
UNCLEAR = frozenset({EntityType.CONCEPT, EntityType.UNKNOWN})


class EntityState(StrEnum):
    PROPOSED = "proposed"  # seen once; becomes known at the second sighting or when a person takes it in
    KNOWN = "known"
    REFUSED = "refused"  # a person said no; never proposed again


@dataclass(frozen=True, slots=True)
class Entity:
    """`merged_into`: the entity it is the same as, None while it stands for itself. Its edges stay where they are and
    count for the other one, so that parting the two again gives each its own."""

    id: str
    name: str
    normal: str
    type: str
    state: EntityState
    created_at: datetime
    aliases: tuple[str, ...] = ()
    sightings: int = 0
    version: int = 1
    merged_into: str | None = None

    @property
    def named_by_hand(self) -> bool:
        """Known without having been seen as a name in any text."""
        return self.state is EntityState.KNOWN and self.sightings == 0


@dataclass(frozen=True, slots=True)
class Reference:
    """memory → entity, with the kāraka role it plays there ("mention" where none is known)."""

    memory: str
    entity: str
    role: str = "mention"
    weight: float = 1.0


def normal_form(name: str) -> str:
    """One spelling for look-ups: NFKC, lower case, single spaces, no outer punctuation. "Neo-vim " → "neo-vim"."""
    text = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(text.split()).strip(" .,:;!?\"'`()[]{}#*_")


def type_named(text: str) -> str:
    """A type of the eight, or one of a space's own: a short name in small letters. Raises BadInput."""
    name = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if not _TYPE.fullmatch(name):
        raise BadInput(f"“{text[:60]}” is no type: 1–40 letters, digits, spaces or hyphens.", field="/type")
    return EntityType(name) if name in set(EntityType) else name


# ── pairs that may be one


class AlikeStatus(StrEnum):
    WAITING = "waiting"
    MERGED = "merged"
    REFUSED = "refused"  # a person said they are two; never proposed again


@dataclass(frozen=True, slots=True)
class Alike:
    """`one` is the entity that would stay. `score` 0–1; `reason` in words for the page."""

    id: str
    one: str
    other: str
    reason: str
    score: float
    status: AlikeStatus
    created_at: datetime


def alike_id(one: str, other: str) -> str:
    """The same for a pair either way round."""
    return derived_id("alike", *sorted((one, other)))
