"""A conflict: an existing memory and something incoming that cannot both hold; and what deciding it does to the two.

Pure: review decides by hand, remember by a space's policy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoryapp.domain.memory import Memory, State


class ConflictStatus(StrEnum):
    WAITING = "waiting"
    DECIDED = "decided"
    AUTOMATIC = "automatic"
    WITHDRAWN = "withdrawn"  # its cause is gone: the source says again what is held


class Outcome(StrEnum):
    KEEP = "keep"
    REPLACE = "replace"
    BOTH = "both"
    MERGE = "merge"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Conflict:
    """`incoming` is a memory's id, or None where the incoming side is only a text (`incoming_text`): a source that
    changed under a person's edit. `outcome` is what the detector proposes, with its reason and confidence; `certain`
    where a sure rule says so. `attribute` is what the two differ in, by which precedents are found.

    `proposals` are what agents suggest that may not decide: {outcome, by, by_kind, at, text?, reason?}. `decision` is
    {outcome, by, by_kind, reason, at, run, subjects?, text?} once there is one, of a withdrawn conflict {cause, by, at,
    reason}. `run` is the run that raised it."""

    id: str
    existing: str
    detector: str
    reason: str
    created_at: datetime
    incoming: str | None = None
    incoming_text: str | None = None
    outcome: Outcome = Outcome.KEEP
    confidence: float = 0.5
    status: ConflictStatus = ConflictStatus.WAITING
    decision: dict[str, Any] | None = None
    version: int = 1
    attribute: str | None = None
    certain: bool = False
    snoozed_until: datetime | None = None
    proposals: tuple[dict[str, Any], ...] = ()
    run: str | None = None
    decided_at: datetime | None = None


# ── deciding


@dataclass(frozen=True, slots=True)
class Scope:
    """Where both sides hold: in other circumstances (a tag each), or at other times (the older one ended then)."""

    existing: str = ""
    incoming: str = ""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ResolvedSides:
    """The two sides as they are to stand. `superseded`: (what stands, what it stands in place of)."""

    existing: Memory
    incoming: Memory
    superseded: tuple[tuple[str, str], ...] = ()


def resolve(
    existing: Memory,
    incoming: Memory,
    outcome: Outcome,
    *,
    now: datetime,
    text: str | None = None,
    scope: Scope | None = None,
) -> ResolvedSides:
    """keep: the incoming one is superseded, without ever having held. replace: the existing one ends where the incoming
    one begins. both: both hold, as `scope` says. merge: the existing one says `text`, confirmed by the incoming one.
    neither: both are put aside, restorable.
    """
    match outcome:
        case Outcome.KEEP:
            begun = incoming.valid_from or incoming.occurred_at or now
            put_off = replace(incoming, state=State.SUPERSEDED, valid_to=begun)
            return ResolvedSides(existing, put_off, ((existing.id, incoming.id),))
        case Outcome.REPLACE:
            since = incoming.valid_from or incoming.occurred_at or incoming.created_at
            # A validity that was known to end earlier stays as it is known.
            ended = min(existing.valid_to, since) if existing.valid_to else since
            gone = replace(existing, state=State.SUPERSEDED, valid_to=ended)
            stands = replace(incoming, state=State.HELD, valid_from=incoming.valid_from or since)
            return ResolvedSides(gone, stands, ((incoming.id, existing.id),))
        case Outcome.BOTH:
            return _keep_both(existing, incoming, scope or Scope())
        case Outcome.MERGE:
            merged = replace(
                existing,
                state=State.HELD,
                text=text if text is not None else existing.text,
                reinforcements=existing.reinforcements + 1,
                reinforced_at=now,
                sessions=tuple(dict.fromkeys((*existing.sessions, *incoming.sessions))),
            )
            begun = incoming.valid_from or incoming.occurred_at or now
            return ResolvedSides(
                merged,
                replace(incoming, state=State.SUPERSEDED, valid_to=begun),
                ((existing.id, incoming.id),),
            )
        case Outcome.NEITHER:
            return ResolvedSides(replace(existing, state=State.ARCHIVED), replace(incoming, state=State.ARCHIVED))


def _keep_both(existing: Memory, incoming: Memory, scope: Scope) -> ResolvedSides:
    def scoped(memory: Memory, tag: str) -> Memory:
        tags = tuple(dict.fromkeys((*memory.tags, tag))) if tag else memory.tags
        return replace(memory, state=State.HELD, tags=tags)

    older, newer = scoped(existing, scope.existing), scoped(incoming, scope.incoming)
    if scope.ended_at is not None:
        older = replace(older, valid_to=scope.ended_at)
        newer = replace(newer, valid_from=newer.valid_from or scope.ended_at)
    return ResolvedSides(older, newer)
