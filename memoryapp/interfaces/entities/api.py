"""Entities: listed, looked at, corrected, taken in or refused, and made one with one another."""

from __future__ import annotations

from typing import Annotated

from ninja import Query

from memoryapp import graph
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Run
from memoryapp.domain.entity import Entity, EntityState, alike_id
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.scene import Card
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.inheritance import parents_of, space_to_read
from memoryapp.interfaces.api.reply import Reply, expected_version
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit, Moment, path_id
from memoryapp.interfaces.entities.schemas import (
    AlikeIn,
    AlikeOut,
    AlikePage,
    EditEntityIn,
    EntitiesIn,
    EntitiesOut,
    EntityActOut,
    EntityPage,
    EntityQuery,
    MergeIn,
    MergeOut,
    NewEntityIn,
    NewEntityOut,
    UnmergeIn,
    show_alike,
    show_entity,
    show_merge,
    show_row,
)
from memoryapp.interfaces.graph.schemas import EntityDetail, show_card
from memoryapp.spaces import space_at
from memoryapp.store import entities, entity_pairs

router = Routes("Entities")
EntityId = Annotated[str, path_id("entity")]
STATE_OF = {"take-in": EntityState.KNOWN, "refuse": EntityState.REFUSED, "propose": EntityState.PROPOSED}
MOST_PAIRS = 5_000


@router.get("/entities", needs=Role.READER, response=EntityPage, summary="List entities")
def list_entities(request: ApiRequest, asked: Query[EntityQuery]) -> EntityPage:
    """People, tools, concepts, places … that memories refer to, those that most of them refer to first."""
    place = read_cursor(asked.cursor, str, str)
    if place and place[0] != asked.sort:
        raise BadInput("This cursor belongs to a list in another order.", field="cursor")
    space, _ = space_to_read(request, asked.inherited_from)
    page = graph.listing(
        space_at(space, asked.as_of, asked.as_of_by),
        text=asked.text,
        types=asked.type,
        state=asked.state,
        orphans=asked.orphans,
        sort=asked.sort,
        after=place[1] if place else None,
        limit=asked.limit,
    )
    return EntityPage(
        items=[show_row(row) for row in page.items],
        next_cursor=write_cursor(asked.sort, page.next) if page.next else None,
        total=page.total,
    )


@router.post("/entities", needs=Role.CURATOR, response={201: NewEntityOut}, errors=(409,), summary="Name an entity")
def add_entity(request: ApiRequest, body: NewEntityIn) -> Reply:
    """Makes an entity that is known at once: the memories that name it, in whatever case, are linked to it, those there
    are and those to come. A name that was only proposed is taken in. 409 with the `address` of the entity that goes by
    one of the names."""
    space = the_space(request)
    entity, run, linked = graph.add_entity(
        space, body.name, type=body.type or "", aliases=body.aliases, actor=request.auth.actor
    )
    return Reply(
        NewEntityOut(entity=show_entity(entity), linked=linked, run=run.id),
        201,
        version=entity.version,
        headers={"Location": f"/api/v1/entities/{entity.id}"},
    )


@router.get("/entities/alike", needs=Role.READER, response=AlikePage, summary="List entities that may be one")
def list_alike_entities(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> AlikePage:
    """Pairs that wait for a person, the likeliest first: POST /entities/merge or /entities/alike decides."""
    space = the_space(request)
    place = read_cursor(cursor, (int, float), str)
    waiting = entity_pairs.waiting(space.db, limit=MOST_PAIRS)
    if place:
        waiting = tuple(one for one in waiting if (-one.score, one.id) > (-place[0], place[1]))
    shown = waiting[:limit]
    more = write_cursor(shown[-1].score, shown[-1].id) if len(waiting) > limit else None
    return AlikePage(items=show_alike(space, shown), next_cursor=more)


@router.post(
    "/entities/merge", needs=Role.CURATOR, response=MergeOut, errors=(404, 409), summary="Merge entities into one"
)
def merge_entities(request: ApiRequest, body: MergeIn) -> MergeOut:
    """Makes `gone` one with `keep`. Each keeps its name, its aliases and its edges, which count for the one that
    stands, so that POST /entities/unmerge gives every one its own again. `dry_run` tells what would become of it."""
    space = the_space(request)
    preview = graph.preview_merge(space, body.keep, body.gone)
    if body.dry_run:
        stands, run = preview.parts[0].entity, None
    else:
        stands, run = graph.merge(space, body.keep, body.gone, actor=request.auth.actor, reason=body.reason)
    return MergeOut(
        entity=show_entity(stands), run=run.id if run else None, dry_run=body.dry_run, preview=show_merge(preview)
    )


@router.post(
    "/entities/unmerge",
    needs=Role.CURATOR,
    response=EntityActOut,
    errors=(404, 409),
    summary="Part a merged entity again",
)
def unmerge_entity(request: ApiRequest, body: UnmergeIn) -> Reply:
    """Lets a merged entity stand for itself again, with every edge that is its own. The two are not merged or proposed
    again unasked."""
    return _act(*graph.part(the_space(request), body.entity, actor=request.auth.actor))


@router.post(
    "/entities/alike",
    needs=Role.CURATOR,
    response=AlikeOut,
    errors=(404, 409),
    summary="Say whether two entities may be one",
)
def judge_alike_entities(request: ApiRequest, body: AlikeIn) -> AlikeOut:
    """`alike` false: they are two, and never proposed or merged again unasked; 409 where they are one at present. True
    takes that back: the pair waits for somebody again."""
    space = the_space(request)
    if body.alike:
        said = graph.perhaps_alike(space, alike_id(body.one, body.other))
    else:
        said = graph.not_alike(space, body.one, body.other, actor=request.auth.actor)
    (shown,) = show_alike(space, [said])
    return shown


@router.post(
    "/entities/bulk", needs=Role.CURATOR, response=EntitiesOut, errors=(404, 413), summary="Change many entities"
)
def change_entities(request: ApiRequest, body: EntitiesIn) -> EntitiesOut:
    """Takes proposed names in, refuses them, proposes them again, or gives them a type: all in one run, which can be
    undone as a whole."""
    space, actor = the_space(request), request.auth.actor
    if body.act == "type":
        if body.type is None:
            raise BadInput("Say of which type they are.", field="/type")
        changed, run = graph.retype(space, body.ids, body.type, actor=actor)
    else:
        changed, run = graph.decide_entities(space, body.ids, STATE_OF[body.act], actor=actor)
    return EntitiesOut(items=[show_entity(one) for one in changed], run=run.id if changed else None)


@router.get(
    "/entities/{id}", needs=Role.READER, response=EntityDetail, errors=(404,), summary="Get all there is to an entity"
)
def get_entity(request: ApiRequest, id: EntityId, as_of: Moment | None = None) -> Reply:
    """One entity with what is merged into it, its place in the hierarchy, its relations, and the memories that refer to
    it with its role in each. `as_of` shows what was held then. Its version is the ETag. One that a parent space alone
    knows says so in `inherited_from`."""
    space = the_space(request)
    homes = [home for home in (space, *parents_of(space)) if entities.get_many(home.db, [id])]
    home = homes[0] if homes else space
    entity = entities.get(home.db, id)
    try:
        card = graph.card(home, id, as_of=as_of)
    except NotFound:  # refused, and so in no graph
        card = _bare_card(entity)
    inherited = None if home is space else home.name
    return Reply(show_card(home, card, inherited_from=inherited), version=card.entity.version)


@router.patch(
    "/entities/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=EntityActOut,
    errors=(404, 409, 412),
    summary="Edit an entity",
)
def edit_entity(request: ApiRequest, id: EntityId, body: EditEntityIn) -> Reply:
    """Changes its name, type or aliases. Who is corrected is known from then on. 409 where another entity has the name:
    merge the two instead."""
    changes = body.model_dump(exclude_unset=True)
    if not changes:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    space = the_space(request)
    before = entities.get(space.db, id)
    expected = expected_version(request, lambda: before.version)
    after, run = graph.edit_entity(space, id, **changes, version=expected, actor=request.auth.actor)
    return _act(after, run if after.version != before.version else None)


def _act(entity: Entity, run: Run | None) -> Reply:
    return Reply(EntityActOut(entity=show_entity(entity), run=run.id if run else None), version=entity.version)


def _bare_card(entity: Entity) -> Card:
    return Card(
        entity=entity,
        merged=(),
        count=0,
        links=0,
        memories=(),
        episodes=(),
        edges=(),
        neighbours={},
        up=(),
        down=(),
        alike=(),
        first_seen=None,
        last_seen=None,
        days=(),
    )
