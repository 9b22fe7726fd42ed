"""Conflicts are decided: one, many at once, put off, and taken back."""

from __future__ import annotations

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cases import show_case
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import path_id
from memoryapp.api.schemas.conflict import (
    ConflictOut,
    DecidedMany,
    DecidedOut,
    DecideIn,
    DecideManyIn,
    LeftOut,
    ProposedOut,
    ProposeIn,
    SnoozeIn,
    UndoneOut,
)
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome, Scope
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.spaces import Space
from memoryapp.store import conflicts

router = Routes("Conflicts")
ConflictId = path_id("conflict")
_PAGE = 200


@router.post(
    "/conflicts/resolve", needs=Role.CURATOR, response=DecidedMany, errors=(404, 413), summary="Decide many conflicts"
)
def resolve_many(request: ApiRequest, body: DecideManyIn) -> DecidedMany:
    """Decides up to 1,000 waiting conflicts in one run that can be undone as a whole: all in one way, or each as it is
    proposed. `dry_run` says which."""
    space = the_space(request)
    keys = _chosen(space, body)
    outcome = None if body.outcome == "proposal" else Outcome(body.outcome)
    if body.dry_run:
        there = conflicts.get_many(space.db, keys)
        waiting = [key for key in keys if key in there and there[key].status is ConflictStatus.WAITING]
        left = [LeftOut(id=key, why=_why(there.get(key))) for key in keys if key not in waiting]
        return DecidedMany(run=None, decided=waiting, left=left, dry_run=True)
    if not keys:
        return DecidedMany(run=None, decided=[], left=[], dry_run=False)
    done = review.decide_many(space, keys, outcome=outcome, actor=request.auth.actor, reason=body.reason)
    return DecidedMany(
        run=done.run.id if done.run else None,
        decided=[one.id for one in done.decided],
        left=[LeftOut(id=key, why=why) for key, why in done.left],
        dry_run=False,
    )


def _chosen(space: Space, body: DecideManyIn) -> list[str]:
    if bool(body.ids) is body.all:
        raise BadInput("Name the conflicts by `ids`, or send `all`: true. One of the two.", field="/ids")
    if body.ids:
        return list(dict.fromkeys(body.ids))
    found: list[str] = []
    after = None
    while len(found) < LIMITS.batch_items:
        page = review.queue(space, tab="waiting", detector=body.detector or None, after=after, limit=_PAGE)
        found += [case.conflict.id for case in page.cases if case.conflict.certain or not body.certain]
        after = page.next
        if after is None:
            break
    return found[: LIMITS.batch_items]


def _why(conflict: Conflict | None) -> str:
    return f"It is {conflict.status.value} already." if conflict else "There is no such conflict."


@router.post(
    "/conflicts/{id}/resolve",
    needs=Role.WRITER,
    response={200: DecidedOut, 202: DecidedOut},
    errors=(404, 409, 413),
    summary="Decide a conflict",
)
def resolve(request: ApiRequest, id: ConflictId, body: DecideIn) -> Reply:
    """keep: the existing side stands; replace: the incoming one does; both: both hold, as `scope` says; merge: `text`
    does; neither: both are put aside. A curator decides (200). What another key says is kept as a proposal, for
    somebody who may decide (202, `status` proposed)."""
    space, caller = the_space(request), request.auth
    outcome = Outcome(body.outcome)
    if not caller.role.allows(Role.CURATOR):
        suggested = review.propose(space, id, outcome, actor=caller.actor, text=body.text, reason=body.reason)
        return Reply(DecidedOut(status="proposed", run=None, conflict=_shown(space, suggested)), 202)
    decided, done = review.decide(
        space, id, outcome, actor=caller.actor, text=body.text, reason=body.reason, scope=_scope(body)
    )
    return Reply(DecidedOut(status="decided", run=done.run.id, conflict=_shown(space, decided)))


@router.post(
    "/conflicts/{id}/propose",
    needs=Role.WRITER,
    response=ProposedOut,
    errors=(404, 409, 413),
    summary="Propose how to decide a conflict",
)
def propose_outcome(request: ApiRequest, id: ConflictId, body: ProposeIn) -> ProposedOut:
    """Says how it should be decided and why, without deciding it: the proposal is kept with the conflict, with who made
    it and when, for somebody who may decide. A caller's earlier proposal gives way to this one."""
    space = the_space(request)
    outcome = Outcome(body.outcome)
    kept = review.propose(space, id, outcome, actor=request.auth.actor, text=body.text, reason=body.reason)
    return ProposedOut(conflict=_shown(space, kept))


def _scope(body: DecideIn) -> Scope | None:
    if body.scope is None:
        return None
    return Scope(body.scope.existing, body.scope.incoming, body.scope.ended_at)


@router.post(
    "/conflicts/{id}/undo", needs=Role.CURATOR, response=UndoneOut, errors=(404, 409), summary="Undo a decision"
)
def undo_decision(request: ApiRequest, id: ConflictId) -> UndoneOut:
    """Takes a decision back, a person's or the policy's: both sides are as they were, and the conflict waits again."""
    space = the_space(request)
    return UndoneOut(conflict=_shown(space, review.undo_decision(space, id, actor=request.auth.actor)))


@router.post(
    "/conflicts/{id}/snooze", needs=Role.CURATOR, response=UndoneOut, errors=(404, 409), summary="Put a conflict off"
)
def snooze(request: ApiRequest, id: ConflictId, body: SnoozeIn) -> UndoneOut:
    """Out of the queue until then. Both sides stay searchable, and marked. A null `until` wakes it."""
    space = the_space(request)
    return UndoneOut(conflict=_shown(space, review.snooze(space, id, until=body.until, actor=request.auth.actor)))


def _shown(space: Space, conflict: Conflict) -> ConflictOut:
    return show_case(space, review.case(space, conflict.id))
