"""People: who may enter a space, and what they may do there."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.api.schemas.base import Body, Shown, words

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


class PersonOut(Shown):
    """`role` in this space, null without one; `everywhere`: an administrator of every space. `password`: whether they
    have one."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_PERSON]})

    name: str
    role: Role | None
    everywhere: bool
    active: bool
    password: bool
    last_login: datetime | None


class PersonPage(Shown):
    items: list[PersonOut]
    next_cursor: str | None = Field(examples=[None])


class LoginLinkOut(Shown):
    """Good once, for some minutes. Whoever has it is that person."""

    name: str = Field(examples=["ada"])
    url: str = Field(examples=["http://127.0.0.1:8000/login/3vTq…"])
    seconds: int = Field(description="How long it is good for.", examples=[900])
