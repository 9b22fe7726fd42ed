"""The first steps of a space, as Home shows them."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from memoryapp.accounts.first_steps import set_first_steps
from memoryapp.accounts.roles import Role
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Response
from memoryapp.interfaces.home.first_steps import first_steps_of, questions_about

router = Routes("Spaces")


class FirstStepsIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"shown": False}]})

    shown: bool


class FirstStepsOut(Response):
    """What is done of the first steps, each told by what is there. `shown`: whether Home shows them."""

    shown: bool = Field(examples=[True])
    started: bool = Field(description="Something was ingested, written or loaded, or is being.", examples=[True])
    filled: bool = Field(description="Something is held, and nothing is on its way.", examples=[True])
    asked: bool = Field(description="A question was asked.", examples=[False])
    connected: bool = Field(description="An agent has called with a key.", examples=[False])
    agent: str = Field(description="The one that called last.", examples=[""])
    job: Id | None = Field(description="That brings memories now.", examples=[None])
    questions: list[str] = Field(
        description="That what is held should answer.", examples=[["What about Deploy freeze?"]]
    )


@router.get("/first-steps", needs=Role.READER, response=FirstStepsOut, summary="Get the first steps")
def get_first_steps(request: ApiRequest) -> FirstStepsOut:
    """How far the space is with its first steps: a folder, its ingest, a question, an agent."""
    return _show(request)


@router.patch("/first-steps", needs=Role.ADMIN, response=FirstStepsOut, summary="Show or hide the first steps")
def edit_first_steps(request: ApiRequest, body: FirstStepsIn) -> FirstStepsOut:
    """Whether Home shows them. Where nobody says, it does while the space is empty or younger than a week and they are
    not done."""
    set_first_steps(request.auth.space, shown=body.shown)
    return _show(request)


def _show(request: ApiRequest) -> FirstStepsOut:
    space = the_space(request)
    found = first_steps_of(request.auth.space, space)
    return FirstStepsOut.of(
        found,
        connected=bool(found.agent),
        job=found.job.pk if found.job else None,
        questions=questions_about(space) if found.filled else [],
    )
