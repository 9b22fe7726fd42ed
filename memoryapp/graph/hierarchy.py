"""The hierarchy: what is put under what by hand, and that nothing comes to stand above itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType, relation_id
from memoryapp.graph.canonical import canonical, members, roots, write_lock
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run


def put_under(space: Space, child: str, parent: str, *, actor: Actor) -> tuple[Relation, Run]:
    """Says that `child` is a `parent`. Raises NotFound, BadInput for one under itself, Clash where it is there already
    or the parent is below the child."""
    with write_lock(space.db):
        below, above = entities.get(space.db, child), entities.get(space.db, parent)
        low, high = canonical(space.db, child), canonical(space.db, parent)
        for end, field in ((low, "/child"), (high, "/parent")):
            if end.state is EntityState.REFUSED:
                raise Clash(f"“{end.name}” was refused. Take it in first.", field=field)
        if low.id == high.id:
            raise BadInput(f"“{low.name}” cannot be put under itself.", field="/parent")
        if any(one.state is RelationState.HELD for one in between(space.db, low, high)):
            raise Clash(f"“{low.name}” is under “{high.name}” already.", field="/parent")
        if way := way_up(space.db, high, {low.id}):
            raise Clash(f"That would be a circle: {path_text(way)}. Take one of them away first.", field="/parent")
        now = space.clock()
        key = relation_id(below.id, RelationType.IS_A, above.id, None)
        before = relations.find(space.db, key)
        made = Relation(key, below.id, RelationType.IS_A, above.id, 1.0, MadeBy.PERSON, now)
        after = made if before is None else replace(before, state=RelationState.HELD, version=before.version + 1)
        run = new_run("put under", actor, now=now, reason=f"{low.name} → {high.name}")
        commit(space.db, run, Batch(relations=[(before, after)]), now=now)
        return after, run


def take_from_under(space: Space, child: str, parent: str, *, actor: Actor) -> tuple[tuple[Relation, ...], Run]:
    """Says that `child` is no `parent`, whoever or whatever said it is. Raises NotFound, and Clash where it is not."""
    with write_lock(space.db):
        low, high = canonical(space.db, child), canonical(space.db, parent)
        held = [one for one in between(space.db, low, high) if one.state is RelationState.HELD]
        if not held:
            raise Clash(f"“{low.name}” is not under “{high.name}”.", field="/parent")
        now = space.clock()
        run = new_run("take from under", actor, now=now, reason=f"{low.name} → {high.name}")
        refused = [replace(one, state=RelationState.REFUSED, version=one.version + 1) for one in held]
        commit(space.db, run, Batch(relations=list(zip(held, refused, strict=True))), now=now)
        return tuple(refused), run


def between(db: Database, low: Entity, high: Entity) -> tuple[Relation, ...]:
    """Every is_a from the one to the other, of all that are merged into either, refused ones too."""
    under, over = ({one.id for one in members(db, end)} for end in (low, high))
    found = relations.of_entities(db, under)
    return tuple(one for one in found if one.type == RelationType.IS_A and one.subject in under and one.object in over)


def way_up(
    db: Database,
    start: Entity,
    wanted: Collection[str],
    *,
    around: bool = False,
    beside: Sequence[tuple[str, Entity]] = (),
) -> tuple[Entity, ...]:
    """The shortest way from an entity upwards to one of `wanted`, both ends included; nothing where there is none.
    All of them stand for themselves. `around`: only by way of another; what is directly above it does not count.
    `beside`: steps (id, what is above it) that are about to be written."""
    ways: dict[str, tuple[Entity, ...]] = {start.id: (start,)}
    level = [start]
    while level:
        above = []
        ids = {one.id for one in level}
        for low, high in (*_steps(db, level), *(step for step in beside if step[0] in ids)):
            if around and low == start.id and high.id in wanted:
                continue
            if high.id in wanted:
                return (*ways[low], high)
            if high.id not in ways:
                ways[high.id] = (*ways[low], high)
                above.append(high)
        level = above
    return ()


def path_text(way: Iterable[Entity]) -> str:
    """A way as a sentence has it: “a” → “b” → “c”."""
    return " → ".join(f"“{one.name}”" for one in way)


def _steps(db: Database, level: Iterable[Entity]) -> list[tuple[str, Entity]]:
    """(id of one that stands, what stands directly above it)."""
    member_of = {one.id: low.id for low in level for one in members(db, low)}
    edges = [
        one
        for one in relations.of_entities(db, list(member_of))
        if one.type == RelationType.IS_A
        and one.state is RelationState.HELD
        and not one.planned
        and one.subject in member_of
    ]
    ends = entities.get_many(db, sorted({one.object for one in edges}))
    stands = roots(db, ends.values())
    return [(member_of[one.subject], stands[one.object]) for one in edges if one.object in ends]
