"""Two statements read together by the project's own small network, perhaps a finding out. What lists of words do not
know (“a vegetarian”, “my steak”) it has learned from pairs; it is never sure.

`management/bench/fit_judge` teaches it: the packaged embedding model with updates of low rank (`together.safetensors`).
Beside them lies `together.json`: how its number and the other signs of a pair become a probability, and from which one
on a person is shown the pair.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memoryapp.detect import differ, korean, weighed
from memoryapp.detect.attitude import is_attitude
from memoryapp.detect.clash import agrees
from memoryapp.detect.finding import Finding
from memoryapp.detect.frame import exchanges
from memoryapp.detect.propose import verdict
from memoryapp.detect.reading import Reading, read
from memoryapp.detect.signs import signs
from memoryapp.detect.slots import slots
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.encoders.joint import load_joint
from memoryapp.encoders.zones import Zones

log = logging.getLogger(__name__)
UPDATES = Path(__file__).parent / "together.safetensors"
SETTLED = Path(__file__).parent / "together.json"
DETECTOR = "judge"
LONGEST = 200  # characters: what is longer tells of many things
RESTATED = 0.75  # cosine from which on it finds nothing new: six of its seven first false alarms said the same twice
_LEAST, _MOST = 0.5, 0.7  # confidence of a finding at the line, and of the surest one
_MOST_LOGIT = 6.0

Reads = Callable[[Sequence[tuple[str, str]]], NDArray[np.float64]]  # pairs of texts → a logit each


@dataclass(frozen=True, slots=True)
class Weighing:
    """A logistic regression over the network's logit and the other signs, one of which is that a rule found something.
    `line`: from this probability on a person is shown the pair. `veto`: below it, what a rule that is not sure has
    found is dropped."""

    weights: Mapping[str, float]
    bias: float
    line: float
    veto: float

    def probability(self, found: Mapping[str, float]) -> float:
        total = self.bias + sum(weight * found[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def settled() -> Weighing:
    held = json.loads(SETTLED.read_text("utf-8"))["weighing"]
    return Weighing(dict(held["weights"]), held["bias"], held["line"], held["veto"])


@lru_cache(maxsize=1)
def reader() -> Reads | None:
    """The network, loaded when it is first asked for. None where it does not load: then the rules judge alone."""
    try:
        return load_joint(UPDATES).logits
    except EncoderError as error:
        log.warning("Facts are judged without reading them together: %s", error.detail)
        return None


def later(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """`Reads` that loads the network with the first pair. Raises LookupError where it does not load."""
    reads = reader()
    if reads is None:
        raise LookupError("the network that reads pairs does not load")
    return reads(pairs)


def compare(
    existing: Statement, incoming: Statement, cosine: float, zones: Zones, ruled: Verdict, reads: Reads
) -> Verdict:
    """`ruled`, or what becomes of it: POSSIBLE where nothing was found and the two are read as excluding each other,
    COMPATIBLE where a rule that is not sure found something and they are not."""
    found_by_rules = ruled.relation is Relation.POSSIBLE
    if not (can_be_doubted if found_by_rules else can_be_read)(existing, incoming):
        return ruled
    found = signs_of(existing, incoming, cosine, zones, by_rules=found_by_rules, reads=reads)
    held = settled()
    chance = held.probability(found)
    if found_by_rules and chance < held.veto:
        return Verdict(
            Relation.COMPATIBLE,
            DETECTOR,
            f"Read together, both can hold ({min(1 - chance, 0.99):.0%} likely).",
            1 - chance,
        )
    if found_by_rules or chance < held.line or found["cosine"] >= RESTATED:
        return ruled
    confidence = _LEAST + (_MOST - _LEAST) * (chance - held.line) / max(1e-6, 1 - held.line)
    told = Finding(DETECTOR, "wording", existing.text, incoming.text, sure=False, confidence=confidence)
    judged = verdict(existing, incoming, told, turned=False)
    return replace(judged, reason=f"{judged.reason.rstrip('.')} ({min(chance, 0.99):.0%} likely).")


def can_be_read(existing: Statement, incoming: Statement) -> bool:
    """Whether anything may be found in two that no rule found anything in: not where one sentence had a part exchanged,
    nor where both fill one slot alike. Of these the rules know more."""
    return (
        can_be_doubted(existing, incoming)
        and not _framed(read(existing.text), read(incoming.text))
        and not agrees(slots(existing.text, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker))
    )


def can_be_doubted(existing: Statement, incoming: Statement) -> bool:
    """Whether both are English, of one speaker, no scenes and no attitudes."""
    texts = existing.text, incoming.text
    if any(len(text) > LONGEST or not text.isascii() and _foreign(text) or is_attitude(text) for text in texts):
        return False
    one, other = (read(text) for text in sorted(texts))  # in one order, whichever was said first
    if not one.words or not other.words or differ.in_scenes(one.clauses[0], other.clauses[0]):
        return False
    return not (weighed.of_two(existing, incoming) and "I" in (one.first_person, other.first_person))


def as_read(existing: Statement, incoming: Statement) -> tuple[str, str]:
    """The two texts as the network is given them."""
    one, other = sorted((existing.text, incoming.text))
    return read(one).text, read(other).text


def signs_of(
    existing: Statement, incoming: Statement, cosine: float, zones: Zones, *, by_rules: bool, reads: Reads
) -> dict[str, float]:
    """What the weighing knows of a pair, by name."""
    ordered = sorted((existing, incoming), key=lambda statement: statement.text)
    one, other = (read(statement.text) for statement in ordered)
    near = weighed.as_default(cosine, zones)
    found = signs(one, other, near)
    chance = min(max(weighed.learned().probability(found), 1e-3), 1 - 1e-3)
    logit = float(reads([as_read(existing, incoming)])[0])
    return {
        "read together": max(-_MOST_LOGIT, min(_MOST_LOGIT, logit)),
        "weighed": math.log(chance / (1 - chance)),
        "cosine": near,
        "claims": float(weighed.weighable(existing, incoming, told=weighed.outright(found))),
        "rules": float(by_rules),
    }


def _framed(one: Reading, other: Reading) -> bool:
    """Whether the two are one sentence but for what was exchanged in it."""
    ones, others = one.clauses, other.clauses
    return len(ones) == len(others) == 1 and bool(exchanges(ones[0].text, others[0].text))


def _foreign(text: str) -> bool:
    """Whether letters of another script than the Latin one stand in it."""
    return korean.is_korean(text) or any(letter.isalpha() and ord(letter) > 0x24F for letter in text)
