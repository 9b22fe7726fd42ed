"""API keys: who has which, a new one, one in the place of another, one taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from pydantic import ConfigDict, Field

from memoryapp.accounts.keys import MARK, create_key, revoke_key, rotate_key
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.errors import NotAllowed, NotFound
from memoryapp.interfaces.api.caller import ApiRequest, Caller
from memoryapp.interfaces.api.reply import Reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Response, SpaceName, words

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

    name: words(100, least=1)  # type: ignore[valid-type]
    role: Role
    space: SpaceName | None = None
    agent: words(100) = ""  # type: ignore[valid-type]


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


router = Routes("Keys")


@router.get("/keys", needs=Role.ADMIN, response=KeyList, summary="List keys")
def list_keys(request: ApiRequest) -> KeyList:
    """The keys of this space or, for an administrator of all, every key. Never the keys themselves."""
    return KeyList(items=[KeyOut(**_shown(key)) for key in _mine(request.auth)])


@router.post("/keys", needs=Role.ADMIN, response={201: KeyMade}, errors=(404,), idempotent=False, summary="Make a key")
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
    return Reply(KeyMade(**_shown(key), key=text), 201)


@router.delete("/keys/{int:id}", needs=Role.ADMIN, response=KeyOut, errors=(404,), summary="Revoke a key")
def take_back(request: ApiRequest, id: int, dry_run: bool = False) -> KeyOut:
    """From now on it opens nothing. It stays in the list, so that what it did keeps its name."""
    key = _named(request.auth, id)
    if not dry_run:
        revoke_key(key)
    return KeyOut(**_shown(key))


@router.post(
    "/keys/{int:id}/rotate",
    needs=Role.ADMIN,
    response={201: KeyMade},
    errors=(404, 409),
    idempotent=False,
    summary="Rotate a key",
)
def rotate(request: ApiRequest, id: int) -> Reply:
    """Another key with the same name, rights and agent, shown in this answer and never again. From now on the old one
    opens nothing; one that was revoked is not rotated."""
    key, text = rotate_key(_named(request.auth, id))
    return Reply(KeyMade(**_shown(key), key=text), 201)


def _named(caller: Caller, id: int) -> ApiKey:
    key = _mine(caller).filter(pk=id).first()
    if key is None:
        raise NotFound(f"There is no key {id}, or it is not yours to take back.")
    return key


def _mine(caller: Caller) -> QuerySet[ApiKey]:
    """The keys that this caller may see: a key for every space is only for an administrator of all."""
    keys = ApiKey.objects.select_related("space", "created_by").filter(local=False)
    return keys if caller.everywhere else keys.filter(space=caller.space)


def _shown(key: ApiKey) -> dict[str, object]:
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
