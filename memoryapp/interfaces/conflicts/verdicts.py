"""Outcomes of a conflict in words: buttons with their keys, what each makes of both sides, what is said when done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome, resolve
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.statement import attribute_told
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.wording import excerpt

# What a pair of memories can be decided by, and what a file that changed under an edit can.
OF_A_PAIR = (Outcome.KEEP, Outcome.REPLACE, Outcome.BOTH, Outcome.MERGE, Outcome.NEITHER)
OF_A_TEXT = (Outcome.KEEP, Outcome.REPLACE, Outcome.MERGE)
KEYS = {Outcome.KEEP: "a", Outcome.REPLACE: "b", Outcome.BOTH: "s", Outcome.MERGE: "m", Outcome.NEITHER: "n"}
_LABELS = {
    Outcome.KEEP: "Keep A",
    Outcome.REPLACE: "Replace",
    Outcome.BOTH: "Both hold",
    Outcome.MERGE: "Merge",
    Outcome.NEITHER: "Neither",
}
_TOLD = {
    Outcome.KEEP: "Kept A",
    Outcome.REPLACE: "Replaced A",
    Outcome.BOTH: "Both hold",
    Outcome.MERGE: "Merged",
    Outcome.NEITHER: "Neither holds",
}
# As a proposal or a past decision names it.
WORDS = {
    Outcome.KEEP: "keep the existing one",
    Outcome.REPLACE: "replace it with the new one",
    Outcome.BOTH: "both hold",
    Outcome.MERGE: "merge",
    Outcome.NEITHER: "neither",
}
SHORT = {
    Outcome.KEEP: "keep existing",
    Outcome.REPLACE: "replace",
    Outcome.BOTH: "both hold",
    Outcome.MERGE: "merge",
    Outcome.NEITHER: "neither",
}
DETECTORS = {
    "slot": "same subject, different value",
    "number": "different number",
    "date": "different time",
    "negation": "said and denied",
    "antonym": "opposites",
    "kind": "different item of one kind",
    "diet": "diet",
    "wording": "one word changed",
    "over": "said to be over",
    "weighed": "several signals",
    "judge": "read together",
    "nli": "language inference",
    "llm": "language model",
    "edited source": "changed under an edit",
}
_BRIEFLY = {
    "slot": "value",
    "antonym": "opposite",
    "over": "over",
    "weighed": "signs",
    "judge": "read",
    "nli": "inference",
    "llm": "model",
    "edited source": "edit",
}


@dataclass(frozen=True, slots=True)
class Button:
    """`main`: the proposed one."""

    outcome: str
    label: str
    key: str
    main: bool


@dataclass(frozen=True, slots=True)
class Becomes:
    """What an outcome makes of both sides; `gone` where a side is recalled no more. `lines`: what else changes."""

    outcome: str
    label: str
    existing: str
    existing_gone: bool
    incoming: str
    incoming_gone: bool
    lines: tuple[str, ...]
    proposed: bool


def available_outcomes(conflict: Conflict) -> tuple[Outcome, ...]:
    return OF_A_TEXT if conflict.incoming is None else OF_A_PAIR


def buttons_of(conflict: Conflict) -> list[Button]:
    return [Button(one.value, _LABELS[one], KEYS[one], one is conflict.outcome) for one in available_outcomes(conflict)]


def done_told(outcome: Outcome, words: str) -> str:
    return f"{_TOLD[outcome]}: “{words}”"


def proposed_told(outcome: Outcome) -> str:
    return f"Proposed: {WORDS[outcome]}. A curator decides."


def detector_told(name: str) -> str:
    return DETECTORS.get(name, name)


def briefly(conflict: Conflict) -> str:
    """What it is about in a word or two, for the queue: the attribute where it is known, else what found it."""
    attribute = attribute_told(conflict.attribute or "").rpartition("|")[2]
    return excerpt(attribute, limit=24) or _BRIEFLY.get(conflict.detector, conflict.detector)


def sureness(conflict: Conflict) -> str:
    return f"{conflict.confidence * 100:.0f} % confident" + (", by rule" if conflict.certain else "")


def subject_of(conflict: Conflict, existing: Memory) -> str:
    """What a case is about, as its heading: subject and attribute where they are known."""
    if conflict.attribute:
        subject, _, attribute = attribute_told(conflict.attribute).partition("|")
        named = f"{subject}: {attribute}" if attribute else subject
        return named[:1].upper() + named[1:]
    return existing.title or human_kind(existing)


def human_kind(memory: Memory) -> str:
    return f"{memory.category} {memory.kind}" if memory.category else str(memory.kind)


def status_told(conflict: Conflict, *, now: datetime, you: str) -> str:
    """Where a case stands that does not simply wait."""
    decision = conflict.decision or {}
    if conflict.status is ConflictStatus.WITHDRAWN:
        return f"Withdrawn. {decision.get('reason') or 'Its cause is gone.'}"
    if conflict.status in (ConflictStatus.DECIDED, ConflictStatus.AUTOMATIC):
        by = str(decision.get("by", ""))
        name = "you" if by == you and decision.get("by_kind") == "person" else by or "unknown"
        how = WORDS.get(_outcome(decision.get("outcome")), "decided")
        own = " automatically" if conflict.status is ConflictStatus.AUTOMATIC else ""
        return f"Decided{own} by {name}, {human.near_moment(conflict.decided_at)}: {how}."
    if conflict.snoozed_until and conflict.snoozed_until > now:
        return f"Snoozed until {human.moment(conflict.snoozed_until)}."
    return ""


def _outcome(value: object) -> Outcome:
    return Outcome(str(value)) if value in list(Outcome) else Outcome.KEEP


def becomes(
    conflict: Conflict, existing: Memory, incoming: Memory | None, outcome: Outcome, *, now: datetime,
    lines: Sequence[str] = (),
) -> Becomes:  # fmt: skip
    """One row of “what changes”, from the rule that decisions follow."""
    proposed = outcome is conflict.outcome
    if incoming is None:
        told = {
            Outcome.KEEP: ("its wording stays", "is kept underneath, as the source’s"),
            Outcome.REPLACE: ("gives way to the source’s words", "becomes the wording"),
            Outcome.MERGE: ("becomes the merged text", "is kept underneath, as the source’s"),
        }
        one, other = told.get(outcome, ("", ""))
        return Becomes(outcome, _LABELS[outcome], one, outcome is Outcome.REPLACE, other, False, tuple(lines), proposed)
    stands = resolve(existing, incoming, outcome, now=now)
    return Becomes(
        outcome.value,
        _LABELS[outcome],
        _side(existing, stands.existing),
        stands.existing.state is not State.HELD,
        _side(incoming, stands.incoming),
        stands.incoming.state is not State.HELD,
        tuple(lines),
        proposed,
    )


def _side(before: Memory, after: Memory) -> str:
    if after.state is State.SUPERSEDED:
        return f"superseded, held until {human.day(after.valid_to)}" if after.valid_to else "superseded"
    if after.state is State.ARCHIVED:
        return "archived, can be restored"
    if after.reinforcements > before.reinforcements:
        return f"held, seen {after.reinforcements + 1} times"
    if after.valid_from and after.valid_from != before.valid_from:
        return f"held from {human.day(after.valid_from)}"
    return "held"
