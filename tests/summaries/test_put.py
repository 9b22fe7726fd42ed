"""What is told anew in place of what was told before refers to what it names now."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.memory import Kind, Memory
from memoryapp.extraction.entities.link import MENTION
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import entities
from memoryapp.store.write import Batch, commit, new_run
from memoryapp.summaries.writer import DerivedMemory, write_derived
from tests.samples import AGENT, NOON, PERSON, a_memory


def told(space: Space, memory: Memory, text: str, *names: str) -> str:
    run = new_run("narrate", AGENT, now=NOON)
    write_derived(
        space, run, [DerivedMemory(replace(memory, text=text), (), tuple(Reference(memory.id, name) for name in names))]
    )
    return run.id


def named(space: Space, memory: Memory) -> set[str]:
    return {edge.entity for edge in entities.references_of(space.db, [memory.id]).get(memory.id, ())}


def test_names_that_new_words_no_longer_hold_are_let_go(space: Space) -> None:
    known = [Entity(key, key, key, EntityType.PERSON, EntityState.KNOWN, NOON) for key in ("ada", "bob")]
    commit(space.db, new_run("link", AGENT, now=NOON), Batch(entities=[(None, one) for one in known]), now=NOON)
    episode = a_memory("", kind=Kind.EPISODE)
    told(space, episode, "Ada and Bob met.", "ada", "bob")
    again = told(space, episode, "Bob came alone.", "bob")
    assert named(space, episode) == {"bob"}
    undo_run(space, again, actor=PERSON)
    assert named(space, episode) == {"ada", "bob"}


def test_what_others_found_in_words_that_stand_is_left(space: Space) -> None:
    known = Entity("ada", "ada", "ada", EntityType.PERSON, EntityState.KNOWN, NOON)
    episode = a_memory("", kind=Kind.EPISODE)
    told(space, episode, "Ada came.")
    more = Batch(entities=[(None, known)], references_added=[Reference(episode.id, "ada", MENTION)])
    commit(space.db, new_run("graph", AGENT, now=NOON), more, now=NOON)
    told(space, episode, "Ada came.")
    assert named(space, episode) == {"ada"}
