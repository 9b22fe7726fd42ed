"""Open questions: what agents asked and found nothing clear for; put aside, brought back, forgotten."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.domain.question import OpenQuestion
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Limit, Response, path_id
from memoryapp.store import questions


class OpenQuestionOut(Response):
    """`times`: how often it was asked; `by`: who asked last."""

    id: Id
    text: str = Field(examples=["which port does staging use?"])
    times: int = Field(examples=[3])
    by: str = Field(examples=["atlas"])
    first_at: datetime = Field(examples=["2026-11-20T10:00:00Z"])
    last_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    dismissed: bool = Field(examples=[False])


class OpenQuestionList(Response):
    """The one asked last first. `total` counts them all; at most 200 are kept."""

    items: list[OpenQuestionOut]
    total: int = Field(examples=[1])


class OpenQuestionEdit(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"dismissed": True}]})

    dismissed: bool


class ForgottenOut(Response):
    """How many questions were deleted for good."""

    deleted: int = Field(examples=[12])


router = Routes("Search")
QuestionId = path_id("open question")


@router.get("/questions", needs=Role.READER, response=OpenQuestionList, summary="List open questions")
def list_questions(request: ApiRequest, dismissed: bool = False, limit: Limit = 50) -> OpenQuestionList:
    """What agents asked, by POST /search without filters or POST /context, and found nothing clearly relevant for. A
    question goes once it is asked again and answered. `dismissed`: those that somebody put aside."""
    found = questions.every(the_space(request).db, dismissed=dismissed)
    return OpenQuestionList(items=[_show(one) for one in found[:limit]], total=len(found))


@router.patch(
    "/questions/{id}", needs=Role.CURATOR, response=OpenQuestionOut, errors=(404,), summary="Dismiss a question"
)
def change_question(request: ApiRequest, id: QuestionId, body: OpenQuestionEdit) -> OpenQuestionOut:
    """Puts a question aside, or brings it back. One that was put aside stays so when it is asked again."""
    return _show(questions.dismiss(the_space(request).db, id, dismissed=body.dismissed))


@router.delete("/questions/{id}", needs=Role.CURATOR, response=ForgottenOut, errors=(404,), summary="Delete a question")
def delete_question(request: ApiRequest, id: QuestionId) -> ForgottenOut:
    """Deletes a question for good."""
    questions.delete(the_space(request).db, id)
    return ForgottenOut(deleted=1)


@router.delete("/questions", needs=Role.CURATOR, response=ForgottenOut, summary="Delete all open questions")
def delete_questions(request: ApiRequest) -> ForgottenOut:
    """Deletes all open questions for good, those that were dismissed among them."""
    return ForgottenOut(deleted=questions.clear(the_space(request).db))


def _show(one: OpenQuestion) -> OpenQuestionOut:
    return OpenQuestionOut(
        id=one.id,
        text=one.text,
        times=one.times,
        by=one.by,
        first_at=one.first_at,
        last_at=one.last_at,
        dismissed=one.dismissed,
    )
