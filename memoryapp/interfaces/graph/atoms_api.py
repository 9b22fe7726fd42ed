"""Atoms tried out: how they are read, who takes part, and what would become of them."""

from __future__ import annotations

from collections.abc import Set
from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.domain.atom import ROLE_WEIGHTS
from memoryapp.domain.entity import EntityState
from memoryapp.domain.memory import MemoryType, Mood
from memoryapp.domain.remembering import NewMemory
from memoryapp.extraction.atoms import format_atom
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, FullName, Response
from memoryapp.interfaces.facts.api import NearOut
from memoryapp.interfaces.memories.schemas import OutcomeWord
from memoryapp.interfaces.memories.writing_schemas import Penman
from memoryapp.jobs.reading import judges_for
from memoryapp.store import entities

# domain.atom.Role; a schema of that name is the callers' roles
PartWord = Literal["subject", "object", "recipient", "instrument", "source", "origin", "attribute", "value", "locus"]


class AtomsIn(Body):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"atoms": '(works_at :subject Alice :object "Hangang Labs")'}]},
    )

    atoms: Penman
    speaker: FullName | None = Field(None, description="Who “I” is.")


class ParticipantOut(Response):
    """`entity`: of the entity it would be, null where that would be a new one. `known`: its name is looked for in all
    that is written from then on; a number or a whole clause is not."""

    name: str = Field(examples=["Alice"])
    role: PartWord = Field(examples=["subject"])
    weight: float = Field(examples=[1.0])
    type: str = Field(examples=["person"])
    entity: str | None = Field(examples=["0a1b2c3d4e5f6071"])
    known: bool = Field(examples=[True])


class StatedOut(Response):
    """A relation that the atom states. `label`: its own word, where that is not the type's."""

    subject: str = Field(examples=["Alice"])
    type: str = Field(examples=["works_at"])
    object: str = Field(examples=["Hangang Labs"])
    label: str = Field(examples=[""])
    planned: bool = Field(examples=[False])
    over: bool = Field(examples=[False], description="It was so, and is not now.")


class AtomOut(Response):
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


class AtomsOut(Response):
    """One item an atom, in order."""

    items: list[AtomOut]


router = Routes("Memories")


@router.post("/atoms/preview", needs=Role.READER, reads=True, response=AtomsOut, errors=(413,), summary="Preview atoms")
def preview_atoms(request: ApiRequest, body: AtomsIn) -> AtomsOut:
    """Reads atoms in PENMAN notation and tells of each how it would be kept, who takes part in which role, what
    relation it states, and what it would become beside what is held. Stores nothing."""
    space = the_space(request)
    items = remember.atoms_of(body.atoms, NewMemory("", speaker=body.speaker))
    would = remember.preview_atoms(space, items, judges=judges_for(space, chat=False))
    keys = {entity.id for one in would for entity, _ in one.part.participants}
    there = entities.get_many(space.db, sorted(keys)).keys()
    return AtomsOut(items=[_show_atom(one, there) for one in would])


def _show_atom(one: remember.WouldBe, there: Set[str]) -> AtomOut:
    assert one.item.atom is not None
    return AtomOut.of(
        one.item,
        atom=format_atom(one.item.atom),
        participants=[
            ParticipantOut(
                name=entity.name,
                role=role.value,
                weight=ROLE_WEIGHTS[role],
                type=entity.type,
                entity=entity.id if entity.id in there else None,
                known=entity.state is EntityState.KNOWN,
            )
            for entity, role in one.part.participants
        ],
        relations=[
            StatedOut.of(edge, subject=subject.name, object=object.name, over=edge.valid_to is not None)
            for subject, edge, object in one.part.relations
        ],
        would=one.outcome.value,
        near=NearOut(id=one.near.id, text=one.near.text) if one.near else None,
    )
