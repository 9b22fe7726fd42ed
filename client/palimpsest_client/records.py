"""What comes back about everything beside memories: sessions, conflicts, entities, the tree, jobs, spaces."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from palimpsest_client.shapes import Memory, Shape


@dataclass(frozen=True, kw_only=True)
class SessionInfo(Shape):
    """A conversation. `turns` is how many were said."""

    id: str
    name: str
    agent: str | None
    started_at: datetime
    ended_at: datetime | None
    turns: int


@dataclass(frozen=True, kw_only=True)
class SessionOpened(SessionInfo):
    """`jobs` read the sources again that are marked to be read when a session begins; `wait` waits for one."""

    jobs: list[str]


@dataclass(frozen=True, kw_only=True)
class SessionState(SessionInfo):
    """`waiting` turns are not read yet; `facts` were learned from it, `episode` tells it."""

    waiting: int
    facts: list[str]
    episode: str | None


@dataclass(frozen=True, kw_only=True)
class SessionEnd(SessionInfo):
    """`job` tells the session as an episode; None where there was nothing to tell, or it had ended before."""

    job: str | None


@dataclass(frozen=True, kw_only=True)
class Turn(Shape):
    id: str
    session: str
    number: int
    text: str
    at: datetime
    speaker: str | None
    role: str
    ref: str | None
    private: bool = False


@dataclass(frozen=True, kw_only=True)
class TurnRead(Turn):
    """A turn and what was learned from it: `reading` says who read it, and what it gave."""

    reading: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class TurnsTaken(Shape):
    """Turns that are kept and will be read within seconds, by `job`."""

    items: list[Turn]
    reading: str
    job: str | None


@dataclass(frozen=True, kw_only=True)
class Proposal(Shape):
    """What the detector would do, and why; `confidence` lies between 0 and 1."""

    outcome: str
    reason: str
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Conflict(Shape):
    """Two memories that cannot both hold. `incoming` is a memory, or what a file now says."""

    id: str
    existing: Memory
    incoming: dict[str, Any]
    proposal: Proposal
    status: str
    detector: str
    created_at: datetime
    version: int


@dataclass(frozen=True, kw_only=True)
class Decision(Shape):
    """`status` is decided, or proposed where the key may only suggest; `run` is what `undo` takes."""

    status: str
    run: str | None
    conflict: Conflict


@dataclass(frozen=True, kw_only=True)
class Reopened(Shape):
    conflict: Conflict


@dataclass(frozen=True, kw_only=True)
class Entity(Shape):
    """Who or what memories speak of."""

    id: str
    name: str
    type: str
    state: str
    aliases: list[str]
    merged_into: str | None
    links: int


@dataclass(frozen=True, kw_only=True)
class NamedEntity(Shape):
    """An entity as it was made: nothing is related to it yet."""

    id: str
    name: str
    type: str
    state: str
    aliases: list[str]
    merged_into: str | None


@dataclass(frozen=True, kw_only=True)
class NewEntity(Shape):
    """An entity that you named, how many memories were linked to it just now, and the run that `undo` takes back."""

    entity: NamedEntity
    linked: int
    run: str


@dataclass(frozen=True, kw_only=True)
class InRole(Memory):
    """A memory that refers to an entity, and the role that it has there: subject, object …"""

    role: str


@dataclass(frozen=True, kw_only=True)
class WholeEntity(Entity):
    """An entity with its memories and its relations."""

    memories: list[InRole]
    edges: list[dict[str, Any]]
    neighbours: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class NodeRow(Shape):
    """A node of the Context Tree; `size` is in bytes."""

    id: str
    path: str
    title: str
    keywords: list[str]
    weight: float
    size: int
    version: int


@dataclass(frozen=True, kw_only=True)
class Node(NodeRow):
    text: str
    parent: str
    children: list[NodeRow]


@dataclass(frozen=True, kw_only=True)
class Outline(Shape):
    items: list[NodeRow]
    bytes: int


@dataclass(frozen=True, kw_only=True)
class NodeAct(Shape):
    node: Node
    run: str | None


@dataclass(frozen=True, kw_only=True)
class Progress(Shape):
    """`done` of `total` files or steps; of an ingest that runs its `phase` and how many `sections` are embedded."""

    done: int
    total: int
    phase: str = ""
    sections: int = 0
    sections_total: int = 0
    exact: bool = True
    seconds_left: float | None = None


@dataclass(frozen=True, kw_only=True)
class Job(Shape):
    """Work in the background. `status` is queued, running, done, failed or cancelled."""

    id: str
    kind: str
    status: str
    progress: Progress
    report: dict[str, Any]
    message: str
    error: str
    run: str | None

    @property
    def open(self) -> bool:
        return self.status in ("queued", "running")


@dataclass(frozen=True, kw_only=True)
class Started(Shape):
    job: Job


@dataclass(frozen=True, kw_only=True)
class Space(Shape):
    """A memory of its own. `role` is what this key may do there."""

    name: str
    title: str
    parent: str | None
    encoder: str
    role: str
    settings: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Spaces(Shape):
    items: list[Space]


@dataclass(frozen=True, kw_only=True)
class Undone(Shape):
    """What was taken back. `run` is the undoing itself, a run like any other; `skipped` was changed again since, and
    was therefore left alone."""

    run: str | None
    undone: int
    skipped: list[str]
    dry_run: bool
