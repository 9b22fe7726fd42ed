"""One memory with all that hangs on it: the turn it was said in, what it replaced, what it was made of."""

from __future__ import annotations

from memoryapp.api.schemas.memory import MemoryDetail, ReferredOut, TurnOut
from memoryapp.api.showing import show_memory
from memoryapp.domain.memory import Memory
from memoryapp.domain.turn import Turn
from memoryapp.extract.link import MENTION
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, references, supersedes, turns


def show_detail(space: Space, memory: Memory, *, inherited_from: str | None = None) -> MemoryDetail:
    """`space` is the one that holds it."""
    shown = show_memory(space, memory, inherited_from=inherited_from)
    said = turns.get_many(space.db, [memory.origin.turn]) if memory.origin.turn else {}
    return MemoryDetail(
        **shown.model_dump(),
        turn=show_turn(said[memory.origin.turn]) if memory.origin.turn in said else None,
        supersedes=[one.id for one in supersedes.replaced_by(space.db, memory.id)],
        superseded_by=[one.id for one in supersedes.standing_for(space.db, memory.id)],
        derived_from=[one.id for one in memories.sources_of(space.db, memory.id)],
        derived_into=[one.id for one in memories.derived_from(space.db, [memory.id])],
        entities=_referred(space, memory.id),
    )


def _referred(space: Space, memory: str) -> list[ReferredOut]:
    """What weighs most first."""
    edges = references.of_memories(space.db, [memory]).get(memory, ())
    known = entities.get_many(space.db, [edge.entity for edge in edges])
    shown = [
        ReferredOut(id=edge.entity, name=one.name, type=one.type, role=edge.role, weight=edge.weight)
        for edge in edges
        if (one := known.get(edge.entity))
    ]
    return sorted(shown, key=lambda one: (one.role == MENTION, -one.weight, one.name))


def show_turn(turn: Turn, *, words: str | None = None) -> TurnOut:
    """`words`: those that its session keeps for itself."""
    return TurnOut(
        id=turn.id,
        session=turn.session,
        number=turn.number,
        text=turn.text if words is None else words,
        at=turn.at,
        speaker=turn.speaker,
        role=turn.role.value,
        ref=turn.ref,
        private=turn.private,
    )
