"""What a mem0 client sends along with its words and wants back: kept with the memory, under `detail`. Plain values of
the metadata stand among the memory's tags as well, where people see them and the index looks for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from memoryapp.domain.cleaning import clean_tags
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.memory import Memory

MARK = "mem0"  # in `detail`
_MOST_CHARS = 8_000  # of the metadata, written as JSON
_MOST_VALUES = 40  # of the metadata that are tags; the rest of LIMITS.tags is for people


@dataclass(frozen=True, slots=True)
class Label:
    """`at`: when it was learned, where the client says so; ISO 8601."""

    metadata: dict[str, Any] = field(default_factory=dict)
    at: str | None = None
    immutable: bool = False


def label_of(memory: Memory) -> Label:
    kept = memory.detail.get(MARK)
    return Label(**kept) if isinstance(kept, dict) else Label()


def with_label(memory: Memory, label: Label) -> Memory:
    """The memory with this label in place of the one it has; tags that somebody else gave it stay."""
    before = set(tags_of(label_of(memory).metadata))
    tags = dict.fromkeys((*(tag for tag in memory.tags if tag not in before), *tags_of(label.metadata)))
    said = {
        name: value
        for name, value in (("metadata", label.metadata), ("at", label.at), ("immutable", label.immutable))
        if value
    }
    detail = {name: value for name, value in memory.detail.items() if name != MARK}
    return replace(memory, tags=tuple(tags), detail=detail | ({MARK: said} if said else {}))


def tags_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """project=atlas for {"project": "atlas"}, one for each value of a list."""
    told = [
        tag
        for name, value in metadata.items()
        for one in (value if isinstance(value, list) else [value])
        if (tag := tag_of(name, one)) is not None
    ]
    return tuple(dict.fromkeys(told))


def tag_of(name: str, value: object) -> str | None:
    """None for what cannot be a tag: an object, a long text. 2.0 is 2, so that equal numbers are one tag."""
    if not isinstance(value, (str, int, float)):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    tag = f"{name}={value}"
    try:
        return tag if clean_tags((tag,), field="/metadata") == (tag,) else None
    except BadInput:
        return None


def valid_metadata(metadata: object) -> dict[str, Any]:
    """Raises BadInput where it is no object, TooLarge over the limit."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise BadInput("“metadata” is an object.", field="/metadata")
    if len(json.dumps(metadata, ensure_ascii=False)) > _MOST_CHARS:
        raise TooLarge(f"The metadata has more than {_MOST_CHARS:,} characters as JSON.", field="/metadata")
    if len(tags_of(metadata)) > _MOST_VALUES:
        raise TooLarge(f"The metadata has more than {_MOST_VALUES} plain values.", field="/metadata")
    if not _is_storable(metadata):
        raise BadInput("The metadata holds an integer of more than 64 bits.", field="/metadata")
    return metadata


def _is_storable(value: Any) -> bool:
    """Whether the store can hold every number. Asked before anything is written: the metadata comes last."""
    if isinstance(value, (dict, list)):
        return all(_is_storable(one) for one in (value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def end_of(expiration_date: str) -> datetime:
    """Our expiry for mem0's last day, 2026-12-31: the midnight after it. Raises BadInput."""
    try:
        return as_utc(datetime.combine(date.fromisoformat(expiration_date), datetime.min.time()) + timedelta(days=1))
    except (ValueError, OverflowError, BadInput):
        raise BadInput("“expiration_date” is a date such as 2026-12-31.", field="/expiration_date") from None


def last_day(memory: Memory) -> str | None:
    """mem0's expiration_date of a memory."""
    return (memory.expires_at - timedelta(microseconds=1)).date().isoformat() if memory.expires_at else None
