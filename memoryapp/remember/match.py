"""Each item beside the memory it already is, by its ref, its turn or its very words, where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.fields import shared_fields
from memoryapp.domain.identity import content_hash, derived_id, new_id
from memoryapp.domain.memory import BELIEFS, Kind, Memory, Origin, State, owner_of_session, words_of
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.statement import Verdict
from memoryapp.extraction.atoms import format_atom, read_aloud
from memoryapp.remember.candidates import another_occasion, is_stated, slot_keys
from memoryapp.store import memories
from memoryapp.store.database import Database

DEFAULT_CONFIDENCE = 0.9
# What new words under the same ref leave as it is unless they come with their own.
_KEPT = ("tags", "category", "memory_type", "mood", "valid_from", "valid_to", "expires_at", "review_at")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """`before` is None for a new memory; `after` is what is to stand (the same object where nothing changes).

    `near`, of a fact: the held memory it confirms, contradicts or is nearest to, with their cosine and the verdict."""

    item: NewMemory
    outcome: Became
    before: Memory | None
    after: Memory
    conflicts: tuple[Conflict, ...] = ()
    near: Memory | None = None
    cosine: float | None = None
    verdict: Verdict | None = None

    @property
    def rewritten(self) -> bool:
        """Whether the words are new, so that they need embedding and linking."""
        return self.before is None or (self.before.text, self.before.title, self.before.speaker) != (
            self.after.text,
            self.after.title,
            self.after.speaker,
        )


def fingerprint(item: NewMemory) -> str:
    """Equal for items that say the same: who said it, what it is called, its words. Of an atom: the atom, whoever
    said it, and its words where somebody put it into other words."""
    if item.atom is not None:
        own = "" if item.text == read_aloud(item.atom) else item.text
        return content_hash(f"{format_atom(item.atom)}\n{own}")
    return content_hash(words_of(item.text, title=item.title, speaker=item.speaker))


def fact_id(item: NewMemory, print_: str) -> str:
    """Of a fact that a turn gave: reading the turn again finds it, whatever became of it since."""
    assert item.turn is not None
    return derived_id("fact", item.turn, print_)


def match(
    db: Database, items: Sequence[NewMemory], *, now: datetime, given: Mapping[str, frozenset[str]] | None = None
) -> list[MatchResult]:
    """One Matched an item, in order. Repeats within the batch reinforce the first of them.

    `given`: by turn, the memories it gave or confirmed when it was read before; reading it again confirms nothing."""
    by_ref = memories.by_refs(db, [item.ref for item in items if item.ref])
    prints = [fingerprint(item) for item in items]
    by_turn = memories.get_many(db, [fact_id(i, p) for i, p in zip(items, prints, strict=True) if i.turn])
    alone = [p for item, p in zip(items, prints, strict=True) if not item.ref and _is_confirmed_by_repeat(item)]
    by_print = {
        (m.kind, m.content_hash, owner_of_session(m.origin.session)): m
        for group in memories.by_hashes(db, alone).values()
        for m in _confirmable_memories(group)
    }
    matched: list[MatchResult] = []
    for n, (item, print_) in enumerate(zip(items, prints, strict=True)):
        # A microsecond apart, so that arrival orders the items of a session that share a time.
        at = now + timedelta(microseconds=n)
        if item.ref and item.ref in by_ref:
            matched.append(_match_by_ref(item, by_ref[item.ref], print_, now=at))
        elif item.turn and (read := by_turn.get(fact_id(item, print_))):
            matched.append(MatchResult(item, Became.UNCHANGED, read, read))
        elif not item.ref and _is_confirmed_by_repeat(item) and (held := _find_repeated(by_print, item, print_, at)):
            matched.append(confirmed_match(item, held, now=at, given=given))
        else:
            matched.append(MatchResult(item, Became.WRITTEN, None, _new_memory(item, print_, at)))
            if not item.ref and _is_confirmed_by_repeat(item):
                by_print[item.kind, print_, owner_of_session(item.session)] = matched[-1].after
                if item.turn:
                    by_turn[matched[-1].after.id] = matched[-1].after
    return matched


OCCASIONS = "occasions"  # in a memory's detail: when and on which occasions it was said last


def confirmed_match(
    item: NewMemory, held: Memory, *, now: datetime, given: Mapping[str, frozenset[str]] | None = None
) -> MatchResult:
    """The same said again: counted and dated, by the time it was said. One turn counts once, however often it is read
    and however often it says so."""
    if item.turn and (held.origin.turn == item.turn or held.id in (given or {}).get(item.turn, ())):
        return MatchResult(item, Became.UNCHANGED, held, held)
    return MatchResult(item, Became.REINFORCED, held, reinforce_memory(held, item, now=now))


def reinforce_memory(held: Memory, item: NewMemory, *, now: datetime) -> Memory:
    """Of a fact from a turn long ago the count rises, but it is no fresher than it was. Whoever repeats themselves in
    one session on one day confirms nothing: then only the time is noted."""
    said = now if item.said_at is None else max(item.said_at, held.last_confirmed)
    occasion = _occasion(item.speaker, item.session)
    on_the_day = _occasions(held, item, day=(item.said_at or now).date().isoformat())
    counts = occasion not in on_the_day["by"]
    sessions = held.sessions
    if item.kind in BELIEFS and item.session and item.session not in sessions:
        sessions = (*sessions, item.session)
    return replace(
        held,
        reinforcements=held.reinforcements + counts,
        reinforced_at=said,
        sessions=sessions,
        detail=_atom_of(item) | held.detail | {OCCASIONS: on_the_day | {"by": sorted({*on_the_day["by"], occasion})}},
    )


def _occasion(speaker: str | None, session: str | None) -> str:
    """Who said it in which session, as one word that tells neither."""
    return derived_id("occasion", (speaker or "").casefold(), session or "")


def _occasions(held: Memory, item: NewMemory, *, day: str) -> dict[str, Any]:
    """{"day", "by"}: the occasions on which it was said on that day."""
    kept = held.detail.get(OCCASIONS) or {}
    if kept.get("day") == day:
        return {"day": day, "by": list(kept["by"])}
    learned = (held.occurred_at if item.said_at else None) or held.created_at
    first = learned.date().isoformat() == day and not kept
    return {"day": day, "by": [_occasion(held.speaker, held.origin.session)] if first else []}


def _is_confirmed_by_repeat(item: NewMemory) -> bool:
    """Whether saying it again confirms it. A turn of a conversation is its own event: “Yes.” twice is twice."""
    return item.kind in BELIEFS or item.session is None


def _find_repeated(
    by_print: Mapping[tuple[Kind, str, str | None], Memory], item: NewMemory, print_: str, at: datetime
) -> Memory | None:
    held = by_print.get((item.kind, print_, owner_of_session(item.session)))
    return None if held is None or another_occasion(held, _new_memory(item, print_, at)) else held


def _confirmable_memories(group: Sequence[Memory]) -> list[Memory]:
    """Those that saying the same again confirms. A turn of a conversation is left as the event it was."""
    held = (m for m in group if m.state is State.HELD and m.ref is None)
    return [m for m in held if m.kind in BELIEFS or (m.kind is Kind.NOTE and m.origin.session is None)]


def _match_by_ref(item: NewMemory, held: Memory, print_: str, *, now: datetime) -> MatchResult:
    """The same ref again: unchanged, new words, or new words under a person's edit, which is a conflict."""
    if held.content_hash == print_:
        return MatchResult(item, Became.UNCHANGED, held, held)
    if held.edited:
        reason = "A person edited this memory, and now its author sends other words for it."
        clash = Conflict(
            id=derived_id("conflict", "edit", held.id, print_),
            existing=held.id,
            detector="edited source",
            reason=reason,
            created_at=now,
            incoming_text=item.text,
        )
        return MatchResult(item, Became.CONFLICT, held, held, (clash,))
    new = _new_memory(item, print_, now)
    after = replace(
        new, id=held.id, created_at=held.created_at, version=held.version, pinned=held.pinned, position=held.position
        if item.occurred_at is None and item.session == held.origin.session else new.position,
        reinforcements=held.reinforcements, reinforced_at=held.reinforced_at, salience=held.salience,
        sessions=tuple(dict.fromkeys((*held.sessions, *new.sessions))),
        occurred_at=item.occurred_at or held.occurred_at,
        **{name: getattr(held, name) for name in _KEPT if not getattr(item, name)},
    )  # fmt: skip
    return MatchResult(item, Became.WRITTEN, held, after)


def _new_memory(item: NewMemory, print_: str, now: datetime) -> Memory:
    when = item.said_at or item.occurred_at or now
    belief = item.kind in BELIEFS
    own: dict[str, Any] = {
        "id": fact_id(item, print_) if item.turn else new_id(),
        "created_at": now,
        "updated_at": now,
        "confidence": DEFAULT_CONFIDENCE if item.confidence is None else item.confidence,
        # Recency counts from the saying, not from the date that is spoken of: a birthday does not make a fact stale.
        "reinforced_at": item.said_at if item.occurred_at else None,
        "occurred_at": item.occurred_at or item.said_at,
        # Facts out of turns are no neighbours of each other: what stands around one is its turn's session.
        "group": f"session:{item.session}" if item.session and not item.turn else None,
        "position": int(when.timestamp() * 1_000_000),
        "origin": Origin(session=item.session, turn=item.turn),
        "content_hash": print_,
        "decision_point": belief and item.decision_point,
        "emotional_signal": belief and item.emotional_signal,
    }
    return Memory(**shared_fields(item, Memory) | own | (_of_belief(item) if belief else {}))


def _of_belief(item: NewMemory) -> dict[str, Any]:
    """What only a fact or an atom has."""
    told = {"quote": item.quote, "when": item.when} | _atom_of(item)
    return {
        "sessions": (item.session,) if item.session else (),
        "detail": {name: words for name, words in told.items() if words},
        "slots": slot_keys(item.text, speaker=item.speaker) if is_stated(item.atom) else (),
    }


def _atom_of(item: NewMemory) -> dict[str, str]:
    if item.atom is None:
        return {}
    return {"atom": format_atom(item.atom)} | ({"tense": item.atom.tense.value} if item.atom.tense else {})
