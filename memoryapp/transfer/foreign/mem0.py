"""mem0: what `get_all()` answers, of the hosted service and of the library, as a list, a page or JSON Lines; and the
archive that OpenMemory exports. Each memory becomes a fact, each relation of its graph a link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Category, Kind
from memoryapp.transfer.entries import Brought, Item, Link, SkippedEntry
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    identifier,
    items,
    line,
    mapping,
    moment,
    of_user,
    parts_with,
    records,
    reference,
    tags,
    words,
)

FORM = "mem0"
_SCOPES = ("user_id", "agent_id", "app_id", "run_id", "actor_id")
_LISTS = ("results", "memories")
_TARGETS = ("target", "destination")  # the graph named the end of a relation by the one or the other
# Of mem0's own fifteen categories those that say for certain which of ours it is.
_CATEGORIES = {
    "personal_details": Category.IDENTITY,
    "professional_details": Category.WORK,
    "user_preferences": Category.PREFERENCES,
    "family": Category.PERSONAL,
    "health": Category.PERSONAL,
}
_NOBODY = frozenset({"user", "users", "default", "admin", "test", "guest", "anonymous", "me", "agent", "assistant"})
_NAME = re.compile(r"[^\W\d_]{2,}(?:[ .'-][^\W\d_]+)*")


def is_one(value: Any) -> bool:
    """Whether this is a memory of mem0, or a page of them."""
    if any(_is_memory(one) for key in _LISTS for one in items(mapping(value).get(key))):
        return True
    return _is_memory(value)


def _is_memory(value: Any) -> bool:
    one = mapping(value)
    if isinstance(one.get("memory"), str) and "id" in one:
        return True
    # OpenMemory calls the words “content”, and says in which state they are.
    return isinstance(one.get("content"), str) and "id" in one and ("state" in one or "app_id" in one)


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
            else:
                yield from _record(record.value, record.where)


def _record(value: Any, where: str) -> Iterator[Brought]:
    page = mapping(value)
    listed = [key for key in _LISTS if isinstance(page.get(key), list)]
    if not listed or _is_memory(page):
        yield from _memory(value, where)
        return
    for key in listed:
        for number, one in enumerate(page[key], start=1):
            yield from _memory(one, f"{where}, {key} {number}")
    for number, one in enumerate(items(page.get("relations")), start=1):
        yield from _relation(one, f"{where}, relation {number}")


def _memory(value: Any, where: str) -> Iterator[Brought]:
    one = mapping(value)
    text = words(one.get("memory")) or words(one.get("content"))
    if not text:
        yield SkippedEntry(where, "It is no memory with words." if one else "It is no memory of mem0.")
        return
    state = line(one.get("state")) or "active"
    if state != "active":
        yield SkippedEntry(where, f"It is {state} there.")
        return
    metadata = _metadata(one.get("metadata"))
    named = tuple(line(name) for name in items(one.get("categories")) or [metadata.get("category")])
    owner = line(one.get("user_id"))
    subject = owner if _NAME.fullmatch(owner) and owner.casefold() not in _NOBODY else ""
    yield Item(
        text=of_user(subject, text) if subject else text,
        ref=reference(FORM, identifier(one.get("id")) or derived_id(owner, text)),
        kind=Kind.FACT,
        tags=tags(named, _scopes(one), _expiry(one), (f"{key}:{value}" for key, value in metadata.items())),
        occurred_at=moment(one.get("created_at")),
        category=next((_CATEGORIES[name] for name in named if name in _CATEGORIES), None),
        subject=subject,
        source=where,
    )
    for number, relation in enumerate(items(one.get("relations")), start=1):
        yield from _relation(relation, f"{where}, relation {number}")


def _scopes(one: dict[str, Any]) -> Iterator[str]:
    """“user:alex”: whose memory it is, so that it can still be asked for by that."""
    for key in _SCOPES:
        if name := identifier(one.get(key)):
            yield f"{key.removesuffix('_id')}:{name}"


def _expiry(one: dict[str, Any]) -> Iterator[str]:
    if ends := moment(one.get("expiration_date")):
        yield f"until:{ends.date().isoformat()}"


def _metadata(value: Any) -> dict[str, str]:
    """Short plain values only: what a tag can hold."""
    found = {}
    for key, inner in mapping(value).items():
        if isinstance(inner, (str, int, float)) and (name := line(key)) and (text := line(str(inner))):
            found[name] = text
    return found


def _relation(value: Any, where: str) -> Iterator[Brought]:
    one = mapping(value)
    subject, relation = line(one.get("source")), line(one.get("relationship"))
    target = next((name for key in _TARGETS if (name := line(one.get(key)))), "")
    if subject and relation and target:
        yield Link(subject, relation, target, reference(FORM, "relation", derived_id(subject, relation, target)))
    else:
        yield SkippedEntry(where, "It is no relation between two names.")
