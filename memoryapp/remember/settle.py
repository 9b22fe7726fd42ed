"""What becomes of each new fact: it confirms one that is held, or it is written, with the conflicts it raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoryapp.detect import FAR
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import BELIEFS, Memory
from memoryapp.domain.remembering import Became
from memoryapp.domain.statement import Verdict
from memoryapp.encoders.zones import Zones
from memoryapp.remember.around import Around, Beside, Vector
from memoryapp.remember.judging import RULES, Finding, Judged, Judges, find, gated
from memoryapp.remember.match import Matched, confirmed
from memoryapp.remember.statements import is_comparable
from memoryapp.spaces import Space, zones_in


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
    matched: Sequence[Matched],
    *,
    vectors: dict[str, Vector],
    now: datetime,
    judges: Judges = RULES,
    run: str | None = None,
    given: Mapping[str, frozenset[str]] | None = None,
) -> list[Matched]:
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
    return [_settled(one, table) for one in matched]


def _is_new_fact(one: Matched) -> bool:
    """A fact, or an atom that states something."""
    return is_comparable(one.after) and one.item.kind in BELIEFS and one.outcome is Became.WRITTEN and one.rewritten


def _settled(one: Matched, table: _Table) -> Matched:
    if one.before is not None and (other := table.turned_out.get(one.before.id)) is not None:
        # It repeats words of this batch that in turn repeated others.
        return confirmed(one.item, other, now=one.after.last_confirmed, given=table.given)
    if not _is_new_fact(one):
        return one
    finding = find(one.after, table.around.of(one.after), zones=table.zones, judges=table.judges)
    if finding.same is not None and one.before is None and one.item.ref is None:
        return _same(one, finding.same, table)
    table.around.add(one.after)
    return _written(one, finding, table)


def _same(one: Matched, judged: Judged, table: _Table) -> Matched:
    held = judged.beside.memory
    table.turned_out[one.after.id] = held
    return _told(confirmed(one.item, held, now=one.after.created_at, given=table.given), judged.beside, judged.verdict)


def _written(one: Matched, finding: Finding, table: _Table) -> Matched:
    """A fact with its caller's own ref is written even where it says the same as another: the ref must find it."""
    if not finding.clashes:
        nearest = finding.same or finding.nearest
        return one if nearest is None else _told(one, nearest.beside, nearest.verdict)
    clashes = [
        (clash.beside, gated(clash.verdict, clash.beside.memory, one.after, tuning=table.space.tuning, now=table.now))
        for clash in finding.clashes
    ]
    raised = tuple(
        conflict_between(beside.memory, one.after, verdict, now=table.now, run=table.run) for beside, verdict in clashes
    )
    return _told(replace(one, outcome=Became.CONFLICT, conflicts=raised), *clashes[0])


def _told(one: Matched, beside: Beside, verdict: Verdict) -> Matched:
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
