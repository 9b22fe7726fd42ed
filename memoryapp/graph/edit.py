"""An entity's name, type and aliases, as a person gives and corrects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.cleaning import clean
from memoryapp.domain.entity import Entity, EntityState, normal_form, type_named
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.extract.concepts import NAME_CHARS, guessed_type
from memoryapp.extract.lexicon import lexicon_of
from memoryapp.extract.link import free_ids
from memoryapp.graph.standing import alone
from memoryapp.spaces import Space
from memoryapp.spaces.mentions import missing_references
from memoryapp.store import entities
from memoryapp.store.write import Batch, commit, new_run

ALIASES = 50
_REFERENCES_A_WRITE = 200


def add_entity(
    space: Space, name: str, *, type: str = "", aliases: Sequence[str] = (), actor: Actor
) -> tuple[Entity, Run, int]:
    """Makes an entity that a person names, known at once, and links the memories whose words name it already: how many
    is told last. A name that was only proposed is taken in. One run, so one undo takes back all of it.

    Raises BadInput that points at the field; Clash where an entity goes by the name or an alias (with its address), a
    refused one too.
    """
    called = _name(name, "/name")
    with alone(space.db):
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
    with alone(space.db):
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
