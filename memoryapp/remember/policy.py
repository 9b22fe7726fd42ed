"""Conflicts that need no person, by the space's policy: decided at once, in a run of their own that is undone with one
click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.change import Actor, ActorKind, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome, resolve
from memoryapp.domain.errors import Clash, Stale
from memoryapp.domain.memory import Memory, State
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, revisions
from memoryapp.store.write import Batch, commit, new_run

_PUT_RIGHT = frozenset({"edit", "confirm", "restore"})
POLICY = Actor(ActorKind.MACHINE, "policy")


def decide_by_policy(space: Space, raised: Sequence[Conflict]) -> Run | None:
    """Decides, as each conflict proposes, what the policy takes off a person's hands: auto-certain the certain ones,
    auto all. Where somebody changes one of them at this moment they are left to a person. Returns the run, if any."""
    policy = space.tuning.conflict_policy
    wanted = [
        one.id
        for one in raised
        if one.incoming is not None
        and one.outcome is not Outcome.MERGE  # whose words somebody has to write
        and (policy == "auto" or (policy == "auto-certain" and one.certain))
    ]
    waiting = [one for one in conflicts.get_many(space.db, wanted).values() if one.status is ConflictStatus.WAITING]
    if not waiting:
        return None
    now = space.clock()
    run = new_run("resolve", POLICY, now=now, reason=f"policy {policy}", detail={"conflicts": [c.id for c in waiting]})
    batch = _decision_batch(space, waiting, run, now=now)
    if not batch.judged:
        return None
    try:
        commit(space.db, run, batch, now=now)
    except (Stale, Clash):
        return None
    return run


def _decision_batch(space: Space, waiting: Sequence[Conflict], run: Run, *, now: datetime) -> Batch:
    """What else waits about a side that is put aside, the store's writing withdraws."""
    found = memories.get_many(space.db, list({side for one in waiting for side in _sides(one)}))
    standing, batch = dict(found), Batch()
    for conflict in sorted(waiting, key=lambda one: (-one.confidence, one.id)):
        existing, incoming = (standing.get(side) for side in _sides(conflict))
        if existing is None or incoming is None or {existing.state, incoming.state} != {State.HELD}:
            continue  # another decision of this run has put one side aside
        if existing.pinned or _put_right(space, existing):
            continue
        resolved = resolve(existing, incoming, conflict.outcome, now=now)
        standing[existing.id], standing[incoming.id] = resolved.existing, resolved.incoming
        batch.superseded.extend(resolved.superseded)
        batch.judged.append((conflict, _close_conflict(conflict, run, now=now)))
    batch.updated = [(found[key], after) for key, after in standing.items() if after != found[key]]
    return batch


def _put_right(space: Space, memory: Memory) -> bool:
    """Whether a person edited, confirmed or restored it: that is not put aside by what an agent says."""
    changes = revisions.of_record(space.db, memory.id)
    return any(one.actor.kind is ActorKind.PERSON and one.act in _PUT_RIGHT for one in changes)


def _sides(conflict: Conflict) -> tuple[str, str]:
    assert conflict.incoming is not None  # what facts raise lies between two memories
    return conflict.existing, conflict.incoming


def _close_conflict(conflict: Conflict, run: Run, *, now: datetime) -> Conflict:
    decision = {
        "outcome": conflict.outcome.value,
        "by": POLICY.name,
        "by_kind": POLICY.kind.value,
        "run": run.id,
        "at": now.isoformat(),
        "reason": conflict.reason,
    }
    return replace(
        conflict,
        status=ConflictStatus.AUTOMATIC,
        decision=decision,
        decided_at=now,
        version=conflict.version + 1,
    )
