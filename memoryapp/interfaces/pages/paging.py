"""Where one stands in a long list: addresses of the pages before and after, no page numbers.

A list of memories for a page: filters and sort from the address, one keyset page of rows, its column heads.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from memoryapp.domain.clock import read_instant
from memoryapp.domain.errors import BadInput, NotAllowed
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.index.roster import KINDS
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest
from memoryapp.interfaces.pages.clock import NAMES
from memoryapp.interfaces.pages.filters import adders_of, address, chips_of, filters_of, marks_of
from memoryapp.search.browse import SORTS, Page, browse
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories


@dataclass(frozen=True, slots=True)
class Pager:
    """`newer` and `older` are addresses, "" at an end; `shown` tells what is on this page."""

    newer: str
    older: str
    shown: str
    size: int
    back: str = "Newer"
    on: str = "Older"


def place_after(text: str) -> tuple[datetime, str] | None:
    """The last one shown, (when, id), of “instant~id” in an address; None for none. Raises BadInput."""
    if not text:
        return None
    told, _, key = text.partition("~")
    try:
        return read_instant(told), key
    except (ValueError, BadInput):
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None


PAGE = 40  # rows: keeps the page under 100 KB with long titles


@dataclass(frozen=True, slots=True)
class Listing:
    """What is a list's own: the name of its address, what it may be narrowed by, its kinds and its first order."""

    name: str
    filters: tuple[str, ...]
    sort: str
    one: str
    many: str
    kinds: tuple[Kind, ...] = ()


MEMORIES = Listing(
    "memories",
    ("kind", "state", "category", "trust", "tag", "source", "type", "since", "q", "speaker", "mood", "entity"),
    "learned",
    "memory",
    "memories",
)
FACTS = Listing(
    "facts",
    ("q", "category", "trust", "state", "only", "speaker", "source", "tag", "since", "entity"),
    "trust",
    "fact",
    "facts",
    (Kind.FACT,),
)
LISTINGS = {one.name: one for one in (MEMORIES, FACTS)}


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head; `sort` is what a click on it sorts by."""

    label: str
    css: str
    sort: str
    on: bool


def listing_of(asked: QueryDict) -> Listing:
    """The list that a row belongs to, as its address says."""
    return LISTINGS.get(asked.get("on", ""), MEMORIES)


def sort_of(asked: QueryDict, listing: Listing) -> str:
    """The order asked for. Raises BadInput."""
    sort = asked.get("sort") or listing.sort
    if sort not in SORTS:
        raise BadInput(f"“{sort[:40]}” is not a sort order. Known: {', '.join(SORTS)}.", field="sort")
    return sort


def list_of(request: PageRequest, listing: Listing) -> dict[str, Any]:
    """What the list's template needs; the address is the only state. Raises BadInput that names the parameter."""
    asked, space, inherited = request.GET, request.desk.memory, request.desk.inherited_from
    sort = sort_of(asked, listing)
    filters = filters_of(asked, kinds=listing.kinds)
    if State.DELETED in filters.states and not space.reads_deleted:
        raise NotAllowed("Deleted memories are listed for curators, who can restore them.")
    found = browse(
        space,
        filters,
        sort=sort,
        contains=asked.get("q", ""),
        only=_marked_ids(space, asked) if "only" in listing.filters else None,
        after=asked.get("after", ""),
        before=asked.get("before", ""),
        limit=PAGE,
    )
    space = request.desk.then
    names = {e.id: e.name for e in entities.get_many(space.db, list(filters.entities)).values()}
    home = reverse(listing.name)
    return {
        "rows": rows_of(space, found.memories, inherited=inherited),
        "totals": _totals(space, listing),
        "chips": chips_of(asked, listing.filters, names=names),
        "adders": adders_of(asked, listing.filters),
        "action": home,
        "clear": address(asked, only=("sort", "inherited_from", *NAMES)) or home,
        "heads": _heads(sort),
        "sorted_by": SORTS[sort],
        "pager": _pager(asked, found, listing, sort),
        "form": {},
        **row_words(listing, sort),
    }


def row_words(listing: Listing, sort: str) -> dict[str, Any]:
    """What a row and its edit need to know of the list they stand in."""
    return {
        "on": listing.name,
        "listing": listing,
        "sort": sort,
        "categories": [c.value for c in Category],
        "row_state": urlencode({"on": listing.name, "sort": sort}),
    }


def one_row(space: Space, key: str, *, came: bool = False) -> Row:
    """Raises NotFound."""
    return rows_of(space, [memories.get(space.db, key)], came=[key] if came else [])[0]


def _marked_ids(space: Space, asked: QueryDict) -> set[str] | None:
    """Ids that carry every mark asked for; None where none is asked for. What is due for review is a filter."""
    wanted = marks_of(asked)
    carrying = []
    if "decision" in wanted:
        carrying.append(set(memories.decisions(space.db)))
    if "disputed" in wanted:
        carrying.append(conflicts.disputed_ids(space.db))
    return set.intersection(*carrying) if carrying else None


def _heads(sort: str) -> list[Head]:
    return [
        Head("Trust", "c-trust", "trust", sort == "trust"),
        Head("Strength", "c-str num", "strength", sort == "strength"),
        Head("Source", "c-src", "", False),
        Head(
            "Learned" if sort == "learned" else "Confirmed",
            "c-age num",
            "confirmed" if sort != "confirmed" else "learned",
            sort in ("learned", "confirmed"),
        ),
    ]


def _totals(space: Space, listing: Listing) -> list[tuple[int, str]]:
    """How many there are in each state, but for the turns: they are listed with their sessions."""
    roster = space.index.roster
    among = roster.alive & (roster.kind != KINDS.index(Kind.TURN))
    for kind in listing.kinds:
        among = among & (roster.kind == KINDS.index(kind))
    by_state = Counter(roster.state[among].tolist())
    told = [(by_state.get(n, 0), state.value) for n, state in enumerate(State) if state != State.DELETED]
    return [(count, word) for count, word in told if count or word == "held"]


def _pager(here: QueryDict, found: Page, listing: Listing, sort: str) -> Pager:
    count = len(found.memories)
    every = human.count_text(found.total, listing.one, listing.many)
    shown = f"{human.number(count)} of {every}" if found.total > count else every
    newer = address(here, before=found.first) if found.newer and found.first else (address(here) if found.newer else "")
    return Pager(newer, address(here, after=found.last) if found.older else "", f"{shown}, {SORTS[sort]}", PAGE)
