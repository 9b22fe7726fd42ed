"""A part of the graph as it is looked at: entities with their places, what joins them, and what is not drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.memory import Memory
from memoryapp.domain.relation import Relation


class EdgeKind(StrEnum):
    RELATION = "relation"
    IS_A = "is_a"
    TOGETHER = "together"  # named in the same memories, with no relation found between them


class EdgeState(StrEnum):
    HELD = "held"
    PLANNED = "planned"
    SUPERSEDED = "superseded"  # what it was found in is not held any more, or it ended
    CONFLICT = "conflict"  # what it was found in waits for a decision


@dataclass(frozen=True, slots=True)
class Node:
    """`memories`: how many held memories refer to it; `links`: to how many other entities it is joined by a relation;
    `hidden`: neighbours of it that the scene leaves out. `x`, `y`: 0–1 of the drawing, y downwards. `trust`: the mean
    of the memories that refer to it, None where none does. `community` None where no layout was made yet."""

    id: str
    name: str
    type: str
    state: str
    memories: int
    links: int
    hidden: int
    x: float
    y: float
    trust: float | None = None
    community: int | None = None
    depth: int = 0  # steps from the start


@dataclass(frozen=True, slots=True)
class Edge:
    """Between two nodes of the scene. Several relations of one type between the same two are one edge: `relations` are
    their ids, `facts` the memories they were found in, best trusted first. `trust`: of the best of them; `weight`: for
    TOGETHER how many memories name both. `hint`: only rules found it."""

    id: str
    source: str
    target: str
    kind: EdgeKind
    type: str
    state: EdgeState
    label: str = ""
    weight: float = 1.0
    confidence: float = 1.0
    trust: float | None = None
    hint: bool = False
    relations: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""  # of the first fact


@dataclass(frozen=True, slots=True)
class Community:
    """Entities that belong together. `names`: its best joined members. `number` −1: what is left over, small
    communities and those in none. In a scene of nodes, all of it is said of the members that are among them."""

    number: int
    size: int
    names: tuple[str, ...]
    types: dict[str, int]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scene:
    """`total`: entities there are; `types`: how many of each type the scene could show, for the legend. `far`: only
    `communities` and edges between them (source and target are their numbers as text). `seen_once`: how many entities
    were seen only once, and `shows_once` whether they are drawn."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    total: int
    types: dict[str, int] = field(default_factory=dict)
    communities: tuple[Community, ...] = ()
    starts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seen_once: int = 0
    shows_once: bool = True

    @property
    def far(self) -> bool:
        return bool(self.communities) and not self.nodes


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: by this edge to this node."""

    edge: Edge
    node: Node


@dataclass(frozen=True, slots=True)
class EntityRow:
    entity: Entity
    memories: int
    links: int
    latest: datetime | None = None  # newest held memory that refers to it


@dataclass(frozen=True, slots=True)
class EntityPage:
    """`next`: where to go on, None at the end; `total`: of all that pass the filters."""

    items: tuple[EntityRow, ...]
    total: int
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """All there is to know of one entity. `merged`: entities that were merged into it, each of which can be parted
    again; `memories` the best trusted first, with the role it has in each, `count` how many there are in all; `up`,
    `down`: in the hierarchy, each with the relation that says so."""

    entity: Entity
    merged: tuple[Entity, ...]
    count: int
    links: int
    memories: tuple[tuple[Memory, str], ...]
    episodes: tuple[Memory, ...]
    edges: tuple[Edge, ...]
    neighbours: dict[str, Node]
    up: tuple[tuple[Entity, Relation], ...]
    down: tuple[tuple[Entity, Relation], ...]
    alike: tuple[tuple[Alike, Entity], ...]
    first_seen: datetime | None
    last_seen: datetime | None
    days: tuple[tuple[datetime, int], ...]  # memories that name it by day, oldest first: its timeline
