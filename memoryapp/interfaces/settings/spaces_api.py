"""Spaces: which there are, a new one, the numbers of each, and the example that fills one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from pydantic import ConfigDict, Field

from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space, set_parent, set_settings, space_named
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.limits import tuning_from, within_ranges
from memoryapp.interfaces.api.caller import ApiRequest, Caller, the_space
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Name, Response, SpaceName, words
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.interfaces.settings.fields import GENERAL, with_groups
from memoryapp.jobs.requests import submit_demo, submit_sample

router = Routes("Spaces")


@router.post("/demo", needs=Role.ADMIN, response={202: JobStarted}, summary="Fill the space with the example")
def fill_with_demo(request: ApiRequest) -> Reply:
    """Three weeks of a small team's notes and talks, in English and Korean, with what became of them: facts, conflicts,
    a Context Tree, a digest, feedback of two agents, golden queries. They stand beside what the space holds already."""
    the_space(request)
    return job_reply(submit_demo(request.auth.space.name, actor=request.auth.actor))


class NewDemoIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"space": "sample"}]})

    space: SpaceName


@router.post(
    "/demo/new",
    needs=Role.ADMIN,
    app=True,
    response={202: JobStarted},
    errors=(409,),
    summary="Load the example into a new space",
)
def load_demo_into_new_space(request: ApiRequest, body: NewDemoIn) -> Reply:
    """Makes the space, and begins the job that fills it with the example; the present space stays as it is. Takes a key
    for every space."""
    return job_reply(submit_sample(body.space, actor=request.auth.actor, created_by=request.auth.person))


class SpaceIn(Body):
    """A new, empty space. It reads its parent's memories beside its own, and writes only its own."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "research", "title": "Research", "parent": "default"}]}
    )

    name: SpaceName
    title: Annotated[str, words(200)] = ""
    parent: SpaceName | None = None
    encoder: Name = Field("", description="The embedding model; empty: the parent's, or the installation's.")
    settings: dict[str, Any] = Field(
        default={}, max_length=60, description="Settings of its own; see GET /spaces/{name}."
    )


class SpaceEdit(Body):
    """`settings` replaces the space's own settings: what it leaves out is reset, {} resets all. A null parent takes it
    away."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"title": "Research 2026", "settings": {"conflict_policy": "review"}}]},
    )

    title: Annotated[str, words(200)] | None = None
    parent: SpaceName | None = None
    settings: dict[str, Any] | None = Field(None, max_length=60)


class SpaceOut(Response):
    name: str = Field(examples=["research"])
    title: str = Field(examples=["Research"])
    parent: str | None = Field(examples=["default"])
    encoder: str = Field(examples=["all-MiniLM-L6-v2"])
    role: Role = Field(description="Yours.")
    settings: dict[str, Any] = Field(description="Those that differ from the default.", examples=[{"rrf_k": 30}])
    tuning: dict[str, Any] = Field(description="All settings in force.", examples=[{"rrf_k": 30}])
    created_at: datetime = Field(examples=["2026-11-20T08:00:00Z"])


class ChoiceOut(Response):
    value: str = Field(examples=["review"])
    label: str = Field(examples=["Ask about every conflict"])


class SettingOut(Response):
    """One setting as the settings page shows it. `general`: it is under General there, all others under Advanced."""

    name: str = Field(description="As in `settings`.", examples=["vector_weight"])
    label: str = Field(examples=["Vector weight"])
    help: str = Field(examples=["Similarity in meaning."])
    unit: str = Field(description="Of a number, where it has one.", examples=[""])
    group: str = Field(examples=["Search weights"])
    general: bool = Field(examples=[False])
    kind: Literal["number", "integer", "text", "choice"] = Field(examples=["number"])
    value: float | int | str = Field(description="In force.", examples=[1.5])
    default: float | int | str = Field(examples=[1.1])
    changed: bool = Field(description="Whether it differs from the default.", examples=[True])
    minimum: float | None = Field(examples=[0])
    maximum: float | None = Field(examples=[10])
    choices: list[ChoiceOut] = Field(description="Of a choice.", examples=[[]])


class SpaceDetails(SpaceOut):
    """A space with every setting in the order of the settings page."""

    fields: list[SettingOut]


class SpaceList(Response):
    items: list[SpaceOut]


@router.get("/spaces", needs=Role.READER, response=SpaceList, summary="List spaces")
def list_spaces(request: ApiRequest) -> SpaceList:
    """The spaces you may enter, by name, with your role in each and all settings in force."""
    found = request.auth.spaces().select_related("parent").order_by("name")
    return SpaceList(items=[_show_space(space, request.auth) for space in found])


@router.post(
    "/spaces", needs=Role.ADMIN, app=True, response={201: SpaceOut}, errors=(404, 409), summary="Create a space"
)
def make_space(request: ApiRequest, body: SpaceIn) -> Reply:
    """A new, empty space. Choose it in a request with the header X-Space. Takes a key for every space."""
    _check_numbers(body.settings)
    space = create_space(
        body.name,
        title=body.title,
        parent=_parent(body.parent),
        encoder=body.encoder,
        overrides=body.settings,
        created_by=request.auth.person,
    )
    return Reply(_show_space(space, request.auth), 201)


@router.get(
    "/spaces/{name}",
    needs=Role.READER,
    space_in="name",
    response=SpaceDetails,
    errors=(404,),
    summary="Get a space",
)
def get_space(request: ApiRequest, name: str) -> SpaceDetails:
    """A space with every setting: its name and help in words, group, unit, range or choices, default and value."""
    return _show_details(request.auth.space, request.auth)


@router.patch(
    "/spaces/{name}",
    needs=Role.ADMIN,
    space_in="name",
    response=SpaceDetails,
    errors=(404,),
    summary="Change a space",
)
def edit_space(request: ApiRequest, name: str, body: SpaceEdit) -> SpaceDetails:
    """Its title, its parent, its own settings. Takes the role of an administrator in that space. To undo a change, send
    the `settings` that were there before."""
    space = request.auth.space
    sent = body.model_dump(exclude_unset=True)
    with transaction.atomic():
        if sent.get("settings") is not None:
            _check_numbers(sent["settings"])
            set_settings(space, sent["settings"])
        if "parent" in sent:
            set_parent(space, _parent(sent["parent"], request.auth))
        if sent.get("title") is not None:
            space.title = without_unseen(sent["title"]).strip()
            space.save(update_fields=["title"])
    return _show_details(space, request.auth)


def _check_numbers(numbers: dict[str, Any]) -> None:
    try:
        tuning_from(numbers)
    except BadInput as error:
        error.field = f"/settings{error.field or ''}"
        raise


def _parent(name: str | None, caller: Caller | None = None) -> Space | None:
    """A parent's memories are read by everybody in the child, so only who may read them may name it."""
    if name is None:
        return None
    try:
        parent = space_named(name)
    except NotFound as error:
        error.field = "/parent"
        raise
    if caller is not None and caller.role_in(parent) is None:
        raise NotFound(f"There is no space called {name}, or it is not open to you.", field="/parent")
    return parent


def _show_space(space: Space, caller: Caller) -> SpaceOut:
    return SpaceOut.of(
        space,
        parent=space.parent.name if space.parent else None,
        role=caller.role_in(space) or Role.READER,
        tuning=asdict(tuning_from(within_ranges(space.settings))),
    )


def _show_details(space: Space, caller: Caller) -> SpaceDetails:
    shown = _show_space(space, caller)
    return SpaceDetails(**shown.model_dump(), fields=list(_fields(shown.tuning)))


def _fields(tuning: dict[str, Any]) -> Iterator[SettingOut]:
    for group, one in with_groups():
        low, high = one.range or (None, None)
        yield SettingOut.of(
            one,
            group=group.name,
            general=group.name == GENERAL,
            value=tuning[one.name],
            changed=tuning[one.name] != one.default,
            minimum=low,
            maximum=high,
            choices=[ChoiceOut(value=value, label=label) for value, label in one.choices],
        )
