"""The first steps of a space: a folder, its ingest, a question, an agent. Each is ticked by what is there; nothing else
says that it was done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryapp import graph
from memoryapp.accounts.first_steps import are_shown, connected_agent
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.spaces import DEFAULT
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.jobs.models import OPEN, Job
from memoryapp.program import program_line
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.text.hangul import HANGUL

FILLING = ("ingest", "demo", "import", "restore")  # kinds of jobs that bring memories
QUESTIONS = 3
_LOOKED_AT = 120  # memories whose titles may make a question
_TITLE = (4, 60)  # characters


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """`started`: something was brought or is being brought, by `job`; `filled`: something is held and nothing is on its
    way; `asked`; `agent`: that called last, "" for none. `shown` on Home."""

    shown: bool
    started: bool
    filled: bool
    asked: bool
    agent: str
    job: Job | None

    @property
    def done(self) -> int:
        return sum((self.started, self.filled, self.asked, bool(self.agent)))


def first_steps_of(row: Row, space: Space) -> FirstSteps:
    """Raises StoreError."""
    space.index.refresh()
    empty = not space.index.roster.alive.any()
    job = _filling(row).filter(status__in=OPEN).order_by("created_at").first()
    agent = connected_agent(row, space.db)
    filled, asked = not empty and job is None, row.asked_at is not None
    shown = are_shown(row, empty=empty, done=bool(filled and asked and agent), now=timezone.now())
    return FirstSteps(shown, not empty or job is not None, filled, asked, agent, job)


def last_failure(row: Row) -> Job | None:
    """The job that was to bring memories last, where it did not come to its end."""
    last = _filling(row).order_by("-created_at").first()
    return last if last is not None and last.status in ("failed", "cancelled") else None


def _filling(row: Row) -> QuerySet[Job]:
    for_real = Q(arguments__dry_run=False) | Q(arguments__dry_run__isnull=True)
    return Job.objects.filter(for_real, space=row.name, kind__in=FILLING)


def connect_command(row: Row) -> str:
    """What is typed on this machine to connect an agent to the space."""
    words = [program_line(), "connect", "claude-code"]
    words += ["--space", row.name] if row.name != DEFAULT else []
    words += ["--data", quote(str(settings.DATA_DIR))] if os.environ.get("MEMORY_DATA_DIR") else []
    return " ".join(words)


def questions_about(space: Space) -> list[str]:
    """Questions that what is held should answer: by titles of sections, of as many documents as there are, else by the
    names that are mentioned most."""
    found = browse(space, Filters(kinds=(Kind.SECTION, Kind.NOTE)), limit=_LOOKED_AT).memories
    titles = list(_titles(found))
    if len(titles) < QUESTIONS:
        titles += [row.entity.name for row in graph.listing(space, sort="memories", limit=QUESTIONS).items]
    return [_question(one) for one in dict.fromkeys(titles)][:QUESTIONS]


def _titles(found: tuple[Memory, ...]) -> Iterator[str]:
    """One of each document first, then the others."""
    seen: set[str] = set()
    groups: set[str] = set()
    later = []
    for memory in found:
        title = " ".join(memory.title.split())
        if not _TITLE[0] <= len(title) <= _TITLE[1] or title.casefold() in seen or not _names_something(title):
            continue
        seen.add(title.casefold())
        group = memory.group or memory.id
        if group in groups:
            later.append(title)
        else:
            groups.add(group)
            yield title
    yield from later


def _names_something(title: str) -> bool:
    """Whether it has words beside numbers and dates."""
    words = [word for word in title.split() if not any(one.isdigit() for one in word)]
    return any(len(word) >= 4 or HANGUL.search(word) for word in words) and title.casefold() not in _GENERAL


_GENERAL = frozenset({
    "notes", "todo", "to do", "overview", "introduction", "summary", "misc", "readme", "links", "meeting", "standup",
    "plans", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "메모", "회고",
})  # fmt: skip


def _question(title: str) -> str:
    """With few words beside the title's: each that the notes lack makes an answer less certain."""
    if HANGUL.search(title) or title.split()[0].casefold() in _ASKING:
        return f"{title.rstrip('?？')}?"
    return f"What about {title.rstrip('?')}?"


_ASKING = frozenset({"who", "what", "when", "where", "why", "how", "which"})
