"""What a foreign file holds, in the words of this memory: what its reader hands over, one thing after the other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.memory import Category, Kind
from memoryapp.domain.turn import NewTurn


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation: it becomes a session with its turns, in their order. `session_ref` is the session's name here
    (such as “claude-chat:3f0c…”), so it says whose it was and stays the same however often the file is read. `at`:
    when it began. Each turn carries a `ref` of its own, unique in its conversation, by which it is known again."""

    session_ref: str
    turns: tuple[NewTurn, ...]
    title: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One memory. `ref` is its own id, with the form before it (“mem0:8c1…”), unique in the file. `kind` is a note or
    a fact; `subject` the name of what it speaks of; `source` where in the file it stood, for the report.
    `confidence` is None where the file says nothing: then the kind's own counts."""

    text: str
    ref: str
    kind: Kind = Kind.NOTE
    title: str = ""
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    category: Category | None = None
    confidence: float | None = None
    subject: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """`subject` —`relation`→ `object`, all three as the file spells them: names of entities, and words for how the
    one stands to the other (“works_at”). `ref` as an item's."""

    subject: str
    relation: str
    object: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ImportedEntity:
    """An entity. `type` is the file's own word for what it is. `observations` are sentences about it that the reader
    has not handed over as items of their own; each becomes a note about it."""

    name: str
    type: str = ""
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """What could not be taken: `where` it stood (“line 12”, “conversations.json, conversation 3”), and `why`, as a
    sentence for a person. `count`: of how many things the same is said."""

    where: str
    why: str
    count: int = 1


Brought = Conversation | Item | Link | ImportedEntity | SkippedEntry
