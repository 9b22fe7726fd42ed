"""What a person does to several entities or relations at once: one run, taken back with one undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.entity import Entity, EntityState, type_named
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.relation import Held, MadeBy, Relation
from memoryapp.graph.by_hand import check_same_table, relation_type
from memoryapp.graph.standing import members, standing
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.database import Database
from memoryapp.store.rows import shown
from memoryapp.store.write import Batch, commit, new_run

Record = TypeVar("Record", Entity, Relation)
_ACTS = {EntityState.KNOWN: "take in", EntityState.REFUSED: "refuse", EntityState.PROPOSED: "propose"}


def decide_entities(
    space: Space, keys: Sequence[str], state: EntityState, *, actor: Actor
) -> tuple[tuple[Entity, ...], Run]:
    """Puts entities into a state. Returns those that were changed. Raises NotFound, BadInput for none or too many."""
    changes = _changes(space, "entity", entities.get_many, keys, lambda one: replace(one, state=state))
    return _written(space, changes, Batch(entities=list(changes)), act=_ACTS[state], actor=actor)


def decide_entity(space: Space, key: str, state: EntityState, *, actor: Actor) -> tuple[Entity, Run]:
    """The same of one, which is given back whether it was changed or not. A known one is linked wherever its name
    stands from now on. Raises NotFound."""
    changed, run = decide_entities(space, [key], state, actor=actor)
    return (changed[0] if changed else entities.get(space.db, key)), run


def retype(space: Space, keys: Sequence[str], type: str, *, actor: Actor) -> tuple[tuple[Entity, ...], Run]:
    """Gives entities a type; whoever a person gives one is known from then on, a refused one stays refused. Returns
    those that were changed. Raises NotFound, BadInput for a type that is none, for none or too many."""
    kind = type_named(type)

    def typed(one: Entity) -> Entity:
        state = one.state if one.state is EntityState.REFUSED else EntityState.KNOWN
        return replace(one, type=kind, state=state)

    changes = _changes(space, "entity", entities.get_many, keys, typed)
    return _written(space, changes, Batch(entities=list(changes)), act="edit entity", actor=actor)


def refuse_relations(space: Space, keys: Sequence[str], *, actor: Actor) -> tuple[tuple[Relation, ...], Run]:
    """Hides relations for good. Returns those that were changed. Raises as `change_relations`, but for the type."""
    changes = _changes(space, "relation", relations.get_many, keys, lambda one: replace(one, state=Held.REFUSED))
    return _written(space, changes, Batch(relations=list(changes)), act="refuse relation", actor=actor)


def change_relations(
    space: Space, keys: Sequence[str], *, type: str, planned: bool | None = None, actor: Actor
) -> tuple[tuple[Relation, ...], Run]:
    """Gives relations another type, and says whether they are planned (None: as each is); they are a person's from
    then on. Returns those that were changed. Raises NotFound; BadInput for a type that is none, for what moves into or
    out of the hierarchy, for none or too many; Clash where somebody else changed one just now."""
    kind = relation_type(type)

    def said(one: Relation) -> Relation:
        check_same_table(one, kind)
        wished = one.planned if planned is None else planned
        return replace(one, type=kind, planned=wished, made_by=MadeBy.PERSON, confidence=1.0)

    changes = _changes(space, "relation", relations.get_many, keys, said)
    return _written(space, changes, Batch(relations=list(changes)), act="change relation", actor=actor)


def saying_the_same(space: Space, key: str) -> tuple[Relation, ...]:
    """The relation itself, then all that are held and say the same of the same two, whatever is merged into either:
    what is drawn as one edge. Raises NotFound."""
    one = relations.get(space.db, key)
    ends = [{m.id for m in members(space.db, standing(space.db, end))} for end in (one.subject, one.object)]
    found = relations.of_entities(space.db, ends[0] if len(ends[0]) <= len(ends[1]) else ends[1])
    same = (
        other
        for other in found
        if other.id != key and other.state is Held.HELD and other.type == one.type
        if other.subject in ends[0] and other.object in ends[1]
    )
    return one, *same


def _changes(
    space: Space,
    what: str,
    read: Callable[[Database, Sequence[str]], Mapping[str, Record]],
    keys: Sequence[str],
    change: Callable[[Record], Record],
) -> list[tuple[Record, Record]]:
    """(before, after) of each record that the change makes another."""
    wanted = list(dict.fromkeys(keys))
    if not wanted:
        raise BadInput("Nothing is picked.", field="/ids")
    if len(wanted) > LIMITS.batch_items:
        raise BadInput(f"{len(wanted)} at once; the limit is {LIMITS.batch_items}.", field="/ids")
    found = read(space.db, wanted)
    missing = [key for key in wanted if key not in found]
    if missing:
        raise NotFound(f"There is no {what} {shown(missing[0])} in space “{space.name}”.")
    return [(one, replace(after, version=one.version + 1)) for one in found.values() if (after := change(one)) != one]


def _written(
    space: Space, changes: Sequence[tuple[Record, Record]], batch: Batch, *, act: str, actor: Actor
) -> tuple[tuple[Record, ...], Run]:
    now = space.clock()
    run = new_run(act, actor, now=now)
    commit(space.db, run, batch, now=now)
    return tuple(after for _, after in changes), run
