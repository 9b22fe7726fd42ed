"""Memories as they are shown: one, a page, a history, a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain import strength
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, State, Usage
from memoryapp.domain.trust import Trust
from memoryapp.domain.turn import Turn
from memoryapp.extraction.entities.link import MENTION
from memoryapp.interfaces.api.schemas import Id, Response
from memoryapp.spaces import Space
from memoryapp.spaces.space import trust_of
from memoryapp.store import conflicts, entities, lineage, memories, turns, usage


def show_memories(space: Space, memories: Sequence[Memory], *, inherited_from: str | None = None) -> list[MemoryOut]:
    """With trust, usage and waiting conflicts, each asked once for all of them. `space` is the one that holds them."""
    keys = [memory.id for memory in memories]
    used = usage.get_many(space.db, keys)
    waiting = conflicts.waiting_for(space.db, keys) if space.at is None else {}
    trusted, now = trust_of(space, memories), space.clock()
    shown = []
    for memory in memories:
        use = used.get(memory.id) or Usage(memory.id)
        one = _memory(memory, trusted[memory.id], use, waiting.get(memory.id, ()), now)
        shown.append(one.model_copy(update={"inherited_from": inherited_from}))
    return shown


def show_memory(space: Space, memory: Memory, *, inherited_from: str | None = None) -> MemoryOut:
    return show_memories(space, [memory], inherited_from=inherited_from)[0]


def show_trust(trusted: Trust) -> TrustParts:
    return TrustParts.of(trusted)


def _memory(memory: Memory, trusted: Trust, use: Usage, waiting: Iterable[str], now: datetime) -> MemoryOut:
    present = strength.strength(
        memory_type=memory.memory_type,
        since=max(memory.last_confirmed, use.accessed_at or memory.last_confirmed),
        accesses=use.accesses,
        salience=memory.salience,
        confidence=memory.confidence,
        now=now,
    )
    return MemoryOut.of(
        memory,
        session=memory.origin.session,
        atom=memory.detail.get("atom"),
        trust=trusted.value,
        trust_parts=show_trust(trusted),
        strength=present.value,
        source=show_origin(memory),
        usage=UsageOut.of(use),
        conflicts=list(waiting),
        inherited_from=None,
    )


def show_origin(memory: Memory) -> Source:
    return Source.of(memory.origin)


A_MEMORY: dict[str, Any] = {
    "id": "9f2c1b7a40d3e685",
    "ref": "D1:3",
    "kind": "note",
    "state": "held",
    "title": "",
    "text": "We moved the queue to Redis because RabbitMQ lost messages on restart.",
    "breadcrumb": [],
    "category": None,
    "tags": ["queue", "decision"],
    "speaker": "Alice",
    "session": "standup-42",
    "sessions": ["standup-42"],
    "decision_point": True,
    "emotional_signal": False,
    "detail": {},
    "atom": None,
    "confidence": 0.9,
    "trust": 0.893,
    "trust_parts": {
        "confidence": 0.9,
        "recency": 0.992,
        "boost": 1.0,
        "days": 1.0,
        "reinforcements": 0,
        "ceiling": None,
        "word": "firm",
    },
    "strength": 0.81,
    "memory_type": None,
    "mood": None,
    "salience": 1.0,
    "occurred_at": "2026-11-20T09:30:00Z",
    "valid_from": None,
    "valid_to": None,
    "expires_at": None,
    "review_at": None,
    "daily": False,
    "pinned": False,
    "edited": False,
    "source_text": None,
    "source": {
        "document": None,
        "path": None,
        "first_line": None,
        "last_line": None,
        "session": "standup-42",
        "turn": None,
    },
    "usage": {"accesses": 2, "accessed_at": "2026-11-21T08:00:00Z", "used": 1, "not_useful": 0},
    "reinforced_at": None,
    "conflicts": [],
    "inherited_from": None,
    "created_at": "2026-11-20T09:31:07Z",
    "updated_at": "2026-11-20T09:31:07Z",
    "version": 1,
}
A_TURN: dict[str, Any] = {
    "id": "3c4d5e6f70819203",
    "session": "standup-42",
    "number": 7,
    "text": "Let us move the queue to Redis, RabbitMQ lost messages on restart.",
    "at": "2026-11-20T09:30:00Z",
    "speaker": "Alice",
    "role": "user",
    "ref": "D1:3",
    "private": False,
}


Voice = Literal["user", "assistant", "system", "tool"]  # domain.turn.Role; a schema of that name is the callers' roles
OutcomeWord = Literal["written", "reinforced", "conflict", "unchanged"]


class Source(Response):
    """Where the words come from. Lines count from 1."""

    document: str | None = None
    path: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    session: str | None = None
    turn: str | None = None


class TrustParts(Response):
    """trust = confidence × recency × boost, and never more than `ceiling`, the lowest trust it was derived from."""

    confidence: float
    recency: float
    boost: float
    days: float
    reinforcements: int
    ceiling: float | None
    word: Literal["faint", "thin", "fair", "firm", "settled"]


class UsageOut(Response):
    accesses: int
    accessed_at: datetime | None
    used: int
    not_useful: int


class MemoryOut(Response):
    """A memory as it is held now. `trust` and `strength` are as of this answer."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_MEMORY]})

    id: Id
    ref: str | None
    kind: Kind
    state: State
    title: str
    text: str
    breadcrumb: list[str]
    category: Category | None
    tags: list[str]
    speaker: str | None
    session: str | None
    sessions: list[str] = Field(description="Every session that said it.")
    decision_point: bool
    emotional_signal: bool
    detail: dict[str, Any] = Field(
        description="What only its kind has. Of a fact: the `quote` as it was said, and `when`: the words of time in "
        "it and what they were taken for."
    )
    atom: str | None = Field(description="What it states, in PENMAN, where it came as an atom.")
    confidence: float
    trust: float
    trust_parts: TrustParts
    strength: float
    memory_type: MemoryType | None
    mood: Mood | None
    salience: float
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    review_at: datetime | None
    daily: bool
    pinned: bool
    edited: bool = Field(description="A person's or an agent's wording stands over the source's.")
    source_text: str | None = Field(description="The source's own words, where they were edited.")
    source: Source
    usage: UsageOut
    reinforced_at: datetime | None
    conflicts: list[str] = Field(description="Ids of the conflicts that wait for a decision.")
    inherited_from: str | None = Field(description="The parent space it lives in, where it is not this one's own.")
    created_at: datetime
    updated_at: datetime
    version: int = Field(description="Also the ETag.")


class TurnOut(Response):
    """One thing said in a session, as it was said. `number` counts from 1. `private`: “[private]” stands for words that
    are not kept, or that its session alone shows."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_TURN]})

    id: Id
    session: str
    number: int
    text: str
    at: datetime
    speaker: str | None
    role: Voice
    ref: str | None
    private: bool


class ReferredOut(Response):
    """An entity that a memory refers to. `role`: the part it has there, “mention” where none is known; `weight`: how
    much of the memory that is."""

    id: Id
    name: str = Field(examples=["Redis"])
    type: str = Field(examples=["tool"])
    role: str = Field(examples=["mention"])
    weight: float = Field(examples=[1.0])


class MemoryDetail(MemoryOut):
    """With where it was said, what it replaced and what replaced it, what it was made of and what was made of it, and
    the entities it refers to."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                A_MEMORY
                | {
                    "turn": A_TURN,
                    "supersedes": ["8c7b6a5948372615"],
                    "superseded_by": [],
                    "derived_from": [],
                    "derived_into": ["1f2e3d4c5b6a7988"],
                    "entities": [
                        {"id": "0a1b2c3d4e5f6071", "name": "Redis", "type": "tool", "role": "mention", "weight": 1.0}
                    ],
                }
            ]
        }
    )

    turn: TurnOut | None = Field(description="The turn it was learned from, where there is one.")
    supersedes: list[str]
    superseded_by: list[str]
    derived_from: list[str]
    derived_into: list[str]
    entities: list[ReferredOut]


class MemoryPage(Response):
    items: list[MemoryOut]
    next_cursor: str | None = Field(description="Null on the last page.", examples=[None])
    total: int = Field(description="How many match in all; of deleted ones, how many are on this page.", examples=[1])


class BulkOut(Response):
    """`run` undoes it all: POST /runs/{id}/undo. Null on a dry run, and where there was nothing to do."""

    act: str = Field(examples=["archive"])
    run: str | None = Field(examples=[None])
    changed: list[Id]
    unchanged: list[Id] = Field(description="Already so.")
    dry_run: bool = Field(examples=[True])


class ActOut(Response):
    """The memory after the act, and the run that undoes it (null where nothing changed, or on a dry run)."""

    memory: MemoryOut
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


class FeedbackOut(Response):
    """What was said of it so far, and the factor that comes of it, within ±20 %."""

    id: Id
    used: int = Field(examples=[3])
    not_useful: int = Field(examples=[0])
    factor: float = Field(examples=[1.1])


class NeighboursOut(Response):
    """What stands around a memory in its document or session, in order."""

    before: list[MemoryOut]
    after: list[MemoryOut]


class GoneAlong(Response):
    """A memory that told what was purged, and was erased along with it."""

    id: Id
    kind: Kind = Field(examples=["episode"])


class ReceiptOut(Response):
    """What was erased for good, place by place, and what is `left` of it: zeros, when it is `complete`. A receipt
    holds none of the words. On a dry run nothing was erased, and `removed` is what would be. `also`: the episodes,
    summaries and digests that told it and went along; they are written anew from what is left. `said_by`: memories
    that say the same in their own right and stay, each to be purged by itself."""

    id: Id
    removed: dict[str, int] = Field(examples=[{"memory": 1, "revisions": 3, "embeddings": 1, "references": 2}])
    left: dict[str, int] = Field(examples=[{"memory": 0, "revision": 0, "search index": 0}])
    also: list[GoneAlong] = Field(examples=[[{"id": "8c1f0e2ab94d7356", "kind": "episode"}]])
    said_by: list[Id] = Field(examples=[["5d20b7c6e1f98a34"]])
    complete: bool = Field(examples=[True])
    by: str = Field(examples=["alice"])
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    dry_run: bool = Field(examples=[False])


# One memory with all that hangs on it: the turn it was said in, what it replaced, what it was made of.


def show_detail(space: Space, memory: Memory, *, inherited_from: str | None = None) -> MemoryDetail:
    """`space` is the one that holds it."""
    shown = show_memory(space, memory, inherited_from=inherited_from)
    said = turns.get_many(space.db, [memory.origin.turn]) if memory.origin.turn else {}
    return MemoryDetail(
        **shown.model_dump(),
        turn=show_turn(said[memory.origin.turn]) if memory.origin.turn in said else None,
        supersedes=[one.id for one in lineage.replaced_by(space.db, memory.id)],
        superseded_by=[one.id for one in lineage.standing_for(space.db, memory.id)],
        derived_from=[one.id for one in memories.sources_of(space.db, memory.id)],
        derived_into=[one.id for one in memories.derived_from(space.db, [memory.id])],
        entities=_referred_entities(space, memory.id),
    )


def _referred_entities(space: Space, memory: str) -> list[ReferredOut]:
    """What weighs most first."""
    edges = entities.references_of(space.db, [memory]).get(memory, ())
    known = entities.get_many(space.db, [edge.entity for edge in edges])
    shown = [
        ReferredOut(id=edge.entity, name=one.name, type=one.type, role=edge.role, weight=edge.weight)
        for edge in edges
        if (one := known.get(edge.entity))
    ]
    return sorted(shown, key=lambda one: (one.role == MENTION, -one.weight, one.name))


def show_turn(turn: Turn, *, words: str | None = None) -> TurnOut:
    """`words`: those that its session keeps for itself."""
    return TurnOut.of(turn, text=turn.text if words is None else words, role=turn.role.value)
