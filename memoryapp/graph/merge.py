"""Merging: several entities become one to look at, and apart again. None loses its row, its names or its edges: only
`merged_into` is set.

That two are two is a person's word, which no later look goes against. A pair waits for a person again after its merge
was undone, or its refusal was taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.entity import Alike, AlikeStatus, Entity, EntityState, alike_id
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.relation import RelationState
from memoryapp.graph.canonical import canonical, members, write_lock
from memoryapp.graph.hierarchy import path_text, way_up
from memoryapp.spaces import Space
from memoryapp.store import entities, relations, revisions
from memoryapp.store import entity_pairs as pairs
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run

BY_HAND = "merged by hand"  # the reason of a pair that nothing proposed
_COUNTED = 100_000  # memories of one entity


# ── merging


@dataclass(frozen=True, slots=True)
class Part:
    """One of those that are to be one, with all that was merged into it before. `memories` that refer to it; `shared`
    of them refer to another of these as well; `relations` that it takes part in, refused ones left out."""

    entity: Entity
    names: tuple[str, ...]
    memories: int
    shared: int
    relations: int


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would make. `name`, `type`: of what stands; `names`: all it answers to, that one first; `types`:
    those among the parts. `memories`, `relations`: each counted once. `between`: relations from one part to another,
    which lead nowhere any more. `circles`: ways up the hierarchy that would end where they began, in words; while
    there are any it cannot be merged."""

    name: str
    type: str
    parts: tuple[Part, ...]
    names: tuple[str, ...]
    types: tuple[str, ...]
    memories: int
    relations: int
    between: int
    circles: tuple[str, ...]


def preview_merge(space: Space, keep: str, gone: Sequence[str]) -> MergePreview:
    """Changes nothing. Raises what `merge` raises, but for circles, which it tells."""
    first, others = _entities_to_merge(space.db, keep, gone)
    groups = [members(space.db, one) for one in (first, *others)]
    held = [_memories(space.db, group) for group in groups]
    edges = [
        {
            one.id: one
            for one in relations.of_entities(space.db, [m.id for m in group])
            if one.state is RelationState.HELD
        }
        for group in groups
    ]
    parts = []
    for n, group in enumerate(groups):
        elsewhere: set[str] = set().union(*(some for at, some in enumerate(held) if at != n))
        parts.append(Part(group[0], _names(group), len(held[n]), len(held[n] & elsewhere), len(edges[n])))
    ids = {one.id for group in groups for one in group}
    known = {key: one for some in edges for key, one in some.items()}
    return MergePreview(
        name=first.name,
        type=first.type,
        parts=tuple(parts),
        names=tuple(dict.fromkeys(name for part in parts for name in part.names)),
        types=tuple(dict.fromkeys(part.entity.type for part in parts)),
        memories=len(set().union(*held)),
        relations=len(known),
        between=sum(one.subject in ids and one.object in ids for one in known.values()),
        circles=_circles(space.db, (first, *others)),
    )


def merge(space: Space, keep: str, gone: Sequence[str], *, actor: Actor, reason: str = "") -> tuple[Entity, Run]:
    """Makes `gone` one with `keep` and returns what stands for all of them. Of one that is merged already, what stands
    for it is meant. All of them are known from then on.

    Raises NotFound; BadInput for none, too many or an entity with itself; Clash where one was refused, where they are
    one already, where something would come to stand above itself, or where somebody else merged one just now.
    """
    with write_lock(space.db):
        first, others = _entities_to_merge(space.db, keep, gone)
        if circles := _circles(space.db, (first, *others)):
            raise Clash(f"Something would stand above itself: {circles[0]}. Take one from under the other first.")
        now = space.clock()
        run = new_run("merge", actor, now=now, reason=reason)
        some = [first.id, *(other.id for other in others)]
        commit(space.db, run, Batch(entities=merge_changes(first, others), standing=some), now=now)
        for other in others:
            pairs.decide(space.db, _merged_pair(space, first, other))
        return entities.get(space.db, first.id), run


def merge_changes(keep: Entity, gone: Sequence[Entity], *, known: bool = True) -> list[tuple[Entity | None, Entity]]:
    """The changes that merge `gone` into `keep`, for a batch. `known`: whether all are names that are known by it.

    What is kept is written, too, though nothing of it may change: two merges at once that have one of these in common
    meet there, and the store makes the second one look again. Otherwise each could merge into what the other lets go.
    """

    def taken_in(entity: Entity) -> EntityState:
        return EntityState.KNOWN if known else entity.state

    changes: list[tuple[Entity | None, Entity]] = [
        (one, replace(one, merged_into=keep.id, state=taken_in(one), version=one.version + 1)) for one in gone
    ]
    changes.append((keep, replace(keep, state=taken_in(keep), version=keep.version + 1)))
    return changes


def _entities_to_merge(db: Database, keep: str, gone: Sequence[str]) -> tuple[Entity, list[Entity]]:
    """(what is to stand, what is to go into it), each standing for itself."""
    wanted = list(dict.fromkeys(gone))
    if not wanted:
        raise BadInput("Name at least one entity to merge into it.", field="/gone")
    if len(wanted) > LIMITS.batch_items:
        raise BadInput(f"{len(wanted)} entities at once; the limit is {LIMITS.batch_items}.", field="/gone")
    first = canonical(db, keep)
    others: dict[str, Entity] = {}
    for key in wanted:
        if key == keep:
            raise BadInput(f"“{first.name}” cannot be merged into itself.", field="/gone")
        other = canonical(db, key)
        if other.id == first.id:
            raise Clash(f"“{entities.get(db, key).name}” and “{entities.get(db, keep).name}” are one already.")
        others[other.id] = other
    for one in (first, *others.values()):
        if one.state is EntityState.REFUSED:
            raise Clash(f"“{one.name}” was refused. Take it in first, then merge it.")
    return first, list(others.values())


def _circles(db: Database, some: Sequence[Entity]) -> tuple[str, ...]:
    """Ways up from one of these to another by way of a third. What is directly above another of them is not a circle:
    that relation then leads nowhere, and is not drawn."""
    ids = {one.id for one in some}
    ways = [way_up(db, one, ids - {one.id}, around=True) for one in some]
    return tuple(path_text(way) for way in ways if way)


def _memories(db: Database, group: Sequence[Entity]) -> set[str]:
    return {key for one in group for key in entities.memories_of(db, one.id, limit=_COUNTED)}


def _names(group: Sequence[Entity]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in group for name in (one.name, *one.aliases)))


def _merged_pair(space: Space, keep: Entity, gone: Entity) -> Alike:
    """The pair as merged; what was found of it is kept."""
    key = alike_id(keep.id, gone.id)
    known = pairs.find(space.db, key)
    if known is None:
        return Alike(key, keep.id, gone.id, BY_HAND, 1.0, AlikeStatus.MERGED, space.clock())
    return replace(known, one=keep.id, other=gone.id, status=AlikeStatus.MERGED)


# ── parting


def part(space: Space, key: str, *, actor: Actor) -> tuple[Entity, Run]:
    """Lets a merged entity stand for itself again, with all that was merged into it and every edge that is its own.
    The two are never merged or proposed again unasked. Raises NotFound, and Clash where it is merged into nothing."""
    with write_lock(space.db):
        before = entities.get(space.db, key)
        if before.merged_into is None:
            raise Clash(f"“{before.name}” is not merged into anything.")
        # First, so that no look in between merges what is parted.
        for other in dict.fromkeys((before.merged_into, canonical(space.db, key).id)):
            if other != key:
                _refuse(space, other, key, "parted by hand")
        now = space.clock()
        after = replace(before, merged_into=None, version=before.version + 1)
        run = new_run("part", actor, now=now)
        commit(space.db, run, Batch(entities=[(before, after)]), now=now)
        found = entities.get(space.db, key)
        if found.merged_into is not None:
            raise Clash(f"“{before.name}” was merged by somebody else just now. Look at it again.")
        return found, run


def not_alike(space: Space, one: str, other: str, *, actor: Actor) -> Alike:
    """Says that two entities are two, for good. Raises NotFound; BadInput for one with itself; Clash where they are
    one at present."""
    with write_lock(space.db):
        first, second = entities.get(space.db, one), entities.get(space.db, other)
        if one == other:
            raise BadInput(f"“{first.name}” is alike to itself.", field="/other")
        if canonical(space.db, one).id == canonical(space.db, other).id:
            raise Clash(f"“{first.name}” and “{second.name}” are one at present. Part them instead.")
        return _refuse(space, one, other, f"refused by {actor.name}")


def _refuse(space: Space, one: str, other: str, reason: str) -> Alike:
    key = alike_id(one, other)
    known = pairs.find(space.db, key)
    if known is None:
        refused = Alike(key, one, other, reason, 1.0, AlikeStatus.REFUSED, space.clock())
    else:
        refused = replace(known, status=AlikeStatus.REFUSED)
    pairs.decide(space.db, refused)
    return refused


# ── asking again


def perhaps_alike(space: Space, key: str) -> Alike:
    """Takes back that a person said two are two: the pair waits again. Raises NotFound."""
    with write_lock(space.db):
        known = pairs.find(space.db, key)
        if known is None:
            raise NotFound(f"There is no pair {key[:40]} in space “{space.name}”.")
        waits = replace(known, status=AlikeStatus.WAITING)
        pairs.decide(space.db, waits)
        return waits


def put_again(space: Space, run: str) -> int:
    """The pairs that were proposed, that a run merged, and that stand apart again since it was undone wait for a person
    again. Returns how many; 0 for a run that merged none."""
    merged = {
        alike_id(change.record_id, into)
        for change in revisions.of_run(space.db, run)
        if change.record == "entity" and (into := change.after.get("merged_into"))
    }
    again = 0
    for key in sorted(merged):
        known = pairs.find(space.db, key)
        if known and known.status is AlikeStatus.MERGED and known.reason != BY_HAND and _is_unmerged(space, known):
            pairs.decide(space.db, replace(known, status=AlikeStatus.WAITING))
            again += 1
    return again


def _is_unmerged(space: Space, pair: Alike) -> bool:
    ends = entities.get_many(space.db, [pair.one, pair.other])
    return len(ends) == 2 and all(one.merged_into is None for one in ends.values())
