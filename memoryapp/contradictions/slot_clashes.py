"""Slots against slots: the same subject and attribute with another value, or the opposite of the same value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoryapp.contradictions.frames import FRAMES, NOBODY
from memoryapp.contradictions.kinds import NOUNS, may_be_within, with_general
from memoryapp.contradictions.slots import is_named_subject
from memoryapp.contradictions.values import plain, same_value, scope, scopes_differ, values
from memoryapp.contradictions.verdicts import Finding
from memoryapp.contradictions.words import content, meaning, words
from memoryapp.domain.statement import Slot

_SURE = frozenset(NOUNS.values()) | {frame.attribute for frame in FRAMES if frame.attribute}
_ONE_STATUS = (  # marital statuses that exclude each other; “divorced” and “single” do not
    frozenset({"single", "married"}), frozenset({"single", "engaged"}), frozenset({"single", "dating"}),
    frozenset({"married", "divorced"}), frozenset({"married", "widowed"}), frozenset({"married", "dating"}),
    frozenset({"married", "engaged"}),
)  # fmt: skip
_ALONE = {"married to": ("single", "divorced", "dating"), "partner": ("single",)}


def clashes(existing: Sequence[Slot], incoming: Sequence[Slot]) -> Iterator[Finding]:
    """Every pair of slots that cannot both be filled so."""
    for one in existing:
        for other in incoming:
            if one.subject != other.subject:
                continue
            if one.attribute == other.attribute == "prefers over":
                found = _preference_clash(one, other)
            elif one.attribute == other.attribute:
                found = _values(one, other)
            else:
                found = _cross_attribute_clash(one, other)
            if found:
                yield found


def agrees(existing: Sequence[Slot], incoming: Sequence[Slot]) -> bool:
    """Whether one slot of a single value is filled alike by both."""
    return any(
        one.key == other.key
        and one.functional
        and one.attribute != "prefers over"
        and one.positive == other.positive
        and _agree(one, other)
        for one in existing
        for other in incoming
    )


def _agree(one: Slot, other: Slot) -> bool:
    """Whether both may hold of one attribute: the same value, or a place and the country it lies in."""
    placed = one.attribute in ("lives in", "from", "headquarters") and may_be_within(one.value, other.value)
    return placed or same_value(one.value, other.value)


def _values(one: Slot, other: Slot) -> Finding | None:
    if not (one.functional and other.functional):
        return _polarity(one, other)
    if not one.positive and not other.positive:
        return None
    sure = is_named_subject(one.subject) and (one.attribute in _SURE or one.attribute.endswith(" of"))
    if one.positive != other.positive:
        if not same_value(one.value, other.value):
            return None
        return Finding("negation", one.attribute, _value_text(one), _value_text(other), sure=sure)
    if not _differ(one, other) or scopes_differ(one.value, other.value):
        return None
    sure = sure and bool(scope(one.value)) == bool(scope(other.value))
    confidence = 0.85 if sure else 0.6
    detector = _detector(one, other)
    return Finding(detector, one.attribute, one.value, other.value, sure=sure, confidence=confidence, told=one.said)


def _differ(one: Slot, other: Slot) -> bool:
    """Whether the two values of one attribute cannot both hold."""
    if one.attribute == "marital status":
        return frozenset({one.value, other.value}) in _ONE_STATUS
    if one.attribute == "job":
        return _other_job(one.value, other.value)
    if one.attribute.startswith("number of"):
        return _other_number(one.value, other.value)
    return not _agree(one, other)


def _detector(one: Slot, other: Slot) -> str:
    """What the finding is filed under: date, number or slot, by the kinds of value that both have."""
    kinds = {value.type for value in values(one.value)} & {value.type for value in values(other.value)}
    if kinds & {"date", "weekday", "clock", "year", "duration"}:
        return "date"
    if one.attribute.startswith("number of") or any(kind.startswith(("count", "number", "money")) for kind in kinds):
        return "number"
    return "slot"


def _preference_clash(one: Slot, other: Slot) -> Finding | None:
    """“tabs over spaces” against “spaces over tabs”."""
    a, b = (slot.value.split(" over ") for slot in (one, other))
    turned = len(a) == len(b) == 2 and same_value(a[0], b[1]) and same_value(a[1], b[0])
    return Finding("slot", "prefers", one.value, other.value) if turned else None


def _polarity(one: Slot, other: Slot) -> Finding | None:
    """Of what one may have several of: the same thing affirmed and denied, the denial at least as wide."""
    if one.positive == other.positive:
        return None
    denied, affirmed = (one, other) if other.positive else (other, one)
    wide = affirmed.value != NOBODY if denied.value == NOBODY else denies(denied.value, affirmed.value)
    return Finding("negation", one.attribute, _value_text(one), _value_text(other)) if wide else None


def denies(denied: str, affirmed: str) -> bool:
    """Whether denying the one denies the other: “cheese” denies “goat cheese”, not the other way round."""
    wide, narrow = content(denied), with_general(content(affirmed))
    if not wide or not narrow:
        return plain(denied) == plain(affirmed)
    return wide <= narrow


def _cross_attribute_clash(one: Slot, other: Slot) -> Finding | None:
    """“Married to Ana” against “single”."""
    if one.attribute.startswith("number of ") and other.attribute.startswith("number of "):
        none, some = (one, other) if one.value == "0" else (other, one)
        wide, narrow = (slot.attribute.removeprefix("number of ") for slot in (none, some))
        if none.value == "0" and some.value != "0" and meaning(wide) in with_general(frozenset({meaning(narrow)})):
            was, now = (f"{slot.value} {slot.attribute.split()[-1]}" for slot in (one, other))
            return Finding("number", none.attribute, was, now)
        return None
    if {one.attribute.split()[0], other.attribute.split()[0]} == {"favourite", "likes"}:
        liked, best = (one, other) if one.attribute == "likes" else (other, one)
        if not liked.positive and best.positive and denies(liked.value, best.value):
            return Finding("negation", "likes", _value_text(one), _value_text(other))
        return None
    if {one.attribute, other.attribute} == {"works at", "job"} and NOBODY in (one.value, other.value):
        return Finding("slot", "job", _value_text(one), _value_text(other))
    for status, with_whom in ((one, other), (other, one)):
        if status.attribute == "marital status" and status.value in _ALONE.get(with_whom.attribute, ()):
            was, now = (slot.value if slot is status else f"{slot.attribute} {slot.value}" for slot in (one, other))
            return Finding("slot", "marital status", was, now)
    return None


def _other_job(one: str, other: str) -> bool:
    """Two occupations of one person: of one head they may be the same, told more or less closely."""
    return (
        words(one)[-1] != words(other)[-1] and words(one)[-1] not in words(other) and words(other)[-1] not in words(one)
    )


def _other_number(one: str, other: str) -> bool:
    try:
        a, b = (float(text.casefold().replace("k", "000").rstrip(".")) for text in (one, other))
    except ValueError:
        return False
    return a != b and not (min(a, b) >= 20 and abs(a - b) <= 0.1 * max(a, b))


def _value_text(slot: Slot) -> str:
    if slot.value == NOBODY:
        return NOBODY
    return slot.value if slot.positive else f"not {slot.value}"
