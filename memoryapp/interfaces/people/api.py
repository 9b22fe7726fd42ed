"""People: who may enter a space, with which role; somebody new; shut out and let in again. And API keys: who has which,
a new one, one in the place of another, one revoked.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from pydantic import ConfigDict, Field

from memoryapp.accounts import keys, people
from memoryapp.accounts.keys import MARK, create_key
from memoryapp.accounts.login import LINK_LASTS, make_login_token
from memoryapp.accounts.models import ApiKey, Membership, Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.errors import BadInput, NotAllowed, NotFound
from memoryapp.interfaces.api.caller import ApiRequest, Caller
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.reply import Reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Limit, Response, SpaceName, unsent, words

PersonName = Annotated[str, words(150, least=1)]
Password = Annotated[str, words(1_000, least=1)]
A_PERSON: dict[str, Any] = {
    "name": "ada",
    "role": "curator",
    "everywhere": False,
    "active": True,
    "password": True,
    "last_login": "2026-11-21T09:30:00Z",
}
router = Routes("People")
keys_router = Routes("Keys")


class PersonIn(Body):
    """Somebody new, with a role in this space. Without a password they come in by a login link."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "ada", "role": "curator"}]})

    name: PersonName
    role: Role = Role.READER
    password: Password | None = None


class PersonEdit(Body):
    """The fields to change; the others stay. `role` is that in this space; null takes their access to it away. Whether
    they may come in at all, and their password, take an administrator of every space."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"role": "writer"}]})

    role: Role | None = None
    active: bool = unsent()
    password: Password = unsent()


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


@router.get("/people", needs=Role.ADMIN, response=PersonPage, summary="List people")
def list_people(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> PersonPage:
    """Who may enter this space, by name; an administrator of every space sees everybody."""
    place = read_cursor(cursor, str)
    found = _visible_people(request.auth).order_by("username").filter(username__gt=place[0] if place else "")
    rows = list(found[: limit + 1])
    more = write_cursor(rows[limit - 1].username) if len(rows) > limit else None
    space = request.auth.space
    return PersonPage(items=[_show_key(person, space) for person in rows[:limit]], next_cursor=more)


@router.post("/people", needs=Role.ADMIN, response={201: PersonOut}, errors=(409,), summary="Add a person")
def add_person(request: ApiRequest, body: PersonIn) -> Reply:
    """A person with a role in this space. Without a password they come in by a login link."""
    space = request.auth.space
    made = people.create_person(body.name, password=body.password, space=space, role=body.role)
    return Reply(_show_key(made, space), 201)


@router.patch("/people/{name}", needs=Role.ADMIN, response=PersonOut, errors=(404, 409), summary="Change a person")
def change_person(request: ApiRequest, name: str, body: PersonEdit) -> PersonOut:
    """Their role in this space; whether they may come in at all; a new password. 409 for shutting out the last
    administrator."""
    caller, sent = request.auth, body.model_fields_set
    if not sent:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    person = _person_at(caller, name)
    if sent & {"active", "password"} and not caller.everywhere:
        raise NotAllowed("This reaches beyond one space: only an administrator of every space can do it.")
    with transaction.atomic():  # all of it, or nothing
        if "role" in sent:
            people.set_role(person, caller.space, body.role)
        if "password" in sent:
            people.set_password(person, body.password)
        if "active" in sent:
            people.set_active(person, body.active)
    return _show_key(person, caller.space)


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


def _visible_people(caller: Caller) -> QuerySet[User]:
    """The people that this caller may see: those with a role in the space, or everybody."""
    if caller.everywhere:
        return User.objects.all()
    members = Membership.objects.filter(space=caller.space).values("user_id")
    return User.objects.filter(pk__in=members)


def _person_at(caller: Caller, name: str) -> User:
    """Somebody of this space who is not an administrator of all, unless the caller is one. Raises NotFound."""
    person = people.person_named(name)
    if caller.everywhere:
        return person
    if person.is_superuser or people.role_in(person, caller.space) is None:
        raise NotFound(f"There is no person called {name}, or they are not yours to change.")
    return person


def _show_key(person: User, space: Space) -> PersonOut:
    held = Membership.objects.filter(user=person, space=space).values_list("role", flat=True).first()
    return PersonOut(
        name=person.username,
        role=Role(held) if held else None,
        everywhere=person.is_superuser,
        active=person.is_active,
        password=person.has_usable_password(),
        last_login=person.last_login,
    )


A_KEY: dict[str, Any] = {
    "id": 3,
    "name": "Planner",
    "agent": "planner",
    "prefix": "pal_1a2b3c4d",
    "space": "default",
    "role": "writer",
    "created_by": "alice",
    "created_at": "2026-11-20T08:00:00Z",
    "last_used_at": None,
    "revoked_at": None,
}


class KeyIn(Body):
    """`space` null: every space, which only an administrator of all may give."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Planner", "role": "writer", "space": "default"}]}
    )

    name: Annotated[str, words(100, least=1)]
    role: Role
    space: SpaceName | None = None
    agent: Annotated[str, words(100)] = ""


class KeyOut(Response):
    model_config = ConfigDict(json_schema_extra={"examples": [A_KEY]})

    id: int
    name: str
    agent: str
    prefix: str = Field(description="How the key begins; the rest is shown once only.")
    space: str | None
    role: Role
    created_by: str | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class KeyMade(KeyOut):
    """`key` is shown here and never again."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_KEY | {"key": "pal_1a2b3c4d_…"}]})

    key: str


class KeyList(Response):
    items: list[KeyOut]


@keys_router.get("/keys", needs=Role.ADMIN, response=KeyList, summary="List keys")
def list_keys(request: ApiRequest) -> KeyList:
    """The keys of this space or, for an administrator of all, every key. Never the keys themselves."""
    return KeyList(items=[KeyOut(**_key_shown(key)) for key in _visible_keys(request.auth)])


@keys_router.post(
    "/keys", needs=Role.ADMIN, response={201: KeyMade}, errors=(404,), idempotent=False, summary="Make a key"
)
def make_key(request: ApiRequest, body: KeyIn) -> Reply:
    """A new key. It is shown in this answer and never again; only its hash is kept."""
    caller = request.auth
    if body.space is None and not caller.everywhere:
        raise NotAllowed("Only an administrator of every space can make a key for every space.", field="/space")
    space = space_named(body.space) if body.space else None
    role = caller.role_in(space) if space else caller.role
    if role is None:
        raise NotFound(f"There is no space called {body.space}, or it is not open to you.", field="/space")
    if not role.allows(Role.ADMIN):
        raise NotAllowed(f"You are no administrator of “{body.space}”.", field="/space")
    key, text = create_key(body.name, role=body.role, space=space, created_by=caller.maker, agent=body.agent)
    return Reply(KeyMade(**_key_shown(key), key=text), 201)


@keys_router.delete("/keys/{int:id}", needs=Role.ADMIN, response=KeyOut, errors=(404,), summary="Revoke a key")
def revoke_key(request: ApiRequest, id: int, dry_run: bool = False) -> KeyOut:
    """From now on it opens nothing. It stays in the list, so that what it did keeps its name."""
    key = _key_named(request.auth, id)
    if not dry_run:
        keys.revoke_key(key)
    return KeyOut(**_key_shown(key))


@keys_router.post(
    "/keys/{int:id}/rotate",
    needs=Role.ADMIN,
    response={201: KeyMade},
    errors=(404, 409),
    idempotent=False,
    summary="Rotate a key",
)
def rotate_key(request: ApiRequest, id: int) -> Reply:
    """Another key with the same name, rights and agent, shown in this answer and never again. From now on the old one
    opens nothing; one that was revoked is not rotated."""
    key, text = keys.rotate_key(_key_named(request.auth, id))
    return Reply(KeyMade(**_key_shown(key), key=text), 201)


def _key_named(caller: Caller, id: int) -> ApiKey:
    key = _visible_keys(caller).filter(pk=id).first()
    if key is None:
        raise NotFound(f"There is no key {id}, or it is not yours to take back.")
    return key


def _visible_keys(caller: Caller) -> QuerySet[ApiKey]:
    """The keys that this caller may see: a key for every space is only for an administrator of all."""
    every = ApiKey.objects.select_related("space", "created_by").filter(local=False)
    return every if caller.everywhere else every.filter(space=caller.space)


def _key_shown(key: ApiKey) -> dict[str, object]:
    return {
        "id": key.pk,
        "name": key.name,
        "agent": key.agent,
        "prefix": f"{MARK}_{key.prefix}",
        "space": key.space.name if key.space else None,
        "role": Role(key.role),
        "created_by": key.created_by.get_username() if key.created_by else None,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }
