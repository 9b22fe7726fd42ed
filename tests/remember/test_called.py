"""A name in an atom, where the entity that was once made of it goes by another name now."""

from __future__ import annotations

from memoryapp.domain.entity import EntityState
from memoryapp.domain.remembering import NewMemory
from memoryapp.graph import edit_entity
from memoryapp.remember import atoms_of, remember
from memoryapp.spaces import Space
from memoryapp.store import entities
from tests.samples import AGENT, PERSON


def subject_of(space: Space, atom: str) -> str:
    (told,) = remember(space, atoms_of(atom, NewMemory("")), actor=AGENT)
    (key,) = (edge.entity for edge in entities.references_of(space.db, [told.id])[told.id] if edge.role == "subject")
    return key


def test_a_name_that_a_person_took_from_an_entity_is_somebody_else(space: Space) -> None:
    first = subject_of(space, "(prefers :subject Alice :object Python)")
    edit_entity(space, first, name="Bob", aliases=[], actor=PERSON)
    second = subject_of(space, "(prefers :subject Alice :object Rust)")
    named = entities.get_many(space.db, [first, second])
    assert (named[first].name, named[second].name) == ("Bob", "Alice")
    assert named[second].state is EntityState.KNOWN
    edit_entity(space, second, name="Carol", aliases=[], actor=PERSON)
    third = subject_of(space, "(prefers :subject Alice :object Go)")
    assert len({first, second, third}) == 3
    assert subject_of(space, "(prefers :subject Alice :object tea)") == third
    assert subject_of(space, "(prefers :subject Bob :object tea)") == first
