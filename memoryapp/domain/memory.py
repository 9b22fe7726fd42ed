"""A memory: the one recallable thing, whatever its kind. Plain data; the store writes it, retrieve returns it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoryapp.domain.change import ActorKind, Run


class Kind(StrEnum):
    """What a memory was made from."""

    SECTION = "section"  # of an ingested document
    NOTE = "note"  # what an agent or a person wrote, as it is
    FACT = "fact"
    EPISODE = "episode"
    DIGEST = "digest"
    SUMMARY = "summary"
    ATOM = "atom"  # PENMAN
    NODE = "node"  # of the Context Tree: a page of curated markdown
    TURN = "turn"  # what somebody said in a session, word for word: evidence, not a claim


# What claims to be so, and is compared with whatever else claims something of the same.
BELIEFS = frozenset({Kind.FACT, Kind.ATOM})


class State(StrEnum):
    """Where a memory stands. Only `held` is recalled unless a filter says otherwise."""

    HELD = "held"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    DELETED = "deleted"  # soft; restorable until purged


class MemoryType(StrEnum):
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Mood(StrEnum):
    ACTUAL = "actual"
    PLANNED = "planned"
    UNCERTAIN = "uncertain"
    NORMATIVE = "normative"
    CONDITIONAL = "conditional"


class Category(StrEnum):
    IDENTITY = "identity"
    PREFERENCES = "preferences"
    PERSONAL = "personal"
    WORK = "work"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a memory's words come from. All empty for a note that somebody wrote straight in.

    `first_line`/`last_line` count from 1 and point into the document's text.
    """

    document: str | None = None  # id of the document
    path: str | None = None  # as the source names it, "/"-separated
    first_line: int | None = None
    last_line: int | None = None
    session: str | None = None  # the caller's name of the session
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as it is held now. `id` is 16 hex digits and the same in the store, the API and every link.

    `text` is what is recalled. Where a person has edited a section, `source_text` keeps the words of the source
    under the edit (the overlay); it is None while the two are the same.
    `group` names the document or session whose members are each other's neighbours, in order of `position`.
    `sessions` are those that said it, `slots` what it states (domain.statement.Slot.key), by which a clash is found.
    From `expires_at` on it is not recalled, and the next expiry archives it; `valid_to` says until when it was true.
    `review_at` is when somebody wants to be asked whether it still holds.
    `detail` is what only its kind has, as plain JSON. fact: quote, when. episode: decision, participants, from, to,
    turns, by. section: aliases (of its note). summary: facts, by.
    atom: atom (in PENMAN, as it was posted; of a fact that it confirmed, too), tense.
    node: see domain.node. turn: role. What was said again: occasions (the last day, and who said it where, as hashes).
    `ended_at`: since when it is not held; kept by the store's writing (`standing`), and not moved by later changes.
    `seen_at`, of a fact: when a person first dealt with it; kept by the store's writing too (`looked_at`). Until then
    it waits in the inbox.
    """

    id: str
    kind: Kind
    text: str
    created_at: datetime
    updated_at: datetime
    title: str = ""
    breadcrumb: tuple[str, ...] = ()
    state: State = State.HELD
    ref: str | None = None
    speaker: str | None = None
    category: Category | None = None
    tags: tuple[str, ...] = ()
    confidence: float = 0.9
    reinforcements: int = 0
    reinforced_at: datetime | None = None
    salience: float = 1.0
    memory_type: MemoryType | None = None
    mood: Mood | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    review_at: datetime | None = None
    daily: bool = False
    pinned: bool = False
    group: str | None = None
    position: int = 0
    origin: Origin = field(default_factory=Origin)
    source_text: str | None = None
    content_hash: str = ""
    version: int = 1
    decision_point: bool = False
    emotional_signal: bool = False
    sessions: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)
    ended_at: datetime | None = None
    seen_at: datetime | None = None

    @property
    def last_confirmed(self) -> datetime:
        """The instant that recency counts from: last reinforcement, else when it was learned."""
        return self.reinforced_at or self.occurred_at or self.created_at

    @property
    def edited(self) -> bool:
        return self.source_text is not None


def standing(before: Memory, after: Memory, *, now: datetime) -> Memory:
    """`after` with the instant from which it is not held: the change that ended it, for as long as it stays so. One
    that comes with its own instant (an undo) keeps it."""
    if after.state is State.HELD:
        return replace(after, ended_at=None)
    since = now if before.state is State.HELD else before.updated_at
    return replace(after, ended_at=after.ended_at or before.ended_at or since)


# Acts by which a person deals with a fact. What takes one away is not among them: one that comes back waits again.
_LOOKS = frozenset({"edit", "confirm", "categorise", "tag", "pin", "unpin", "restore", "resolve"})


def looked_at(before: Memory | None, after: Memory, run: Run, *, now: datetime) -> Memory:
    """`after` with the instant at which a person first dealt with a fact. Who types one has seen it; one that is
    learned from a turn nobody has, whoever had the turn read."""
    if after.kind is not Kind.FACT or after.seen_at is not None or run.actor.kind is not ActorKind.PERSON:
        return after
    looks = after.origin.turn is None if before is None else run.act in _LOOKS
    return replace(after, seen_at=now) if looks else after


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a memory was used: put into a prompt, or said by an agent to have helped; and what agents said of it.
    Kept apart from the memory itself, so that using one does not rewrite it."""

    memory: str
    accesses: int = 0
    accessed_at: datetime | None = None
    used: int = 0
    not_useful: int = 0


def index_text(memory: Memory) -> str:
    """The words that are embedded and indexed: who said it or what it is called, then the text. A section is named by
    its document as well, with that one's aliases: of “## Goals” alone nobody knows whose goals they are."""
    words = words_of(memory.text, title=memory.title, speaker=memory.speaker)
    above = memory.breadcrumb[:1]
    if memory.title in memory.breadcrumb[1:]:
        above = memory.breadcrumb[: memory.breadcrumb.index(memory.title)]
    names = [step for step in above if step and step != memory.title]
    if memory.kind is Kind.SECTION:
        names.extend(alias for alias in memory.detail.get("aliases", ()) if alias != memory.title)
    return "\n".join([*names, words])


def words_of(text: str, *, title: str = "", speaker: str | None = None) -> str:
    """The text as it is searched: with its speaker or its title before it, where it does not open with them."""
    if speaker and not _opens_with(text, speaker):
        return f"{speaker}: {text}"
    if title and not text.lstrip("# ").startswith(title):
        return f"{title}\n{text}"
    return text


def _opens_with(text: str, name: str) -> bool:
    """“Mara likes tea.” says by itself of whom it speaks."""
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()


OWNED = "owner:"  # how the name of a session begins that belongs to one owner
PART = "&part="  # behind it, where an owner's session was ended and it went on: owner:user_id=mina&part=2


def owner_of_session(session: str | None) -> str | None:
    """Return the owner that a memory from this session is kept to; None for what belongs to the space as a whole.

    Where several owners share one space, what is learned in the sessions of one owner is compared with what was learned
    in its own, and with nothing else. Two users of one agent who say the same confirm nobody's memory but their own,
    and what each believes does not contradict the other."""
    return session.partition(PART)[0] if session is not None and session.startswith(OWNED) else None
