"""Filters between an address and a list: read from the query string, shown as chips that can be taken off; and whole
numbers out of addresses and forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import TypeVar

from django.http import QueryDict
from django.utils import timezone

from memoryapp.domain.clock import read_moment
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import AsOfBy, Filters
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, State
from memoryapp.interfaces.pages import human

MOVING = ("after", "before", "space")  # where in the list one stands: a new filter starts at its first page
_E = TypeVar("_E", bound=StrEnum)
_CHOICES: dict[str, tuple[str, type[StrEnum]]] = {
    "kind": ("Kind", Kind),
    "state": ("State", State),
    "category": ("Category", Category),
    "type": ("Memory type", MemoryType),
    "mood": ("Mood", Mood),
}
# Marks a memory may carry: a filter by what stands beside the memory, not in it.
_MARKS = (("decision", "records a decision"), ("disputed", "in an open conflict"), ("due", "due for review"))
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Chip:
    label: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    label: str
    type: str = "text"
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Adder:
    """A popover that adds a filter: `options` (value, label, on) or `fields`; `kept` is the rest of the address."""

    key: str
    label: str
    options: list[tuple[str, str, bool]] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)


_FIELDS: dict[str, tuple[str, list[Field]]] = {
    "trust": ("Trust at least", [Field("trust", "Trust at least", "number", hint="0 to 1.35")]),
    "tag": ("Tag", [Field("tag", "Tag")]),
    "source": ("Source", [Field("source", "Path begins with, or session", hint="notes/ or a session's name")]),
    "speaker": ("Said by", [Field("speaker", "Said by")]),
    "since": ("Learned between", [Field("since", "From", "date"), Field("until", "Until (inclusive)", "date")]),
    "q": ("Contains", [Field("q", "Text it contains")]),
    "as_of": ("As of", [Field("as_of", "As of", "datetime-local", hint="What was known at that time")]),
    "entity": ("Entity", []),
    "only": ("Only", []),
}


def marks_of(asked: QueryDict) -> set[str]:
    """Raises BadInput for a mark that is none."""
    wanted, known = set(filter(None, asked.getlist("only"))), [mark for mark, _ in _MARKS]
    if strange := sorted(wanted - set(known)):
        raise BadInput(f"“{strange[0][:60]}” is not a filter. Known: {', '.join(known)}.", field="only")
    return wanted


def filters_of(asked: QueryDict, *, kinds: tuple[Kind, ...] = ()) -> Filters:
    """Raises BadInput that names the parameter. Without a state, what is held. `kinds`: of a list that has its own."""
    return Filters(
        kinds=kinds or _members(asked, "kind", Kind),
        states=_members(asked, "state", State) or (State.HELD,),
        tags=_texts(asked, "tag"),
        categories=_members(asked, "category", Category),
        memory_types=_members(asked, "type", MemoryType),
        moods=_members(asked, "mood", Mood),
        sources=_texts(asked, "source"),
        speakers=_texts(asked, "speaker"),
        entities=_texts(asked, "entity"),
        min_trust=_number(asked, "trust"),
        since=day_of(asked, "since"),
        until=day_of(asked, "until", after=1),
        as_of=moment_of(asked, "as_of"),
        as_of_by=reading_of(asked),
        review_before=timezone.now() if "due" in asked.getlist("only") else None,
    )


def chips_of(asked: QueryDict, shown: Sequence[str], *, names: dict[str, str] | None = None) -> list[Chip]:
    """A chip for each parameter in `shown` that narrows. `names` gives words for values that are ids."""
    chips = []
    for key in shown:
        label = (_CHOICES.get(key) or _FIELDS[key])[0]
        values = [v for v in asked.getlist(key) if v.strip()]
        if key == "since":
            values = [span_of(asked)] if asked.get("since") or asked.get("until") else []
        if values:
            told = ", ".join(_moment_told(v) if key == "as_of" else (names or {}).get(v, v) for v in values)
            chips.append(Chip(label, told[:120], address(asked, without=[key, *(["until"] if key == "since" else [])])))
    return chips


def adders_of(asked: QueryDict, shown: Sequence[str]) -> list[Adder]:
    """What may still be added. Choices stay open for more; a field that is set is changed by its chip."""
    adders = []
    for key in shown:
        own = {"since", "until"} if key == "since" else {key}
        kept = [(n, v) for n, values in asked.lists() if n not in own and n not in MOVING for v in values if v]
        if key in _CHOICES:
            label, kind = _CHOICES[key]
            on = set(asked.getlist(key))
            adders.append(Adder(key, label, [(m.value, m.value, m.value in on) for m in kind], [], kept))
        elif key == "only":
            on = set(asked.getlist(key))
            adders.append(Adder(key, "Only", [(mark, told, mark in on) for mark, told in _MARKS], [], kept))
        elif _FIELDS[key][1]:
            label, wanted = _FIELDS[key]
            filled = [Field(f.name, f.label, f.type, asked.get(f.name, ""), f.hint) for f in wanted]
            adders.append(Adder(key, label, [], filled, kept))
    return adders


def address(asked: QueryDict, *, without: Iterable[str] = (), only: Iterable[str] | None = None, **put: str) -> str:
    """The query string with some parameters dropped and others set. `only`: of those asked for, just these; "" where
    none of them is."""
    changed = asked.copy()
    if only is not None:
        without = [*without, *(name for name in asked if name not in set(only))]
    for name in (*without, *MOVING):
        changed.pop(name, None)
    for name, value in put.items():
        changed[name] = value
    return "?" + changed.urlencode() if changed or only is None else ""


def _members(asked: QueryDict, key: str, kind: type[_E]) -> tuple[_E, ...]:
    try:
        return tuple(kind(value) for value in asked.getlist(key) if value)
    except ValueError:
        known = ", ".join(m.value for m in kind)
        raise BadInput(
            f"“{asked.get(key, '')[:60]}” is not a {_CHOICES[key][0].lower()}. Known: {known}.", field=key
        ) from None


def reading_of(asked: QueryDict) -> AsOfBy:
    try:
        return AsOfBy(asked.get("as_of_by") or AsOfBy.RECORDED)
    except ValueError:
        raise BadInput(
            f"“{asked['as_of_by'][:40]}” is not a reading. Known: {', '.join(AsOfBy)}.", field="as_of_by"
        ) from None


def _texts(asked: QueryDict, key: str) -> tuple[str, ...]:
    return tuple(value.strip()[:300] for value in asked.getlist(key) if value.strip())[:20]


def _number(asked: QueryDict, key: str) -> float | None:
    text = asked.get(key, "").strip().replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"“{text[:60]}” is not a number. Trust runs from 0 to 1.35.", field=key) from None
    if not 0 <= value <= 2:
        raise BadInput("Trust runs from 0 to 1.35.", field=key)
    return value


def moment_of(asked: QueryDict, key: str) -> datetime | None:
    text = asked.get(key, "").strip()
    if not text:
        return None
    try:
        return read_moment(text, timezone.get_current_timezone())
    except ValueError:
        raise BadInput(f"“{text[:60]}” is not a date. Write it as 2026-11-21.", field=key) from None


def day_of(asked: QueryDict, key: str, *, after: int = 0) -> datetime | None:
    """The start of that day where the reader is; `after` days later, so that "up to and with" holds the whole day."""
    value = moment_of(asked, key)
    try:
        return value + timedelta(days=after) if value else None
    except OverflowError:
        raise BadInput("That date is out of range.", field=key) from None


def span_of(asked: QueryDict) -> str:
    """“21 Nov 2026 and now”: the days that an address bounds a list by."""
    since, until = (_moment_told(asked.get(name, "")) for name in ("since", "until"))
    return f"{since} and {until}" if since and until else f"{since} and now" if since else f"the start and {until}"


def _moment_told(text: str) -> str:
    """A day or a moment of an address as pages write them; what is none, as it stands: the list refuses it."""
    try:
        at = timezone.localtime(read_moment(text.strip(), timezone.get_current_timezone()))
    except (ValueError, OverflowError, BadInput):
        return text
    return human.moment(at) if at.time() != time() else human.day(at)


def whole_number(text: str, *, most: int = 10**_DIGITS - 1) -> int | None:
    """From 0 to `most`, which is below a thousand million; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        return None
    return number if (number := int(text)) <= most else None
