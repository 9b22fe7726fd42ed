"""A conflict is decided by a person or a curator, alone or with many others, as a run that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.cleaning import clean_tags
from memoryapp.domain.clock import as_utc
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome, Scope, resolve
from memoryapp.domain.errors import BadInput, Clash, NotFound, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State
from memoryapp.review.edit import merged_text, overlaid, settle_edit
from memoryapp.review.rewrite import ReviewResult, refresh_derived
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.rows import short_id
from memoryapp.store.write import Batch, commit, new_run

SUBJECTS = 8  # of a decision, by which it is found as a precedent


@dataclass(frozen=True, slots=True)
class DecidedMany:
    """`left`: (conflict, why it was not decided). `run` is None where nothing was decided."""

    run: Run | None
    decided: tuple[Conflict, ...]
    left: tuple[tuple[str, str], ...]


def decide(
    space: Space,
    key: str,
    outcome: Outcome,
    *,
    actor: Actor,
    text: str | None = None,
    reason: str = "",
    scope: Scope | None = None,
) -> tuple[Conflict, ReviewResult]:
    """Settles one conflict as `domain.resolution` says, or `review.edited` where a source changed under an edit.

    `text` is for a merge, `scope` for both. Raises NotFound, BadInput (an outcome that does not fit, a merge without a
    text), and Clash where it is decided already.
    """
    run = new_run("resolve", actor, now=space.clock(), reason=reason or outcome.value, detail={"conflicts": [key]})
    return _decide_with_retries(space, key, outcome, run, text=text, reason=reason, scope=scope)


def decide_many(
    space: Space, keys: Sequence[str], *, outcome: Outcome | None, actor: Actor, reason: str = ""
) -> DecidedMany:
    """Settles many in one run; `outcome` None: each as its detector proposes. What cannot be decided, a merge for
    instance, is left waiting and named. Raises TooLarge or BadInput for too many or none."""
    wanted = list(dict.fromkeys(keys))
    if len(wanted) > LIMITS.batch_items:
        raise TooLarge(f"{len(wanted)} conflicts at once; the limit is {LIMITS.batch_items}.", field="/ids")
    if not wanted:
        raise BadInput("No conflict was picked.", field="/ids")
    told = outcome.value if outcome else "as proposed"
    run = new_run("resolve", actor, now=space.clock(), reason=reason or told, detail={"conflicts": wanted})
    decided, left = [], []
    for key in wanted:
        try:
            decided.append(_decide_with_retries(space, key, outcome, run, reason=reason)[0])
        except (NotFound, BadInput, Clash) as refused:
            left.append((key, refused.detail))
    if not decided:
        return DecidedMany(None, (), tuple(left))
    counts = {"decided": len(decided), "left": len(left)}
    return DecidedMany(
        revisions.finish_run(space.db, run, at=space.clock(), detail=counts), tuple(decided), tuple(left)
    )


def waiting(space: Space, key: str) -> Conflict:
    """The conflict, to be acted on. Raises NotFound, and Clash where it waits no longer."""
    conflict = conflicts.get(space.db, key)
    if conflict is None:
        raise NotFound(f"There is no conflict {short_id(key)} in space “{space.name}”.")
    if conflict.status is not ConflictStatus.WAITING:
        by = (conflict.decision or {}).get("by")
        raise Clash(f"Conflict {key} is {conflict.status.value} already{f', by {by}' if by else ''}.")
    return conflict


def _decide_with_retries(
    space: Space,
    key: str,
    outcome: Outcome | None,
    run: Run,
    *,
    text: str | None = None,
    reason: str = "",
    scope: Scope | None = None,
) -> tuple[Conflict, ReviewResult]:
    """Reads, decides and writes; again where a side was confirmed or the conflict proposed upon in between."""

    def write() -> tuple[Conflict, tuple[Memory, ...]]:
        conflict = waiting(space, key)
        chosen = outcome or conflict.outcome
        now = space.clock()
        sides = _sides(space, conflict)
        batch = _batch(sides, conflict, chosen, now=now, text=text, scope=scope)
        decision = {
            "outcome": chosen.value, "by": run.actor.name, "by_kind": run.actor.kind.value, "reason": reason,
            "at": now.isoformat(), "run": run.id, "subjects": _subjects(sides),
        } | ({"text": merged_text(text)} if chosen is Outcome.MERGE else {})  # fmt: skip
        decided = replace(
            conflict,
            status=ConflictStatus.DECIDED,
            decision=decision,
            decided_at=now,
            snoozed_until=None,
            version=conflict.version + 1,
        )
        batch.judged.append((conflict, decided))
        refresh_derived(space, batch, run=run, now=now)
        commit(space.db, run, batch, now=now)
        return decided, sides

    decided, sides = retry_write(write)
    found = memories.get_many(space.db, [side.id for side in sides])
    return decided, ReviewResult(run, tuple(found[side.id] for side in sides if side.id in found))


def _sides(space: Space, conflict: Conflict) -> tuple[Memory, ...]:
    keys = [conflict.existing, conflict.incoming] if conflict.incoming else [conflict.existing]
    found = memories.get_many(space.db, keys)
    for key in keys:
        if key not in found or (found[key].state is not State.HELD and conflict.incoming):
            waiting(space, conflict.id)  # who decided it between the two readings has said why
            state = found[key].state.value if key in found else "purged"
            raise Clash(f"Memory {key} is {state}: there is nothing to decide any more.")
    return tuple(found[key] for key in keys)


def _batch(
    sides: tuple[Memory, ...],
    conflict: Conflict,
    outcome: Outcome,
    *,
    now: datetime,
    text: str | None,
    scope: Scope | None,
) -> Batch:
    if len(sides) == 1:
        stands = settle_edit(sides[0], conflict, outcome, text)
        return Batch(updated=[(sides[0], stands)] if stands != sides[0] else [])
    existing, incoming = sides
    said = merged_text(text) if outcome is Outcome.MERGE else None
    resolved = resolve(existing, incoming, outcome, now=now, text=said, scope=_clean(scope))
    stands = overlaid(existing, resolved.existing) if said is not None else resolved.existing
    pairs = [(existing, stands), (incoming, resolved.incoming)]
    return Batch(
        updated=[(before, after) for before, after in pairs if before != after], superseded=list(resolved.superseded)
    )


def _clean(scope: Scope | None) -> Scope | None:
    if scope is None:
        return None
    tags = [next(iter(clean_tags([tag], field="/scope")), "") for tag in (scope.existing, scope.incoming)]
    return Scope(tags[0], tags[1], as_utc(scope.ended_at) if scope.ended_at else None)


def _subjects(sides: Sequence[Memory]) -> list[str]:
    """What the sides speak of, by which this decision is found when they are spoken of again."""
    named: dict[str, Any] = dict.fromkeys(slot.partition("|")[0] for side in sides for slot in side.slots)
    return list(named)[:SUBJECTS]
