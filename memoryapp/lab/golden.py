"""Golden queries: questions of which somebody said what should be found. Added, joined, changed, deleted, put back.

A question is kept in one way of writing its words and filters, so that the same question is one. Its relevant memories
are named by their ids or the caller's own, and shown with what has become of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.domain.filters import Filters, filters_read, filters_told
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import derived_id, new_id
from memoryapp.domain.memory import State
from memoryapp.domain.results import Query
from memoryapp.index.roster import STATES
from memoryapp.search.query import check
from memoryapp.spaces import Space
from memoryapp.store import golden, memories
from memoryapp.store.retry import retry_write

MOST_RELEVANT = 100  # relevant memories of one golden query
_AT_ONCE = 1_000  # asked of the store
MOST_NOTE = 1_000  # characters
MOST_FILTERS = 10_000  # characters of JSON


@dataclass(frozen=True, slots=True)
class AddResult:
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
) -> AddResult:
    """`relevant`: ids or the caller's refs of 1–100 memories. Where the same is asked already with the same filters,
    they are joined to what that means.

    Raises BadInput that points at the field (/query, /relevant/2, /filters/until, /note), TooLarge for a long query,
    Clash where the space is full.
    """
    text, narrowed = normalize_query(query, filters or Filters())
    ids, told = resolve_relevant(space, relevant), note_of(note)
    return retry_write(lambda: _add(space, text, narrowed, ids, told, actor=actor))


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
    text, narrowed = normalize_query(was.query if query is None else query, was.filters if filters is None else filters)
    other = _find_same(space, text, narrowed)
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
    if _find_same(space, deleted.query, deleted.filters) is not None:
        raise Clash("A golden query asks the same with the same filters by now.", field="/query")
    back = replace(deleted, version=1)
    try:
        golden.save(space.db, [back])
    except Stale as error:
        raise Clash("This golden query is back already.") from error
    return back


def _add(space: Space, text: str, filters: Filters, ids: Sequence[str], note: str, *, actor: Actor) -> AddResult:
    now, was = space.clock(), _find_same(space, text, filters)
    if was is None:
        if golden.count(space.db) >= golden.MOST:
            raise Clash(f"This space has {golden.MOST:,} golden queries, and takes no more.")
        key = fresh_id(text, filters)
        other = golden.find(space.db, key)
        if other is not None and print_of(other.query, other.filters) != print_of(text, filters):
            key = new_id()  # it was made for these words, and asks others by now
        made = Golden(key, text, tuple(ids), note, actor.name, now, now, filters)
        golden.save(space.db, [made])
        return AddResult(made)
    more = replace(
        was,
        relevant=join_relevant(was, ids),
        note=was.note or note,
        by=actor.name,
        updated_at=now,
        version=was.version + 1,
    )
    golden.save(space.db, [more])
    return AddResult(more, before=was)


def _find_same(space: Space, text: str, filters: Filters) -> Golden | None:
    wanted = print_of(text, filters)
    alike = golden.asking(space.db, text)
    return next((one for one in alike if print_of(one.query, one.filters) == wanted), None)


def _still_meant(space: Space, was: Golden, relevant: Sequence[str]) -> tuple[str, ...]:
    """What was purged elsewhere has no memory to be found by, and is no mistake of whoever changes the rest."""
    known = ids_of(space, relevant) | {key: key for key in relevant if key in was.relevant}
    return check_relevant(relevant, known)


def resolve_relevant(space: Space, named: Sequence[str], *, field: str = "/relevant") -> tuple[str, ...]:
    """The ids of memories named by id or ref, each once, in order. Raises BadInput at `field` for none, for more than
    MOST_RELEVANT, and at its place (`field`/2) for one that nothing goes by."""
    known = ids_of(space, named)
    return check_relevant(named, known, field=field)


def check_relevant(named: Sequence[str], known: dict[str, str], *, field: str = "/relevant") -> tuple[str, ...]:
    """As `resolve_relevant`, where it is known already which id each name has."""
    if not named:
        raise BadInput("Name a memory that should be found, by its id or your own.", field=field)
    if len(named) > MOST_RELEVANT:
        raise BadInput(
            f"A golden query has at most {MOST_RELEVANT} relevant memories, not {len(named):,}.", field=field
        )
    for n, name in enumerate(named):
        if name not in known:
            raise BadInput(f"There is no memory “{clean(name)[:60]}” in this space.", field=f"{field}/{n}")
    return tuple(dict.fromkeys(known[name] for name in named))


def ids_of(space: Space, named: Collection[str]) -> dict[str, str]:
    """By name, the id of what goes by it as its id or its ref; in the space, then in those it reads along. Deleted ones
    are there until they are purged; unknown names are absent."""
    found: dict[str, str] = {}
    for one in _line(space):
        left = [name for name in dict.fromkeys(named) if name not in found]
        roster = one.index.view().roster
        found |= {name: name for name in left if roster.slot(name) is not None}
        for some in _batches([name for name in left if name not in found], _AT_ONCE):
            by_id = golden.states(one.db, some)
            by_ref = memories.by_refs(one.db, [clean(name) for name in some if name not in by_id])
            found |= {name: name for name in by_id} | {ref: memory.id for ref, memory in by_ref.items()}
    return {name: found[name] for name in named if name in found}


def states_of(space: Space, ids: Collection[str]) -> dict[str, State | None]:
    """How each memory stands; None for one that is no more."""
    found: dict[str, State | None] = dict.fromkeys(ids)
    for one in _line(space):
        roster = one.index.view().roster
        states = roster.state
        left = [key for key, state in found.items() if state is None]
        slots = {key: roster.slot(key) for key in left}
        found |= {key: STATES[int(states[slot])] for key, slot in slots.items() if slot is not None}
        for some in _batches([key for key in left if slots[key] is None], _AT_ONCE):
            found |= golden.states(one.db, some)
    return found


def refs_of(space: Space, ids: Collection[str]) -> dict[str, str]:
    """The caller's own ids of those that have one."""
    found: dict[str, str] = {}
    for one in _line(space):
        for some in _batches([key for key in ids if key not in found], _AT_ONCE):
            found |= golden.refs(one.db, some)
    return found


def is_gone(state: State | None) -> bool:
    """Deleted or purged: nothing can find it any more."""
    return state is None or state is State.DELETED


def _batches(some: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (some[start : start + size] for start in range(0, len(some), size))


def _line(space: Space) -> Iterator[Space]:
    """The space and, one after the other, those it reads along, each with its index as of now."""
    one: Space | None = space
    while one is not None:
        one.index.refresh()
        yield one
        one = one.parent


def normalize_query(query: str, filters: Filters) -> tuple[str, Filters]:
    """The words as a search takes them, and the filters in one way of writing: times in UTC, choices in order."""
    text = check(Query(query, filters=filters)).text
    told = {
        name: _sorted_values(value) if isinstance(value, list) else value
        for name, value in filters_told(filters).items()
    }
    try:
        size = len(json.dumps(told, allow_nan=False))
    except ValueError:
        raise BadInput("A filter takes no number without end.", field="/filters") from None
    if size > MOST_FILTERS:
        raise BadInput("These are more filters than a golden query keeps.", field="/filters")
    return text, filters_read(told)


def _sorted_values(values: list[str]) -> list[str]:
    return sorted({clean(value) for value in values})


def note_of(note: str) -> str:
    """Raises BadInput for a long one."""
    told = clean(note).strip()
    if len(told) > MOST_NOTE:
        raise BadInput(f"A note has at most {MOST_NOTE:,} characters, not {len(told):,}.", field="/note")
    return told


def print_of(query: str, filters: Filters) -> str:
    """What tells two golden queries apart; both as `normalize_query` leaves them."""
    return json.dumps([query, filters_told(filters)], sort_keys=True)


def join_relevant(was: Golden, ids: Sequence[str]) -> tuple[str, ...]:
    """Raises BadInput where it would be more than a golden query takes."""
    together = tuple(dict.fromkeys([*was.relevant, *ids]))
    if len(together) > MOST_RELEVANT:
        told = f"Joined to what is relevant already, it would be {len(together)} memories; {MOST_RELEVANT} is the most."
        raise BadInput(told, field="/relevant")
    return together


def fresh_id(text: str, filters: Filters) -> str:
    """Of the words and filters, so that two who add the same at once meet."""
    return derived_id("golden", print_of(text, filters))
