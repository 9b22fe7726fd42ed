"""Writes what was composed where it was written before, with edges to what it was made from. Nothing new, no write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Run
from memoryapp.domain.entity import Reference
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Memory, State, index_text
from memoryapp.spaces import Space, embed_into
from memoryapp.store import entities, memories
from memoryapp.store.write import Batch, commit

WORDS = "words"  # in detail: what the machine wrote, so that a person's edit of it is seen


@dataclass(frozen=True, slots=True)
class DerivedMemory:
    """A memory as it is to stand, the ids it was made from, and the names it speaks of."""

    memory: Memory
    sources: tuple[str, ...]
    references: tuple[Reference, ...] = ()


def find_derived(space: Space, key: str) -> Memory | None:
    """The summary of this id; None where there is none."""
    return memories.find(space.db, key)


def is_left_alone(held: Memory | None) -> bool:
    """Whether it is a person's business now: they edited it, or put it aside. Only who forces it writes over that."""
    if held is None:
        return False
    edited = held.detail.get(WORDS) != content_hash(held.text)
    return edited or (held.state is not State.HELD and not held.detail.get("emptied"))


def write_derived(space: Space, run: Run, derived: Sequence[DerivedMemory]) -> tuple[Memory, ...]:
    """Writes those that are new or say something else, in one block; returns them as they stand.

    Raises Stale or LostRace where somebody else wrote one of them at the same moment.
    """
    batch, rewritten = Batch(), []
    for one in derived:
        made = replace(one.memory, content_hash=content_hash(index_text(one.memory)))
        told = {name: value for name, value in made.detail.items() if value is not None}  # the store keeps no None
        made = replace(made, detail={**told, WORDS: content_hash(made.text)})
        before = find_derived(space, made.id)
        stood = {source.id for source in memories.sources_of(space.db, made.id)} if before else set()
        if before is None:
            batch.created.append(made)
        else:
            made = _in_place(before, made)
            if _is_unchanged(before, made) and stood == set(one.sources):
                continue
            batch.updated.append((before, made))
        batch.derived += [(made.id, source) for source in one.sources if source not in stood]
        batch.underived += [(made.id, source) for source in sorted(stood - set(one.sources))]
        standing = entities.references_of(space.db, [made.id]).get(made.id, ())
        there = {(edge.entity, edge.role) for edge in standing}
        wanted = {(edge.entity, edge.role) for edge in one.references}
        batch.references_added += [edge for edge in one.references if (edge.entity, edge.role) not in there]
        if before is None or index_text(before) != index_text(made):
            rewritten.append(made)
            batch.references_removed += [edge for edge in standing if (edge.entity, edge.role) not in wanted]
    if not batch:
        return ()
    embed_into(batch, space, rewritten)
    commit(space.db, run, batch, now=space.clock())
    found = memories.get_many(space.db, [memory.id for memory in batch.created] + [new.id for _, new in batch.updated])
    return tuple(found.values())


def _in_place(before: Memory, made: Memory) -> Memory:
    """What its readers did with it stays: pins, tags, confirmations."""
    return replace(
        made,
        created_at=before.created_at,
        version=before.version,
        updated_at=before.updated_at,
        pinned=before.pinned,
        tags=before.tags or made.tags,
        reinforcements=before.reinforcements,
        reinforced_at=before.reinforced_at,
        salience=before.salience,
    )


def _is_unchanged(before: Memory, made: Memory) -> bool:
    """Equal but for the day it was looked at."""
    return replace(before, detail=_detail_without_time(before)) == replace(made, detail=_detail_without_time(made))


def _detail_without_time(memory: Memory) -> dict[str, object]:
    return {name: value for name, value in memory.detail.items() if name != "at"}
