"""The graph as it is looked at: a scene, a path, all there is to one entity; and recall along relations."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain.scene import Card, Community, Edge, Node, Scene, Step
from memoryapp.interfaces.api.schemas import Id, Moment, Name, Response, Sparse
from memoryapp.interfaces.entities.schemas import (
    AN_ENTITY,
    ID,
    OTHER,
    AlikeOut,
    DayCount,
    EntityOut,
    InRoleOut,
    PlacedOut,
    TypeName,
    show_entity,
    show_pair,
)
from memoryapp.interfaces.memories.schemas import A_MEMORY, MemoryOut, show_memories
from memoryapp.spaces import Space

A_NODE: dict[str, Any] = {
    "id": ID, "name": "Redis", "type": "tool", "state": "known", "memories": 7, "links": 3, "hidden": 2, "x": 0.5,
    "y": 0.5, "trust": 0.83, "community": 0, "depth": 0,
}  # fmt: skip
AN_EDGE: dict[str, Any] = {
    "id": "2c3d4e5f60718a9b", "source": OTHER, "target": ID, "kind": "relation", "type": "uses", "state": "held",
    "label": "", "weight": 1.0, "confidence": 0.9, "trust": 0.89, "hint": False, "relations": ["2c3d4e5f60718a9b"],
    "facts": ["9f2c1b7a40d3e685"], "since": "2026-11-20T09:31:07Z", "until": None,
    "text": "We moved the queue to Redis because RabbitMQ lost messages on restart.",
}  # fmt: skip


class NodeOut(Response):
    """An entity. `links`: to how many others a relation joins it; `hidden`: neighbours that the scene leaves out. `x`,
    `y`: its place, 0 to 1, y downwards. `trust`: the mean of the memories that refer to it. `depth`: steps from the
    start."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_NODE]})

    id: Id
    name: str
    type: str
    state: str
    memories: int
    links: int
    hidden: int
    x: float
    y: float
    trust: float | None
    community: int | None
    depth: int


class EdgeOut(Response):
    """`kind`: relation, is_a, or together (named in the same memories, with no relation found). `state`: held, planned,
    superseded (what it was found in is not held any more) or conflict (that waits for a decision). `relations` are the
    ids that it stands for, `facts` the memories they were found in. `hint`: only rules found it. In an overview the
    ends are numbers of communities."""

    model_config = ConfigDict(json_schema_extra={"examples": [AN_EDGE]})

    id: str
    source: str
    target: str
    kind: Literal["relation", "is_a", "together"]
    type: str
    state: Literal["held", "planned", "superseded", "conflict"]
    label: str
    weight: float
    confidence: float
    trust: float | None
    hint: bool
    relations: list[str]
    facts: list[str]
    since: datetime | None
    until: datetime | None
    text: str


class CommunityOut(Response):
    """Entities that belong together. `number` −1: what is left over. In a scene with nodes, `size`, `names` and `types`
    are of the members that the scene shows."""

    number: int = Field(examples=[0])
    size: int = Field(examples=[23])
    names: list[str] = Field(examples=[["Redis", "RabbitMQ", "queue"]])
    types: dict[str, int] = Field(examples=[{"tool": 15, "concept": 8}])
    x: float = Field(examples=[0.5])
    y: float = Field(examples=[0.5])


class SceneOut(Response):
    """A part of the graph. `total`: entities there are in all; `types`: how many of each the scene could show. An
    overview of a large graph has `communities` and the edges between them, and no nodes. `seen_once`: entities that
    only one text named so far; `shows_once`: whether they are among the nodes."""

    nodes: list[NodeOut]
    edges: list[EdgeOut]
    communities: list[CommunityOut]
    total: int = Field(examples=[412])
    types: dict[str, int] = Field(examples=[{"tool": 15, "person": 8}])
    starts: list[str] = Field(examples=[[ID]])
    notes: list[str] = Field(examples=[[]])
    seen_once: int = Field(examples=[34])
    shows_once: bool = Field(examples=[False])


class SceneQuery(Sparse):
    """Begun at entities (`start`, several times for several), at what a text is about (`q`), in one `community`, or,
    with none of them, the whole graph: its communities where it is large."""

    start: list[Id] = Field([], max_length=20)
    q: Name = Field("", description="The entities that this text names or is about.", examples=[""])
    community: int | None = Field(None, ge=-1, le=1_000_000, examples=[None])
    steps: int = Field(2, ge=1, le=3)
    limit: int = Field(150, ge=1, le=500)
    types: list[TypeName] = Field([], max_length=20)
    relations: list[Name] = Field([], max_length=40, description="Types of relations; also “together” and “is_a”.")
    trust: float = Field(0.0, ge=0, le=2, description="Leaves out what is trusted less.")
    seen_once: bool | None = Field(
        None,
        description="Whether entities that only one text named are drawn; by default only in a graph of up to 60.",
        examples=[None],
    )
    as_of: Moment | None = None
    inherited_from: Name = Field(
        "", description="What this parent space holds, in place of the space's own.", examples=[""]
    )


class PathQuery(Sparse):
    """From one entity to another, in at most `longest` steps."""

    start: Id
    end: Id
    longest: int = Field(6, ge=1, le=12)
    as_of: Moment | None = None
    inherited_from: Name = Field(
        "", description="What this parent space holds, in place of the space's own.", examples=[""]
    )


class StepOut(Response):
    """By this edge to this node."""

    edge: EdgeOut
    node: NodeOut


class PathOut(Response):
    """`steps` is empty where nothing leads there."""

    start: EntityOut
    end: EntityOut
    steps: list[StepOut]


class EntityDetail(EntityOut):
    """All there is to one entity. The id of a merged one gives that of the entity it was merged into. `merged`: those
    merged into it, each of which can be parted again. `memories`: the best trusted 20 of `memories_in_all`. `edges`:
    its relations, then what is named along with it most; `neighbours` are their other ends. `parents`, `children`: in
    the hierarchy. `days`: memories that refer to it by day."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                AN_ENTITY
                | {
                    "memories_in_all": 7,
                    "links": 3,
                    "memories": [A_MEMORY | {"role": "object"}],
                    "episodes": [],
                    "edges": [AN_EDGE],
                    "neighbours": [A_NODE | {"id": OTHER, "name": "Alice", "type": "person", "depth": 1}],
                    "merged": [],
                    "parents": [],
                    "children": [],
                    "alike": [],
                    "first_seen": "2026-11-20T09:30:00Z",
                    "last_seen": "2026-11-20T09:30:00Z",
                    "days": [{"day": "2026-11-20T00:00:00Z", "memories": 7}],
                    "inherited_from": None,
                }
            ]
        }
    )

    memories_in_all: int
    links: int
    memories: list[InRoleOut]
    episodes: list[MemoryOut]
    edges: list[EdgeOut]
    neighbours: list[NodeOut]
    merged: list[EntityOut]
    parents: list[PlacedOut]
    children: list[PlacedOut]
    alike: list[AlikeOut]
    first_seen: datetime | None
    last_seen: datetime | None
    days: list[DayCount]
    inherited_from: str | None = None


def show_card(space: Space, card: Card, *, inherited_from: str | None = None) -> EntityDetail:
    """`space` is the one that knows the entity; `inherited_from` its name, where it is read from another."""
    shown = show_memories(space, [memory for memory, _ in card.memories], inherited_from=inherited_from)
    roles = [role for _, role in card.memories]
    return EntityDetail(
        **show_entity(card.entity).model_dump(),
        memories_in_all=card.count,
        links=card.links,
        memories=[InRoleOut(**one.model_dump(), role=role) for one, role in zip(shown, roles, strict=True)],
        episodes=show_memories(space, card.episodes, inherited_from=inherited_from),
        edges=[show_edge(edge) for edge in card.edges],
        neighbours=[show_node(node) for node in card.neighbours.values()],
        merged=[show_entity(one) for one in card.merged],
        parents=[PlacedOut(entity=show_entity(one), relation=edge.id) for one, edge in card.up],
        children=[PlacedOut(entity=show_entity(one), relation=edge.id) for one, edge in card.down],
        alike=[show_pair(pair, card.entity, other) for pair, other in card.alike],
        first_seen=card.first_seen,
        last_seen=card.last_seen,
        days=[DayCount(day=day, memories=count) for day, count in card.days],
        inherited_from=inherited_from,
    )


def show_scene(scene: Scene) -> SceneOut:
    return SceneOut.of(
        scene,
        nodes=[show_node(node) for node in scene.nodes],
        edges=[show_edge(edge) for edge in scene.edges],
        communities=[_community(one) for one in scene.communities],
    )


def show_step(step: Step) -> StepOut:
    return StepOut(edge=show_edge(step.edge), node=show_node(step.node))


def show_node(node: Node) -> NodeOut:
    return NodeOut(**{f.name: getattr(node, f.name) for f in fields(Node)})


def show_edge(edge: Edge) -> EdgeOut:
    told = {f.name: getattr(edge, f.name) for f in fields(Edge)}
    return EdgeOut(**told | {"kind": edge.kind.value, "state": edge.state.value})


def _community(one: Community) -> CommunityOut:
    return CommunityOut(**{f.name: getattr(one, f.name) for f in fields(Community)})
