"""Which sections are old enough, by the index alone; which of them stay as they are, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.consolidate.digests import Standing, standing_digests, told_in
from memoryapp.consolidate.group import Group
from memoryapp.domain.digest import Staying, Topic
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.index.engine import View
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories

_DAY = 86_400.0
_AT_ONCE = 2_000  # rows of one question


@dataclass(frozen=True, slots=True)
class Due:
    """`sections` that may be folded, in order of day and place; `staying`: those that may not; `standing`: the digests
    that hold some of these sections already, by id: their words changed since."""

    sections: tuple[Memory, ...]
    staying: tuple[Staying, ...]
    standing: Mapping[str, Standing]


def old_enough(space: Space, *, older_than_days: int | None = None) -> int:
    """How many sections are old enough and held, from the index alone."""
    return len(slots_due(space, older_than_days=older_than_days)[1])


def slots_due(space: Space, *, older_than_days: int | None = None) -> tuple[View, NDArray[np.intp]]:
    """Held, dated sections older than that many days that nobody has pinned, as slots of the view they were read from,
    all that was written taken in."""
    days = space.tuning.consolidate_after_days if older_than_days is None else older_than_days
    space.index.refresh()
    view, now = space.index.view(), space.clock()
    roster = view.roster
    mask = roster.mask(Filters(kinds=(Kind.SECTION,)), now=now, half_life=space.tuning.trust_half_life_days)
    old = roster.occurred < now.timestamp() - days * _DAY  # one without a day is never older
    return view, np.flatnonzero(mask & old & ~roster.pinned)


def keys_due(space: Space, *, older_than_days: int | None = None) -> list[str]:
    """Ids of those sections, in order."""
    view, slots = slots_due(space, older_than_days=older_than_days)
    return sorted(view.roster.ids[slot] for slot in slots.tolist())


def due(space: Space, *, older_than_days: int | None = None) -> Due:
    """What would be folded now, what stays and why."""
    keys = keys_due(space, older_than_days=older_than_days)
    found: dict[str, Memory] = {}
    for start in range(0, len(keys), _AT_ONCE):
        found |= memories.get_many(space.db, keys[start : start + _AT_ONCE])
    sections = [m for m in found.values() if m.daily and m.state is State.HELD and not m.pinned]
    waiting = conflicts.waiting_for(space.db, [memory.id for memory in sections])
    standing = standing_digests(space, {key for memory in sections if (key := told_in(memory))})
    going: list[Memory] = []
    staying: list[Staying] = []
    for memory in sorted(sections, key=in_order):
        why = _stay_reason(memory, waiting=memory.id in waiting, standing=standing)
        if why:
            staying.append(stays(memory, why))
        else:
            going.append(memory)
    return Due(tuple(going), tuple(staying), standing)


def stays(memory: Memory, why: str) -> Staying:
    """A section that is not folded, and the reason."""
    return Staying(memory.id, memory.title, memory.occurred_at, why)


def in_order(memory: Memory) -> tuple[datetime, str, int, str]:
    """By day, then by document and place in it."""
    return memory.occurred_at or memory.created_at, memory.origin.path or "", memory.position, memory.id


def _stay_reason(memory: Memory, *, waiting: bool, standing: Mapping[str, Standing]) -> str:
    if waiting:
        return "a conflict about it waits for a decision"
    digest = standing.get(told_in(memory) or "")
    if digest is None:
        return ""
    if digest.edited:
        return f"the digest that told it, “{digest.memory.title}”, was edited by hand"
    if digest.originals.get(memory.id) == content_hash(memory.text):
        return f"somebody brought it back out of the digest “{digest.memory.title}”"
    return ""


# Digests that stand while one of their sections has other words now: to be written anew, in their place.


@dataclass(frozen=True, slots=True)
class DigestUpdate:
    """`digest`: the id under which it stands."""

    digest: str
    group: Group


def told_again(
    space: Space, sections: Sequence[Memory], standing: Mapping[str, Standing]
) -> tuple[list[DigestUpdate], list[Memory]]:
    """The digests to be written anew, and the sections that no digest tells. A digest keeps its other sections, which
    are archived, as long as they still belong to it."""
    changed: dict[str, list[Memory]] = {}
    rest = []
    for memory in sections:
        key = told_in(memory) or ""
        if key in standing:
            changed.setdefault(key, []).append(memory)
        else:
            rest.append(memory)
    return [DigestUpdate(key, _group(space, standing[key], key, changed[key])) for key in sorted(changed)], rest


def _group(space: Space, digest: Standing, key: str, changed: Sequence[Memory]) -> Group:
    others = sorted(set(digest.originals) - {memory.id for memory in changed})
    kept = [
        memory
        for memory in memories.get_many(space.db, others).values()
        if memory.state is State.ARCHIVED and told_in(memory) == key
    ]
    detail = digest.memory.detail
    topic = Topic(str(detail.get("topic") or ""), "digest", detail.get("entity"))
    return Group(topic, tuple(sorted([*changed, *kept], key=in_order)))
