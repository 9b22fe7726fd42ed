"""People: who may enter a space, with which role; somebody new; shut out and let in again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from pydantic import ConfigDict, Field

from memoryapp.accounts import people
from memoryapp.accounts.login import LINK_LASTS, make_login_token
from memoryapp.accounts.models import Membership, Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotAllowed, NotFound
from memoryapp.interfaces.api.caller import ApiRequest, Caller
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.reply import Reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Limit, Response, words

PersonName = words(150, least=1)
Password = words(1_000, least=1)
A_PERSON: dict[str, Any] = {
    "name": "ada",
    "role": "curator",
    "everywhere": False,
    "active": True,
    "password": True,
    "last_login": "2026-11-21T09:30:00Z",
}


class PersonIn(Body):
    """Somebody new, with a role in this space. Without a password they come in by a login link."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "ada", "role": "curator"}]})

    name: PersonName  # type: ignore[valid-type]
    role: Role = Role.READER
    password: Password | None = None  # type: ignore[valid-type]


class PersonEdit(Body):
    """The fields to change; the others stay. `role` is that in this space; null takes their access to it away. Whether
    they may come in at all, and their password, take an administrator of every space."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"role": "writer"}]})

    role: Role | None = None
    active: bool = Field(None)
    password: Password = Field(None)  # type: ignore[valid-type]


class PersonOut(Response):
    """`role` in this space, null without one; `everywhere`: an administrator of every space. `password`: whether they
    have one."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_PERSON]})

    name: str
    role: Role | None
    everywhere: bool
    active: bool
    password: bool
    last_login: datetime | None


class PersonPage(Response):
    items: list[PersonOut]
    next_cursor: str | None = Field(examples=[None])


class LoginLinkOut(Response):
    """Good once, for some minutes. Whoever has it is that person."""

    name: str = Field(examples=["ada"])
    url: str = Field(examples=["http://127.0.0.1:8000/login/3vTq…"])
    seconds: int = Field(description="How long it is good for.", examples=[900])


router = Routes("People")


@router.get("/people", needs=Role.ADMIN, response=PersonPage, summary="List people")
def list_people(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> PersonPage:
    """Who may enter this space, by name; an administrator of every space sees everybody."""
    place = read_cursor(cursor, str)
    found = _mine(request.auth).order_by("username").filter(username__gt=place[0] if place else "")
    rows = list(found[: limit + 1])
    more = write_cursor(rows[limit - 1].username) if len(rows) > limit else None
    space = request.auth.space
    return PersonPage(items=[_shown(person, space) for person in rows[:limit]], next_cursor=more)


@router.post("/people", needs=Role.ADMIN, response={201: PersonOut}, errors=(409,), summary="Add a person")
def add_person(request: ApiRequest, body: PersonIn) -> Reply:
    """A person with a role in this space. Without a password they come in by a login link."""
    space = request.auth.space
    made = people.create_person(body.name, password=body.password, space=space, role=body.role)
    return Reply(_shown(made, space), 201)


@router.patch("/people/{name}", needs=Role.ADMIN, response=PersonOut, errors=(404, 409), summary="Change a person")
def change_person(request: ApiRequest, name: str, body: PersonEdit) -> PersonOut:
    """Their role in this space; whether they may come in at all; a new password. 409 for shutting out the last
    administrator."""
    caller, sent = request.auth, body.model_fields_set
    if not sent:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    person = _named(caller, name)
    if sent & {"active", "password"} and not caller.everywhere:
        raise NotAllowed("This reaches beyond one space: only an administrator of every space can do it.")
    with transaction.atomic():  # all of it, or nothing
        if "role" in sent:
            people.set_role(person, caller.space, body.role)
        if "password" in sent:
            people.set_password(person, body.password)
        if "active" in sent:
            people.set_active(person, body.active)
    return _shown(person, caller.space)


@router.post(
    "/people/{name}/login-link",
    needs=Role.ADMIN,
    app=True,
    idempotent=False,
    response={201: LoginLinkOut},
    errors=(404,),
    summary="Make a login link",
)
def make_login_link(request: ApiRequest, name: str) -> Reply:
    """A link that logs this person in, once. It is shown in this answer and kept nowhere."""
    person = people.person_named(name)
    url = request.build_absolute_uri(reverse("login-link", args=[make_login_token(person)]))
    return Reply(LoginLinkOut(name=person.username, url=url, seconds=int(LINK_LASTS.total_seconds())), 201)


def _mine(caller: Caller) -> QuerySet[User]:
    """The people that this caller may see: those with a role in the space, or everybody."""
    if caller.everywhere:
        return User.objects.all()
    members = Membership.objects.filter(space=caller.space).values("user_id")
    return User.objects.filter(pk__in=members)


def _named(caller: Caller, name: str) -> User:
    """Somebody of this space who is not an administrator of all, unless the caller is one. Raises NotFound."""
    person = people.person_named(name)
    if caller.everywhere:
        return person
    if person.is_superuser or people.role_in(person, caller.space) is None:
        raise NotFound(f"There is no person called {name}, or they are not yours to change.")
    return person


def _shown(person: User, space: Space) -> PersonOut:
    held = Membership.objects.filter(user=person, space=space).values_list("role", flat=True).first()
    return PersonOut(
        name=person.username,
        role=Role(held) if held else None,
        everywhere=person.is_superuser,
        active=person.is_active,
        password=person.has_usable_password(),
        last_login=person.last_login,
    )
