"""Atoms tried out: how they are read, who takes part, and what would become of them."""

from __future__ import annotations

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.atom import AtomOut, AtomsIn, AtomsOut, ParticipantOut, StatedOut
from memoryapp.api.schemas.fact import NearOut
from memoryapp.domain.atom import ROLE_WEIGHTS
from memoryapp.domain.entity import EntityState
from memoryapp.domain.remembering import NewMemory
from memoryapp.extract.atoms import written
from memoryapp.jobs.readers import judges_for
from memoryapp.store import entities

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
    return AtomsOut(items=[_shown(one, there) for one in would])


def _shown(one: remember.WouldBe, there: set[str]) -> AtomOut:
    assert one.item.atom is not None
    return AtomOut(
        atom=written(one.item.atom),
        text=one.item.text,
        memory_type=one.item.memory_type,
        mood=one.item.mood,
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
            StatedOut(
                subject=subject.name,
                type=edge.type,
                object=object.name,
                label=edge.label,
                planned=edge.planned,
                over=edge.valid_to is not None,
            )
            for subject, edge, object in one.part.relations
        ],
        would=one.outcome.value,
        near=NearOut(id=one.near.id, text=one.near.text) if one.near else None,
    )
