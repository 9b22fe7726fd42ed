"""Two statements in, perhaps a finding out: many weak signs summed up, with weights learned from pairs of our own.

The last of the detectors, never sure. `manage.py`'s bench holds the pairs; `management/bench/fit_weights` learns.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memoryapp.detect import differ, korean
from memoryapp.detect.alike import FOUND, compared, excluding
from memoryapp.detect.amounts import differing
from memoryapp.detect.attitude import is_attitude
from memoryapp.detect.beside import side_by_side
from memoryapp.detect.ceased import ceased
from memoryapp.detect.clash import agrees
from memoryapp.detect.clause import LONGEST
from memoryapp.detect.denial import tells_of_experience
from memoryapp.detect.departed import called_off, departed
from memoryapp.detect.facing import told_apart
from memoryapp.detect.finding import Finding
from memoryapp.detect.naming import of_kind
from memoryapp.detect.only import only_and_more
from memoryapp.detect.parted import parted
from memoryapp.detect.reading import Reading, read
from memoryapp.detect.restated import restated
from memoryapp.detect.signs import signs
from memoryapp.detect.slots import slots
from memoryapp.detect.stances import FACETS
from memoryapp.detect.undoing import UNDONE, undoing
from memoryapp.detect.words import spoken_by
from memoryapp.domain.statement import Statement
from memoryapp.encoders.zones import DEFAULT, Zones

WEIGHTS = Path(__file__).parent / "weights.json"
_TANGIBLE = {  # sign → from where on there is something to point at
    "over": 0.0, "amounts differ": 0.0, "words exclude": 0.0, "turn and topic": 0.4, "exchanged": 0.0,
    "opening shared": 0.0,
    "role passed": 0.0, "told outright": 0.0, "undone": 0.0, "facets of one topic": 0.0, "gone": 0.0,
    "names alone": 0.8, "role and rest": 0.3, "brands and topic": 0.5, "role and brand": 0.0,
}  # fmt: skip
TOLD = 0.1  # what is told outright needs no more than this probability
_FURTHER = 0.08  # below the check zone: what fills one slot is compared however far apart its wordings lie
FURTHEST = DEFAULT.near - _FURTHER
_LONG = 16  # words: what is longer tells more than one thing
_LONGER = 20  # of what is told outright
_LEAST, _MOST = 0.5, 0.7  # confidence of a finding at the line, and of the surest one


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic regression over `signs`. `line`: from this probability on a person is shown the pair."""

    names: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    line: float

    def probability(self, found: dict[str, float]) -> float:
        """That both cannot hold, among pairs as they are learned from: half of them contradictions."""
        total = self.bias
        for name, mean, scale, weight in zip(self.names, self.means, self.scales, self.weights, strict=True):
            total += weight * (found[name] - mean) / scale
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def learned() -> Weights:
    held = json.loads(WEIGHTS.read_text("utf-8"))
    signs_ = held["signs"]
    return Weights(
        names=tuple(signs_),
        means=tuple(float(one["mean"]) for one in signs_.values()),
        scales=tuple(float(one["scale"]) for one in signs_.values()),
        weights=tuple(float(one["weight"]) for one in signs_.values()),
        bias=float(held["bias"]),
        line=float(held["line"]),
    )


def compare(
    existing: Statement, incoming: Statement, cosine: float, zones: Zones, *, told: bool = False
) -> Finding | None:
    """A finding where the signs speak for a contradiction. Nothing for scenes, for Korean, for what is asked,
    planned or
    over, where both fill one slot alike, and below the check zone but for what is told outright.

    `told`: only where the two are told to exclude each other, by facets or by a denial.
    """
    if cosine < zones.near - _FURTHER:
        return None
    one, other = read(existing.text), read(incoming.text)
    found = signs(one, other, as_default(cosine, zones))
    if not weighable(existing, incoming, told=outright(found)):
        return None
    chance = learned().probability(found)
    if told and not (outright(found) and (excludes(one, other) or only_and_more(one, other))):
        return None
    if not is_shown(chance, found, learned().line, cosine >= zones.near) or not tangible(one, other, found):
        return None
    return _finding(one, other, max(chance, learned().line))


def is_shown(chance: float, found: dict[str, float], line: float, near: bool) -> bool:
    """Whether a person is shown the pair, of what can be weighed. `near`: the cosine lies in the check zone."""
    return chance >= TOLD if outright(found) else near and chance >= line


def outright(found: dict[str, float]) -> bool:
    """Whether the two are told to exclude each other, of one subject at one time: then nothing is left to weigh."""
    return found["told outright"] > 0


def weighable(existing: Statement, incoming: Statement, *, told: bool = False) -> bool:
    """Whether both are English claims of the present about something in particular. In the talk of two friends nine of
    ten findings were between two attitudes."""
    texts = existing.text[:LONGEST], incoming.text[:LONGEST]
    if any(korean.is_korean(text) or is_attitude(text) for text in texts):
        return False
    one, other = (read(text) for text in sorted(texts))  # in one order, whichever was said first
    ever = (one.never or other.never) and told  # what is past undoes a “never”
    dropped = told and any(  # what is planned is no claim yet, and who died long ago did nothing since
        found(a, b) for a, b in ((one, other), (other, one)) for found in (called_off, departed)
    )
    if not (dropped or (_claims(one, ever=ever) and _claims(other, ever=ever))) or differ.in_scenes(
        one.clauses[0], other.clauses[0]
    ):
        return False
    if (
        parted(existing.text, incoming.text)
        or restated(one, other)
        or side_by_side(one, other, told=told)
        or (of_two(existing, incoming) and "I" in (one.first_person, other.first_person))
    ):
        return False
    return not agrees(slots(existing.text, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker))


def tangible(one: Reading, other: Reading, found: dict[str, float]) -> bool:
    """Whether there is something to point at: what is over, denied, exchanged or of another amount. Being of one topic
    is not enough: two long sentences about one thing mostly tell two things of it."""
    if max(len(reading.text.split()) for reading in (one, other)) > (_LONGER if outright(found) else _LONG):
        return False
    if one.denies and other.denies and not (found["amounts differ"] or found["told outright"] or found["exchanged"]):
        return False  # “was called off”, “there will not be one”
    return one.denies != other.denies or any(found[name] > least for name, least in _TANGIBLE.items())


def as_default(cosine: float, zones: Zones) -> float:
    """The cosine on the scale of the default model, whose zones the weights were learned with."""
    if zones.same <= zones.near:
        return cosine
    share = (DEFAULT.same - DEFAULT.near) / (zones.same - zones.near)
    return max(0.0, min(1.0, DEFAULT.near + (cosine - zones.near) * share))


def of_two(existing: Statement, incoming: Statement) -> bool:
    """Whether two people say them, so that “I” is not the same one in both."""
    said_by = [spoken_by(statement.text)[0] or statement.speaker for statement in (existing, incoming)]
    return None not in said_by and len({str(name).casefold() for name in said_by}) == 2


def _claims(reading: Reading, *, ever: bool) -> bool:
    told = ever or reading.ends  # who quit two years ago has quit
    claims = (clause.asserts or (told and tells_of_experience(clause)) for clause in reading.clauses)
    return bool(reading.words) and any(claims)


def _finding(one: Reading, other: Reading, chance: float) -> Finding:
    line = learned().line
    confidence = _LEAST + (_MOST - _LEAST) * (chance - line) / max(1e-6, 1 - line)
    for first, second, turned in ((one, other, False), (other, one, True)):
        if over := ceased(first, second):
            return Finding("over", "over", over, "new" if not turned else "held", sure=False, confidence=confidence)
    if excluded := excludes(one, other):
        return Finding("weighed", *excluded, sure=False, confidence=confidence)
    kind = next(iter(sorted(differing(one.amounts, other.amounts))), "")
    was, now = _apart(one, other)
    name = of_kind(kind.removeprefix("kind ")) if kind else "wording"
    return Finding("weighed", name, was, now, sure=False, confidence=confidence)


def excludes(one: Reading, other: Reading) -> tuple[str, str, str] | None:
    """(facet, words of the one, words of the other) where they stand on two sides of a facet, or the one
    denies what the
    other tells."""
    if facets := told_apart(one, other):
        one_said, other_said = (reading.stances[facets[0]].said for reading in (one, other))
        return FACETS[facets[0]].name, _as_written(one.text, one_said), _as_written(other.text, other_said)
    for denying, affirming in ((one, other), (other, one)):
        share, denial = undoing(denying, affirming)
        if denial and share >= UNDONE and one.denies != other.denies:
            sides = denial.said, affirming.text.rstrip(" .")
            return "wording", *(sides if denying is one else sides[::-1])
    return None


def _as_written(line: str, said: str) -> str:
    """The words as they stand in the line, with its capitals."""
    found = re.search(r"\W+".join(map(re.escape, said.split())), line, re.IGNORECASE)
    return found.group() if found else said


def _apart(one: Reading, other: Reading) -> tuple[str, str]:
    """The words of either side that tell the two apart; the whole of a side that has none of its own."""
    alike = compared(one.words, other.words)
    scales = excluding(one, other)
    sides = []
    for reading, marks in ((one, alike.ones), (other, alike.others)):
        own = [word.text for word, mark in zip(reading.words, marks, strict=True) if mark < FOUND]
        sides.append(_span(reading.text, own) if own and not (scales and len(own) > 8) else reading.text)
    return sides[0], sides[1]


def _span(text: str, own: list[str]) -> str:
    """From the first to the last of the words, as they are written."""
    low = text.casefold()
    starts = [low.find(word) for word in own]
    found = [(at, at + len(word)) for at, word in zip(starts, own, strict=True) if at >= 0]
    return text[min(begin for begin, _ in found) : max(end for _, end in found)] if found else text
