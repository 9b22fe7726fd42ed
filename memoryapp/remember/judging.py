"""Fourth step, for facts: what a new fact is beside those around it: the same again, in conflict, or simply new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.contradictions import FAR, Judge, Reads, as_read, can_be_read, judge
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.fact import Cost
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import BELIEFS, Memory
from memoryapp.domain.remembering import Became
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.domain.trust import Trust, trust
from memoryapp.inference.embedding.zones import Zones
from memoryapp.remember.candidates import (
    Around,
    Neighbour,
    Vector,
    another_occasion,
    is_comparable,
    of_others,
    statement_of,
    successive,
)
from memoryapp.remember.match import MatchResult, confirmed_match
from memoryapp.spaces import Space, zones_in

MOST_CLASHES = 3  # of one new fact: a person decides those first, and what they leave is found again
_TAKES_AWAY = frozenset({Outcome.REPLACE, Outcome.MERGE, Outcome.NEITHER})


@dataclass(frozen=True, slots=True)
class Judges:
    """Who is asked after the rules: the network that comes with the app (`reads`), another cross-encoder, and a chat
    model, where they are set up. Whoever sets up the chat model lets it add to `spent` what each question cost."""

    reads: Reads | None = None
    nli: Judge | None = None
    model: Judge | None = None
    spent: list[Cost] = field(default_factory=list)


RULES = Judges()


class AskedOnce:
    """A judge that is asked about each pair once: what it said is remembered for as long as this is kept. When the
    pair was said makes no difference."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._said: dict[tuple[Statement, Statement], Verdict | None] = {}

    def __call__(self, existing: Statement, incoming: Statement) -> Verdict | None:
        pair = (replace(existing, at=None), replace(incoming, at=None))
        if pair not in self._said:
            self._said[pair] = self._judge(existing, incoming)
        return self._said[pair]


class ReadAtOnce:
    """A reader of pairs that reads all that it may be asked about with the first question: together they take half as
    long as one by one."""

    def __init__(self, reads: Reads, pairs: Sequence[tuple[str, str]]) -> None:
        self._reads = reads
        self._ahead = pairs
        self._known: dict[tuple[str, str], list[float]] = {}

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        missing = list(dict.fromkeys(pair for pair in (*self._ahead, *pairs) if pair not in self._known))
        self._ahead = ()
        if missing:
            self._known.update(zip(missing, self._reads(missing).tolist(), strict=True))
        return np.array([self._known[pair] for pair in pairs])


_OF_OTHERS = Verdict(Relation.UNRELATED, "subject", "They speak of different subjects.", 0.9)
_OTHER_DAY = Verdict(Relation.COMPATIBLE, "date", "They tell of different days.", 0.9)
_APART = Verdict(Relation.COMPATIBLE, "validity", "One had ended when the other began.", 0.9)


@dataclass(frozen=True, slots=True)
class JudgedNeighbour:
    """A fact that stands beside a new one, and how the new one stands to it."""

    beside: Neighbour
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """`same`: the fact that is said again. `clashes`: those it cannot hold together with, the surest first.
    `nearest`: what it was compared with first, for whoever looks on."""

    same: JudgedNeighbour | None = None
    clashes: tuple[JudgedNeighbour, ...] = ()
    nearest: JudgedNeighbour | None = None


def find(fact: Memory, around: Sequence[Neighbour], *, zones: Zones, judges: Judges = RULES) -> Finding:
    """Compares a new fact with those around it, the nearest first, until one says the same."""
    incoming = statement_of(fact)
    judged: list[JudgedNeighbour] = []
    reads = judges.reads and ReadAtOnce(judges.reads, _to_be_read(incoming, around, zones))
    asked = judges.model  # it takes a second or more, and money: one pair of a fact is worth it
    for beside in around:
        if successive(beside.memory, fact):
            judged.append(JudgedNeighbour(beside, _APART))
            continue
        existing = statement_of(beside.memory)
        verdict = judge(existing, incoming, cosine=beside.cosine, zones=zones, reads=reads, nli=judges.nli, model=asked)
        asked = None
        if verdict.relation is Relation.SAME and (parted := _difference_verdict(beside.memory, fact)) is not None:
            verdict = parted
        if verdict.relation is Relation.SAME:
            return Finding(same=JudgedNeighbour(beside, verdict))
        judged.append(JudgedNeighbour(beside, verdict))
    clashes = sorted((one for one in judged if _cannot_both_hold(one.verdict)), key=lambda one: -one.verdict.confidence)
    return Finding(clashes=tuple(clashes[:MOST_CLASHES]), nearest=judged[0] if judged else None)


def _to_be_read(incoming: Statement, around: Sequence[Neighbour], zones: Zones) -> list[tuple[str, str]]:
    least = min(zones.near, FAR)
    near = (statement_of(one.memory) for one in around if one.cosine is not None and one.cosine >= least)
    return [as_read(existing, incoming) for existing in near if can_be_read(existing, incoming)]


def _difference_verdict(held: Memory, fact: Memory) -> Verdict | None:
    """Why two that say the same are not one after all; None where they are."""
    if of_others(held, fact):
        return _OF_OTHERS
    return _OTHER_DAY if another_occasion(held, fact) else None


def _cannot_both_hold(verdict: Verdict) -> bool:
    return verdict.clashes or verdict.relation is Relation.SUCCESSION


def apply_trust_gate(verdict: Verdict, existing: Memory, incoming: Memory, *, tuning: Tuning, now: datetime) -> Verdict:
    """The trust gate: an existing fact with more than `trust_gate` times the incoming trust survives, whatever the
    detector proposes."""
    held, new = (_trust(memory, tuning, now).value for memory in (existing, incoming))
    if verdict.outcome not in _TAKES_AWAY or held <= tuning.trust_gate * new:
        return verdict
    why = (
        f"What is held has a trust of {held:.2f}, what came in {new:.2f}: "
        f"less than 1/{tuning.trust_gate:g} of it cannot replace a well-trusted belief."
    )
    return replace(verdict, outcome=Outcome.KEEP, reason=f"{verdict.reason} {why}".strip())


def _trust(memory: Memory, tuning: Tuning, now: datetime) -> Trust:
    return trust(
        memory.confidence,
        confirmed_at=memory.last_confirmed,
        reinforcements=memory.reinforcements,
        now=now,
        half_life=tuning.trust_half_life_days,
    )


# What becomes of each new fact: it confirms one that is held, or it is written, with the conflicts it raises.


@dataclass(slots=True)
class _Table:
    """One batch of facts on its way: whom each is compared with, and which of the batch turned out to be another."""

    space: Space
    around: Around
    zones: Zones
    judges: Judges
    now: datetime
    run: str | None
    given: Mapping[str, frozenset[str]]
    turned_out: dict[str, Memory] = field(default_factory=dict)  # by id of a fact that is not written after all


def settle(
    space: Space,
    matched: Sequence[MatchResult],
    *,
    vectors: dict[str, Vector],
    now: datetime,
    judges: Judges = RULES,
    run: str | None = None,
    given: Mapping[str, frozenset[str]] | None = None,
) -> list[MatchResult]:
    """Sends the new facts among `matched` through zones and detectors; everything else stays as it is.

    `vectors`: the embeddings there are, by memory. `run` is named as the one that raised the conflicts.
    """
    facts = [one.after for one in matched if _is_new_fact(one)]
    if not facts:
        return list(matched)
    zones = zones_in(space)
    least = zones.near if judges.reads is None else min(zones.near, FAR)
    around = Around(space, facts, {f.id: vectors[f.id] for f in facts if f.id in vectors}, least=least)
    table = _Table(space, around, zones, judges, now, run, given or {})
    return [_settle_match(one, table) for one in matched]


def _is_new_fact(one: MatchResult) -> bool:
    """A fact, or an atom that states something."""
    return is_comparable(one.after) and one.item.kind in BELIEFS and one.outcome is Became.WRITTEN and one.rewritten


def _settle_match(one: MatchResult, table: _Table) -> MatchResult:
    if one.before is not None and (other := table.turned_out.get(one.before.id)) is not None:
        # It repeats words of this batch that in turn repeated others.
        return confirmed_match(one.item, other, now=one.after.last_confirmed, given=table.given)
    if not _is_new_fact(one):
        return one
    finding = find(one.after, table.around.of(one.after), zones=table.zones, judges=table.judges)
    if finding.same is not None and one.before is None and one.item.ref is None:
        return _confirm_neighbour(one, finding.same, table)
    table.around.add(one.after)
    return _match_with_clashes(one, finding, table)


def _confirm_neighbour(one: MatchResult, judged: JudgedNeighbour, table: _Table) -> MatchResult:
    held = judged.beside.memory
    table.turned_out[one.after.id] = held
    return _with_verdict(
        confirmed_match(one.item, held, now=one.after.created_at, given=table.given), judged.beside, judged.verdict
    )


def _match_with_clashes(one: MatchResult, finding: Finding, table: _Table) -> MatchResult:
    """A fact with its caller's own ref is written even where it says the same as another: the ref must find it."""
    if not finding.clashes:
        nearest = finding.same or finding.nearest
        return one if nearest is None else _with_verdict(one, nearest.beside, nearest.verdict)
    clashes = [
        (
            clash.beside,
            apply_trust_gate(clash.verdict, clash.beside.memory, one.after, tuning=table.space.tuning, now=table.now),
        )
        for clash in finding.clashes
    ]
    raised = tuple(
        conflict_between(beside.memory, one.after, verdict, now=table.now, run=table.run) for beside, verdict in clashes
    )
    return _with_verdict(replace(one, outcome=Became.CONFLICT, conflicts=raised), *clashes[0])


def _with_verdict(one: MatchResult, beside: Neighbour, verdict: Verdict) -> MatchResult:
    return replace(one, near=beside.memory, cosine=beside.cosine, verdict=verdict)


def conflict_between(
    existing: Memory, incoming: Memory, verdict: Verdict, *, now: datetime, run: str | None
) -> Conflict:
    """Waiting to be decided. Its id follows from the two and from what the incoming one says: once decided it is not
    raised again, while new words are a new question."""
    return Conflict(
        id=derived_id("conflict", "pair", *sorted((existing.id, incoming.id)), incoming.content_hash),
        existing=existing.id,
        incoming=incoming.id,
        detector=verdict.detector,
        reason=verdict.reason,
        created_at=now,
        outcome=verdict.outcome,
        confidence=verdict.confidence,
        attribute=verdict.attribute,
        certain=verdict.certain,
        run=run,
    )
