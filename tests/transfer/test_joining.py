"""A name of an import, where the entity that was once made of it goes by another name now."""

from __future__ import annotations

from collections.abc import Iterable

from memoryapp.graph import edit_entity
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.write import new_run
from memoryapp.transfer.bring_in import Thing, bring_in
from memoryapp.transfer.entries import ImportedEntity, Link
from tests.samples import PERSON
from tests.transfer.worlds import Watched


def brought(space: Space, things: Iterable[Thing]) -> None:
    run = new_run("import", PERSON, now=space.clock(), reason="their.json")
    bring_in(space, iter(things), form="theirs", run=run, actor=PERSON, progress=Watched())


def test_a_name_that_a_person_took_from_an_entity_is_somebody_else(other: Space) -> None:
    brought(other, [ImportedEntity("Alice Miller", "person")])
    (first,) = entities.scan(other.db)
    edit_entity(other, first.id, name="Bob Miller", aliases=[], actor=PERSON)
    brought(other, [ImportedEntity("Alice Miller", "person"), Link("Alice Miller", "knows", "Bob Miller")])
    by_name = {one.name: one.id for one in entities.scan(other.db)}
    assert by_name.keys() == {"Alice Miller", "Bob Miller"} and by_name["Bob Miller"] == first.id
    (edge,) = relations.scan(other.db, "relates")
    assert {edge.subject, edge.object} == set(by_name.values())
