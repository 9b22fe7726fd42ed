"""Golden queries: questions of which somebody said what should be found. Added, joined, changed, deleted, put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import Clash, Stale
from memoryapp.domain.filters import Filters
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import State
from memoryapp.lab.meant import ids_of, is_gone, meant, states_of, taken
from memoryapp.lab.question import asked, fresh_id, joined, note_of, print_of
from memoryapp.spaces import Space
from memoryapp.store import golden


@dataclass(frozen=True, slots=True)
class Added:
    """`before`: the golden query that asked the same and that the relevant memories were joined to; None where it is a
    new one."""

    golden: Golden
    before: Golden | None = None

    @property
    def joined(self) -> bool:
        return self.before is not None


@dataclass(frozen=True, slots=True)
class Standing:
    """A golden query and how each of its relevant memories stands; None for one that was purged elsewhere. A purge in
    its own space takes the id out of the golden query."""

    golden: Golden
    states: Mapping[str, State | None]

    @property
    def gone(self) -> tuple[str, ...]:
        """Deleted or purged: they do not count when the query is asked."""
        return tuple(key for key, state in self.states.items() if is_gone(state))

    @property
    def archived(self) -> tuple[str, ...]:
        return tuple(key for key, state in self.states.items() if state is State.ARCHIVED)

    @property
    def left(self) -> tuple[str, ...]:
        """Those that count."""
        return tuple(key for key, state in self.states.items() if not is_gone(state))


def golden_of(space: Space) -> tuple[Standing, ...]:
    """The oldest first."""
    every = golden.every(space.db)
    states = states_of(space, {key for one in every for key in one.relevant})
    return tuple(Standing(one, {key: states[key] for key in one.relevant}) for one in every)


def golden_named(space: Space, key: str) -> Standing:
    """Raises NotFound."""
    found = golden.get(space.db, key)
    return Standing(found, states_of(space, found.relevant))


def add_golden(
    space: Space,
    query: str,
    relevant: Sequence[str],
    filters: Filters | None = None,
    note: str = "",
    *,
    actor: Actor,
) -> Added:
    """`relevant`: ids or the caller's refs of 1–100 memories. Where the same is asked already with the same filters,
    they are joined to what that means.

    Raises BadInput that points at the field (/query, /relevant/2, /filters/until, /note), TooLarge for a long query,
    Clash where the space is full.
    """
    text, narrowed = asked(query, filters or Filters())
    ids, told = meant(space, relevant), note_of(note)
    try:
        return _add(space, text, narrowed, ids, told, actor=actor)
    except Stale:  # somebody added or changed the same just now
        return _add(space, text, narrowed, ids, told, actor=actor)


def change_golden(
    space: Space,
    key: str,
    *,
    version: int,
    query: str | None = None,
    relevant: Sequence[str] | None = None,
    filters: Filters | None = None,
    note: str | None = None,
    actor: Actor,
) -> Golden:
    """What is None stays. A relevant memory that is gone may stay too. Raises as `add_golden`, NotFound, Stale, and
    Clash where another one asks the same."""
    was = golden.get(space.db, key)
    if was.version != version:
        raise Stale(golden.CHANGED, current=was.version)
    text, narrowed = asked(was.query if query is None else query, was.filters if filters is None else filters)
    other = _same(space, text, narrowed)
    if other is not None and other.id != key:
        raise Clash("Another golden query asks the same with the same filters.", field="/query")
    changed = replace(
        was,
        query=text,
        filters=narrowed,
        relevant=was.relevant if relevant is None else _still_meant(space, was, relevant),
        note=was.note if note is None else note_of(note),
        by=actor.name,
        updated_at=space.clock(),
        version=version + 1,
    )
    golden.save(space.db, [changed])
    return changed


def delete_golden(space: Space, key: str, *, version: int | None = None) -> Golden:
    """What was deleted, so that `put_back_golden` can undo it. What runs found of it stays with them. Raises NotFound,
    and Stale where `version` is not the present one."""
    return golden.delete(space.db, key, version=version)


def put_back_golden(space: Space, deleted: Golden) -> Golden:
    """A deleted golden query under its own id; its version begins again. Raises Clash where it is back already, or
    another asks the same by now."""
    if _same(space, deleted.query, deleted.filters) is not None:
        raise Clash("A golden query asks the same with the same filters by now.", field="/query")
    back = replace(deleted, version=1)
    try:
        golden.save(space.db, [back])
    except Stale as error:
        raise Clash("This golden query is back already.") from error
    return back


def _add(space: Space, text: str, filters: Filters, ids: Sequence[str], note: str, *, actor: Actor) -> Added:
    now, was = space.clock(), _same(space, text, filters)
    if was is None:
        if golden.count(space.db) >= golden.MOST:
            raise Clash(f"This space has {golden.MOST:,} golden queries, and takes no more.")
        key = fresh_id(text, filters)
        other = golden.find(space.db, key)
        if other is not None and print_of(other.query, other.filters) != print_of(text, filters):
            key = new_id()  # it was made for these words, and asks others by now
        made = Golden(key, text, tuple(ids), note, actor.name, now, now, filters)
        golden.save(space.db, [made])
        return Added(made)
    more = replace(
        was, relevant=joined(was, ids), note=was.note or note, by=actor.name, updated_at=now, version=was.version + 1
    )
    golden.save(space.db, [more])
    return Added(more, before=was)


def _same(space: Space, text: str, filters: Filters) -> Golden | None:
    wanted = print_of(text, filters)
    alike = golden.asking(space.db, text)
    return next((one for one in alike if print_of(one.query, one.filters) == wanted), None)


def _still_meant(space: Space, was: Golden, relevant: Sequence[str]) -> tuple[str, ...]:
    """What was purged elsewhere has no memory to be found by, and is no mistake of whoever changes the rest."""
    known = ids_of(space, relevant) | {key: key for key in relevant if key in was.relevant}
    return taken(relevant, known)
