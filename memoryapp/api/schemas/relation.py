"""Relations between entities: one, a page, a change."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, FullName, Id, Name, Shown
from memoryapp.api.schemas.entity import ID, OTHER
from memoryapp.domain.relation import RelationType

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


class EndOut(Shown):
    """An entity at one end of a relation."""

    id: Id
    name: str = Field(examples=["Alice"])
    type: str = Field(examples=["person"])


class RelationOut(Shown):
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


class RelationPage(Shown):
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

    type: FullName = Field(None)
    label: Name = Field(None)
    planned: bool = Field(None)
    state: Literal["held", "refused"] = Field(None)


class RelationActOut(Shown):
    """The relation after the act, and the run that undoes it. Null where nothing changed, or on a dry run."""

    relation: RelationOut
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


class HierarchyOut(Shown):
    """The relations that put one entity under another, after the act, and the run that undoes it."""

    relations: list[RelationOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])
