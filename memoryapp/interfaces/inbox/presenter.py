"""The inbox made ready for its page: facts under the session they were learned in, each with where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import spaces_of
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.facts.source import QuotedTurn, session_href, spoken_of
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.filters import Chip, address
from memoryapp.review.exclusions import Exclusion
from memoryapp.review.inbox import InboxPage
from memoryapp.store import lineage, turns

PAGE = 25  # facts
_SPACES = 20  # offered to go on in
_QUOTE = 180  # characters of the turn that a row shows
_KEYS = [
    ("j", "Next fact"),
    ("k", "Previous fact"),
    ("a", "Accept: it holds"),
    ("e", "Edit in place"),
    ("d", "Drop: delete it"),
    ("n", "Never like this again"),
    ("x", "Select"),
    ("u", "Undo the last action"),
    ("↵", "Open"),
]
_READER_KEYS = [("j", "Next fact"), ("k", "Previous fact"), ("↵", "Open")]


@dataclass(frozen=True, slots=True)
class InboxRow:
    """`quote` is the line it was learned from, "" where its words say the same. `replaces`: (address, words) of what it
    stands in place of."""

    row: Row
    by: str
    spoken: QuotedTurn | None
    quote: str
    replaces: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class InboxGroup:
    """Facts of one session on this page; `count` of all that wait in it."""

    session: str
    href: str
    lang: str
    agent: str
    newest: datetime
    count: int
    rows: list[InboxRow]


@dataclass(frozen=True, slots=True)
class ExclusionRow:
    """A line of what is not learned."""

    id: str
    words: str
    lang: str
    likeness: str
    kept_out: int
    since: datetime | None


def inbox_of(desk: Desk, asked: QueryDict) -> dict[str, Any]:
    """Return all that the page shows; the address is the only state. Raises BadInput."""
    space = desk.memory
    session, agent = _session(asked), asked.get("agent", "").strip()[:300]
    page = review.waiting(space, session=session, agent=agent, after=asked.get("after", "")[:300], limit=PAGE)
    if not page.facts and asked.get("after"):  # the last of a later page was dealt with: what waits is on the first
        page = review.waiting(space, session=session, agent=agent, limit=PAGE)
    every = review.count_waiting(space)
    spaces = [one.name for one in spaces_of(desk.person)[:_SPACES]]
    return {
        "groups": _groups(desk, page),
        "total": page.total,
        "waiting": every,
        "here": len(page.facts),
        "chips": _chips(asked, session, agent),
        "sessions": [(f"?{urlencode({'session': one.session})}", one) for one in page.sessions],
        "agents": [(f"?{urlencode({'agent': name})}", name) for name in page.agents],
        "older": address(asked, after=page.next) if page.next else "",
        "first": address(asked, only=("session", "agent")) or reverse("inbox") if asked.get("after") else "",
        "newest": max((one.newest for one in page.groups.values()), default=space.clock()).isoformat(),
        "spaces": spaces if len(spaces) > 1 else [],
        "state": address(asked, only=("session", "agent")).removeprefix("?"),
        "page_keys": _KEYS if desk.role.allows(Role.CURATOR) else _READER_KEYS,
    }


def excluded_of(found: tuple[Exclusion, ...]) -> list[ExclusionRow]:
    """Return the lines of what is not learned."""
    return [
        ExclusionRow(
            one.fact.id,
            wording.excerpt(one.fact.text, limit=160),
            wording.language(one.fact.text),
            f"{one.likeness:g}",
            one.kept_out,
            one.fact.ended_at,
        )
        for one in found
    ]


def _session(asked: QueryDict) -> str | None:
    return asked.get("session", "").strip()[:300] if "session" in asked else None


def _chips(asked: QueryDict, session: str | None, agent: str) -> list[Chip]:
    chips = []
    if session is not None:
        chips.append(Chip("Session", session or "none", address(asked, without=["session"])))
    if agent:
        chips.append(Chip("Agent", agent, address(asked, without=["agent"])))
    return chips


def _groups(desk: Desk, page: InboxPage) -> list[InboxGroup]:
    space = desk.memory
    rows = {row.id: row for row in rows_of(space, page.facts)}
    said = turns.get_many(space.db, [fact.origin.turn for fact in page.facts if fact.origin.turn])
    replaced = lineage.replaced_by_each(space.db, list(rows))
    groups = []
    for session, facts in groupby(page.facts, key=lambda fact: fact.origin.session or ""):
        known = page.groups[session]
        shown = [
            _row(
                fact,
                rows[fact.id],
                by="" if known.agent else page.agent_of(fact),
                spoken=spoken_of(fact, said.get(fact.origin.turn or "")),
                replaced=replaced.get(fact.id, ()),
            )
            for fact in facts
        ]
        href = session_href(session) if session else ""
        lang = wording.language(session)
        groups.append(InboxGroup(session, href, lang, known.agent, known.newest, known.count, shown))
    return groups


def _row(fact: Memory, row: Row, *, by: str, spoken: QuotedTurn | None, replaced: tuple[Memory, ...]) -> InboxRow:
    quote = wording.excerpt(spoken.quote or f"{spoken.before}{spoken.after}", limit=_QUOTE) if spoken else ""
    old = [(reverse("memory", args=[one.id]), wording.excerpt(one.text, limit=120)) for one in replaced]
    return InboxRow(row, by, spoken, "" if _plain_text(fact.text).endswith(_plain_text(quote)) else quote, old)


def _plain_text(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")
