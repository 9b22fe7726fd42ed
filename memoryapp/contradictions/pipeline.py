"""The judgement of two statements: exact rules first, then the learned judge, then a model where there is one."""

from __future__ import annotations

import logging
from collections.abc import Callable

from memoryapp.contradictions import pair_judge
from memoryapp.contradictions.pair_judge import Reads
from memoryapp.contradictions.remainder import standing
from memoryapp.contradictions.rules import findings, has_change, other_thing
from memoryapp.contradictions.same import same_words, says_same
from memoryapp.contradictions.slot_clashes import agrees
from memoryapp.contradictions.slots import slots
from memoryapp.contradictions.verdicts import is_disjoint_in_time, propose_merge, verdict
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.inference.embedding.zones import Zones

log = logging.getLogger(__name__)

Judge = Callable[[Statement, Statement], Verdict | None]
FAR = 0.25  # cosine from which on two are read together: a change told in own words shares little with what it changes
_LEFT_OPEN = frozenset({Relation.COMPATIBLE, Relation.UNRELATED})  # by the rules, which found nothing
_OPEN = frozenset({Relation.POSSIBLE, Relation.COMPATIBLE, Relation.UNRELATED})  # what a model may still decide

_OF_TWO = Verdict(Relation.COMPATIBLE, "subject", "They speak of different things of one kind.", 0.9)


def judge(
    existing: Statement,
    incoming: Statement,
    *,
    cosine: float | None,
    zones: Zones,
    reads: Reads | None = None,
    nli: Judge | None = None,
    model: Judge | None = None,
) -> Verdict:
    """How `incoming` stands to `existing`.

    Rules first; what they leave open and what they found is read together where `reads` is given. A model (`nli`, then
    `model`) is asked where no sure rule spoke and the two are near each other; its None leaves the verdict, and so does
    its failing, which is logged. Never raises, whatever the texts.
    """
    ruled = by_rules(existing, incoming, cosine, zones)
    near = cosine is not None and cosine >= min(zones.near, FAR)
    if reads is not None and (near or sure_by_wording(ruled)) and may_be_read(existing, incoming, ruled):
        ruled = _read(reads, existing, incoming, ruled)
    if cosine is not None and cosine < zones.near:
        return ruled
    for further in (nli, model):
        if further is not None and ruled.relation in _OPEN:
            ruled = _ask_judge(further, existing, incoming) or ruled
    return ruled


def by_rules(existing: Statement, incoming: Statement, cosine: float | None, zones: Zones) -> Verdict:
    """The verdict of the rules alone, which need neither encoder nor weights."""
    if other_thing(existing.text, incoming.text):
        return _OF_TWO
    repeated = same_words(existing.text, incoming.text)  # what contradicts itself does not contradict its repetition
    found = [] if repeated else list(findings(existing, incoming, cosine))
    finding = next((one for one in found if one.sure), found[0] if found else None)
    if finding:
        judged = verdict(existing, incoming, finding, turned=has_change(incoming))
        return propose_merge(judged, standing(existing, incoming)) if finding.sure else judged
    if is_disjoint_in_time(existing, incoming):
        return Verdict(Relation.COMPATIBLE, "validity")
    if says_same(existing.text, incoming.text, cosine, zones):
        return Verdict(Relation.SAME, "wording", "Both say the same.", 1.0 if cosine is None else min(cosine, 1.0))
    return Verdict(Relation.UNRELATED if cosine is not None and cosine < zones.near else Relation.COMPATIBLE)


def may_be_read(existing: Statement, incoming: Statement, ruled: Verdict) -> bool:
    """What the rules found nothing in, and what they found by the wording."""
    if ruled.relation in _LEFT_OPEN and not ruled.detector:
        return not agrees(*(slots(one.text, speaker=one.speaker) for one in (existing, incoming)))
    return ruled.relation is Relation.POSSIBLE or sure_by_wording(ruled)


def sure_by_wording(ruled: Verdict) -> bool:
    """Whether a rule is sure by what the two say, and not by the times of validity that somebody stated."""
    return ruled.certain and ruled.detector != "validity"


def _read(reads: Reads, existing: Statement, incoming: Statement, ruled: Verdict) -> Verdict:
    try:
        return pair_judge.compare(existing, incoming, ruled, reads)
    except Exception as error:  # noqa: BLE001 - of any model: whatever it raises, what the rules say stands
        _log_failure("The network that reads both statements", error)
        return ruled


def _ask_judge(further: Judge, existing: Statement, incoming: Statement) -> Verdict | None:
    try:
        return further(existing, incoming)
    except Exception as error:  # noqa: BLE001 - likewise
        _log_failure("A model that was asked about two statements", error)
        return None


def _log_failure(model: str, error: Exception) -> None:
    """By the kind of the error alone: its message may hold a person's words, and the log holds none of these."""
    log.warning("%s failed with %s; the verdict of the rules stands.", model, type(error).__name__)
    log.debug("How it failed:", exc_info=error)
