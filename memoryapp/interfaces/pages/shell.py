"""What stands around every page: the rail with its counts, the spaces one may enter, the dock of phones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.conf import settings

from memoryapp import review
from memoryapp.accounts import models
from memoryapp.accounts.spaces import spaces_of
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import ROOT
from memoryapp.index.roster import KINDS
from memoryapp.interfaces.consolidate.presenter import digests_due
from memoryapp.interfaces.pages.access import Desk
from memoryapp.jobs.models import OPEN, Job
from memoryapp.spaces import Space
from memoryapp.store import nodes

_SPACES = 50  # named in the switcher


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the rail. `waits`: its count is something that waits for the reader."""

    key: str
    name: str
    url: str
    icon: str
    count: int | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class Shell:
    groups: list[Group]
    dock: list[Entry]
    rest: list[Entry]
    spaces: list[models.Space]  # at most _SPACES, the present one among them
    spaces_more: int
    held: int
    foot: str
    encoder: str


def shell_of(desk: Desk) -> Shell:
    """A store that does not answer leaves the counts out; the page itself says what is wrong."""
    held, facts, episodes, joined, pages, waiting, learned, encoder = 0, 0, 0, 0, 0, 0, 0, desk.space.encoder
    digests: int | None = None
    try:
        memory = desk.own
        memory.index.refresh()
        roster = memory.index.roster
        held = int(roster.listed.sum())
        facts = int((roster.held & (roster.kind == KINDS.index(Kind.FACT))).sum())
        episodes = int((roster.held & (roster.kind == KINDS.index(Kind.EPISODE))).sum())
        joined = standing(memory)
        pages = grown(memory)
        waiting = review.tallies(memory)["waiting"]
        learned = review.count_waiting(memory)
        digests = digests_due(memory)
        encoder = f"{memory.encoder.name}, {'ready' if memory.encoder.ready else 'loading'}"
    except PalimpsestError:
        pass
    running = Job.objects.filter(space=desk.space.name, status__in=OPEN).count()
    groups = _groups(
        held=held,
        facts=facts,
        episodes=episodes,
        joined=joined,
        pages=pages,
        waiting=waiting,
        learned=learned,
        digests=digests,
        running=running,
    )
    every = {entry.key: entry for group in groups for entry in group.entries}
    dock = [every[key] for key in ("home", "inbox", "conflicts", "search")]
    rest = [entry for entry in every.values() if entry not in dock]
    foot = "Server mode" if settings.SERVER_MODE else "Embedded · all local"
    spaces, more = _spaces(desk)
    return Shell(groups, dock, rest, spaces, more, held, foot, encoder)


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


def _groups(
    *,
    held: int,
    facts: int,
    episodes: int,
    joined: int,
    pages: int,
    waiting: int,
    learned: int,
    digests: int | None,
    running: int,
) -> list[Group]:
    """Only pages that exist: an entry comes with its page."""
    return [
        Group(
            "Read",
            [
                Entry("home", "Home", "home", "home"),
                Entry("facts", "Facts", "facts", "facts", facts),
                Entry("memories", "Memories", "memories", "memories", held),
                Entry("episodes", "Episodes", "episodes", "episodes", episodes),
                Entry("graph", "Graph", "graph", "graph", joined),
                Entry("tree", "Context Tree", "tree", "tree", pages),
                Entry("summaries", "Summaries", "summaries", "summaries"),
                Entry("sessions", "Sessions", "sessions", "sessions"),
                Entry("search", "Search", "search", "search"),
            ],
        ),
        Group(
            "Judge",
            [
                Entry("inbox", "Inbox", "inbox", "inbox", learned, waits=True),
                Entry("conflicts", "Conflicts", "conflicts", "conflicts", waiting, waits=True),
                Entry("audit", "Audit", "audit", "audit"),
            ],
        ),
        Group(
            "Feed",
            [
                Entry("ingest", "Ingest", "ingest", "ingest"),
                Entry("consolidate", "Consolidate", "consolidate", "consolidate", digests or None),
                Entry("jobs", "Jobs", "jobs", "clock", running or None),
            ],
        ),
        Group(
            "Tune",
            [
                Entry("lab", "Search lab", "lab", "lab"),
                Entry("context", "Context preview", "context", "preview"),
                Entry("preview", "Fact preview", "preview", "learn"),
                Entry("traces", "Traces", "traces", "traces"),
                Entry("feedback", "Feedback", "feedback", "feedback"),
                Entry("settings", "Settings", "settings", "settings"),
            ],
        ),
    ]
