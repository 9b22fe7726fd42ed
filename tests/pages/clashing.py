"""Two facts at odds, with the conflict between them: what tests of the review page begin with."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

from memoryapp import spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Category, Kind, Memory
from memoryapp.spaces import embed
from memoryapp.store.write import Batch, commit, new_run

HTMX = {"HX-Request": "true", "HX-Target": "judge", "HX-Current-URL": "http://testserver/conflicts/"}
ATLAS = Actor(ActorKind.AGENT, "atlas")


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def opened(page: str) -> str:
    """The case that a page shows."""
    found = re.search(r'data-case="([0-9a-f]{16})"', page)
    return found[1] if found else ""


def queued(page: str) -> list[str]:
    return re.findall(r'data-open hx-get="/conflicts/([0-9a-f]{16})/', page)


def fact(space: spaces.Space, text: str, *, days: float = 0, **more: Any) -> Memory:
    at = space.clock() - timedelta(days=days)
    memory = Memory(new_id(), Kind.FACT, text, at, at, **({"category": Category.WORK} | more))
    commit(space.db, new_run("read", ATLAS, now=at), Batch(created=[memory], embeddings=embed(space, [memory])), now=at)
    return memory


def clashing(
    space: spaces.Space, old: str = "Backup runs at 03:00.", new: str = "Backup runs at 02:00.", **more: Any
) -> Conflict:
    """A waiting conflict between two new facts."""
    existing, incoming = fact(space, old, days=40), fact(space, new)
    now = space.clock()
    values: dict[str, Any] = {
        "detector": "number", "reason": "Two hours for one backup.", "outcome": Outcome.REPLACE, "confidence": 0.9,
        "incoming": incoming.id, "created_at": now,
    }  # fmt: skip
    conflict = Conflict(**{"id": new_id(), "existing": existing.id, **values, **more})
    commit(space.db, new_run("read", ATLAS, now=now), Batch(conflicts=[conflict]), now=now)
    return conflict
