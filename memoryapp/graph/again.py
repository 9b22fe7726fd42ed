"""Two that may be one, put to a person again: after a merge was undone, or a refusal was taken back."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.alike import Alike, AlikeStatus, alike_id
from memoryapp.domain.errors import NotFound
from memoryapp.graph.merge import BY_HAND
from memoryapp.graph.standing import alone
from memoryapp.spaces import Space
from memoryapp.store import alike as pairs
from memoryapp.store import entities, revisions


def perhaps_alike(space: Space, key: str) -> Alike:
    """Takes back that a person said two are two: the pair waits again. Raises NotFound."""
    with alone(space.db):
        known = pairs.find(space.db, key)
        if known is None:
            raise NotFound(f"There is no pair {key[:40]} in space “{space.name}”.")
        waits = replace(known, status=AlikeStatus.WAITING)
        pairs.decide(space.db, waits)
        return waits


def put_again(space: Space, run: str) -> int:
    """The pairs that were proposed, that a run merged, and that stand apart again since it was undone wait for a person
    again. Returns how many; 0 for a run that merged none."""
    merged = {
        alike_id(change.record_id, into)
        for change in revisions.of_run(space.db, run)
        if change.record == "entity" and (into := change.after.get("merged_into"))
    }
    again = 0
    for key in sorted(merged):
        known = pairs.find(space.db, key)
        if known and known.status is AlikeStatus.MERGED and known.reason != BY_HAND and _apart(space, known):
            pairs.decide(space.db, replace(known, status=AlikeStatus.WAITING))
            again += 1
    return again


def _apart(space: Space, pair: Alike) -> bool:
    ends = entities.get_many(space.db, [pair.one, pair.other])
    return len(ends) == 2 and all(one.merged_into is None for one in ends.values())
