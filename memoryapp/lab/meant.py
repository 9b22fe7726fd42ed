"""What a golden query means: its relevant memories, by their ids or the caller's own, and what has become of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import State
from memoryapp.index.roster import STATES
from memoryapp.spaces import Space
from memoryapp.store import golden, memories

MOST = 100  # relevant memories of one golden query
_AT_ONCE = 1_000  # asked of the store


def meant(space: Space, named: Sequence[str], *, field: str = "/relevant") -> tuple[str, ...]:
    """The ids of memories named by id or ref, each once, in order. Raises BadInput at `field` for none, for more than
    MOST, and at its place (`field`/2) for one that nothing goes by."""
    known = ids_of(space, named)
    return taken(named, known, field=field)


def taken(named: Sequence[str], known: dict[str, str], *, field: str = "/relevant") -> tuple[str, ...]:
    """As `meant`, where it is known already which id each name has."""
    if not named:
        raise BadInput("Name a memory that should be found, by its id or your own.", field=field)
    if len(named) > MOST:
        raise BadInput(f"A golden query has at most {MOST} relevant memories, not {len(named):,}.", field=field)
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
