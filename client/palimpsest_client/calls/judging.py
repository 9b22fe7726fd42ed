"""Where beliefs disagree, who and what they speak of, and taking back what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from palimpsest_client.call import Call, given
from palimpsest_client.records import Conflict, Decision, Entity, NewEntity, Reopened, Undone, WholeEntity
from palimpsest_client.shapes import Page


def conflicts(
    *,
    status: str | None = None,
    detector: str | None = None,
    sort: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[Page[Conflict]]:
    """Lists conflicts; those that wait, unless `status` is automatic, decided or snoozed."""
    asked = given(status=status, detector=detector, sort=sort, limit=limit, cursor=cursor)
    return Call(method="GET", path="/conflicts", gives=Page[Conflict], query=asked)


def conflict(id: str) -> Call[Conflict]:
    """One conflict; `raw["impact"]` says what each outcome would change."""
    return Call(method="GET", path="/conflicts/{id}", gives=Conflict, names={"id": id})


def resolve(
    id: str,
    outcome: str,
    *,
    text: str | None = None,
    reason: str | None = None,
    scope: Mapping[str, Any] | None = None,
) -> Call[Decision]:
    """Decides a conflict, or proposes a decision where the key is no curator's. `outcome` is keep, replace, both (with
    a `scope`), merge (with a `text`) or neither."""
    body = given(outcome=outcome, text=text, reason=reason, scope=scope)
    return Call(method="POST", path="/conflicts/{id}/resolve", gives=Decision, names={"id": id}, json=body, writes=True)


def undo_decision(id: str) -> Call[Reopened]:
    """Takes the decision of a conflict back: it waits again."""
    return Call(method="POST", path="/conflicts/{id}/undo", gives=Reopened, names={"id": id}, writes=True)


def undo(run: str, *, reason: str | None = None, dry_run: bool = False) -> Call[Undone]:
    """Takes back all that one run did."""
    body = given(reason=reason, dry_run=dry_run or None)
    return Call(method="POST", path="/runs/{id}/undo", gives=Undone, names={"id": run}, json=body, writes=True)


def entities(
    *,
    text: str | None = None,
    type: Sequence[str] | None = None,
    state: str | None = None,
    as_of: datetime | None = None,
    as_of_by: str | None = None,
    sort: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[Page[Entity]]:
    """Lists who and what memories speak of; `text` is part of a name."""
    asked = given(text=text, type=type, state=state, as_of=as_of, as_of_by=as_of_by)
    asked |= given(sort=sort, limit=limit, cursor=cursor)
    return Call(method="GET", path="/entities", gives=Page[Entity], query=asked)


def add_entity(name: str, *, type: str | None = None, aliases: Sequence[str] | None = None) -> Call[NewEntity]:
    """Names an entity: memories that name it are linked to it, those there are and those to come."""
    body = given(name=name, type=type, aliases=aliases)
    return Call(method="POST", path="/entities", gives=NewEntity, json=body, writes=True)


def entity(id: str, *, as_of: datetime | None = None) -> Call[WholeEntity]:
    """All there is to one entity: its memories with its role in each, and its relations."""
    return Call(method="GET", path="/entities/{id}", gives=WholeEntity, names={"id": id}, query=given(as_of=as_of))
