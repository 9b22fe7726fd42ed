"""Conflicts: which wait, all there is to know before deciding one, and how they are decided or put off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome, Scope
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.reply import Reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Id, Limit, Moment, Name, Response, Sparse, path_id
from memoryapp.interfaces.memories.schemas import MemoryOut, TrustParts, TurnOut, show_memories, show_trust, show_turn
from memoryapp.interfaces.memories.writing_schemas import Label, Text
from memoryapp.review.case import Case
from memoryapp.spaces import Space
from memoryapp.store import conflicts

OutcomeName = Literal["keep", "replace", "both", "merge", "neither"]
Tab = Literal["waiting", "automatic", "decided", "snoozed"]


class Proposal(Response):
    outcome: OutcomeName = Field(examples=["replace"])
    reason: str = Field(examples=["Minsu lives in one place: first Seoul, now Busan."])
    confidence: float = Field(examples=[0.9])


class Incoming(Response):
    """The incoming side: a memory, or only the words of a source that changed under an edit."""

    id: str | None = Field(examples=[None])
    text: str = Field(examples=["Minsu lives in Busan."])
    memory: MemoryOut | None = Field(examples=[None])


class ConflictOut(Response):
    """`gate` says why the existing side survives by trust alone, where it does. `proposals` are what agents suggest
    that may not decide. `certain`: a sure rule says that the two cannot both hold."""

    id: Id
    existing: MemoryOut
    incoming: Incoming
    proposal: Proposal
    status: ConflictStatus
    detector: str = Field(examples=["slot"])
    attribute: str | None = Field(description="What the two differ in.", examples=["minsu|lives in"])
    certain: bool = Field(examples=[True])
    existing_trust: TrustParts
    incoming_trust: TrustParts | None
    gate: str | None = Field(examples=[None])
    precedents: list[dict[str, Any]] = Field(examples=[[]])
    proposals: list[dict[str, Any]] = Field(examples=[[{"outcome": "keep", "by": "planner", "reason": "A trip."}]])
    existing_turn: TurnOut | None
    incoming_turn: TurnOut | None
    snoozed_until: datetime | None = Field(examples=[None])
    decision: dict[str, Any] | None = Field(examples=[None])
    run: str | None = Field(description="The run that raised it.", examples=["5a5a0f0f12345678"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    decided_at: datetime | None = Field(examples=[None])
    version: int = Field(examples=[1])


class TalliesOut(Response):
    """How many conflicts there are under each status, whoever found them."""

    waiting: int = Field(examples=[3])
    automatic: int = Field(examples=[1])
    decided: int = Field(examples=[12])
    snoozed: int = Field(examples=[0])


class ConflictPage(Response):
    items: list[ConflictOut]
    next_cursor: str | None = Field(examples=[None])
    total: int = Field(description="How many there are in all.", examples=[1])
    detectors: dict[str, int] = Field(description="Under this status, by who found them.", examples=[{"slot": 1}])
    tallies: TalliesOut


class ConflictDetail(ConflictOut):
    """With what each outcome would change, in plain sentences, and a text that a merge could take."""

    impact: dict[str, list[str]] = Field(examples=[{"replace": ["“Minsu lives in Seoul.” leaves search."]}])
    suggested_text: str | None = Field(examples=["Minsu lived in Seoul, and lives in Busan."])


class ScopeIn(Body):
    """Where both sides hold: each in other circumstances (a tag), or the older one until a time, the newer from it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ended_at": "2026-11-14T00:00:00Z"}]})

    existing: Label | Literal[""] = ""
    incoming: Label | Literal[""] = ""
    ended_at: Moment | None = None


class DecideIn(Body):
    """keep the existing side · replace it · both hold, as `scope` says · merge into `text` · neither."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"outcome": "replace", "reason": "Minsu said so himself."}]}
    )

    outcome: OutcomeName
    text: Text | None = Field(None, description="What is to stand; for merge.")
    reason: Name = ""
    scope: ScopeIn | None = Field(None, description="For both.")
    propose: bool = Field(False, description="Only propose it, for somebody who may decide, whatever the key may do.")


class DecidedOut(Response):
    """`status` is proposed where it was only to be that, or the key may not decide: it is kept among the conflict's
    `proposals`, and `run` is null."""

    status: Literal["decided", "proposed"] = Field(examples=["decided"])
    run: str | None = Field(description="Undo it: POST /runs/{id}/undo.", examples=["5a5a0f0f12345678"])
    conflict: ConflictOut


class SnoozeIn(Body):
    """Until when it is out of sight; null wakes it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"until": "2026-11-22T09:00:00Z"}]})

    until: Moment | None


class UndoneOut(Response):
    """The conflict, waiting again."""

    conflict: ConflictOut


class DecideManyIn(Sparse):
    """Which: `ids`, or all waiting ones (`all`: true), of one `detector` or the `certain` ones alone. `outcome`
    “proposal” takes each one's own."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"], "outcome": "proposal", "dry_run": True}]},
    )

    ids: Annotated[list[Id], Field(max_length=LIMITS.batch_items)] = []
    all: bool = False
    detector: Name = ""
    certain: bool = False
    outcome: Literal["keep", "replace", "both", "neither", "proposal"]
    reason: Name = ""
    dry_run: bool = False


class LeftOut(Response):
    id: Id
    why: str = Field(examples=["It is decided already."])


class DecidedMany(Response):
    """One run for all. `left`: those that could not be decided so, and why. On a dry run `decided` is what would be."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    decided: list[Id]
    left: list[LeftOut]
    dry_run: bool = Field(examples=[False])


def show_cases(space: Space, cases: Sequence[Case]) -> list[ConflictOut]:
    sides = {side.id: side for case in cases for side in (case.existing, case.incoming) if side is not None}
    shown = {memory.id: memory for memory in show_memories(space, list(sides.values()))}
    return [_case(case, shown) for case in cases]


def show_case(space: Space, case: Case) -> ConflictOut:
    return show_cases(space, [case])[0]


def _case(case: Case, shown: dict[str, MemoryOut]) -> ConflictOut:
    one = case.conflict
    incoming = shown.get(one.incoming or "")
    words = incoming.text if incoming else one.incoming_text or ""
    return ConflictOut.of(
        one,
        existing=shown[case.existing.id],
        incoming=Incoming(id=one.incoming, text=words, memory=incoming),
        proposal=Proposal(outcome=one.outcome.value, reason=one.reason, confidence=one.confidence),
        existing_trust=show_trust(case.existing_trust),
        incoming_trust=show_trust(case.incoming_trust) if case.incoming_trust else None,
        gate=case.gate,
        precedents=[_without_nulls(asdict(precedent)) for precedent in case.precedents],
        proposals=[_without_nulls(proposal) for proposal in one.proposals],
        existing_turn=show_turn(case.existing_turn) if case.existing_turn else None,
        incoming_turn=show_turn(case.incoming_turn) if case.incoming_turn else None,
    )


def _without_nulls(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


# Conflicts are decided: one, many at once, put off, and taken back.

router = Routes("Conflicts")
ConflictId = Annotated[str, path_id("conflict")]
_PAGE = 200


@router.post(
    "/conflicts/resolve", needs=Role.CURATOR, response=DecidedMany, errors=(404, 413), summary="Decide many conflicts"
)
def resolve_conflicts(request: ApiRequest, body: DecideManyIn) -> DecidedMany:
    """Decides up to 1,000 waiting conflicts in one run that can be undone as a whole: all in one way, or each as it is
    proposed. `dry_run` says which."""
    space = the_space(request)
    keys = _chosen_ids(space, body)
    outcome = None if body.outcome == "proposal" else Outcome(body.outcome)
    if body.dry_run:
        there = conflicts.get_many(space.db, keys)
        waiting = [key for key in keys if key in there and there[key].status is ConflictStatus.WAITING]
        left = [LeftOut(id=key, why=_refusal_reason(there.get(key))) for key in keys if key not in waiting]
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


def _chosen_ids(space: Space, body: DecideManyIn) -> list[str]:
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


def _refusal_reason(conflict: Conflict | None) -> str:
    return f"It is {conflict.status.value} already." if conflict else "There is no such conflict."


@router.post(
    "/conflicts/{id}/resolve",
    needs=Role.WRITER,
    response={200: DecidedOut, 202: DecidedOut},
    errors=(404, 409, 413),
    summary="Decide a conflict",
)
def resolve_conflict(request: ApiRequest, id: ConflictId, body: DecideIn) -> Reply:
    """keep: the existing side stands; replace: the incoming one does; both: both hold, as `scope` says; merge: `text`
    does; neither: both are put aside. A curator decides (200). What another key says, or one that sends `propose`, is
    kept with the conflict, with who said it and when, for somebody who may decide (202, `status` proposed). A caller's
    earlier proposal gives way to this one."""
    space, caller = the_space(request), request.auth
    outcome = Outcome(body.outcome)
    if body.propose or not caller.role.allows(Role.CURATOR):
        suggested = review.propose(space, id, outcome, actor=caller.actor, text=body.text, reason=body.reason)
        return Reply(DecidedOut(status="proposed", run=None, conflict=_show_conflict(space, suggested)), 202)
    decided, done = review.decide(
        space, id, outcome, actor=caller.actor, text=body.text, reason=body.reason, scope=_scope(body)
    )
    return Reply(DecidedOut(status="decided", run=done.run.id, conflict=_show_conflict(space, decided)))


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
    return UndoneOut(conflict=_show_conflict(space, review.undo_decision(space, id, actor=request.auth.actor)))


@router.post(
    "/conflicts/{id}/snooze", needs=Role.CURATOR, response=UndoneOut, errors=(404, 409), summary="Put a conflict off"
)
def snooze_conflict(request: ApiRequest, id: ConflictId, body: SnoozeIn) -> UndoneOut:
    """Out of the queue until then. Both sides stay searchable, and marked. A null `until` wakes it."""
    space = the_space(request)
    return UndoneOut(
        conflict=_show_conflict(space, review.snooze(space, id, until=body.until, actor=request.auth.actor))
    )


def _show_conflict(space: Space, conflict: Conflict) -> ConflictOut:
    return show_case(space, review.case(space, conflict.id))


Sort = Literal["newest", "oldest", "confidence", "trust"]


@router.get("/conflicts", needs=Role.READER, response=ConflictPage, summary="List conflicts")
def list_conflicts(
    request: ApiRequest,
    status: Tab = "waiting",
    detector: Name = "",
    sort: Sort = "newest",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> ConflictPage:
    """Pairs that cannot both hold, with what is proposed and why. Both sides stay searchable while they wait.
    automatic: what the space's policy decided; snoozed: put off for now. `sort` trust: most trust at stake first."""
    space = the_space(request)
    place = read_cursor(cursor, str, str)
    if place and place[0] != sort:
        raise BadInput("This cursor belongs to a list in another order.", field="cursor")
    page = review.queue(
        space,
        tab=status,
        detector=detector or None,
        sort=sort,
        after=place[1] if place else None,
        limit=limit,
    )
    more = write_cursor(sort, page.next) if page.next else None
    return ConflictPage(
        items=show_cases(space, page.cases),
        next_cursor=more,
        total=page.total,
        detectors=dict(page.detectors),
        tallies=TalliesOut(**review.tallies(space)),
    )


@router.get("/conflicts/{id}", needs=Role.READER, response=ConflictDetail, errors=(404,), summary="Get a conflict")
def get_conflict(request: ApiRequest, id: ConflictId) -> ConflictDetail:
    """One conflict and, while it waits, what each outcome would change."""
    space = the_space(request)
    case = review.case(space, id)
    waits = case.conflict.status is ConflictStatus.WAITING
    told = {one.value: list(review.impact(space, id, one).lines) for one in Outcome} if waits else {}
    merged = review.suggest_merge(case.existing, case.incoming) if waits and case.incoming else None
    return ConflictDetail(**show_case(space, case).model_dump(), impact=told, suggested_text=merged)
