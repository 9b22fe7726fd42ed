"""Entities, and counts of a space."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from memoryapp.domain.entity import Alike, Entity, EntityState, EntityType, type_named
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import AsOfBy
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.scene import EntityRow
from memoryapp.graph import MergePreview
from memoryapp.interfaces.api.schemas import (
    Body,
    ByTime,
    Cursor,
    FullName,
    Id,
    Limit,
    Moment,
    Name,
    Response,
    Sparse,
    unsent,
)
from memoryapp.interfaces.memories.schemas import A_MEMORY, MemoryOut
from memoryapp.spaces import Space
from memoryapp.store import entities

ID = "0a1b2c3d4e5f6071"
OTHER = "1b2c3d4e5f60718a"
AN_ENTITY: dict[str, Any] = {
    "id": ID,
    "name": "Redis",
    "type": "tool",
    "state": "known",
    "aliases": ["redis-server"],
    "sightings": 4,
    "merged_into": None,
    "created_at": "2026-11-20T09:31:07Z",
    "version": 1,
}


def _type(text: str) -> str:
    try:
        return type_named(text)
    except BadInput as error:
        raise ValueError(error.detail) from None


TypeName = Annotated[
    str,
    AfterValidator(_type),
    Field(
        max_length=60,
        description=f"One of {', '.join(EntityType)}, or one of the space's own: a short name.",
        examples=["tool"],
    ),
]


class EntityOut(Response):
    """`proposed`: seen once; `known` from the second sighting, or when somebody takes it in; `refused` never again.
    `merged_into`: the entity it is the same as, and whose place it takes in every list and search."""

    model_config = ConfigDict(json_schema_extra={"examples": [AN_ENTITY]})

    id: Id
    name: str
    type: str = Field(description=f"One of {', '.join(EntityType)}, or one of the space's own.")
    state: EntityState
    aliases: list[str]
    sightings: int
    merged_into: str | None
    created_at: datetime
    version: int = Field(description="Also the ETag.")


class EntityRowOut(EntityOut):
    """`memories`: how many held ones refer to it; `links`: how many entities a relation joins it to; `latest`: when
    the newest of those memories came."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [AN_ENTITY | {"memories": 7, "links": 3, "latest": "2026-11-20T09:30:00Z"}]}
    )

    memories: int
    links: int
    latest: datetime | None


class EntityPage(Response):
    items: list[EntityRowOut]
    next_cursor: str | None = Field(examples=[None])
    total: int = Field(description="How many pass the filters in all.", examples=[1])


class EntityQuery(Sparse):
    """What is listed. Merged entities are found by their names and shown as the one that stands for them; refused ones
    are listed where that state is asked for. A name is repeated for several values: type=tool&type=person."""

    text: Name = Field("", description="A part of a name or an alias.", examples=["redis"])
    type: list[TypeName] = Field([], max_length=20)
    state: EntityState | None = None
    orphans: bool = Field(False, description="Those alone that no held memory refers to.")
    as_of: Moment | None = Field(None, description="Those that something spoke of by this instant, as counted then.")
    as_of_by: ByTime = AsOfBy.RECORDED
    inherited_from: Name = Field(
        "", description="What this parent space holds, in place of the space's own.", examples=[""]
    )
    sort: Literal["memories", "links", "newest", "name"] = "memories"
    limit: Limit = 50
    cursor: Cursor = ""


class InRoleOut(MemoryOut):
    """A memory, and the role that the entity has in it: “mention” where none is known."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_MEMORY | {"role": "object"}]})

    role: str


class PlacedOut(Response):
    """A neighbour in the hierarchy, and the relation that puts it there."""

    entity: EntityOut
    relation: Id


class AlikeOut(Response):
    """Two entities that may be one: `one` would stay. `score` from 0 to 1."""

    id: Id
    one: EntityOut
    other: EntityOut
    reason: str = Field(examples=["one is the other's beginning"])
    score: float = Field(examples=[0.8])
    status: Literal["waiting", "merged", "refused"] = Field(examples=["waiting"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])


class AlikePage(Response):
    items: list[AlikeOut]
    next_cursor: str | None = Field(examples=[None])


class DayCount(Response):
    day: datetime = Field(examples=["2026-11-20T00:00:00Z"])
    memories: int = Field(examples=[2])


class NewEntityIn(Body):
    """An entity that you name. Without a `type` it is guessed from the name, or unknown."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "ZFS", "type": "tool", "aliases": ["zpool"]}]}
    )

    name: FullName
    type: TypeName | None = None
    aliases: list[FullName] = Field([], max_length=50)


class EditEntityIn(Body):
    """The fields to change; the others stay. A name that is changed becomes an alias, unless `aliases` are sent: then
    the entity has these and no others."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Redis", "type": "tool"}]})

    name: FullName = unsent()
    type: TypeName = unsent()
    aliases: list[FullName] = unsent(max_length=50)


class EntitiesIn(Sparse):
    """take-in, refuse, propose (again) or type: one act on all of them, in one run."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ids": [ID], "act": "take-in"}]})

    ids: list[Id] = Field(min_length=1, max_length=LIMITS.batch_items)
    act: Literal["take-in", "refuse", "propose", "type"]
    type: TypeName = unsent(description="For type.")


class EntitiesOut(Response):
    """Those that were changed; `run` is null where all were so already."""

    items: list[EntityOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])


class EntityActOut(Response):
    """The entity after the act, and the run that undoes it: POST /runs/{id}/undo. Null where nothing changed."""

    entity: EntityOut
    run: str | None = Field(examples=["5a5a0f0f12345678"])


class NewEntityOut(Response):
    """The new entity, how many memories were linked to it just now, and the run that takes it all back."""

    entity: EntityOut
    linked: int = Field(examples=[3])
    run: str = Field(examples=["5a5a0f0f12345678"])


class MergeIn(Sparse):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"keep": ID, "gone": [OTHER], "dry_run": True}]}
    )

    keep: Id
    gone: list[Id] = Field(min_length=1, max_length=LIMITS.batch_items)
    reason: Name = ""
    dry_run: bool = False


class MergePartOut(Response):
    """One of those that would be one. `shared`: of its memories those that refer to another of these as well."""

    entity: EntityOut
    names: list[str] = Field(examples=[["Redis", "redis-server"]])
    memories: int = Field(examples=[7])
    shared: int = Field(examples=[1])
    relations: int = Field(examples=[3])


class MergePreviewOut(Response):
    """What would stand. `names`: all it would answer to. `memories`, `relations`: each counted once. `between`:
    relations from one part to another, which would lead nowhere. `circles`: ways up the hierarchy that would end where
    they began; while there are any it cannot be merged."""

    name: str = Field(examples=["Redis"])
    type: str = Field(examples=["tool"])
    parts: list[MergePartOut]
    names: list[str] = Field(examples=[["Redis", "redis-server"]])
    types: list[str] = Field(examples=[["tool"]])
    memories: int = Field(examples=[9])
    relations: int = Field(examples=[4])
    between: int = Field(examples=[0])
    circles: list[str] = Field(examples=[[]])


class MergeOut(Response):
    """`entity`: what stands for all of them; on a dry run nothing was merged, and `run` is null."""

    entity: EntityOut
    run: str | None = Field(examples=[None])
    dry_run: bool = Field(examples=[True])
    preview: MergePreviewOut


class UnmergeIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"entity": OTHER}]})

    entity: Id


class AlikeIn(Body):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"one": ID, "other": OTHER, "alike": False}]}
    )

    one: Id
    other: Id
    alike: bool


def show_entity(entity: Entity) -> EntityOut:
    return EntityOut.of(entity)


def show_row(row: EntityRow) -> EntityRowOut:
    entity = show_entity(row.entity).model_dump()
    return EntityRowOut(**entity, memories=row.memories, links=row.links, latest=row.latest)


def show_alike(space: Space, pairs: Sequence[Alike]) -> list[AlikeOut]:
    """Those whose two sides are both there."""
    found = entities.get_many(space.db, list({key for pair in pairs for key in (pair.one, pair.other)}))
    return [
        show_pair(pair, found[pair.one], found[pair.other])
        for pair in pairs
        if pair.one in found and pair.other in found
    ]


def show_pair(pair: Alike, one: Entity, other: Entity) -> AlikeOut:
    stays, goes = (one, other) if one.id == pair.one else (other, one)
    return AlikeOut.of(pair, one=show_entity(stays), other=show_entity(goes), status=pair.status.value)


def show_merge(preview: MergePreview) -> MergePreviewOut:
    return MergePreviewOut.of(
        preview, parts=[MergePartOut.of(part, entity=show_entity(part.entity)) for part in preview.parts]
    )
