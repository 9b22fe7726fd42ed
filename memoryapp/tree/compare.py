"""An incoming line compared with the lines of a node: the same again, against one of them, or new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.contradictions import judge, slots
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import line_key
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.extraction.facts.sentences import cut
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.inference.embedding.zones import Zones
from memoryapp.spaces import Space, trust_of, zones_in
from memoryapp.tree.lines import LINE_CHARS, Standing

NEAREST = 8  # lines that a new one is judged beside, and whatever fills the same slot
PATIENCE = 90.0  # seconds a write waits for a model that is still loading
_TAKES_AWAY = frozenset({Outcome.REPLACE, Outcome.MERGE, Outcome.NEITHER})
_OFFERED = frozenset({Outcome.KEEP, Outcome.REPLACE})  # what can be proposed of a page: a merge needs somebody's words

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LineNeighbour:
    """A line of the node, the held memory that last said so, where there is one, and when the line was taken in."""

    standing: Standing
    memory: Memory | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Against:
    beside: LineNeighbour
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class LineComparison:
    """`same`: the line that says it already. `against`: those it cannot hold together with, the surest first."""

    same: Standing | None = None
    against: tuple[Against, ...] = ()


class Vectors:
    """Vectors of words, each made once an act. {} for all of them where the model is not usable."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._known: dict[str, Vector] = {}
        self._tried: set[str] = set()

    def know(self, words: str, vector: Vector) -> None:
        self._known.setdefault(words, vector)

    def of(self, words: Sequence[str]) -> Mapping[str, Vector]:
        wanted = [one for one in dict.fromkeys(words) if one not in self._known and one not in self._tried]
        self._tried.update(wanted)
        try:
            encoded = encode_in_batches(self._space.encoder.get(PATIENCE), wanted) if wanted else None
        except EncoderError:
            encoded = None
        if encoded is not None:
            failed = {row for row, _ in encoded.failed}
            self._known |= {one: encoded.vectors[row] for row, one in enumerate(wanted) if row not in failed}
        return self._known

    def cosine(self, one: str, other: str) -> float | None:
        a, b = self._known.get(one), self._known.get(other)
        return None if a is None or b is None or a.shape != b.shape else float(np.dot(a, b))


def compare(
    space: Space, memory: Memory, said: str, lines: Sequence[LineNeighbour], vectors: Vectors
) -> LineComparison:
    """`said`: the line as it would stand, of what `memory` says. Only exact repeats and what the detectors call the
    same are the same; two lines that differ in a number never are. A digest tells of days gone by: what it says is the
    same as a line or not, and contradicts none."""
    keys = {line_key(said), _sentence_key(said)}
    exact = next((one.standing for one in lines if keys & _keys(one.standing)), None)
    if exact is not None:
        return LineComparison(same=exact)
    if memory.kind is Kind.DIGEST:
        return LineComparison()
    zones = zones_in(space)
    incoming = Statement(said, memory.last_confirmed, memory.valid_from, memory.valid_to, memory.speaker)
    found: list[Against] = []
    for beside, cosine in _near_lines(said, memory, lines, vectors, zones):
        existing = _statement(beside)
        if _is_disjoint_in_time(existing, incoming):
            continue
        verdict = judge(existing, incoming, cosine=cosine, zones=zones)
        if verdict.relation is Relation.SAME:
            if _of_one(existing, incoming):
                return LineComparison(same=beside.standing)
        elif verdict.clashes or verdict.relation is Relation.SUCCESSION:
            found.append(Against(beside, verdict))
    return LineComparison(against=tuple(sorted(found, key=lambda one: -one.verdict.confidence)))


def _keys(standing: Standing) -> set[str]:
    """By what a line is known: as it stands, by all its words, and by each sentence in it."""
    return {standing.key, line_key(standing.said), *(_sentence_key(piece.text) for piece in cut(standing.said))}


def _sentence_key(text: str) -> str:
    """A sentence is the same with and without its closing mark."""
    return line_key(text.strip().rstrip(".!?。"))


def apply_trust_gate(space: Space, against: Against, memory: Memory) -> Verdict:
    """What is proposed of a page: the trust gate holds for a line as for the memory behind it, and a page that is
    neither kept nor replaced as it stands is left to whoever decides."""
    verdict, held = against.verdict, against.beside.memory
    if held is not None and verdict.outcome in _TAKES_AWAY:
        trust = trust_of(space, [held, memory])
        if trust[held.id].value > space.tuning.trust_gate * trust[memory.id].value:
            why = f"The line has a trust of {trust[held.id].value:.2f}, what came in {trust[memory.id].value:.2f}."
            return replace(verdict, outcome=Outcome.KEEP, reason=f"{verdict.reason} {why}".strip())
    return verdict if verdict.outcome in _OFFERED else replace(verdict, outcome=Outcome.KEEP)


def _near_lines(
    said: str, memory: Memory, lines: Sequence[LineNeighbour], vectors: Vectors, zones: Zones
) -> list[tuple[LineNeighbour, float | None]]:
    """The nearest first; those that only fill the same slot, of which there can be but one value, last."""
    short = [one for one in lines if len(one.standing.said) <= LINE_CHARS]
    vectors.of([said, *(one.standing.said for one in short)])
    cosines = [(one, vectors.cosine(one.standing.said, said)) for one in short]
    near = sorted(
        ((one, cosine) for one, cosine in cosines if cosine is not None and cosine >= zones.near),
        key=lambda pair: -pair[1],
    )[:NEAREST]
    chosen = {id(one) for one, _ in near}
    filled = _filled_slots(said, memory.speaker)
    mates = [
        (one, cosine)
        for one, cosine in cosines
        if id(one) not in chosen
        and filled & _filled_slots(one.standing.said, one.memory.speaker if one.memory else None)
    ]
    return [*near, *mates[:NEAREST]]


def _filled_slots(said: str, speaker: str | None) -> set[str]:
    return {slot.key for slot in slots(said, speaker=speaker) if slot.functional}


def _statement(beside: LineNeighbour) -> Statement:
    held = beside.memory
    if held is None:
        return Statement(beside.standing.said, beside.at)
    return Statement(beside.standing.said, held.last_confirmed, held.valid_from, held.valid_to, held.speaker)


def _is_disjoint_in_time(one: Statement, other: Statement) -> bool:
    """Whether one had ended when the other began: both are true, in turn."""
    pairs = ((one.valid_to, other.valid_from), (other.valid_to, one.valid_from))
    return any(ended is not None and begun is not None and ended <= begun for ended, begun in pairs)


def _of_one(existing: Statement, incoming: Statement) -> bool:
    """Whether both speak of one subject, as far as that is told: Maria's dog is not Jon's."""
    first, second = ({slot.subject for slot in slots(one.text, speaker=one.speaker)} for one in (existing, incoming))
    return not first or not second or not first.isdisjoint(second)
