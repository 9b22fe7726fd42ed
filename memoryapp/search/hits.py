"""The best slots become hits, each with its shares, factors and evidence.

One result is one piece of evidence: a fact and the turn it was learned from are never two of them.

Whichever of the two stands higher is the hit, with its own shares; the other stands with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import ArmScore, Hit
from memoryapp.domain.strength import strength
from memoryapp.domain.trust import trust
from memoryapp.domain.turn import is_question, same_speaker
from memoryapp.index.roster import KINDS, STATES, Roster
from memoryapp.search.arms.recall import Steps
from memoryapp.search.evidence import evidence, path_of
from memoryapp.search.rank import best_slots, ranks_of
from memoryapp.search.relevance import rarity, relevance, signals
from memoryapp.search.rows import Row, held
from memoryapp.search.state import Arms, FusionResult, Question
from memoryapp.spaces import Space

_TURN, _SUPERSEDED = KINDS.index(Kind.TURN), STATES.index(State.SUPERSEDED)
_LITTLE = 3  # terms of a turn that says little by itself: “yes, Tuesday”, “the second one”
_REACH = 2  # turns behind a question among which its reply is looked for: whoever asks may add a sentence


@dataclass(frozen=True, slots=True)
class FoldedHits:
    """`slots`: of the hits, the best first, (m,); `beside`: by slot of a hit, the slots that stand with it."""

    slots: NDArray[np.intp]
    beside: dict[int, tuple[int, ...]] = field(default_factory=dict)


def fold_hits(roster: Roster, ranked: NDArray[np.intp], *, count: int) -> FoldedHits:
    """The first `count` pieces of evidence of a ranking of slots. What was learned from one turn stands with it, where
    the turn was found as well: whatever is above is the hit. So does what has been replaced since: what the turn says
    is no longer so."""
    leaders: list[int] = []
    beside: dict[int, list[int]] = {}
    shown_by: dict[int, int] = {}  # code of a turn → the hit that shows it
    codes, found = roster.names["turn"], set(ranked.tolist())
    turns = {slot: code for slot in found if roster.kind[slot] == _TURN and (code := codes.find(roster.ids[slot])) >= 0}
    said = {code: slot for slot, code in turns.items()}
    for slot in ranked.tolist():
        code = turns.get(slot, int(roster.turn[slot]))
        if code in said and code in shown_by:
            beside.setdefault(shown_by[code], []).append(slot)
        elif len(leaders) < count:  # what stands with a hit above is still looked for
            leaders.append(slot)
            shown_by.setdefault(code, slot)
    for code, slot in shown_by.items():
        if code in said:
            replaced = np.flatnonzero((roster.turn == code) & (roster.state == _SUPERSEDED) & roster.alive)
            known = {slot, *beside.get(slot, ())}
            beside.setdefault(slot, []).extend(one for one in replaced.tolist() if one not in known)
    return FoldedHits(np.array(leaders, dtype=np.intp), {slot: tuple(those) for slot, those in beside.items()})


def learned_from(roster: Roster, slot: int) -> NDArray[np.intp]:
    """The slots of the facts that were learned from a turn; of anything else none."""
    code = roster.names["turn"].find(roster.ids[slot]) if roster.kind[slot] == _TURN else -1
    return np.flatnonzero((roster.turn == code) & roster.alive) if code >= 0 else np.empty(0, dtype=np.intp)


def before(roster: Roster, slot: int, *, now: datetime) -> int | None:
    """Of a turn that says little by itself, the one that it answers: the slot of the turn before it."""
    if roster.kind[slot] != _TURN or roster.length[slot] > _LITTLE:
        return None
    near = roster.neighbours(slot, reach=1)
    found = next((one for one in near if roster.position[one] < roster.position[slot]), None)
    return None if found is None or roster.expires[found] <= now.timestamp() else found


def after(roster: Roster, slot: int, *, now: datetime) -> tuple[int, ...]:
    """The slots of the turns said directly after one in its session, two at most, in order. Where one of them is gone
    (deleted, expired, kept private), those behind it do not follow any more: they reply to what nobody sees."""
    if roster.kind[slot] != _TURN or roster.group[slot] < 0:
        return ()
    first = int(roster.position[slot]) + 1
    near = np.flatnonzero(roster.group == roster.group[slot])
    near = near[(roster.position[near] >= first) & (roster.position[near] < first + _REACH)]
    there = roster.held[near] & (roster.kind[near] == _TURN) & ~(roster.expires[near] <= now.timestamp())
    at = {int(roster.position[one]): int(one) for one in near[there]}
    following: list[int] = []
    for position in range(first, first + _REACH):
        if position not in at:
            break
        following.append(at[position])
    return tuple(following)


def reply_among(asked: Memory, following: Sequence[Memory]) -> Memory | None:
    """The first of the turns after a question that somebody else said; None where the same speaker just goes on."""
    return next((turn for turn in following if not same_speaker(asked, turn)), None)


_DECIMALS = 12  # of a share: beyond them arithmetic only leaves dust
_SPARE = 2  # slots beyond top_k, for memories that were purged since
_FOLDED = 3  # times as many slots are looked at, for facts and turns that are one piece of evidence
_STEP_CHARS = 100  # of a memory on a path


def collect(space: Space, question: Question, arms: Arms, fused: FusionResult) -> tuple[Hit, ...]:
    """The first `top_k` hits. score == Σ shares × Π factors, in the order in which they stand; ties go by id."""
    roster, wanted = question.view.roster, question.query.top_k + _SPARE
    ranked = best_slots(fused.total, _FOLDED * wanted, order=roster.order)
    return tuple(hits_of(space, question, arms, fused, fold_hits(roster, ranked, count=wanted)))


def hits_of(space: Space, question: Question, arms: Arms, fused: FusionResult, found: FoldedHits) -> list[Hit]:
    """Hits of some slots, best first. Memories that are gone from the store, or whose score is 0, are left out."""
    roster, slots = question.view.roster, found.slots
    ids = [roster.ids[slot] for slot in slots.tolist()]
    beside = {slot: [roster.ids[one] for one in those] for slot, those in found.beside.items()}
    paths = {slot: path_of(question, arms, slot) for slot in slots.tolist()}
    passed = {step["memory"] for path in paths.values() for step in path if "memory" in step}
    asked = {
        slot: roster.ids[one] for slot in slots.tolist() if (one := before(roster, slot, now=question.now)) is not None
    }
    learned = {slot: [roster.ids[one] for one in learned_from(roster, slot).tolist()] for slot in slots.tolist()}
    others = passed.union(asked.values(), *beside.values(), *learned.values()) - set(ids)
    rows = held.read(space, [*ids, *others], content=question.view.content)
    ranks = {name: ranks_of(scores, slots, order=roster.order) for name, scores in fused.raw.items()}
    placed: list[tuple[float, str, int, dict[str, ArmScore], dict[str, float]]] = []
    for row, (slot, key) in enumerate(zip(slots.tolist(), ids, strict=True)):
        if key in rows:
            shares = {name: _arm(name, fused, slot, ranks[name][row]) for name in fused.shares}
            factors = {name: round(float(values[slot]), _DECIMALS) for name, values in fused.factors.items()}
            score = sum(arm.share for arm in shares.values()) * math.prod(factors.values())
            placed.append((-score, key, slot, shares, factors))
    placed.sort(key=lambda one: one[:2])
    wanted = placed[: max(question.query.top_k, 1)]
    replies = _replies(space, question, {slot: rows[key][0] for _, key, slot, _, _ in wanted})
    ceilings = roster.ceilings(question.now, half_life=question.tuning.trust_half_life_days)
    rare = rarity(arms.words.df, held=int(np.count_nonzero(roster.held)))
    fields = arms.words.fields_in(np.array([slot for _, _, slot, _, _ in wanted], dtype=np.intp))
    return [
        _hit(
            question,
            arms,
            _row_with_conflicts(rows[key], [rows[one] for one in learned[slot] if one in rows]),
            slot,
            -negative,
            shares,
            factors,
            ceilings,
            held_by,
            _with_texts(paths[slot], rows),
            tuple(rows[one][0] for one in beside.get(slot, ()) if one in rows),
            rare,
            rows[asked[slot]][0] if asked.get(slot) in rows else None,
            replies.get(slot),
        )
        for (negative, key, slot, shares, factors), held_by in zip(wanted, fields, strict=True)
    ]


def _row_with_conflicts(row: Row, learned: Sequence[Row]) -> Row:
    """With the conflicts that wait about what was learned from it: the turn says what may be no longer so."""
    memory, own = row
    return memory, tuple(dict.fromkeys([*own, *(key for _, theirs in learned for key in theirs)]))


def _replies(space: Space, question: Question, hits: Mapping[int, Memory]) -> dict[int, Memory]:
    """By slot of a hit that is a turn and asks: the turn that replies to it. The roster knows no words, so that what
    follows is only looked up, and read, once the hits' own rows are there."""
    roster = question.view.roster
    asking = [slot for slot, memory in hits.items() if is_question(memory.text)]
    behind = {slot: [roster.ids[one] for one in after(roster, slot, now=question.now)] for slot in asking}
    wanted = list(dict.fromkeys(key for keys in behind.values() for key in keys))
    rows = held.read(space, wanted, content=question.view.content) if wanted else {}
    found = {}
    for slot, keys in behind.items():
        there = all(key in rows for key in keys)  # else one was purged a moment ago, and the other replies to it
        if there and (reply := reply_among(hits[slot], [rows[key][0] for key in keys])) is not None:
            found[slot] = reply
    return found


def _arm(name: str, fused: FusionResult, slot: int, rank: int | None) -> ArmScore:
    share = round(float(fused.shares[name][slot]), _DECIMALS)
    return ArmScore(rank, round(float(fused.raw[name][slot]), _DECIMALS), share)


def _hit(
    question: Question,
    arms: Arms,
    row: Row,
    slot: int,
    score: float,
    shares: dict[str, ArmScore],
    factors: dict[str, float],
    ceilings: NDArray[np.float64],
    fields: dict[str, tuple[str, ...]],
    path: Steps,
    beside: tuple[Memory, ...],
    rare: Mapping[str, float],
    answers: Memory | None,
    reply: Memory | None,
) -> Hit:
    roster = question.view.roster
    memory, conflicts = row
    own = [term for term, where in fields.items() if "own" in where]
    signs = signals(rare, own, cosine=float(arms.cosines[slot]), words=len(memory.text.split()))
    return Hit(
        memory=memory,
        score=score,
        trust=min(trust_of(memory, question.tuning, now=question.now), float(ceilings[slot])),
        strength=_strength(memory, int(roster.accesses[slot]), float(roster.accessed_at[slot]), now=question.now),
        arms=shares,
        factors=factors,
        evidence=evidence(question, arms, memory, slot, fields, path),
        conflicts=conflicts,
        relevance=relevance(signs),
        signals=signs,
        beside=beside,
        answers=answers,
        reply=reply,
    )


def _with_texts(path: Steps, rows: dict[str, Row]) -> Steps:
    """The beginning of each memory on the way; nothing of one that is gone from the store."""
    return tuple(
        step | {"text": _opening_text(rows[step["memory"]][0].text if step["memory"] in rows else "")}
        if "memory" in step
        else step
        for step in path
    )


def _opening_text(text: str) -> str:
    line = " ".join(text[: 4 * _STEP_CHARS].split())
    return line if len(line) <= _STEP_CHARS else f"{line[: _STEP_CHARS - 1].rstrip()}…"


def trust_of(memory: Memory, tuning: Tuning, *, now: datetime) -> float:
    """How far it may be relied on now, 0 to 1."""
    return trust(
        memory.confidence,
        confirmed_at=memory.last_confirmed,
        reinforcements=memory.reinforcements,
        now=now,
        half_life=tuning.trust_half_life_days,
    ).value


def _strength(memory: Memory, accesses: int, accessed_at: float, *, now: datetime) -> float:
    since = memory.last_confirmed
    if accessed_at > since.timestamp():  # False for NaN: never accessed
        since = datetime.fromtimestamp(accessed_at, tz=since.tzinfo)
    return strength(
        memory_type=memory.memory_type,
        since=since,
        accesses=accesses,
        salience=memory.salience,
        confidence=memory.confidence,
        now=now,
    ).value
