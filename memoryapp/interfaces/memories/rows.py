"""A memory made ready for a line or a card: its words, where it comes from, its trust now, its marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString

from memoryapp.domain.memory import Kind, Memory, State, Usage
from memoryapp.domain.strength import Strength, strength
from memoryapp.interfaces.facts.source import session_href
from memoryapp.interfaces.pages import charts, wording
from memoryapp.spaces import Space, trust_of
from memoryapp.store import conflicts, usage

SHORT = 220  # characters that can stand as a headline on the memory's own page


@dataclass(frozen=True, slots=True)
class Tag:
    text: str
    look: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """`title` and `line` are what a list shows; `source` is short, `source_full` the whole path."""

    id: str
    memory: Memory
    title: str
    line: str | SafeString
    lang: str
    kind: str
    trust: float
    strength: float
    confirmed: datetime
    source: str
    source_full: str
    source_href: str
    tags: list[Tag]
    mark: str = ""
    came: bool = False

    @property
    def step(self) -> int:
        return charts.step(self.trust)

    @property
    def learned(self) -> datetime:
        return self.memory.created_at

    @property
    def is_fact(self) -> bool:
        return self.memory.kind == Kind.FACT

    @property
    def said_by(self) -> str:
        return self.memory.speaker or ""

    @property
    def editable(self) -> bool:
        return self.memory.state != State.DELETED

    @property
    def short(self) -> bool:
        return len(self.memory.text) <= SHORT and "\n" not in self.memory.text.strip()

    @property
    def heading(self) -> str:
        return self.title or wording.excerpt(self.memory.text, limit=80)


def strength_of(memory: Memory, used: Usage | None, *, now: datetime) -> Strength:
    """Days count from the last confirmation or the last access, whichever is later."""
    seen = used.accessed_at if used and used.accessed_at else memory.last_confirmed
    return strength(
        memory_type=memory.memory_type,
        since=max(seen, memory.last_confirmed),
        accesses=used.accesses if used else 0,
        salience=memory.salience,
        confidence=memory.confidence,
        now=now,
    )


def rows_of(space: Space, memories: Sequence[Memory], *, came: Iterable[str] = (), inherited: str = "") -> list[Row]:
    """Rows in the order given; a few questions to the store for all of them together. `inherited`: the parent space
    that holds them, where they are read from another."""
    ids = [memory.id for memory in memories]
    used, fresh = usage.get_many(space.db, ids), set(came)
    waiting = conflicts.waiting_for(space.db, ids) if space.at is None else {}
    trusts = trust_of(space, memories)
    return [
        row_of(
            space,
            memory,
            trust=trusts[memory.id].value,
            used=used.get(memory.id),
            conflict=next(iter(waiting.get(memory.id, ())), ""),
            came=memory.id in fresh,
            inherited=inherited or None,
        )
        for memory in memories
    ]


def row_of(
    space: Space,
    memory: Memory,
    *,
    trust: float | None = None,
    used: Usage | None = None,
    conflict: str = "",
    inherited: str | None = None,
    came: bool = False,
    terms: Sequence[str] = (),
    limit: int = 240,
    answer: str = "",
) -> Row:
    """One row. `conflict`: the id of one that waits about it. `terms` are marked in the line, which is then cut around
    the first of them; `answer` is underlined. `trust` is asked for where it is not given."""
    now = space.clock()
    title = memory.title.strip()
    text = wording.plain(memory.text)
    if title and text.startswith(title):
        text = text[len(title) :].lstrip(" :–-")
    answer = wording.plain(answer)
    line = wording.excerpt(text, limit=limit, around=terms, answer=answer)
    name, full, href = source_of(memory)
    return Row(
        id=memory.id,
        memory=memory,
        title=title,
        line=wording.mark_terms(line, terms, answer=answer) if terms or answer else line,
        lang=wording.language(memory.text),
        kind=kind_of(memory),
        trust=trust_of(space, [memory])[memory.id].value if trust is None else trust,
        strength=strength_of(memory, used, now=now).value,
        confirmed=memory.last_confirmed,
        source=name,
        source_full=full,
        source_href=href,
        tags=tags_of(memory, conflict=conflict, inherited=inherited),
        mark="conflict" if conflict else "inherited" if inherited else _mark(memory),
        came=came,
    )


def kind_of(memory: Memory) -> str:
    if memory.kind == Kind.FACT and memory.category:
        return f"fact, {memory.category.value}"
    return "daily log" if memory.daily and memory.kind == Kind.SECTION else memory.kind.value


def source_of(memory: Memory) -> tuple[str, str, str]:
    """(short name, whole name, address of the list of all from there); empty for what was written straight in."""
    origin = memory.origin
    whole = origin.path or (f"session {origin.session}" if origin.session else "")
    if not whole:
        return "", "", ""
    short = origin.path.rsplit("/", 1)[-1] if origin.path else whole
    if origin.session and (origin.turn or memory.kind is Kind.TURN):
        return origin.session, whole, session_href(origin.session)
    return short, whole, f"{reverse('memories')}?{urlencode({'source': origin.path or origin.session or ''})}"


def tags_of(memory: Memory, *, conflict: str = "", inherited: str | None = None) -> list[Tag]:
    """Its marks. `conflict`, the id of one that waits about it, becomes a link to the case."""
    tags = []
    if conflict:
        there = f"?space={inherited}" if inherited else ""  # the case is decided where the memory lives
        tags.append(Tag("≠ conflict", "conflict", reverse("conflict", args=[conflict]) + there))
    if memory.state == State.SUPERSEDED:
        tags.append(Tag("superseded", "superseded"))
    elif memory.state != State.HELD:
        tags.append(Tag(memory.state.value, "caution" if memory.state == State.DELETED else ""))
    if inherited:
        tags.append(Tag(f"↳ from {inherited}", "inherited"))
    if memory.decision_point:
        tags.append(Tag("decision", "good"))
    if memory.emotional_signal:
        tags.append(Tag("feeling"))
    if memory.pinned:
        tags.append(Tag("pinned"))
    if memory.edited:
        tags.append(Tag("edited"))
    if memory.mood and memory.mood.value != "actual":
        tags.append(Tag(memory.mood.value))
    return tags


def _mark(memory: Memory) -> str:
    return "superseded" if memory.state == State.SUPERSEDED else ""
