"""What was merged is parted again, or never becomes one: a person's word, which no later look goes against."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.alike import Alike, AlikeStatus, alike_id
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.graph.standing import alone, standing
from memoryapp.spaces import Space
from memoryapp.store import alike as pairs
from memoryapp.store import entities
from memoryapp.store.write import Batch, commit, new_run


def part(space: Space, key: str, *, actor: Actor) -> tuple[Entity, Run]:
    """Lets a merged entity stand for itself again, with all that was merged into it and every edge that is its own.
    The two are never merged or proposed again unasked. Raises NotFound, and Clash where it is merged into nothing."""
    with alone(space.db):
        before = entities.get(space.db, key)
        if before.merged_into is None:
            raise Clash(f"“{before.name}” is not merged into anything.")
        # First, so that no look in between merges what is parted.
        for other in dict.fromkeys((before.merged_into, standing(space.db, key).id)):
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
    with alone(space.db):
        first, second = entities.get(space.db, one), entities.get(space.db, other)
        if one == other:
            raise BadInput(f"“{first.name}” is alike to itself.", field="/other")
        if standing(space.db, one).id == standing(space.db, other).id:
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
