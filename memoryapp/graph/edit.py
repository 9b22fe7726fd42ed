"""Entities and relations as a person edits them: added, changed, taken in, refused, one or several at a time.

Each act is one run, so that one undo takes it back. The hierarchy (`is_a`) is `hierarchy`, merging is `merge`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.cleaning import clean, clean_name
from memoryapp.domain.entity import Entity, EntityState, normal_form, type_named
from memoryapp.domain.errors import BadInput, Clash, NotFound, Stale
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType, relation_id
from memoryapp.extraction.entities.candidates import NAME_CHARS, guessed_type
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.link import free_ids
from memoryapp.graph.canonical import canonical, members, roots, write_lock
from memoryapp.graph.hierarchy import path_text, put_under, way_up
from memoryapp.spaces import Space
from memoryapp.spaces.mentions import missing_references
from memoryapp.store import entities, relations
from memoryapp.store.database import Database
from memoryapp.store.rows import short_id
from memoryapp.store.write import Batch, commit, new_run

ALIASES = 50
_REFERENCES_A_WRITE = 200
LABEL_CHARS = 60
_TYPE = re.compile(r"[^\W\d_](?:[\w-]{0,38}[^\W_])?")
Record = TypeVar("Record", Entity, Relation)
_ACTS = {EntityState.KNOWN: "take in", EntityState.REFUSED: "refuse", EntityState.PROPOSED: "propose"}


# ── entities


def add_entity(
    space: Space, name: str, *, type: str = "", aliases: Sequence[str] = (), actor: Actor
) -> tuple[Entity, Run, int]:
    """Makes an entity that a person names, known at once, and links the memories whose words name it already: how many
    is told last. A name that was only proposed is taken in. One run, so one undo takes back all of it.

    Raises BadInput that points at the field; Clash where an entity goes by the name or an alias (with its address), a
    refused one too.
    """
    called = _name(name, "/name")
    with write_lock(space.db):
        normal = normal_form(called)
        proposed = entities.by_normals(space.db, [normal]).get(normal)
        before = proposed if proposed and proposed.state is EntityState.PROPOSED else None
        if proposed and proposed.state is EntityState.REFUSED:
            raise Clash(
                f"“{proposed.name}” was refused ({proposed.id}). Take it in instead.",
                field="/name",
                address=f"/entities/{proposed.id}",
            )
        now = space.clock()
        blank = Entity(
            id=before.id if before else free_ids(space.db, [normal])[normal],
            name=called,
            normal=normal,
            type=type_named(type) if type.strip() else (before.type if before else guessed_type(called)),
            state=EntityState.KNOWN,
            created_at=before.created_at if before else now,
            version=before.version + 1 if before else 1,
        )
        after = replace(blank, aliases=_aliases(blank, called, aliases))
        # Itself it has no names yet: all are held against those of the others.
        _check_free(space, replace(blank, name=""), [(called, "/name"), *((a, "/aliases") for a in after.aliases)])
        run = new_run("add entity", actor, now=now)
        commit(space.db, run, Batch(entities=[(before, after)]), now=now)
    missing = missing_references(space, [after])
    for start in range(0, len(missing), _REFERENCES_A_WRITE):
        batch = Batch(references_added=missing[start : start + _REFERENCES_A_WRITE])
        commit(space.db, run, batch, now=space.clock())
    return entities.get(space.db, after.id), run, len(missing)


def edit_entity(
    space: Space,
    key: str,
    *,
    name: str | None = None,
    type: str | None = None,
    aliases: Sequence[str] | None = None,
    version: int | None = None,
    actor: Actor,
) -> tuple[Entity, Run]:
    """Changes what is given. Whoever is corrected by a person is known from then on, a refused one stays refused. The
    name it had becomes an alias, unless `aliases` are given: then it has these.

    `version`: the one the caller read. Raises NotFound; Stale; BadInput that points at the field; Clash where another
    entity has the name (its id is told) or somebody else changed this one just now.
    """
    with write_lock(space.db):
        before = entities.get(space.db, key)
        if version is not None and version != before.version:
            raise Stale(
                f"“{before.name}” is at version {before.version}, and you read {version}. "
                "Read it again and repeat your change.",
                current=before.version,
            )
        called = before.name if name is None else _name(name, "/name")
        normal = normal_form(called)
        others = _aliases(before, called, aliases)
        _check_free(space, before, [(called, "/name"), *((alias, "/aliases") for alias in others)])
        after = replace(
            before,
            name=called,
            normal=normal,
            type=before.type if type is None else type_named(type),
            aliases=others,
            state=before.state if before.state is EntityState.REFUSED else EntityState.KNOWN,
        )
        now = space.clock()
        run = new_run("edit entity", actor, now=now)
        if after == before:
            return before, run
        after = replace(after, version=before.version + 1)
        commit(space.db, run, Batch(entities=[(before, after)]), now=now)
        return entities.get(space.db, key), run


def _name(text: str, field: str) -> str:
    name = " ".join(clean(text).split())
    normal = normal_form(name)
    if not any(letter.isalnum() for letter in normal):
        raise BadInput("A name has at least one letter or digit.", field=field)
    if len(name) > NAME_CHARS:
        raise BadInput(f"A name has at most {NAME_CHARS} characters.", field=field)
    return name


def _aliases(before: Entity, called: str, aliases: Sequence[str] | None) -> tuple[str, ...]:
    """Each once by its normal form, without the name itself."""
    given = (*before.aliases, before.name) if aliases is None else tuple(_name(one, "/aliases") for one in aliases)
    kept = {normal_form(one): one for one in given}
    kept.pop(normal_form(called), None)
    if len(kept) > ALIASES:
        raise BadInput(f"{len(kept)} aliases; the limit is {ALIASES}.", field="/aliases")
    return tuple(kept.values())


def _check_free(space: Space, own: Entity, wanted: Sequence[tuple[str, str]]) -> None:
    """Raises Clash for a name or alias that another entity goes by. One that it had before may stay."""
    had = {normal_form(name) for name in (own.name, *own.aliases)}
    new = {normal: (name, field) for name, field in wanted if (normal := normal_form(name)) not in had}
    named = {normal: one.id for normal, one in entities.by_normals(space.db, list(new)).items()}
    spelled = lexicon_of(space.db).spelled
    for normal, (name, field) in new.items():
        other = named.get(normal) or spelled.get(normal)
        if other is not None and other != own.id:
            raise Clash(
                f"“{name}” is a name of another entity ({other}). "
                + ("Merge them instead." if own.name else "Edit that one instead."),
                field=field,
                address=f"/entities/{other}",
            )


# ── relations


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
    ends = [canonical(space.db, key) for key in (subject, object)]
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
    elif before.state is RelationState.HELD and (before.type, before.label) == (kind, words):
        raise Clash(f"“{ends[0].name}” {kind} “{ends[1].name}” is there already.")
    else:
        after = _by_person(before, type=kind, label=words, state=RelationState.HELD)
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
    with write_lock(space.db):
        before = _read(space, key, version)
        kind = before.type if type is None else relation_type(type)
        check_same_table(before, kind)
        words = before.label if label is None else _label(label)
        wished = before.planned if planned is None else planned
        after = _by_person(before, type=kind, label=words, planned=wished)
        return _write(space, before, after, "change relation", actor)


def refuse_relation(space: Space, key: str, *, version: int | None = None, actor: Actor) -> tuple[Relation, Run]:
    """Hides it for good: reading the same words again does not bring it back. Raises NotFound, Stale, Clash."""
    with write_lock(space.db):
        before = _read(space, key, version)
        after = replace(before, state=RelationState.REFUSED, version=before.version + 1)
        return _write(
            space, before, before if before.state is RelationState.REFUSED else after, "refuse relation", actor
        )


def hold_relation(space: Space, key: str, *, version: int | None = None, actor: Actor) -> tuple[Relation, Run]:
    """Takes it in, refused before or not: it is a hint no longer. Raises NotFound, Stale, and Clash where something
    would come to stand above itself."""
    with write_lock(space.db):
        before = _read(space, key, version)
        if before.type == RelationType.IS_A and before.state is RelationState.REFUSED:
            ends = entities.get_many(space.db, [before.subject, before.object])
            stands = roots(space.db, ends.values())
            if way := way_up(space.db, stands[before.object], {stands[before.subject].id}):
                raise Clash(f"That would be a circle: {path_text(way)}. Take one of them away first.")
        return _write(space, before, _by_person(before, state=RelationState.HELD), "hold relation", actor)


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


# ── several at once


def decide_entities(
    space: Space, keys: Sequence[str], state: EntityState, *, actor: Actor
) -> tuple[tuple[Entity, ...], Run]:
    """Puts entities into a state. Returns those that were changed. Raises NotFound, BadInput for none or too many."""
    changes = _changes(space, "entity", entities.get_many, keys, lambda one: replace(one, state=state))
    return _commit_changes(space, changes, Batch(entities=list(changes)), act=_ACTS[state], actor=actor)


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
    return _commit_changes(space, changes, Batch(entities=list(changes)), act="edit entity", actor=actor)


def refuse_relations(space: Space, keys: Sequence[str], *, actor: Actor) -> tuple[tuple[Relation, ...], Run]:
    """Hides relations for good. Returns those that were changed. Raises as `change_relations`, but for the type."""
    changes = _changes(
        space, "relation", relations.get_many, keys, lambda one: replace(one, state=RelationState.REFUSED)
    )
    return _commit_changes(space, changes, Batch(relations=list(changes)), act="refuse relation", actor=actor)


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
    return _commit_changes(space, changes, Batch(relations=list(changes)), act="change relation", actor=actor)


def saying_the_same(space: Space, key: str) -> tuple[Relation, ...]:
    """The relation itself, then all that are held and say the same of the same two, whatever is merged into either:
    what is drawn as one edge. Raises NotFound."""
    one = relations.get(space.db, key)
    ends = [{m.id for m in members(space.db, canonical(space.db, end))} for end in (one.subject, one.object)]
    found = relations.of_entities(space.db, ends[0] if len(ends[0]) <= len(ends[1]) else ends[1])
    same = (
        other
        for other in found
        if other.id != key and other.state is RelationState.HELD and other.type == one.type
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
        raise NotFound(f"There is no {what} {short_id(missing[0])} in space “{space.name}”.")
    return [(one, replace(after, version=one.version + 1)) for one in found.values() if (after := change(one)) != one]


def _commit_changes(
    space: Space, changes: Sequence[tuple[Record, Record]], batch: Batch, *, act: str, actor: Actor
) -> tuple[tuple[Record, ...], Run]:
    now = space.clock()
    run = new_run(act, actor, now=now)
    commit(space.db, run, batch, now=now)
    return tuple(after for _, after in changes), run
