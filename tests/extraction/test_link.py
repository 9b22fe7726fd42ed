"""Memories into references: what is added to a batch, and what two links in a row know of each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.link import Linker, link
from memoryapp.spaces import Space
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory, a_space


@pytest.fixture
def space() -> Iterator[Space]:
    with a_space() as opened:
        yield opened


def known(space: Space, name: str, *aliases: str, type: EntityType = EntityType.TOOL) -> Entity:
    entity = Entity(
        f"e-{name.lower()}", name, name.lower(), type, EntityState.KNOWN, NOON, aliases=aliases, sightings=2
    )
    commit(space.db, new_run("test", AGENT, now=NOON), Batch(entities=[(None, entity)]), now=NOON)
    return entity


def linked(space: Space, *texts: str) -> tuple[Batch, int]:
    """The batch that writes these texts as new memories, written."""
    made = [a_memory(text) for text in texts]
    batch = Batch(created=list(made))
    added = link(space.db, made, batch, now=NOON)
    commit(space.db, new_run("test", AGENT, now=NOON), batch, now=NOON)
    return batch, added


def targets(batch: Batch) -> set[str]:
    return {edge.entity for edge in batch.references_added}


def test_nothing_is_linked_where_nothing_is_named(space: Space) -> None:
    batch, added = linked(space, "it was a quiet day")
    assert (added, batch.entities, batch.references_added) == (0, [], [])


def test_an_alias_is_the_entity_and_is_not_proposed_as_another(space: Space) -> None:
    neovim = known(space, "Neovim", "nvim")
    batch, added = linked(space, "I opened `nvim` today", "tagged #nvim")
    assert (added, targets(batch), batch.entities) == (2, {neovim.id}, [])


def test_what_another_process_made_known_is_found_by_the_next_call(space: Space) -> None:
    linked(space, "warm up")
    redis = known(space, "Redis")
    assert targets(linked(space, "and redis too")[0]) == {redis.id}


def test_a_renamed_or_refused_entity_is_no_longer_found_by_its_old_name(space: Space) -> None:
    redis = known(space, "Redis")
    linked(space, "with redis")
    renamed = Entity(redis.id, "Valkey", "valkey", redis.type, redis.state, NOON, version=2)
    commit(space.db, new_run("test", AGENT, now=NOON), Batch(entities=[(redis, renamed)]), now=NOON)
    assert targets(linked(space, "plain redis")[0]) == set()
    assert targets(linked(space, "plain valkey")[0]) == {redis.id}


def test_two_memories_of_one_batch_are_two_sightings(space: Space) -> None:
    batch, added = linked(space, "see [[Tantivy]]", "[[tantivy]]", "plain tantivy")
    assert added == 3
    assert [entity.state for _, entity in batch.entities] == [EntityState.KNOWN]


def test_one_memory_is_one_sighting_however_often_it_says_the_name(space: Space) -> None:
    batch, _ = linked(space, "[[Tantivy]] `tantivy` #tantivy Tantivy Tantivy")
    assert [(entity.state, entity.sightings) for _, entity in batch.entities] == [(EntityState.PROPOSED, 1)]


def test_a_linker_remembers_what_was_not_written(space: Space) -> None:
    linker = Linker(space.db)
    first, second = a_memory("[[tantivy]]"), a_memory("[[Tantivy]]")
    assert linker.link([first], Batch(created=[first]), now=NOON).learned == ()
    learned = linker.link([second], Batch(created=[second]), now=NOON).learned
    assert [entity.normal for entity in learned] == ["tantivy"]


def test_names_inside_code_blocks_and_addresses_are_not_mentions(space: Space) -> None:
    known(space, "Bash")
    _, added = linked(space, "```bash\nbash run\n```\n\nsee https://bash.example/bash and [it](https://bash.example)")
    assert added == 0


def merged(space: Space, name: str, into: Entity, **more: Any) -> Entity:
    entity = Entity(f"e-{name}", name, name, EntityType.TOOL, EntityState.KNOWN, NOON, merged_into=into.id, **more)
    commit(space.db, new_run("test", AGENT, now=NOON), Batch(entities=[(None, entity)]), now=NOON)
    return entity


def test_a_text_is_linked_to_the_entity_that_bears_the_name_and_not_to_what_it_is_merged_into(space: Space) -> None:
    neovim = known(space, "Neovim")
    nvim = merged(space, "nvim", neovim, aliases=("neo",))
    batch, _ = linked(space, "I opened `nvim`", "and Neovim", "tagged #neo")
    assert [edge.entity for edge in batch.references_added] == [nvim.id, neovim.id, nvim.id]


@pytest.mark.parametrize("first", ["name", "alias"])
def test_a_spelling_that_is_ones_name_and_anothers_alias_is_the_firsts(space: Space, first: str) -> None:
    linked(space, "warm up")
    made = [lambda: known(space, "Neovim", "nvim"), lambda: known(space, "nvim")]
    for make in made if first == "alias" else reversed(made):
        make()
        lexicon_of(space.db)
    assert targets(linked(space, "I opened `nvim` today")[0]) == {"e-nvim"}
    assert lexicon_of(space.db).spelled["nvim"] == "e-nvim"


def test_the_lexicon_follows_what_changes_of_an_entity_beside_its_names(space: Space) -> None:
    redis = known(space, "Redis")
    assert lexicon_of(space.db).entities[redis.id].type == EntityType.TOOL
    typed = replace(redis, type=EntityType.CONCEPT, version=2)
    commit(space.db, new_run("test", AGENT, now=NOON), Batch(entities=[(redis, typed)]), now=NOON)
    assert lexicon_of(space.db).entities[redis.id].type == EntityType.CONCEPT


def test_beside_a_role_no_mention_is_written_and_it_is_no_new_sighting(space: Space) -> None:
    batch, _ = linked(space, "see [[Tantivy]]")
    (memory,) = batch.created
    (entity,) = [after for _, after in batch.entities]
    role = Batch(
        references_added=[Reference(memory.id, entity.id, "subject")],
        references_removed=[Reference(memory.id, entity.id)],
    )
    commit(space.db, new_run("test", AGENT, now=NOON), role, now=NOON)
    after = replace(memory, text="see [[Tantivy]] and [[Lucene]]")
    again = Batch(updated=[(memory, after)])
    link(space.db, [after], again, now=NOON)
    assert [(edge.entity == entity.id, edge.role) for edge in again.references_added] == [(False, "mention")]
    assert again.references_removed == [] and [one.normal for _, one in again.entities] == ["lucene"]


def test_the_cursor_of_an_editor_is_not_the_tool_of_that_name_but_a_database_is_the_kind(space: Space) -> None:
    known(space, "cursor")
    kind = known(space, "database", type=EntityType.CONCEPT)
    batch, _ = linked(space, "Move the cursor to the next line.", "It is a database.")
    assert targets(batch) == {kind.id}
    named, _ = linked(space, "She writes it in cursor these days.", "The Cursor license ran out.")
    assert targets(named) == {"e-cursor"} and len(named.references_added) == 2


def test_notes_about_somebodys_bike_link_to_one_entity(space: Space) -> None:
    batch, _ = linked(
        space,
        "Alice's bike needs a new chain.",
        "Took Alice's bike to the shop.",
        "Alice lent me her bike for the weekend.",
        "Her bike is in the garden.",
    )
    bikes = [after for _, after in batch.entities if "bike" in after.normal]
    assert [(bike.name, bike.state, bike.type) for bike in bikes] == [
        ("Alice's bike", EntityState.KNOWN, EntityType.PRODUCT)
    ]
    assert sum(edge.entity == bikes[0].id for edge in batch.references_added) == 3  # the last names nobody
