"""What stands around every page: the side bar with its counts, the tabs of a section, the spaces one may enter, and the
dock of phones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from memoryapp import review
from memoryapp.accounts import models
from memoryapp.accounts.spaces import spaces_of
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import ROOT
from memoryapp.index.roster import KINDS
from memoryapp.interfaces.consolidate.presenter import digests_due
from memoryapp.interfaces.pages.access import Desk, PageRequest
from memoryapp.interfaces.pages.clock import ClockForm, form_of
from memoryapp.interfaces.pages.navigation import GROUPS, Section, section_of
from memoryapp.jobs.models import OPEN, Job
from memoryapp.spaces import Space, space_at
from memoryapp.store import nodes

_SPACES = 50  # named in the switcher
_WAITING = ("inbox", "conflicts")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the side bar. `waits`: its count is something that waits for the reader. `on`: one is there."""

    key: str
    name: str
    url: str
    icon: str
    count: int | None = None
    waits: bool = False
    on: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class Shell:
    """`tabs`: the pages of the section one is in, where it has more than one; `section` is its name."""

    groups: list[Group]
    section: str
    tabs: list[Entry]
    dock: list[Entry]
    rest: list[Entry]
    spaces: list[models.Space]  # at most _SPACES, the present one among them
    spaces_more: int
    held: int
    foot: str
    encoder: str


def shell_of(desk: Desk, at: str = "") -> Shell:
    """What stands around the page `at`. A store that does not answer leaves the counts out; the page itself says what
    is wrong."""
    counts: dict[str, int | None] = {}
    held, encoder = 0, desk.space.encoder
    try:
        memory = desk.own
        memory.index.refresh()
        if desk.past:  # the one that the page reads, where it is not of a parent
            memory = desk.then if not desk.inherited_from else space_at(memory, desk.past.at, desk.past.by)
        held = int(memory.index.roster.listed.sum())
        counts = _counts(memory, held=held)
        encoder = f"{memory.encoder.name}, {'ready' if memory.encoder.ready else 'loading'}"
    except PalimpsestError:
        pass
    if not desk.past:
        counts["jobs"] = Job.objects.filter(space=desk.space.name, status__in=OPEN).count() or None
    here = section_of(at)
    groups = [Group(group.name, [_entry(one, here, counts) for one in group.sections]) for group in GROUPS]
    every = {entry.key: entry for group in groups for entry in group.entries}
    dock = [every[key] for key in ("home", "inbox", "conflicts", "search")]
    rest = [entry for entry in every.values() if entry not in dock]
    foot = "Server mode" if settings.SERVER_MODE else "Embedded · all local"
    spaces, more = _spaces(desk)
    tabs = _tabs(desk, here, at, counts) if here is not None and len(here.places) > 1 else []
    return Shell(groups, here.name if here else "", tabs, dock, rest, spaces, more, held, foot, encoder)


def _counts(memory: Space, *, held: int) -> dict[str, int | None]:
    """By key of a page: how many it holds or, of what waits, how many wait. Raises StoreError."""
    roster = memory.index.roster

    def of_kind(kind: Kind) -> int:
        return int((roster.held & (roster.kind == KINDS.index(kind))).sum())

    known: dict[str, int | None] = {"facts": of_kind(Kind.FACT), "memories": held, "episodes": of_kind(Kind.EPISODE)}
    if memory.at is not None:  # nothing waits in the past
        return known
    return known | {
        "graph": standing(memory),
        "tree": grown(memory),
        "inbox": review.count_waiting(memory),
        "conflicts": review.tallies(memory)["waiting"],
        "consolidate": digests_due(memory) or None,
    }


def clock_form(request: PageRequest, problem: str = "") -> ClockForm | None:
    """What the clock is set with on this page; one that shows the present leads to Home. None where the store does not
    answer."""
    desk, here = request.desk, bool(request.desk.follows or problem)
    action, asked = (request.path, dict(request.GET.lists())) if here else (reverse("home"), {})
    try:
        return form_of(desk.own, desk.clock, action, asked, now=timezone.now(), problem=problem)
    except PalimpsestError:
        return None


def _entry(section: Section, here: Section | None, counts: dict[str, int | None]) -> Entry:
    waits = section.key in _WAITING and section.key in counts
    count = counts.get(section.key)
    return Entry(section.key, section.name, section.url, section.icon, count, waits, section is here)


def _tabs(desk: Desk, section: Section, at: str, counts: dict[str, int | None]) -> list[Entry]:
    return [
        Entry(place.key, place.name, place.url, place.icon, counts.get(place.key), on=place.key == at)
        for place in section.places
        if desk.role.allows(place.needs)
    ]


def _spaces(desk: Desk) -> tuple[list[models.Space], int]:
    """The first by name and, where it is not one of them, the present one before them; and how many more there are."""
    mine = spaces_of(desk.person).select_related("parent")
    shown = list(mine[:_SPACES])
    if len(shown) < _SPACES:
        return shown, 0
    if desk.space not in shown:
        shown = [desk.space, *shown[:-1]]
    return shown, mine.count() - len(shown)


def standing(memory: Space) -> int:
    """Entities that stand for themselves: neither refused nor merged into another."""
    canonical = memory.index.view().graph.canonical
    return int((canonical == np.arange(len(canonical))).sum())


def grown(memory: Space) -> int:
    """Nodes of the Context Tree; the root, which holds what is said of the tree as a whole, is no page of it."""
    roster = memory.index.roster
    count = int((roster.held & (roster.kind == KINDS.index(Kind.NODE))).sum())
    return count - 1 if count and nodes.is_at(memory.db, ROOT) else count
