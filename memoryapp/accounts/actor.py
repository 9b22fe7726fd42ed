"""Who is acting in a request: a person at a page, or an agent by its key."""

from __future__ import annotations

import re

from django.http import HttpRequest

from memoryapp.accounts.models import ApiKey
from memoryapp.domain.change import Actor, ActorKind


def name_of(key: ApiKey) -> str:
    """What the history calls whoever uses this key; keys of one agent are one name."""
    return key.agent or key.name


def actor_of(request: HttpRequest, key: ApiKey | None = None) -> Actor:
    """The key's agent where there is a key, else the person logged in.

    `X-Agent-ID` tells sub-agents of one key apart. It is put behind the key's own name, never in its place: the key
    is proved, the header is only said.
    """
    if key is None:
        return Actor(ActorKind.PERSON, request.user.get_username())
    if key.local and key.created_by is not None:
        return Actor(ActorKind.PERSON, key.created_by.get_username())  # a command typed on this machine
    name = name_of(key)
    said = re.sub(r"[^\w.@:+ -]", "", request.headers.get("X-Agent-ID", "")).strip()[:80]
    return Actor(ActorKind.AGENT, f"{name}/{said}" if said and said != name else name)
