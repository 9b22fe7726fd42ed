"""Atoms: what is remembered as a predicate with its participants, each in a role (after the kārakas of Sanskrit
grammar; PENMAN is their notation)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memoryapp.domain.memory import MemoryType, Mood


class Role(StrEnum):
    SUBJECT = "subject"
    OBJECT = "object"
    RECIPIENT = "recipient"
    INSTRUMENT = "instrument"
    SOURCE = "source"
    ORIGIN = "origin"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    LOCUS = "locus"


# How much of an atom each participant is: spec of the roles.
ROLE_WEIGHTS: dict[str, float] = {
    Role.SUBJECT: 1.0,
    Role.OBJECT: 0.9,
    Role.RECIPIENT: 0.8,
    Role.INSTRUMENT: 0.7,
    Role.SOURCE: 0.6,
    Role.ORIGIN: 0.6,
    Role.ATTRIBUTE: 0.5,
    Role.VALUE: 0.5,
    Role.LOCUS: 0.4,
}

# What one call may hold.
ATOMS_CHARS = 100_000
ATOMS = 100
DEPTH = 8  # atoms within one another, the outermost included
PARTICIPANTS = 100  # of one atom, those of its nested atoms included
NAME_CHARS = 300  # of a predicate or a participant


class Tense(StrEnum):
    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Atom:
    """`(prefers :subject Alice :object Python :memory_type semantic)`. A role may stand several times, and hold another
    atom. It has one participant or more."""

    predicate: str
    participants: tuple[tuple[Role, str | Atom], ...]
    memory_type: MemoryType | None = None
    mood: Mood | None = None
    tense: Tense | None = None
