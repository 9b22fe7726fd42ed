"""What changes if a conflict is decided one way: computed as the decision would, and nothing written; and a text to
begin with where two memories are to become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoryapp.contradictions import standing
from memoryapp.domain.conflict import Conflict, Outcome, Scope, resolve
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.sentences import sentences
from memoryapp.domain.statement import Statement
from memoryapp.review.edit import EDIT_OUTCOMES
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories
from memoryapp.store.rows import short_id


def suggest_merge(existing: Memory, incoming: Memory) -> str:
    """The longer one where it says all the other does; where the incoming one changes a part of the existing one, what
    it says and the part that stands; else what the existing one says, then what is new in the incoming one."""
    held, new = existing.text.strip(), incoming.text.strip()
    if _bare_words(new) in _bare_words(held):
        return held
    if _bare_words(held) in _bare_words(new):
        return new
    stands = standing(_statement(existing), _statement(incoming))
    if stands:
        return f"{_end_sentence(new)} {' '.join(stands)}"
    known = {_bare_words(sentence) for sentence in sentences(held)}
    added = [sentence for sentence in sentences(new) if _bare_words(sentence) not in known]
    return f"{_end_sentence(held)} {' '.join(added)}"


def _statement(memory: Memory) -> Statement:
    return Statement(memory.text.strip(), speaker=memory.speaker)


def _bare_words(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def _end_sentence(text: str) -> str:
    return text if text[-1:] in ".!?。" else f"{text}."


_QUOTED = 80  # characters of a memory in a line


@dataclass(frozen=True, slots=True)
class Impact:
    """`lines` say it in words. `leaves`: memories that leave search; `stays`: those that are recalled afterwards, as
    they would stand; `derived`: what was made from one that leaves; `closes`: other conflicts that are withdrawn."""

    outcome: Outcome
    lines: tuple[str, ...]
    leaves: tuple[Memory, ...] = ()
    stays: tuple[Memory, ...] = ()
    derived: tuple[Memory, ...] = ()
    closes: tuple[str, ...] = ()


def impact(space: Space, key: str, outcome: Outcome, *, text: str | None = None, scope: Scope | None = None) -> Impact:
    """Raises NotFound. An outcome that does not fit says so in its line."""
    conflict = conflicts.get(space.db, key)
    if conflict is None:
        raise NotFound(f"There is no conflict {short_id(key)} in space “{space.name}”.")
    existing = memories.get(space.db, conflict.existing)
    if conflict.incoming is None:
        return Impact(outcome, _of_edit(outcome), stays=(existing,))
    incoming = memories.get(space.db, conflict.incoming)
    said = (text or suggest_merge(existing, incoming)) if outcome is Outcome.MERGE else None
    resolved = resolve(existing, incoming, outcome, now=space.clock(), text=said, scope=scope)
    after = (resolved.existing, resolved.incoming)
    leaves = tuple(memory for memory in after if memory.state is not State.HELD)
    stays = tuple(memory for memory in after if memory.state is State.HELD)
    derived = memories.derived_from(space.db, [memory.id for memory in leaves])
    closes = _closed_conflict_ids(space, conflict, leaves)
    lines = [
        *(_departure_text(memory) for memory in leaves),
        *(_stay_text(memory, (existing, incoming)) for memory in stays),
        *_derived_lines(derived),
        *_withdrawal_lines(len(closes)),
    ]
    return Impact(outcome, tuple(lines), leaves, stays, derived, closes)


def _closed_conflict_ids(space: Space, conflict: Conflict, leaves: Sequence[Memory]) -> tuple[str, ...]:
    about = conflicts.waiting_for(space.db, [memory.id for memory in leaves])
    return tuple(sorted({key for keys in about.values() for key in keys} - {conflict.id}))


def _departure_text(memory: Memory) -> str:
    if memory.state is State.ARCHIVED:
        return f"{_quote_memory(memory)} leaves search and is archived; it can be restored."
    until = f", valid until {memory.valid_to:%Y-%m-%d}" if memory.valid_to else ""
    return f"{_quote_memory(memory)} leaves search and is kept as superseded{until}."


def _stay_text(memory: Memory, before: Iterable[Memory]) -> str:
    was = next(one for one in before if one.id == memory.id)
    told = []
    if memory.text != was.text:
        told.append(f"now says {_quote_memory(memory)}")
    if memory.reinforcements != was.reinforcements:
        told.append("is confirmed once more")
    if memory.valid_from != was.valid_from and memory.valid_from:
        told.append(f"holds from {memory.valid_from:%Y-%m-%d}")
    if memory.valid_to != was.valid_to and memory.valid_to:
        told.append(f"holds until {memory.valid_to:%Y-%m-%d}")
    new = [tag for tag in memory.tags if tag not in was.tags]
    if new:
        told.append(f"is tagged {', '.join(new)}")
    return f"{_quote_memory(was)} stays in search{' and ' + ', '.join(told) if told else ''}."


def _derived_lines(derived: Sequence[Memory]) -> list[str]:
    summaries = sum(memory.kind is Kind.SUMMARY for memory in derived)
    episodes = sum(memory.kind is Kind.EPISODE for memory in derived)
    others = len(derived) - summaries - episodes
    lines = []
    if summaries:
        lines.append(f"{_count(summaries, 'summary', 'summaries')} made from it will be rewritten.")
    if episodes:
        lines.append(f"{_count(episodes, 'episode mentions', 'episodes mention')} it and will not change: it was said.")
    if others:
        lines.append(f"{_count(others, 'memory was', 'memories were')} made from it and will not change.")
    return lines


def _withdrawal_lines(count: int) -> list[str]:
    told = _count(count, "other waiting conflict about it is", "other waiting conflicts about it are")
    return [f"{told} withdrawn."] if count else []


def _of_edit(outcome: Outcome) -> tuple[str, ...]:
    told = {
        Outcome.KEEP: "The edit stays; the source's new text is kept underneath.",
        Outcome.REPLACE: "The source's new text replaces the edit, which stays in the history.",
        Outcome.MERGE: "Your text stands; the source's new text is kept underneath.",
    }
    offered = ", ".join(one.value for one in EDIT_OUTCOMES)
    return (told.get(outcome, f"“{outcome.value}” does not fit here; this can be decided by {offered}."),)


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _quote_memory(memory: Memory) -> str:
    text = " ".join(memory.text.split())
    return f"“{text if len(text) <= _QUOTED else text[: _QUOTED - 1].rstrip() + '…'}”"
