"""Filters: which memories a search or a list may return. Data only; index and store apply them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoryapp.domain.clock import read_moment
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, State


class AsOfBy(StrEnum):
    """By which time an instant is asked about: when it was recorded (what was believed then, in the words of then), or
    when it was valid (what was true then, as it is known today)."""

    RECORDED = "recorded"
    VALID = "valid"


@dataclass(frozen=True, slots=True)
class Filters:
    """Every field narrows; an empty tuple or None does not. `tags` must all be there, the others match any.

    `as_of`: what was held at that instant (known by then, not yet superseded, archived or ended). What tells when it
    happened counts as known from then on. With `as_of_by` VALID it is what was true at that instant, as it is known
    today: what is held now, or was superseded since, and had begun by then and was not over.
    `since`/`until` bound when the memory happened (or, without a date, when it was learned); `until` is exclusive.
    `review_before`: what somebody wants to be asked about before then.
    `sources` match the start of a memory's path, or its session's or document's name.
    """

    kinds: tuple[Kind, ...] = ()
    states: tuple[State, ...] = (State.HELD,)
    tags: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    memory_types: tuple[MemoryType, ...] = ()
    moods: tuple[Mood, ...] = ()
    sources: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    min_trust: float | None = None
    min_strength: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    as_of_by: AsOfBy = AsOfBy.RECORDED
    review_before: datetime | None = None


_NAMES: dict[str, type[StrEnum]] = {
    "kinds": Kind, "states": State, "categories": Category, "memory_types": MemoryType, "moods": Mood,
}  # fmt: skip
_MOMENTS = ("since", "until", "as_of", "review_before")
_NUMBERS = ("min_trust", "min_strength")


def filters_told(filters: Filters) -> dict[str, Any]:
    """What narrows, as JSON by the names of the fields; times as ISO 8601. `filters_read` takes it back."""
    told: dict[str, Any] = {}
    for one in fields(Filters):
        value = getattr(filters, one.name)
        if value != getattr(Filters(), one.name):
            told[one.name] = value.isoformat() if isinstance(value, datetime) else value
    return {name: [str(one) for one in value] if isinstance(value, tuple) else value for name, value in told.items()}


def filters_read(told: Mapping[str, Any], *, field: str = "/filters") -> Filters:
    """Raises BadInput at `field` that names what it cannot read."""
    known = {one.name for one in fields(Filters)}
    read: dict[str, Any] = {}
    for name, value in told.items():
        if name not in known:
            raise BadInput(f"There is no filter “{name[:40]}”. There are {', '.join(sorted(known))}.", field=field)
        try:
            read[name] = _value(name, value)
        except (TypeError, ValueError, OverflowError, AttributeError):
            raise BadInput(f"The filter “{name}” cannot be {str(value)[:60]!r}.", field=f"{field}/{name}") from None
    return Filters(**read)


def _value(name: str, value: Any) -> Any:
    if name in _MOMENTS:
        return read_moment(value)
    if name in _NUMBERS:
        number = float(value)
        if isinstance(value, bool) or math.isnan(number):
            raise TypeError(name)
        return number
    if name == "as_of_by":
        return AsOfBy(value)
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
        raise TypeError(name)
    return tuple(_NAMES[name](one) for one in value) if name in _NAMES else tuple(value)
