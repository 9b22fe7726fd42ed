"""A case: a conflict with all that a person looks at to decide it; and precedents: how people decided before where the
same attribute, or the same subject, was in question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Memory
from memoryapp.domain.statement import attribute_told
from memoryapp.domain.trust import Trust
from memoryapp.domain.turn import Turn
from memoryapp.spaces import Space, trust_of
from memoryapp.store import conflicts, memories, turns
from memoryapp.store.conflicts import Earlier
from memoryapp.store.rows import short_id

_NAMED = 5  # of a precedent's conflicts
_TELL = {
    Outcome.KEEP: "what was held survived",
    Outcome.REPLACE: "a newer statement replaced the older",
    Outcome.BOTH: "both were held",
    Outcome.MERGE: "the two were merged",
    Outcome.NEITHER: "neither was held",
}


@dataclass(frozen=True, slots=True)
class Precedent:
    """`basis`: attribute or subject, `about` which. `times` of `of` decisions came to this outcome; `conflicts` are the
    newest of them, `sentence` says it in words."""

    basis: str
    about: str
    outcome: Outcome
    times: int
    of: int
    sentence: str
    conflicts: tuple[str, ...]
    last_at: datetime


def precedents_of(
    space: Space, found: Sequence[Conflict], sides: Mapping[str, Memory]
) -> dict[str, tuple[Precedent, ...]]:
    """Precedents of each of these conflicts, the most frequent outcome first. `sides`: their memories by id."""
    subjects = {one.id: _subjects(one, sides) for one in found}
    known = conflicts.earlier(
        space.db,
        attributes={one.attribute for one in found if one.attribute},
        subjects={name for names in subjects.values() for name in names},
    )
    by_attribute: dict[str, list[Earlier]] = {}
    by_subject: dict[str, list[Earlier]] = {}
    for one in known:
        if one.attribute:
            by_attribute.setdefault(one.attribute, []).append(one)
        for subject in one.subjects:
            by_subject.setdefault(subject, []).append(one)
    told: dict[str, tuple[Precedent, ...]] = {}
    for conflict in found:
        alike = [one for one in by_attribute.get(conflict.attribute or "", ()) if one.id != conflict.id]
        counted = _count_precedents("attribute", conflict.attribute or "", alike)
        for subject in sorted(subjects[conflict.id]):
            others = [one for one in by_subject.get(subject, ()) if one.attribute != conflict.attribute or not alike]
            counted += _count_precedents("subject", subject, [one for one in others if one.id != conflict.id])
        told[conflict.id] = tuple(counted)
    return told


def _count_precedents(basis: str, about: str, alike: Sequence[Earlier]) -> list[Precedent]:
    """Of decisions, the newest first."""
    counts = Counter(one.outcome for one in alike)
    return [
        Precedent(
            basis=basis,
            about=about,
            outcome=outcome,
            times=times,
            of=len(alike),
            sentence=_sentence(basis, about, outcome, times, len(alike)),
            conflicts=tuple(one.id for one in alike if one.outcome is outcome)[:_NAMED],
            last_at=next(one.at for one in alike if one.outcome is outcome),
        )
        for outcome, times in counts.most_common()
    ]


def _sentence(basis: str, about: str, outcome: Outcome, times: int, of: int) -> str:
    share = f"{times} of {of} times" if of > 1 else "The one time"
    where = f"“{attribute_told(about)}” was in question" if basis == "attribute" else f"it was about {about}"
    return f"{share} that {where}, {_TELL[outcome]}."


def _subjects(conflict: Conflict, sides: Mapping[str, Memory]) -> frozenset[str]:
    found = (sides.get(key) for key in (conflict.existing, conflict.incoming) if key)
    return frozenset(slot.partition("|")[0] for memory in found if memory for slot in memory.slots) - {""}


@dataclass(frozen=True, slots=True)
class Case:
    """`incoming` is None where the incoming side is only a text. `gate` says why the existing one survives unless a
    person decides otherwise, None where trust does not speak for it. The turns are those the sides were said in."""

    conflict: Conflict
    existing: Memory
    incoming: Memory | None
    existing_trust: Trust
    incoming_trust: Trust | None
    gate: str | None
    precedents: tuple[Precedent, ...]
    existing_turn: Turn | None
    incoming_turn: Turn | None
    snoozed: bool


def case(space: Space, key: str) -> Case:
    """Raises NotFound."""
    conflict = conflicts.get(space.db, key)
    found = cases(space, [conflict]) if conflict else ()
    if not found:
        raise NotFound(f"There is no conflict {short_id(key)} in space “{space.name}”.")
    return found[0]


def cases(space: Space, found: Sequence[Conflict]) -> tuple[Case, ...]:
    """In their order; one whose memory was purged a moment ago is left out."""
    keys = [side for one in found for side in (one.existing, one.incoming) if side]
    sides = memories.get_many(space.db, list(dict.fromkeys(keys)))
    trusts = trust_of(space, list(sides.values()))
    said = turns.get_many(space.db, [m.origin.turn for m in sides.values() if m.origin.turn])
    precedents = precedents_of(space, found, sides)
    now = space.clock()
    made = []
    for one in found:
        existing, incoming = sides.get(one.existing), sides.get(one.incoming or "")
        if existing is None or (one.incoming and incoming is None):
            continue
        mine, theirs = trusts[existing.id], trusts[incoming.id] if incoming else None
        made.append(
            Case(
                conflict=one,
                existing=existing,
                incoming=incoming,
                existing_trust=mine,
                incoming_trust=theirs,
                gate=gate_sentence(mine.value, theirs.value, gate=space.tuning.trust_gate) if theirs else None,
                precedents=precedents[one.id],
                existing_turn=said.get(existing.origin.turn or ""),
                incoming_turn=said.get(incoming.origin.turn or "") if incoming else None,
                snoozed=one.snoozed_until is not None and one.snoozed_until > now,
            )
        )
    return tuple(made)


def gate_sentence(existing: float, incoming: float, *, gate: float) -> str | None:
    """The trust gate in words: an existing memory with more than `gate` times the incoming trust survives."""
    if existing <= gate * incoming:
        return None
    return (
        f"What is held has a trust of {existing:.2f} against {incoming:.2f}: more than {gate:g} times as much, "
        "so it survives unless a person decides otherwise."
    )
