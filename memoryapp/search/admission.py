"""What decides before anything is ranked: state, index, instant, each filter by itself, the kinds of the strategy.

What a filter says of one memory: the value it has, and what was asked for instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Query
from memoryapp.search.query import SEARCHED
from memoryapp.search.runs import Run
from memoryapp.search.stages import Step, a, day, join_words, minute
from memoryapp.search.state import Question

Said = Callable[[Question, Memory, int, bool], str]


def _one_of(name: str, noun: str) -> Said:
    """Of a field that has one value: what it is, and what it is not."""

    def said(question: Question, known: Memory, slot: int, passed: bool) -> str:
        value, wanted = getattr(known, name), getattr(question.query.filters, _FILTER[name])
        asked = join_words(wanted, join="or")
        if value is None:
            return f"It has no {noun}; {asked} is asked for."
        return f"Its {noun} is {value}." if passed else f"Its {noun} is {value}, not {asked}."

    return said


_FILTER = {"kind": "kinds", "category": "categories", "memory_type": "memory_types", "mood": "moods",
           "speaker": "speakers"}  # fmt: skip


def _tags(question: Question, known: Memory, slot: int, passed: bool) -> str:
    wanted = question.query.filters.tags
    has = f"It carries {join_words(known.tags)}" if known.tags else "It carries no tag"
    return f"{has}." if passed else f"{has}, and not {join_words(tag for tag in wanted if tag not in known.tags)}."


def _sources(question: Question, known: Memory, slot: int, passed: bool) -> str:
    wanted = join_words(question.query.filters.sources, join="or")
    origin = known.origin
    place = origin.path or origin.session or origin.document or known.group
    comes = f"It comes from {place}" if place else "It was added directly"
    return f"{comes}." if passed else f"{comes}, not from {wanted}."


def _entities(question: Question, known: Memory, slot: int, passed: bool) -> str:
    names = names_at(question, slot)
    refers = f"It refers to {join_words(names)}" if names else "It refers to no entity"
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


def _time_reason(name: str) -> Said:
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
    "since": _time_reason("since"),
    "until": _time_reason("until"),
    "review_before": _review,
}


UNWRITTEN = "It is a node without words of its own: it only holds other nodes, and answers nothing."


def admission_steps(run: Run, query: Query, known: Memory, slot: int) -> list[Step]:
    """`query`: as it was asked, with no kinds put in."""
    given, question = query.filters, run.question
    steps = [_state(question.query.filters, known, guilty=guilty_of(run, "states", slot)), _index(run, slot)]
    if known.expires_at is not None:
        steps.append(_expiry(run, known))
    if given.as_of is not None:
        steps.append(_as_of(question, slot, passed=not guilty_of(run, "as_of", slot)))
    for one in fields(Filters):
        if one.name not in ("states", "as_of", "as_of_by") and getattr(given, one.name) not in ((), None):
            passed = not guilty_of(run, one.name, slot)
            detail = {"filter": one.name}
            steps.append(Step("filter", passed, SAID[one.name](run.question, known, slot, passed), detail))
    if not given.kinds:
        steps.append(_kinds(run, known, slot))
    elif unwritten(question, slot):
        steps.append(Step("kinds", False, UNWRITTEN))
    return steps


def not_indexed(known: Memory) -> list[Step]:
    """Why a memory that is not in the index cannot be found: its state, and that."""
    if known.state == State.DELETED:
        return [
            Step("state", False, f"It is deleted since {day(known.ended_at or known.updated_at)}."),
            Step("index", None, "What is deleted is taken out of the index."),
        ]
    return [
        Step("state", True, f"It is {known.state}."),
        Step("index", False, "Its words are not indexed yet."),
    ]


def guilty_of(run: Run, name: str, slot: int) -> bool:
    """Whether this filter alone takes the memory out. An instant that is asked about decides instead of the states."""
    given, none = run.question.query.filters, Filters(states=())
    value = getattr(given, name)
    if value in ((), None) or name == "as_of_by" or (name == "states" and given.as_of is not None):
        return False
    half_life = run.question.tuning.trust_half_life_days
    mask = run.question.view.roster.mask(replace(none, **{name: value}), now=run.question.now, half_life=half_life)
    return not bool(mask[slot])


def guilty(run: Run, slot: int) -> list[str]:
    """The names of all filters that take it out."""
    return [one.name for one in fields(Filters) if guilty_of(run, one.name, slot)]


def unwritten(question: Question, slot: int) -> bool:
    """Whether it lies in the tree, but its node's text is not written yet."""
    return question.tree is not None and slot in question.tree.unwritten


def without(query: Query, known: Memory, names: list[str], *, kinds: tuple[Kind, ...]) -> Query:
    """The query with these filters taken out of the way of one memory. `kinds`: what the strategy looks for."""
    given = query.filters
    freed = replace(given, **{name: getattr(Filters(), name) for name in names})
    if freed.as_of is None and known.state not in freed.states and freed.states:
        freed = replace(freed, states=(*given.states, known.state))
    searched = freed.kinds or kinds or SEARCHED
    return replace(query, filters=freed if known.kind in searched else replace(freed, kinds=(*searched, known.kind)))


def _state(given: Filters, known: Memory, *, guilty: bool) -> Step:
    since = "" if known.state == State.HELD else f" since {day(known.ended_at or known.updated_at)}"
    detail = {"state": known.state.value}
    if given.as_of is not None:
        after = "" if known.state == State.HELD else "; the instant that is asked about decides"
        return Step("state", None, f"It is {known.state} now{since}{after}.", detail)
    if guilty:
        wanted = join_words(given.states, join="or")
        return Step("state", False, f"It is {known.state}{since}, and only what is {wanted} is looked for.", detail)
    return Step("state", True, f"It is {known.state}{since}.", detail)


def _expiry(run: Run, known: Memory) -> Step:
    assert known.expires_at is not None
    over = known.expires_at <= (run.question.query.filters.as_of or run.question.now)
    told = f"It expired {day(known.expires_at)}." if over else f"It expires {day(known.expires_at)}."
    return Step("filter", not over, told, {"filter": "expires_at"})


def _index(run: Run, slot: int) -> Step:
    roster = run.question.view.roster
    has = bool(roster.has[slot])
    told = "Its words and its vector are indexed." if has else "Its words are indexed; it has no vector yet."
    return Step("index", True, told, {"vector": has, "terms": int(roster.length[slot])})


def _as_of(question: Question, slot: int, *, passed: bool) -> Step:
    roster, instant = question.view.roster, question.query.filters.as_of
    assert instant is not None
    at = instant.timestamp()
    # Without a date of its own `occurred` is NaN, which no comparison holds of.
    begun = min(float(roster.created[slot]), float(roster.occurred[slot]), key=lambda t: math.inf if t != t else t)
    ended, valid = float(roster.ended[slot]), float(roster.valid_to[slot])
    known = day(_moment(begun))
    if passed:
        told = f"It was known since {known}, and held at the instant, {minute(instant)}."
    elif begun > at:
        told = f"It was learned {known}, after the instant, {minute(instant)}."
    elif ended <= at:
        told = f"It was put aside or replaced {day(_moment(ended))}, before the instant, {minute(instant)}."
    else:
        told = f"It held until {day(_moment(valid))}, before the instant, {minute(instant)}."
    return Step("as_of", passed, told, {"instant": instant.isoformat(), "known": _moment(begun).isoformat()})


def _kinds(run: Run, known: Memory, slot: int) -> Step:
    plan = run.question.strategy if run.question.strategy.kinds else run.plan
    searched = plan.kinds or SEARCHED
    detail = {"kind": known.kind.value}
    if known.kind not in searched:
        return Step("kinds", False, kinds_told(run, known), detail)
    if unwritten(run.question, slot):
        return Step("kinds", False, UNWRITTEN, detail)
    return Step("kinds", True, f"It is {a(known.kind)}, which {run.plan.name} looks for.", detail)


def kinds_told(run: Run, known: Memory) -> str:
    """Why the strategy, and no filter of the caller's, leaves it out."""
    if run.plan.kinds:
        wanted = " or ".join(run.plan.kinds)
        return f"It is no {wanted}, and {run.plan.name} looks for nothing else unless kinds are named."
    return f"It is {a(known.kind)}, which is found only where that kind is asked for."


def _moment(stamp: float) -> datetime:
    return datetime.fromtimestamp(stamp, tz=UTC)
