"""Atoms that are tried out before anything is remembered."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, FullName, Shown
from memoryapp.api.schemas.fact import NearOut
from memoryapp.api.schemas.memory import OutcomeWord
from memoryapp.api.schemas.writing import Penman
from memoryapp.domain.memory import MemoryType, Mood

# domain.atom.Role; a schema of that name is the callers' roles
PartWord = Literal["subject", "object", "recipient", "instrument", "source", "origin", "attribute", "value", "locus"]


class AtomsIn(Body):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"atoms": '(works_at :subject Alice :object "Hangang Labs")'}]},
    )

    atoms: Penman
    speaker: FullName | None = Field(None, description="Who “I” is.")


class ParticipantOut(Shown):
    """`entity`: of the entity it would be, null where that would be a new one. `known`: its name is looked for in all
    that is written from then on; a number or a whole clause is not."""

    name: str = Field(examples=["Alice"])
    role: PartWord = Field(examples=["subject"])
    weight: float = Field(examples=[1.0])
    type: str = Field(examples=["person"])
    entity: str | None = Field(examples=["0a1b2c3d4e5f6071"])
    known: bool = Field(examples=[True])


class StatedOut(Shown):
    """A relation that the atom states. `label`: its own word, where that is not the type's."""

    subject: str = Field(examples=["Alice"])
    type: str = Field(examples=["works_at"])
    object: str = Field(examples=["Hangang Labs"])
    label: str = Field(examples=[""])
    planned: bool = Field(examples=[False])
    over: bool = Field(examples=[False], description="It was so, and is not now.")


class AtomOut(Shown):
    """One atom: as it would be kept, read aloud, and what it would become. `near`: the memory it would confirm or
    contradict; of one that stands before it in the same text there is none yet."""

    atom: str = Field(examples=['(works_at :subject Alice :object "Hangang Labs")'])
    text: str = Field(examples=["Alice works at Hangang Labs."])
    memory_type: MemoryType | None = Field(examples=[None])
    mood: Mood | None = Field(examples=[None])
    participants: list[ParticipantOut]
    relations: list[StatedOut]
    would: OutcomeWord
    near: NearOut | None


class AtomsOut(Shown):
    """One item an atom, in order."""

    items: list[AtomOut]
