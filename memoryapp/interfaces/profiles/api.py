"""Profiles: plans with a name, which are strategies of the space from then on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.golden import Profile
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, expected_version
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Name, Response, Sparse
from memoryapp.interfaces.lab.schemas import PlanOut, show_plan
from memoryapp.interfaces.search.schemas import PlanText
from memoryapp.search import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import profiles


def show_profile(space: Space, profile: Profile) -> ProfileOut:
    return ProfileOut.of(profile, as_run=show_plan(space, replace(strategy_of(space, profile.plan), name=profile.name)))


ProfileName = Annotated[
    str,
    Field(
        description="Up to 40 lower-case letters, digits and hyphens; no strategy's name.",
        max_length=300,
        examples=["careful"],
    ),
]


class ProfileIn(Sparse):
    """`plan`: a strategy or another profile with changes. On another profile, it is kept as what that comes to now."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"plan": "hybrid;vector=1.4;factors=trust+feedback", "note": "Trusts what was confirmed."}]
        },
    )

    plan: PlanText
    note: Name = ""


class ProfileOut(Response):
    """`as_run`: the plan with the space's numbers and all changes put in."""

    name: str = Field(examples=["careful"])
    plan: str = Field(examples=["hybrid;vector=1.4;factors=trust+feedback"])
    note: str = Field(examples=["Trusts what was confirmed."])
    as_run: PlanOut
    by: str = Field(examples=["alice"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    updated_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    version: int = Field(examples=[1])


class ProfilesOut(Response):
    items: list[ProfileOut]


class ProfileGoneOut(Response):
    profile: ProfileOut
    dry_run: bool = Field(examples=[False])


router = Routes("Search lab")


@router.get("/profiles", needs=Role.READER, response=ProfilesOut, summary="List profiles")
def list_profiles(request: ApiRequest) -> ProfilesOut:
    """All profiles of the space, by name. Wherever a strategy is named, one of these may be."""
    space = the_space(request)
    return ProfilesOut(items=[show_profile(space, one) for one in lab.profiles_of(space)])


@router.get("/profiles/{name}", needs=Role.READER, response=ProfileOut, errors=(404,), summary="Get a profile")
def get_profile(request: ApiRequest, name: ProfileName) -> Reply:
    """One profile. Its version is the ETag."""
    space = the_space(request)
    found = lab.profile_named(space, name)
    return Reply(show_profile(space, found), version=found.version)


@router.put(
    "/profiles/{name}",
    needs=Role.CURATOR,
    if_match=True,
    response={200: ProfileOut, 201: ProfileOut},
    errors=(404, 409, 412),
    summary="Save a profile",
)
def save_profile(request: ApiRequest, name: ProfileName, body: ProfileIn) -> Reply:
    """Gives a plan a name (201), or the name another plan and note (200). What is asked by the name is answered by the
    new plan from then on; runs of golden queries tell the weights they were made with. With If-Match it is refused
    (412) if somebody changed the profile since."""
    space = the_space(request)
    there = profiles.find(space.db, name)
    version = expected_version(request, lambda: there.version if there else 0)
    if version is None and there is not None:
        version = there.version
    with _named_in_address():
        saved = lab.save_profile(space, name, body.plan, body.note, version=version, actor=request.auth.actor)
    return Reply(show_profile(space, saved), 200 if version else 201, version=saved.version)


@router.delete(
    "/profiles/{name}",
    needs=Role.CURATOR,
    if_match=True,
    response=ProfileGoneOut,
    errors=(404, 412),
    summary="Delete a profile",
)
def delete_profile(request: ApiRequest, name: ProfileName, dry_run: bool = False) -> Reply:
    """Takes the name away. Profiles that were made from it, and runs by it, stay. PUT with what this answers makes it
    anew."""
    space = the_space(request)
    found = lab.profile_named(space, name)
    version = expected_version(request, lambda: found.version)
    if not dry_run:
        found = lab.delete_profile(space, name, version=version)
    return Reply(ProfileGoneOut(profile=show_profile(space, found), dry_run=dry_run), version=found.version)


@contextmanager
def _named_in_address() -> Iterator[None]:
    """Here the name stands in the address and not in the body."""
    try:
        yield
    except PalimpsestError as error:
        error.field = "name" if error.field == "/name" else error.field
        raise
