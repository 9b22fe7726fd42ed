"""A turn's weighed sentences in, the facts they make out: one sentence, or several that hang together. For `judge`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.fact import PassedOver
from memoryapp.extract.facts.follow import SENTENCES, follows, hangs
from memoryapp.extract.facts.rewrite import attributed
from memoryapp.extract.facts.weigh import Weighed

LEAST_ADDED = -2.0  # points of a sentence that is joined to another


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences in a row that make one fact, and its text. `points`: of the sentence that earned it its place."""

    sentences: tuple[Weighed, ...]
    text: str
    points: float

    @property
    def start(self) -> int:
        return self.sentences[0].heard.piece.start

    @property
    def end(self) -> int:
        return self.sentences[-1].heard.piece.end


def units(sentences: Sequence[Weighed], *, speaker: str, worth: float) -> tuple[list[Unit], list[PassedOver]]:
    """The facts of one turn in order, and what was passed over."""
    made: list[Unit] = []
    weak: list[Weighed] = []
    dropped = [PassedOver(one.heard.piece.text, one.reason) for one in sentences if one.reason]
    for one in sentences:
        if one.reason:
            continue
        if made and _joins(made[-1], one):
            made[-1] = Unit((*made[-1].sentences, one), f"{made[-1].text} {one.told.text}", made[-1].points)
        elif one.points < worth:
            weak.append(one)
        elif weak and _needs(one, weak[-1]):
            made.append(_pair(weak.pop(), one, speaker=speaker))
        else:
            made.append(Unit((one,), attributed(one.told, one.parsed, speaker=speaker), one.points))
    return list(_once(made)), dropped + [_passed(one, worth) for one in weak]


def _joins(unit: Unit, one: Weighed) -> bool:
    """Whether a sentence belongs to the fact before it."""
    last = unit.sentences[-1]
    if one.heard.number != last.heard.number + 1 or len(unit.sentences) == SENTENCES or one.points < LEAST_ADDED:
        return False
    if one.instructed or last.instructed or one.suggested or last.suggested:
        return False
    length = len(unit.text.split()) + len(one.told.text.split())
    return follows(one.parsed, names=one.told.names, length=length)


def _needs(one: Weighed, before: Weighed) -> bool:
    """A sentence that hangs on one that says too little by itself: “The event made me think. It …”."""
    if one.heard.number != before.heard.number + 1 or before.points < LEAST_ADDED:
        return False
    return hangs(one.parsed) and not hangs(before.parsed)


def _pair(before: Weighed, one: Weighed, *, speaker: str) -> Unit:
    text = f"{attributed(before.told, before.parsed, speaker=speaker)} {one.told.text}"
    return Unit((before, one), text, one.points)


def _passed(one: Weighed, worth: float) -> PassedOver:
    return PassedOver(one.heard.piece.text, f"says little by itself ({one.points:g} points of {worth:g})")


def _once(made: Sequence[Unit]) -> Iterator[Unit]:
    seen: set[str] = set()
    for unit in made:
        if unit.text not in seen:
            seen.add(unit.text)
            yield unit
