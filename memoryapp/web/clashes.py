"""A conflict made ready for its page: both sides with their diff, source and trust; a line for the queue."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.memory import Memory, Usage
from memoryapp.domain.trust import Trust
from memoryapp.domain.turn import Turn
from memoryapp.web import human, wording
from memoryapp.web.rows import Tag, source_of
from memoryapp.web.spoken import Spoken, spoken_of
from memoryapp.web.verdicts import SHORT, briefly
from memoryapp.web.wording import Piece, shortened, word_diff


@dataclass(frozen=True, slots=True)
class Line:
    """A conflict in the queue: the incoming words, or the existing ones where only a text came in."""

    id: str
    words: str
    lang: str
    proposed: str
    about: str
    at: datetime
    certain: bool
    proposals: int


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `pieces`: its own words with what the other side does not say. `trust` is None for a text."""

    letter: str
    name: str
    href: str
    lang: str
    tags: list[Tag]
    pieces: list[Piece]
    trust: Trust | None
    spoken: Spoken | None
    source: str
    source_href: str
    kv: list[tuple[str, str]]


def line_of(conflict: Conflict, existing: Memory, incoming: Memory | None) -> Line:
    text = incoming.text if incoming else conflict.incoming_text or existing.text
    return Line(
        conflict.id,
        wording.excerpt(text, limit=110),
        wording.language(text),
        f"{SHORT[conflict.outcome]} {conflict.confidence:.2f}",
        briefly(conflict),
        conflict.created_at,
        conflict.certain,
        len(conflict.proposals),
    )


def sides_of(
    conflict: Conflict,
    existing: Memory,
    incoming: Memory | None,
    *,
    trusts: tuple[Trust, Trust | None],
    turns: tuple[Turn | None, Turn | None],
    used: dict[str, Usage],
) -> tuple[Side, Side]:
    """Both sides; the diff is of their words."""
    other = incoming.text if incoming else conflict.incoming_text or ""
    pieces = word_diff(existing.text, other)
    old = shortened([p for p in pieces if p.kind != "in"], keep=240)
    new = shortened([p for p in pieces if p.kind != "out"], keep=240)
    one = _side("A", "Existing", existing, old, trusts[0], turns[0], used)
    if incoming is not None:
        return one, _side("B", "New", incoming, new, trusts[1], turns[1], used)
    source, _, href = source_of(existing)
    said = Side("B", "What its source says now", "", wording.language(other), [], new, None, None, source, href, [])
    return one, said


def _side(
    letter: str,
    name: str,
    memory: Memory,
    pieces: list[Piece],
    trust: Trust | None,
    turn: Turn | None,
    used: dict[str, Usage],
) -> Side:
    source, _, href = source_of(memory)
    tags = [Tag(memory.category.value)] if memory.category else [Tag(memory.kind.value)]
    tags += [Tag("decision", "good")] if memory.decision_point else []
    tags += [Tag(memory.state.value, "superseded" if memory.state == "superseded" else "")] * (memory.state != "held")
    tags += [Tag("edited")] if memory.edited else []
    return Side(
        letter=letter,
        name=name,
        href=reverse("memory", args=[memory.id]),
        lang=wording.language(memory.text),
        tags=tags,
        pieces=pieces,
        trust=trust,
        spoken=spoken_of(memory, turn),
        source=source,
        source_href=href,
        kv=_facts(memory, used.get(memory.id)),
    )


def _facts(memory: Memory, used: Usage | None) -> list[tuple[str, str]]:
    since = memory.valid_from or memory.occurred_at or memory.created_at
    until = f"to {human.day(memory.valid_to)}" if memory.valid_to else "no end date"
    seen = "once" if not memory.reinforcements else f"{memory.reinforcements + 1} times"
    if len(memory.sessions) > 1:
        seen += f" in {len(memory.sessions)} sessions"
    told = [("Holds", f"from {human.day(since)}, {until}"), ("Seen", seen)]
    if used and used.accesses:
        told.append(("Used", f"{human.counted(used.accesses, 'answer')}, last {human.ago(used.accessed_at)}"))
    else:
        told.append(("Used", "not yet"))
    return told


def proposals_told(conflict: Conflict, *, you: str) -> list[dict[str, Any]]:
    """What agents, and people who may not decide, suggest: the last one first."""
    told = []
    for one in reversed(conflict.proposals):
        outcome = one.get("outcome")
        told.append(
            {
                "by": "You" if one.get("by") == you else one.get("by", "somebody"),
                "verb": "propose" if one.get("by") == you else "proposes",
                "outcome": next((words for name, words in SHORT.items() if name == outcome), str(outcome)),
                "accept": outcome if outcome in tuple(SHORT) and conflict.status is ConflictStatus.WAITING else "",
                "said": _as_proposed(one),
                "reason": one.get("reason") or "",
                "text": one.get("text") or "",
                "at": _moment(one.get("at")),
            }
        )
    return told


def _as_proposed(one: dict[str, Any]) -> str:
    """What a decision that follows this proposal sends, as JSON: whose it was, and the words of a merge."""
    told = f"as {one.get('by', 'somebody')} proposed"
    reason = f"{told}: {one['reason']}"[:300] if one.get("reason") else told
    return json.dumps({"reason": reason} | ({"text": one["text"]} if one.get("text") else {}))


def _moment(value: object) -> datetime | None:
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        return None
