"""Feedback as a list: what rose and what fell by what agents said; taken back, and that undone."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.domain.feedback import FeedbackEntry, MemoryFeedback
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Id, Limit, Response, path_id
from memoryapp.review.feedback import feedback_ranking, place_of, undo_reset
from memoryapp.review.feedback import reset_feedback as reset
from memoryapp.store import memories, usage


class WeighedOut(Response):
    """`factor` multiplies the memory's score. `last_query` is what it was last given for, where that was said."""

    id: Id
    text: str = Field(examples=["The queue moved to Redis."])
    used: int = Field(examples=[4])
    not_useful: int = Field(examples=[1])
    factor: float = Field(examples=[1.075])
    last_query: str = Field(examples=["why did we leave RabbitMQ?"])
    last_at: datetime | None = Field(examples=["2026-11-21T09:30:00Z"])
    by: str = Field(description="Who said the last word.", examples=["atlas"])


class FeedbackPage(Response):
    """`rose`, `fell` and `even` count the memories of the space."""

    items: list[WeighedOut]
    rose: int = Field(examples=[12])
    fell: int = Field(examples=[3])
    even: int = Field(examples=[1])
    next_cursor: str | None = Field(examples=[None])


class ResetIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"]}]})

    ids: list[Id] = Field(min_length=1, max_length=LIMITS.batch_items)


class ResetOut(Response):
    """`reset`: POST /feedback/resets/{id}/undo gives back what it took."""

    reset: Id
    memories: int = Field(examples=[1])


router = Routes("Memories")
Side = Literal["all", "rose", "fell"]
ResetId = Annotated[str, path_id("reset")]


@router.get("/feedback", needs=Role.READER, response=FeedbackPage, summary="List feedback")
def list_feedback(request: ApiRequest, side: Side = "all", limit: Limit = 50, cursor: Cursor = "") -> FeedbackPage:
    """Memories that agents said something of, those that moved farthest first. POST /memories/{id}/feedback says it."""
    space = the_space(request)
    place = read_cursor(cursor, float, str)
    after = (float(place[0]), str(place[1])) if place else None
    found = feedback_ranking(space, side=side, after=after, limit=limit)
    keys = [one.memory for one in found.items]
    known, said = memories.get_many(space.db, keys), usage.feedback_of(space.db, keys)
    last = found.items[-1] if found.more else None
    return FeedbackPage.of(
        found,
        items=[_show(one, known[one.memory], said.get(one.memory, ())) for one in found.items if one.memory in known],
        next_cursor=write_cursor(-place_of(last)[0], last.memory) if last else None,
    )


@router.post("/feedback/reset", needs=Role.CURATOR, response=ResetOut, errors=(404,), summary="Reset feedback")
def reset_feedback(request: ApiRequest, body: ResetIn) -> ResetOut:
    """Takes back all that was said of these memories: their factor is 1 again."""
    ids = list(dict.fromkeys(body.ids))
    return ResetOut(reset=reset(the_space(request), ids, actor=request.auth.actor), memories=len(ids))


@router.post("/feedback/resets/{id}/undo", needs=Role.CURATOR, response=ResetOut, errors=(404,), summary="Undo a reset")
def undo_feedback_reset(request: ApiRequest, id: ResetId) -> ResetOut:
    """Gives back what a reset took, beside what was said since."""
    return ResetOut(reset=id, memories=undo_reset(the_space(request), id))


def _show(one: MemoryFeedback, memory: Memory, said: tuple[FeedbackEntry, ...]) -> WeighedOut:
    words = [word for word in said if word.reset is None]
    return WeighedOut.of(
        one,
        id=one.memory,
        text=memory.text,
        last_query=next((word.query for word in words if word.query), ""),
        last_at=words[0].at if words else None,
        by=words[0].by if words else "",
    )
