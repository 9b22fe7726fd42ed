"""A golden query as it is asked: its words and filters in one way of writing, so that the same question is one."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters, filters_read, filters_told
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import derived_id
from memoryapp.domain.results import Query
from memoryapp.lab.meant import MOST as MOST_RELEVANT
from memoryapp.search.query import check

MOST_NOTE = 1_000  # characters
MOST_FILTERS = 10_000  # characters of JSON


def asked(query: str, filters: Filters) -> tuple[str, Filters]:
    """The words as a search takes them, and the filters in one way of writing: times in UTC, choices in order."""
    text = check(Query(query, filters=filters)).text
    told = {
        name: _ordered(value) if isinstance(value, list) else value for name, value in filters_told(filters).items()
    }
    try:
        size = len(json.dumps(told, allow_nan=False))
    except ValueError:
        raise BadInput("A filter takes no number without end.", field="/filters") from None
    if size > MOST_FILTERS:
        raise BadInput("These are more filters than a golden query keeps.", field="/filters")
    return text, filters_read(told)


def _ordered(values: list[str]) -> list[str]:
    return sorted({clean(value) for value in values})


def note_of(note: str) -> str:
    """Raises BadInput for a long one."""
    told = clean(note).strip()
    if len(told) > MOST_NOTE:
        raise BadInput(f"A note has at most {MOST_NOTE:,} characters, not {len(told):,}.", field="/note")
    return told


def print_of(query: str, filters: Filters) -> str:
    """What tells two golden queries apart; both as `asked` leaves them."""
    return json.dumps([query, filters_told(filters)], sort_keys=True)


def joined(was: Golden, ids: Sequence[str]) -> tuple[str, ...]:
    """Raises BadInput where it would be more than a golden query takes."""
    together = tuple(dict.fromkeys([*was.relevant, *ids]))
    if len(together) > MOST_RELEVANT:
        told = f"Joined to what is relevant already, it would be {len(together)} memories; {MOST_RELEVANT} is the most."
        raise BadInput(told, field="/relevant")
    return together


def fresh_id(text: str, filters: Filters) -> str:
    """Of the words and filters, so that two who add the same at once meet."""
    return derived_id("golden", print_of(text, filters))
