"""Entities, relations and scenes of the graph → shapes of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from memoryapp.api.schemas.entity import (
    AlikeOut,
    DayCount,
    EntityRowOut,
    InRoleOut,
    MergePartOut,
    MergePreviewOut,
    PlacedOut,
)
from memoryapp.api.schemas.graph import CommunityOut, EdgeOut, EntityDetail, NodeOut, SceneOut, StepOut
from memoryapp.api.schemas.relation import EndOut, RelationOut
from memoryapp.api.showing import show_entity, show_memories
from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.memory import State
from memoryapp.domain.relation import Held, Relation
from memoryapp.domain.scene import Card, Community, Edge, EntityRow, Node, Scene, Step
from memoryapp.graph import MergePreview
from memoryapp.spaces import Space
from memoryapp.store import entities, memories


def show_row(row: EntityRow) -> EntityRowOut:
    entity = show_entity(row.entity).model_dump()
    return EntityRowOut(**entity, memories=row.memories, links=row.links, latest=row.latest)


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
        alike=[_alike(pair, card.entity, other) for pair, other in card.alike],
        first_seen=card.first_seen,
        last_seen=card.last_seen,
        days=[DayCount(day=day, memories=count) for day, count in card.days],
        inherited_from=inherited_from,
    )


def show_alike(space: Space, pairs: Sequence[Alike]) -> list[AlikeOut]:
    """Those whose two sides are both there."""
    found = entities.get_many(space.db, list({key for pair in pairs for key in (pair.one, pair.other)}))
    return [
        _alike(pair, found[pair.one], found[pair.other]) for pair in pairs if pair.one in found and pair.other in found
    ]


def _alike(pair: Alike, one: Entity, other: Entity) -> AlikeOut:
    stays, goes = (one, other) if one.id == pair.one else (other, one)
    return AlikeOut(
        id=pair.id,
        one=show_entity(stays),
        other=show_entity(goes),
        reason=pair.reason,
        score=pair.score,
        status=pair.status.value,
        created_at=pair.created_at,
    )


def show_merge(preview: MergePreview) -> MergePreviewOut:
    return MergePreviewOut(
        name=preview.name,
        type=preview.type,
        parts=[
            MergePartOut(
                entity=show_entity(part.entity),
                names=list(part.names),
                memories=part.memories,
                shared=part.shared,
                relations=part.relations,
            )
            for part in preview.parts
        ],
        names=list(preview.names),
        types=list(preview.types),
        memories=preview.memories,
        relations=preview.relations,
        between=preview.between,
        circles=list(preview.circles),
    )


def show_relations(space: Space, found: Iterable[Relation]) -> list[RelationOut]:
    """With the names of their ends and whether they hold, each asked once for all of them."""
    edges = list(found)
    ends = entities.get_many(space.db, list({end for edge in edges for end in (edge.subject, edge.object)}))
    facts = memories.get_many(space.db, list({edge.fact for edge in edges if edge.fact}))
    now = space.clock()

    def end(key: str) -> EndOut:
        known = ends.get(key)
        return EndOut(id=key, name=known.name if known else "", type=known.type if known else "")

    def holds(edge: Relation) -> bool:
        fact = facts.get(edge.fact) if edge.fact else None
        stands = edge.fact is None or (fact is not None and fact.state is State.HELD)
        return edge.state is Held.HELD and stands and (edge.valid_to is None or edge.valid_to > now)

    return [
        RelationOut(
            id=edge.id,
            subject=end(edge.subject),
            type=edge.type,
            object=end(edge.object),
            label=edge.label,
            confidence=edge.confidence,
            made_by=edge.made_by.value,
            hint=edge.hint,
            planned=edge.planned,
            state=edge.state.value,
            holds=holds(edge),
            fact=edge.fact,
            session=edge.session,
            at=edge.at,
            valid_to=edge.valid_to,
            created_at=edge.created_at,
            version=edge.version,
        )
        for edge in edges
    ]


def show_scene(scene: Scene) -> SceneOut:
    return SceneOut(
        nodes=[show_node(node) for node in scene.nodes],
        edges=[show_edge(edge) for edge in scene.edges],
        communities=[_community(one) for one in scene.communities],
        total=scene.total,
        types=scene.types,
        starts=list(scene.starts),
        notes=list(scene.notes),
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
