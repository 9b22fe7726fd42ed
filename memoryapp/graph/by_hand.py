"""Relations as a person makes, corrects, refuses and takes them in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.cleaning import clean_name
from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.domain.relation import Held, MadeBy, Relation, RelationType, relation_id
from memoryapp.graph.hierarchy import put_under, told, way_up
from memoryapp.graph.standing import alone, roots, standing
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.write import Batch, commit, new_run

LABEL_CHARS = 60
_TYPE = re.compile(r"[^\W\d_](?:[\w-]{0,38}[^\W_])?")


def add_relation(
    space: Space, subject: str, type: str, object: str, *, label: str = "", actor: Actor
) -> tuple[Relation, Run]:
    """Joins two entities by a relation that hangs on no memory. `is_a` puts the one under the other.

    Raises NotFound; BadInput for a type that is none, a long label or an entity with itself; Clash where an end was
    refused or the relation is there already.
    """
    kind = relation_type(type)
    if kind == RelationType.IS_A:
        return put_under(space, subject, object, actor=actor)
    words = _label(label)
    ends = [standing(space.db, key) for key in (subject, object)]
    for end, field in zip(ends, ("/subject", "/object"), strict=True):
        if end.state is EntityState.REFUSED:
            raise Clash(f"“{end.name}” was refused. Take it in first.", field=field)
    if ends[0].id == ends[1].id:
        raise BadInput(f"“{ends[0].name}” cannot be joined to itself.", field="/object")
    key = relation_id(subject, kind, object, None)
    before = relations.find(space.db, key)
    now = space.clock()
    if before is None:
        after = Relation(key, subject, kind, object, 1.0, MadeBy.PERSON, now, label=words)
    elif before.state is Held.HELD and (before.type, before.label) == (kind, words):
        raise Clash(f"“{ends[0].name}” {kind} “{ends[1].name}” is there already.")
    else:
        after = _by_person(before, type=kind, label=words, state=Held.HELD)
    run = new_run("relate by hand", actor, now=now)
    commit(space.db, run, Batch(relations=[(before, after)]), now=now)
    return after, run


def change_relation(
    space: Space,
    key: str,
    *,
    type: str | None = None,
    label: str | None = None,
    planned: bool | None = None,
    version: int | None = None,
    actor: Actor,
) -> tuple[Relation, Run]:
    """Corrects what a relation says; it is then a person's, and stays however its memory is worded.

    `version`: the one the caller read. Raises NotFound, Stale, BadInput, and Clash where somebody else changed it just
    now.
    """
    with alone(space.db):
        before = _read(space, key, version)
        kind = before.type if type is None else relation_type(type)
        check_same_table(before, kind)
        words = before.label if label is None else _label(label)
        wished = before.planned if planned is None else planned
        after = _by_person(before, type=kind, label=words, planned=wished)
        return _write(space, before, after, "change relation", actor)


def refuse_relation(space: Space, key: str, *, version: int | None = None, actor: Actor) -> tuple[Relation, Run]:
    """Hides it for good: reading the same words again does not bring it back. Raises NotFound, Stale, Clash."""
    with alone(space.db):
        before = _read(space, key, version)
        after = replace(before, state=Held.REFUSED, version=before.version + 1)
        return _write(space, before, before if before.state is Held.REFUSED else after, "refuse relation", actor)


def hold_relation(space: Space, key: str, *, version: int | None = None, actor: Actor) -> tuple[Relation, Run]:
    """Takes it in, refused before or not: it is a hint no longer. Raises NotFound, Stale, and Clash where something
    would come to stand above itself."""
    with alone(space.db):
        before = _read(space, key, version)
        if before.type == RelationType.IS_A and before.state is Held.REFUSED:
            ends = entities.get_many(space.db, [before.subject, before.object])
            stands = roots(space.db, ends.values())
            if way := way_up(space.db, stands[before.object], {stands[before.subject].id}):
                raise Clash(f"That would be a circle: {told(way)}. Take one of them away first.")
        return _write(space, before, _by_person(before, state=Held.HELD), "hold relation", actor)


def check_same_table(relation: Relation, type: str) -> None:
    """Raises BadInput for a type by which it would move into the hierarchy, or out of it."""
    if (type == RelationType.IS_A) != (relation.type == RelationType.IS_A):
        raise BadInput(
            "A place in the hierarchy is no other relation: refuse this one, and make the other.", field="/type"
        )


def relation_type(text: str) -> str:
    """A type of the taxonomy, or one of a space's own: letters, digits, “_” and “-”, in small letters. “Works at” →
    works_at. Raises BadInput."""
    name = "_".join(unicodedata.normalize("NFKC", text).casefold().split())
    if not _TYPE.fullmatch(name):
        raise BadInput(f"“{text[:60]}” is no type: 1–40 letters, digits, “_” or “-”.", field="/type")
    return RelationType(name) if name in set(RelationType) else name


def _label(label: str) -> str:
    words = clean_name(label, field="/label") or ""
    if len(words) > LABEL_CHARS:
        raise BadInput(f"Longer than {LABEL_CHARS} characters.", field="/label")
    return words


def _by_person(before: Relation, **more: object) -> Relation:
    """Changed, or as it was where a person had it so already."""
    after = replace(before, made_by=MadeBy.PERSON, confidence=1.0, **more)  # type: ignore[arg-type]
    return after if after == before else replace(after, version=before.version + 1)


def _read(space: Space, key: str, version: int | None) -> Relation:
    found = relations.get(space.db, key)
    if version is not None and version != found.version:
        raise Stale(
            f"This relation is at version {found.version}, and you read {version}. "
            "Read it again and repeat your change.",
            current=found.version,
        )
    return found


def _write(space: Space, before: Relation, after: Relation, act: str, actor: Actor) -> tuple[Relation, Run]:
    now = space.clock()
    run = new_run(act, actor, now=now)
    if after != before:
        commit(space.db, run, Batch(relations=[(before, after)]), now=now)
    return after, run
