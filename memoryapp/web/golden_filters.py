"""Filters of a golden query in the words of an address, the other way round of `chips.filters_of`."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from django.http import QueryDict
from django.utils import timezone

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import State
from memoryapp.web.chips import Adder, Chip, Field, adders_of, chips_of

# Those of the search page, in its order.
SHOWN = ("kind", "state", "category", "trust", "tag", "source", "type", "since", "as_of", "speaker", "mood", "entity")
_SHAPES = {"date": re.compile(r"\d{4}-\d\d-\d\d"), "datetime-local": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")}


def asked_of(filters: Filters) -> list[tuple[str, str]]:
    """(parameter, value) as the search page has them. `min_strength` has none there and is left out."""
    told: list[tuple[str, str]] = []
    for name, values in (
        ("kind", filters.kinds),
        ("state", () if filters.states == (State.HELD,) else filters.states or tuple(State)),
        ("category", filters.categories),
        ("type", filters.memory_types),
        ("mood", filters.moods),
        ("tag", filters.tags),
        ("source", filters.sources),
        ("speaker", filters.speakers),
        ("entity", filters.entities),
    ):
        told += [(name, str(value)) for value in values]
    if filters.min_trust is not None:
        told.append(("trust", f"{filters.min_trust:g}"))
    if filters.since is not None:
        told.append(("since", _day(filters.since)))
    if filters.until is not None:
        told.append(("until", _day(filters.until - timedelta(days=1))))  # an address says up to and with
    if filters.as_of is not None:
        told.append(("as_of", _minute(filters.as_of)))
    return told


def typed_of(filters: Filters) -> QueryDict:
    """The same as a query string that `filters_of` and the chips read."""
    typed = QueryDict(mutable=True)
    for name, value in asked_of(filters):
        typed.appendlist(name, value)
    return typed


def told_of(filters: Filters, *, names: dict[str, str] | None = None) -> list[Chip]:
    """What narrows, each as a label and a value."""
    chips = chips_of(typed_of(filters), SHOWN, names=names)
    if filters.min_strength is not None:
        chips.append(Chip("Strength at least", f"{filters.min_strength:g}", ""))
    return chips


def fields_of(typed: QueryDict) -> list[Adder]:
    """The fields of a form that says what narrows, filled: one for each value, so that none is lost by an edit."""
    some = [one for one in adders_of(typed, SHOWN) if one.options or one.fields]
    return [replace(one, fields=[each for field in one.fields for each in _filled(field, typed)]) for one in some]


def _filled(field: Field, typed: QueryDict) -> list[Field]:
    """A moment that a date field could not show stands as text."""
    values = [value for value in typed.getlist(field.name) if value.strip()] or [""]
    shape = _SHAPES.get(field.type)
    return [
        replace(field, value=value, type="text" if value and shape and not shape.fullmatch(value) else field.type)
        for value in values
    ]


def _day(moment: datetime) -> str:
    local = timezone.localtime(moment)
    whole = (local.hour, local.minute, local.second, local.microsecond) == (0, 0, 0, 0)
    return local.date().isoformat() if whole else moment.isoformat()


def _minute(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return moment.isoformat() if local.second or local.microsecond else f"{local:%Y-%m-%dT%H:%M}"
