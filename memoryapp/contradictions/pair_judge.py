"""Two statements read together by the project's own cross-encoder: what the later one is to the earlier. It has learned
from pairs what lists of words do not know (“a vegetarian”, “my steak”; “handed back the keys”); what it finds is shown
to a person and never sure.

Its weights (`judge/`) are taught by training/judge.py. It reads English alone.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.contradictions import korean
from memoryapp.contradictions.same import tell_apart
from memoryapp.contradictions.verdicts import Finding, said_earlier, verdict
from memoryapp.contradictions.words import spoken_by
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.inference.reranking.cross_encoder import load_cross_encoder, verify
from memoryapp.inference.reranking.reranker import passage_text

log = logging.getLogger(__name__)

SWITCH = "MEMORY_JUDGE"  # on · off
JUDGE = Path(__file__).with_name("judge")
DETECTOR = "judge"
LABELS = ("same", "changed", "contradicts", "both", "unrelated")  # in the order of the model's outputs
LONGEST = 400  # characters: what is longer tells of many things
# Of 3,900 pairs of one talk, which nearly always both hold, .002 stand above it (training/judge.py, held-back talks).
LINE = 0.85
VETO = 0.1  # below it, what a rule that is not sure has found is dropped
AGREED = 0.5  # below it, what a rule is sure of is left to a person: alone, rules are wrong too often to decide
SAME = 0.97  # in both orders; what tells two values, names or words apart is looked at besides
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|mine|myself)\b", re.IGNORECASE)
_LEAST, _MOST = 0.5, 0.7  # confidence of a finding at the line, and of the surest one

# (earlier, later) texts → (pairs, labels) logits
Reads = Callable[[Sequence[tuple[str, str]]], NDArray[np.floating[Any]]]


@dataclass(frozen=True, slots=True)
class Reading:
    """Probabilities. `clash`: one says what is no longer so, or never was, by the other."""

    same: float
    clash: float


@cache
def reader() -> Reads | None:
    """The network, loaded when it is first asked for. None where it does not load: then the rules judge alone."""
    try:
        return load_cross_encoder(JUDGE).logits
    except EncoderError as error:
        log.warning("Facts are judged without reading them together: %s", error.detail)
        return None


def later(pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
    """`Reads` that loads the network with the first pair. Raises LookupError where it does not load."""
    reads = reader()
    if reads is None:
        raise LookupError("the network that reads pairs does not load")
    return reads(pairs)


def problem() -> str:
    """Why the network does not judge; empty where its files are as they should be. Nothing is loaded for this."""
    try:
        verify(JUDGE)
    except EncoderError as error:
        return error.detail
    return ""


def compare(existing: Statement, incoming: Statement, ruled: Verdict, reads: Reads) -> Verdict:
    """`ruled`, or what becomes of it: doubted where a sure rule stands alone; POSSIBLE where nothing was found and the
    two are read as excluding each other; COMPATIBLE where something was found and they are not; SAME where they are
    read so in both orders and nothing tells them apart."""
    if not can_be_read(existing, incoming):
        return ruled
    likely = _reading(reads([as_read(existing, incoming)])[0])
    if ruled.certain:
        return replace(ruled, doubted=likely.clash < AGREED)
    if ruled.relation is Relation.POSSIBLE:
        return ruled if likely.clash >= VETO else _both_hold(1 - likely.clash)
    if likely.clash >= LINE:
        return _clash(existing, incoming, likely.clash)
    if likely.same < SAME or tell_apart(existing.text, incoming.text):
        return ruled
    one, other = existing.text, incoming.text
    same = min(_reading(row).same for row in reads([(one, other), (other, one)]))
    if same >= SAME:
        return Verdict(Relation.SAME, DETECTOR, f"Read together, both say the same ({_percent(same)} likely).", same)
    return ruled


def clash_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return how likely the later text of each (earlier, later) excludes the earlier; 0 with no network, or with
    MEMORY_JUDGE=off."""
    reads = reader() if pairs and os.environ.get(SWITCH, "").strip().lower() != "off" else None
    return [_reading(row).clash for row in reads(pairs)] if reads is not None else [0.0] * len(pairs)


def can_read(text: str) -> bool:
    """Whether a text is English and of no great length."""
    return len(text) <= LONGEST and bool(text.strip()) and not _has_foreign_script(text)


def can_be_read(existing: Statement, incoming: Statement) -> bool:
    """Whether both are English, of no great length, and by one speaker where they say “I”."""
    texts = existing.text, incoming.text
    if not all(map(can_read, texts)):
        return False
    return not (_by_two(existing, incoming) and any(_FIRST_PERSON.search(text) for text in texts))


def _by_two(existing: Statement, incoming: Statement) -> bool:
    """Whether two people say them, so that “I” is not the same one in both."""
    speakers = [spoken_by(statement.text)[0] or statement.speaker for statement in (existing, incoming)]
    return None not in speakers and len({str(name).casefold() for name in speakers}) == 2


def as_read(existing: Statement, incoming: Statement) -> tuple[str, str]:
    """The two texts as the network is given them: what was said earlier comes first, and what comes in as it was said,
    by whom, where that is known."""
    if said_earlier(existing, incoming):
        return incoming.text, existing.text
    return existing.text, passage_text(incoming.quote, speaker=incoming.speaker) if incoming.quote else incoming.text


def _reading(logits: NDArray[np.floating[Any]]) -> Reading:
    likely = np.exp(logits - logits.max())
    likely /= likely.sum()
    return Reading(float(likely[0]), float(likely[1] + likely[2]))


def _clash(existing: Statement, incoming: Statement, chance: float) -> Verdict:
    confidence = _LEAST + (_MOST - _LEAST) * (chance - LINE) / (1 - LINE)
    told = Finding(DETECTOR, "wording", existing.text, incoming.text, sure=False, confidence=confidence)
    judged = verdict(existing, incoming, told, turned=False)
    return replace(judged, reason=f"{judged.reason.rstrip('.')} ({_percent(chance)} likely).")


def _both_hold(chance: float) -> Verdict:
    return Verdict(
        Relation.COMPATIBLE, DETECTOR, f"Read together, both can hold ({_percent(chance)} likely).", min(chance, 0.99)
    )


def _percent(chance: float) -> str:
    return f"{min(chance, 0.99):.0%}"


def _has_foreign_script(text: str) -> bool:
    """Whether letters of another script than the Latin one stand in it."""
    return korean.is_korean(text) or any(letter.isalpha() and ord(letter) > 0x24F for letter in text)
