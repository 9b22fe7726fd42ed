"""What a filter says of one memory: the value it has, and what was asked for instead."""

from __future__ import annotations

from collections.abc import Callable

from memoryapp.domain.memory import Memory
from memoryapp.retrieve.found import Question
from memoryapp.retrieve.step import day, listed, minute

Said = Callable[[Question, Memory, int, bool], str]


def _one_of(name: str, noun: str) -> Said:
    """Of a field that has one value: what it is, and what it is not."""

    def said(question: Question, known: Memory, slot: int, passed: bool) -> str:
        value, wanted = getattr(known, name), getattr(question.query.filters, _FILTER[name])
        asked = listed(wanted, join="or")
        if value is None:
            return f"It has no {noun}; {asked} is asked for."
        return f"Its {noun} is {value}." if passed else f"Its {noun} is {value}, not {asked}."

    return said


_FILTER = {"kind": "kinds", "category": "categories", "memory_type": "memory_types", "mood": "moods",
           "speaker": "speakers"}  # fmt: skip


def _tags(question: Question, known: Memory, slot: int, passed: bool) -> str:
    wanted = question.query.filters.tags
    has = f"It carries {listed(known.tags)}" if known.tags else "It carries no tag"
    return f"{has}." if passed else f"{has}, and not {listed(tag for tag in wanted if tag not in known.tags)}."


def _sources(question: Question, known: Memory, slot: int, passed: bool) -> str:
    wanted = listed(question.query.filters.sources, join="or")
    origin = known.origin
    place = origin.path or origin.session or origin.document or known.group
    comes = f"It comes from {place}" if place else "It was added directly"
    return f"{comes}." if passed else f"{comes}, not from {wanted}."


def _entities(question: Question, known: Memory, slot: int, passed: bool) -> str:
    names = names_at(question, slot)
    refers = f"It refers to {listed(names)}" if names else "It refers to no entity"
    return f"{refers}." if passed else f"{refers}, and to none that is asked for."


def names_at(question: Question, slot: int) -> list[str]:
    """The names of the entities that a memory refers to, the rarest first."""
    incidence = question.view.incidence
    row = incidence.matrix[slot]
    codes = sorted(row.indices.tolist(), key=lambda code: (int(incidence.degree[code]), code))
    return [one.name for code in codes if (one := incidence.entities[code]) is not None]


def _trust(question: Question, known: Memory, slot: int, passed: bool) -> str:
    trust = question.view.roster.trust(question.now, half_life=question.tuning.trust_half_life_days)[slot]
    return _level("trust", float(trust), question.query.filters.min_trust, passed)


def _strength(question: Question, known: Memory, slot: int, passed: bool) -> str:
    strength = question.view.roster.strength(question.now)[slot]
    return _level("strength", float(strength), question.query.filters.min_strength, passed)


def _level(name: str, value: float, least: float | None, passed: bool) -> str:
    return f"Its {name} is {value:.4f}, {'at least' if passed else 'less than'} {least:g}."


def _happened(name: str) -> Said:
    def said(question: Question, known: Memory, slot: int, passed: bool) -> str:
        bound = getattr(question.query.filters, name)
        when = (
            f"It happened {day(known.occurred_at)}" if known.occurred_at else f"It was learned {day(known.created_at)}"
        )
        before = passed == (name == "until")
        return f"{when}, {'before' if before else 'not before'} {minute(bound)}."

    return said


def _review(question: Question, known: Memory, slot: int, passed: bool) -> str:
    if known.review_at is None:
        return "Nobody asked to review it."
    return f"It is to be reviewed {day(known.review_at)}{'' if passed else ', later than is asked for'}."


SAID: dict[str, Said] = {
    "kinds": _one_of("kind", "kind"),
    "tags": _tags,
    "categories": _one_of("category", "category"),
    "memory_types": _one_of("memory_type", "memory type"),
    "moods": _one_of("mood", "mood"),
    "sources": _sources,
    "speakers": _one_of("speaker", "speaker"),
    "entities": _entities,
    "min_trust": _trust,
    "min_strength": _strength,
    "since": _happened("since"),
    "until": _happened("until"),
    "review_before": _review,
}
