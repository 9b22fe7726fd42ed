"""Writing, reading and correcting single memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from palimpsest_client.call import Call, given
from palimpsest_client.shapes import Act, Memory, Outcomes, Page, Receipt, Weighed, WholeMemory, Written


def remember(
    text: str | None = None,
    *,
    atoms: str | None = None,
    title: str | None = None,
    kind: str | None = None,
    ref: str | None = None,
    session: str | None = None,
    speaker: str | None = None,
    tags: Sequence[str] | None = None,
    entities: Sequence[str] | None = None,
    category: str | None = None,
    confidence: float | None = None,
    memory_type: str | None = None,
    mood: str | None = None,
    decision_point: bool | None = None,
    emotional_signal: bool | None = None,
    occurred_at: datetime | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
    review_at: datetime | None = None,
) -> Call[Written]:
    """Writes one memory: a note, or with kind="fact" a fact, which is compared with what is held. `atoms` takes PENMAN
    in place of a text. `ref` is your own id: the same again is `unchanged`."""
    body = given(text=text, atoms=atoms, title=title, kind=kind, ref=ref, session=session, speaker=speaker, tags=tags)
    body |= given(entities=entities, category=category, confidence=confidence, memory_type=memory_type, mood=mood)
    body |= given(decision_point=decision_point, emotional_signal=emotional_signal)
    body |= given(occurred_at=occurred_at, valid_from=valid_from, valid_to=valid_to)
    body |= given(expires_at=expires_at, review_at=review_at)
    return Call(method="POST", path="/memories", gives=Written, json=body, writes=True)


def remember_batch(items: Sequence[Mapping[str, Any]]) -> Call[Outcomes]:
    """Writes up to 1,000 memories, all or none. Each item has the fields that `remember` takes."""
    body = given(items=[given(**item) for item in items])
    return Call(method="POST", path="/memories/batch", gives=Outcomes, json=body, writes=True)


def memories(
    *,
    kinds: Sequence[str] | None = None,
    states: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    categories: Sequence[str] | None = None,
    speakers: Sequence[str] | None = None,
    contains: str | None = None,
    min_trust: float | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    review_before: datetime | None = None,
    as_of: datetime | None = None,
    as_of_by: str | None = None,
    inherited_from: str | None = None,
    sort: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[Page[Memory]]:
    """Lists memories, those that are held unless `states` says otherwise; with `inherited_from` those of a parent."""
    asked = given(kinds=kinds, states=states, tags=tags, categories=categories, speakers=speakers, contains=contains)
    asked |= given(min_trust=min_trust, since=since, until=until, as_of=as_of, as_of_by=as_of_by)
    asked |= given(inherited_from=inherited_from, review_before=review_before, sort=sort, limit=limit, cursor=cursor)
    return Call(method="GET", path="/memories", gives=Page[Memory], query=asked)


def get(id: str) -> Call[WholeMemory]:
    """One memory with what it replaced, what replaced it and what it was made of."""
    return Call(method="GET", path="/memories/{id}", gives=WholeMemory, names={"id": id})


def update(
    id: str,
    *,
    text: str | None = None,
    title: str | None = None,
    tags: Sequence[str] | None = None,
    category: str | None = None,
    confidence: float | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
    review_at: datetime | None = None,
    reason: str | None = None,
    version: int | None = None,
) -> Call[Act]:
    """Changes what is named. With `version`, the one you read, nothing that somebody changed since is written over:
    that is an error with status 412."""
    body = given(text=text, title=title, tags=tags, category=category, confidence=confidence, reason=reason)
    body |= given(valid_from=valid_from, valid_to=valid_to, expires_at=expires_at, review_at=review_at)
    return _act_call("PATCH", "/memories/{id}", id, body=body, version=version)


def delete(id: str, *, reason: str | None = None, version: int | None = None, dry_run: bool = False) -> Call[Act]:
    """Takes a memory out of every search; `restore` brings it back."""
    asked = given(reason=reason, dry_run=dry_run or None)
    return Call(
        method="DELETE", path="/memories/{id}", gives=Act, names={"id": id}, query=asked, writes=True, version=version
    )


def archive(id: str, *, reason: str | None = None, version: int | None = None, dry_run: bool = False) -> Call[Act]:
    """Puts a memory aside: it is found only where archived ones are asked for."""
    return _act_call("POST", "/memories/{id}/archive", id, body=_reason_body(reason, dry_run), version=version)


def restore(id: str, *, revision: str | None = None, reason: str | None = None) -> Call[Act]:
    """Brings back what was deleted, archived or replaced; or an earlier state, by the id of its revision."""
    return _act_call("POST", "/memories/{id}/restore", id, body=given(revision=revision, reason=reason))


def confirm(id: str, *, reason: str | None = None) -> Call[Act]:
    """Says that a memory holds: its trust rises."""
    return _act_call("POST", "/memories/{id}/confirm", id, body=given(reason=reason))


def purge(id: str, *, reason: str | None = None, dry_run: bool = False) -> Call[Receipt]:
    """Erases a memory for good, from its revisions and turns too. Nothing brings it back: ask with `dry_run` first."""
    body = _reason_body(reason, dry_run)
    return Call(method="POST", path="/memories/{id}/purge", gives=Receipt, names={"id": id}, json=body, writes=True)


def feedback(id: str, *, used: bool, query: str | None = None) -> Call[Weighed]:
    """Says whether a memory that was given was of use; it rises or falls a little in searches."""
    body = given(used=used, query=query)
    return Call(method="POST", path="/memories/{id}/feedback", gives=Weighed, names={"id": id}, json=body, writes=True)


def _act_call(method: str, path: str, id: str, *, body: Mapping[str, Any], version: int | None = None) -> Call[Act]:
    return Call(method=method, path=path, gives=Act, names={"id": id}, json=body, writes=True, version=version)


def _reason_body(reason: str | None, dry_run: bool) -> dict[str, Any]:
    return given(reason=reason, dry_run=dry_run or None)
