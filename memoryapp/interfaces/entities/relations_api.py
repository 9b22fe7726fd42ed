"""Relations between entities, and the hierarchy: stated, corrected, refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Query
from pydantic import ConfigDict, Field

from memoryapp import graph
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Run
from memoryapp.domain.clock import read_instant
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import State
from memoryapp.domain.relation import Relation, RelationState, RelationType
from memoryapp.graph.canonical import canonical, members
from memoryapp.graph.hierarchy import between as between_two
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.reply import Reply, expected_version
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, FullName, Id, Limit, Name, Response, Sparse, path_id, unsent
from memoryapp.interfaces.entities.schemas import ID, OTHER
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations


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
        return edge.state is RelationState.HELD and stands and (edge.valid_to is None or edge.valid_to > now)

    return [
        RelationOut.of(
            edge,
            subject=end(edge.subject),
            object=end(edge.object),
            made_by=edge.made_by.value,
            state=edge.state.value,
            holds=holds(edge),
        )
        for edge in edges
    ]


A_RELATION: dict[str, Any] = {
    "id": "2c3d4e5f60718a9b",
    "subject": {"id": OTHER, "name": "Alice", "type": "person"},
    "type": "uses",
    "object": {"id": ID, "name": "Redis", "type": "tool"},
    "label": "",
    "confidence": 0.9,
    "made_by": "atom",
    "hint": False,
    "planned": False,
    "state": "held",
    "holds": True,
    "fact": "9f2c1b7a40d3e685",
    "session": None,
    "at": "2026-11-20T09:31:07Z",
    "valid_to": None,
    "created_at": "2026-11-20T09:31:07Z",
    "version": 1,
}
KINDS = ", ".join(kind for kind in RelationType)


class EndOut(Response):
    """An entity at one end of a relation."""

    id: Id
    name: str = Field(examples=["Alice"])
    type: str = Field(examples=["person"])


class RelationOut(Response):
    """subject → object. It holds while the memory it was found in (`fact`) is held, and until `valid_to`; `holds` says
    whether it does now. `hint`: only rules found it. `planned`: wished or intended, not so yet. `label`: as it was
    said, where that is not its type's word. `state` refused: somebody said no, and it is not shown in the graph."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_RELATION]})

    id: Id
    subject: EndOut
    type: str = Field(description=f"One of {KINDS}, or one of the space's own.")
    object: EndOut
    label: str
    confidence: float
    made_by: Literal["rules", "llm", "atom", "person"]
    hint: bool
    planned: bool
    state: Literal["held", "refused"]
    holds: bool
    fact: str | None
    session: str | None
    at: datetime | None
    valid_to: datetime | None
    created_at: datetime
    version: int = Field(description="Also the ETag.")


class RelationPage(Response):
    items: list[RelationOut]
    next_cursor: str | None = Field(examples=[None])


class NewRelationIn(Body):
    """A relation that somebody states. `is_a` puts the subject under the object in the hierarchy."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"subject": OTHER, "type": "uses", "object": ID}]}
    )

    subject: Id
    type: FullName = Field(description=f"One of {KINDS}, or one of your own.")
    object: Id
    label: Name = ""


class EditRelationIn(Body):
    """The fields to change; the relation is then a person's, and stays however its memory is worded. `state: "held"`
    takes it in: a hint is one no longer, and a refused one is back."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"type": "prefers"}]})

    type: FullName = unsent()
    label: Name = unsent()
    planned: bool = unsent()
    state: Literal["held", "refused"] = unsent()


class RelationActOut(Response):
    """The relation after the act, and the run that undoes it. Null where nothing changed, or on a dry run."""

    relation: RelationOut
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


class HierarchyOut(Response):
    """The relations that put one entity under another, after the act, and the run that undoes it."""

    relations: list[RelationOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


router = Routes("Graph")
RelationId = Annotated[str, path_id("relation")]
EntityId = Annotated[str, path_id("entity")]


class RelationQuery(Sparse):
    """Of one entity, with all that are merged into it, or found in one memory; of both where both are named, of all
    where neither is."""

    entity: Id | None = None
    fact: Id | None = None
    type: Name = Field("", examples=["uses"])
    state: Literal["held", "refused", "all"] = "held"
    limit: Limit = 50
    cursor: Cursor = ""


@router.get("/relations", needs=Role.READER, response=RelationPage, errors=(404,), summary="List relations")
def list_relations(request: ApiRequest, asked: Query[RelationQuery]) -> RelationPage:
    """The relations of an entity at either end, those found in a memory, or all of them, oldest first. One that does
    not hold any more says so in `holds`."""
    space = the_space(request)
    place = read_cursor(asked.cursor, str, str)
    if asked.entity is None and asked.fact is None:
        found = relations.page(
            space.db,
            limit=asked.limit + 1,
            state="" if asked.state == "all" else asked.state,
            type=asked.type,
            after=(read_instant(place[0]), place[1]) if place else None,
        )
    else:
        found = tuple(
            one
            for one in _find_relations(space, asked)
            if asked.state in ("all", one.state.value)
            and asked.type in ("", one.type)
            and (not place or _cursor_of(one) > place)
        )
    shown = found[: asked.limit]
    more = write_cursor(*_cursor_of(shown[-1])) if len(found) > asked.limit else None
    return RelationPage(items=show_relations(space, shown), next_cursor=more)


@router.post(
    "/relations", needs=Role.CURATOR, response={201: RelationActOut}, errors=(404, 409), summary="State a relation"
)
def add_relation(request: ApiRequest, body: NewRelationIn) -> Reply:
    """Joins two entities. It hangs on no memory, and holds until somebody refuses it."""
    space = the_space(request)
    made, run = graph.add_relation(
        space, body.subject, body.type, body.object, label=body.label, actor=request.auth.actor
    )
    return _act(space, made, run, status=201)


@router.get("/relations/{id}", needs=Role.READER, response=RelationOut, errors=(404,), summary="Get a relation")
def get_relation(request: ApiRequest, id: RelationId) -> Reply:
    """One relation, whatever its state. Its version is the ETag."""
    space = the_space(request)
    found = relations.get(space.db, id)
    (shown,) = show_relations(space, [found])
    return Reply(shown, version=found.version)


@router.patch(
    "/relations/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=RelationActOut,
    errors=(404, 409, 412),
    summary="Correct a relation",
)
def edit_relation(request: ApiRequest, id: RelationId, body: EditRelationIn) -> Reply:
    """Corrects what it says; it is then a person's. `state: "held"` alone takes a hint in, or back what was refused."""
    changes = body.model_dump(exclude_unset=True)
    if not changes:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    state = changes.pop("state", None)
    if state and changes:
        raise BadInput("Send `state` by itself: taking in and correcting are two acts.", field="/state")
    space, actor = the_space(request), request.auth.actor
    before = relations.get(space.db, id)
    version = expected_version(request, lambda: before.version)
    if state == "held":
        after, run = graph.hold_relation(space, id, version=version, actor=actor)
    elif state == "refused":
        after, run = graph.refuse_relation(space, id, version=version, actor=actor)
    else:
        after, run = graph.change_relation(space, id, **changes, version=version, actor=actor)
    return _act(space, after, run if after.version != before.version else None)


@router.delete(
    "/relations/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=RelationActOut,
    errors=(404, 409, 412),
    summary="Refuse a relation",
)
def refuse_relation(request: ApiRequest, id: RelationId, dry_run: bool = False) -> Reply:
    """Hides it for good: reading the same words again does not bring it back."""
    space = the_space(request)
    before = relations.get(space.db, id)
    version = expected_version(request, lambda: before.version)
    if dry_run:
        return _act(space, before, None, dry_run=True)
    after, run = graph.refuse_relation(space, id, version=version, actor=request.auth.actor)
    return _act(space, after, run if after.version != before.version else None)


@router.put(
    "/entities/{id}/parents/{parent}",
    needs=Role.CURATOR,
    response=HierarchyOut,
    errors=(404, 409),
    summary="Put an entity under another",
)
def add_parent(request: ApiRequest, id: EntityId, parent: EntityId) -> HierarchyOut:
    """Says that the one is an instance or a kind of the other: whoever asks for the other finds it, too. 409 where it
    is there already, or the other is below it."""
    space = the_space(request)
    made, run = graph.put_under(space, id, parent, actor=request.auth.actor)
    return HierarchyOut(relations=show_relations(space, [made]), run=run.id)


@router.delete(
    "/entities/{id}/parents/{parent}",
    needs=Role.CURATOR,
    response=HierarchyOut,
    errors=(404, 409),
    summary="Take an entity from under another",
)
def remove_parent(request: ApiRequest, id: EntityId, parent: EntityId, dry_run: bool = False) -> HierarchyOut:
    """Says that it is not so, whoever or whatever said it was."""
    space = the_space(request)
    if dry_run:
        found = between_two(space.db, canonical(space.db, id), canonical(space.db, parent))
        held = [one for one in found if one.state is RelationState.HELD]
        return HierarchyOut(relations=show_relations(space, held), run=None, dry_run=True)
    gone, run = graph.take_from_under(space, id, parent, actor=request.auth.actor)
    return HierarchyOut(relations=show_relations(space, gone), run=run.id)


def _find_relations(space: Space, asked: RelationQuery) -> Sequence[Relation]:
    if asked.entity is None:
        return relations.of_facts(space.db, [asked.fact or ""])
    group = members(space.db, canonical(space.db, asked.entity))
    found = relations.of_entities(space.db, [one.id for one in group])
    return found if asked.fact is None else [one for one in found if one.fact == asked.fact]


def _cursor_of(relation: Relation) -> tuple[str, str]:
    return relation.created_at.isoformat(), relation.id


def _act(space: Space, relation: Relation, run: Run | None, *, status: int = 200, dry_run: bool = False) -> Reply:
    (shown,) = show_relations(space, [relation])
    body = RelationActOut(relation=shown, run=run.id if run else None, dry_run=dry_run)
    return Reply(body, status, version=relation.version)
