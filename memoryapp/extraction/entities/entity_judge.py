"""Judges which spans of a text name something that a reader would look up, and what kind of thing.

A network of one hidden layer, taught by training/entities.py, sees of each span the packaged encoder's vectors of its
words and of those around it, before any layer reads them (which costs next to nothing), and what is exact about it
(`spans.signs`). The places of one name within a text are averaged. It was taught in English; Hangul names stay with the
exact rules.
"""

from __future__ import annotations

import json
import logging
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import EntityType, normal_form
from memoryapp.domain.errors import EncoderError, ModelUnreadable
from memoryapp.extraction.entities.spans import SIGNS, Span, case_counts, signs, spans
from memoryapp.inference.embedding.minilm import packaged_folder
from memoryapp.inference.embedding.word_table import WIDTH, WordTable, word_table
from memoryapp.text.hangul import HANGUL

FOLDER = Path(__file__).with_name("judge")
LEARNED = "judge.npz"
NOTE = "training.json"
# In the order of the network's outputs.
KINDS = ("none", *(kind.value for kind in EntityType if kind is not EntityType.UNKNOWN))
_AT_ONCE = 1_024  # spans
_AROUND = 4  # word pieces on either side
_PARTS = 7  # vectors of a span: its mean, first and last piece, the mean before and behind, the piece before and behind
SURE = 0.6  # probability of being an entity from which a second sighting makes a name known
FEATURES = _PARTS * WIDTH + SIGNS
HAD = "had"

logger = logging.getLogger(__name__)
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class JudgedName:
    """A name that stands in a text. `weights`: logits of KINDS, the mean of its places. `way`: as `Span.way`."""

    surface: str
    weights: Array
    way: str

    @property
    def likely(self) -> float:
        """Probability that it is an entity at all."""
        return likely(self.weights)

    @property
    def kind(self) -> EntityType:
        return kind(self.weights)


def likely(weights: Array) -> float:
    """Probability of being an entity, of logits of KINDS."""
    odds = np.exp(weights - weights.max())
    return float(1 - odds[0] / odds.sum())


def kind(weights: Array) -> EntityType:
    """The likeliest type, of logits of KINDS."""
    return EntityType(KINDS[1 + int(np.argmax(weights[1:]))])


def how_sure(weights: Array) -> float:
    """Probability of the likeliest type, if it is an entity, of logits of KINDS."""
    odds = np.exp(weights[1:] - weights[1:].max())
    return float(1 / odds.sum())


class Words:
    """What the judge knows of words: vectors of their pieces, and which are in no dictionary."""

    def __init__(self, table: WordTable) -> None:
        self._table = table

        @lru_cache(maxsize=20_000)
        def is_rare(word: str) -> bool:
            parts = word.lower().split("-")
            return not all(any(form in table.known for form in _forms(part)) for part in parts if part)

        # Whether the vocabulary of English, some 24,000 words, lacks a word and what it is plainly made of.
        self.is_rare: Callable[[str], bool] = is_rare

    def features(self, text: str, found: Sequence[Span], *, context: str | None = None) -> Array:
        """(spans, FEATURES) of the spans of a text; `context`: the document it is a part of."""
        return np.concatenate([np.zeros((0, FEATURES), np.float32), *self.batches(text, found, context=context)])

    def batches(self, text: str, found: Sequence[Span], *, context: str | None = None) -> Iterator[Array]:
        """The features of the spans, some at a time: of all words of a long text they would take gigabytes."""
        read = self._table.pieces(text)
        starts, ends, count = read.starts, read.ends, len(read.starts)
        vectors = np.zeros((count + 1, WIDTH), dtype=np.float32)  # the last one for where nothing stands
        vectors[:-1] = read.vectors
        sums = np.zeros((count + 1, WIDTH), dtype=np.float32)
        np.cumsum(read.vectors, axis=0, out=sums[1:])
        small, large = _case_counts(context if context is not None else text)
        for begin in range(0, len(found), _AT_ONCE):
            group = found[begin : begin + _AT_ONCE]
            made = np.zeros((len(group), FEATURES), dtype=np.float32)
            for row, span in enumerate(group):
                first = min(bisect_right(ends, span.start), max(count - 1, 0))
                last = min(max(bisect_left(starts, span.end), first + 1), count)
                left, right = max(first - _AROUND, 0), min(last + _AROUND, count)
                parts = (
                    (sums[last] - sums[first]) / max(last - first, 1),
                    vectors[first],
                    vectors[last - 1],
                    (sums[first] - sums[left]) / max(first - left, 1),
                    (sums[right] - sums[last]) / max(right - last, 1),
                    vectors[first - 1] if first else vectors[-1],
                    vectors[last] if last < count else vectors[-1],
                )
                made[row, : _PARTS * WIDTH] = np.concatenate(parts)
                made[row, _PARTS * WIDTH :] = signs(text, span, small=small, large=large)
            yield made


def _forms(word: str) -> tuple[str, ...]:
    """A word in small letters and what it may be an inflection of."""
    forms = [word]
    for ending, put in (
        ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""), ("er", ""),
        ("er", "e"), ("ers", ""), ("ers", "e"), ("able", ""), ("able", "e"), ("ness", ""), ("ation", "e"), ("y", ""),
    ):  # fmt: skip
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)] + put
            forms += [stem, stem[:-1]] if not put and stem[-1:] == stem[-2:-1] else [stem]
    for opening in ("un", "re", "non", "pre", "sub", "mis", "over", "in", "de"):
        if word.startswith(opening) and len(word) > len(opening) + 3:
            forms.append(word[len(opening) :])
    return tuple(forms)


class EntityJudge:
    """The network. Threads may share it."""

    def __init__(self, words: Words, learned: Mapping[str, Array], *, line: float) -> None:
        self.words = words
        self.line = line
        self._in, self._bias = learned["hidden.weight"].astype(np.float32), learned["hidden.bias"].astype(np.float32)
        self._out, self._lift = learned["out.weight"].astype(np.float32), learned["out.bias"].astype(np.float32)

    def weigh(self, features: Array) -> Array:
        """Logits (spans, KINDS) of `features` (spans, FEATURES)."""
        hidden = np.maximum(features @ self._in.T + self._bias, 0)
        weights: Array = hidden @ self._out.T + self._lift
        return weights

    def names(self, text: str, *, context: str | None = None, speaker: str = "") -> tuple[JudgedName, ...]:
        """The names of a text, each once, in the order in which they first stand there; of overlapping spans the
        likelier. “Her bike” is that of whom the text named last, “my bike” the `speaker`'s; nobody's is no name."""
        whole = spans(text, is_rare=self.words.is_rare)
        seen = [span for span in whole if not HANGUL.search(text[span.start : span.end])]
        if not seen:
            return ()
        weights = np.concatenate([self.weigh(some) for some in self.words.batches(text, seen, context=context)])
        surfaces = {span: _straighten_quotes(text[span.start : span.end]) for span in seen}
        rows: dict[str, list[int]] = defaultdict(list)
        people: list[tuple[int, str]] = []
        for row, span in enumerate(seen):
            is_name = span.way != HAD and likely(weights[row]) >= self.line
            if is_name and kind(weights[row]) is EntityType.PERSON:
                people.append((span.end, surfaces[span]))
        for row, span in enumerate(seen):
            if span.way == HAD:
                surfaces[span] = _possessive_name(surfaces[span], people, span.start, speaker)
            rows[normal_form(surfaces[span])].append(row)
        mean = {normal: weights[some].mean(axis=0) for normal, some in rows.items()}
        groups: dict[int, list[Span]] = defaultdict(list)
        for span in seen:
            if surfaces[span]:
                groups[span.group].append(span)
        taken: dict[str, JudgedName] = {}
        for group in groups.values():
            sure = {span: likely(mean[normal_form(surfaces[span])]) for span in group}
            for span in _best_spans(
                {one: sure[one] for one in group if sure[one] >= _least_sureness(one.way, self.line)}
            ):
                normal = normal_form(surfaces[span])
                taken.setdefault(normal, JudgedName(surfaces[span], mean[normal], span.way))
        return tuple(taken.values())

    def judge(self, text: str, names: Sequence[str]) -> list[JudgedName | None]:
        """What it makes of names that others found in a text, wherever they stand there first; None where one does
        not."""
        placed = []
        for name in names:
            match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) or re.search(
                rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE
            )
            way = "capitals" if any(letter.isupper() for letter in name) else "small"
            placed.append(Span(match.start(), match.end(), 0, way) if match else None)
        there = [span for span in placed if span is not None]
        if not there:
            return [None] * len(names)
        weights = iter(self.weigh(self.words.features(text, there)))
        return [
            JudgedName(name, next(weights), span.way) if span is not None else None
            for name, span in zip(names, placed, strict=True)
        ]


def _best_spans(sure: Mapping[Span, float]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(sure, key=lambda one: (-sure[one], one.start)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def _least_sureness(way: str, line: float) -> float:
    """A word in small letters is more often none than one with a capital. Code, and what somebody has, are told even
    where they are hardly likely: another text may have named them (`Candidate.is_weak`)."""
    return {"small": 0.85, "code": 0.0, HAD: 0.0}.get(way, line)


def _straighten_quotes(name: str) -> str:
    return " ".join(name.replace("’", "'").split())


def _possessive_name(name: str, people: Sequence[tuple[int, str]], start: int, speaker: str) -> str:
    """“Alice's bike” for “her bike”, by the person named last before it, or the only one at all; empty where nobody
    is."""
    whose, _, thing = name.partition(" ")
    if whose.endswith("'s"):
        return name
    if whose.lower() in ("my", "our"):
        owner = speaker
    else:
        everybody = {person for _, person in people}
        alone = next(iter(everybody)) if len(everybody) == 1 else ""
        owner = next((person for end, person in reversed(people) if end <= start), alone)
    return f"{owner}'s {thing}" if owner else ""


@lru_cache(maxsize=64)
def _case_counts(text: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    return case_counts(text)


@cache
def words() -> Words:
    """Of the packaged encoder. Raises ModelMissing, ModelUnreadable."""
    return Words(word_table())


@cache
def entity_judge() -> EntityJudge | None:
    """The judge, loaded when it is first asked for; None where it does not load: then exact rules name alone."""
    try:
        verify()
        note = json.loads((FOLDER / NOTE).read_text(encoding="utf-8"))
        return EntityJudge(words(), dict(np.load(FOLDER / LEARNED)), line=float(note["line"]))
    except (EncoderError, OSError, KeyError, ValueError) as error:
        logger.warning("Names are proposed by exact rules alone: %s", getattr(error, "detail", error))
        return None


def verify() -> None:
    """Raises ModelMissing or ModelUnreadable where the files are not those that were learned. Loads nothing."""
    try:
        note = json.loads((FOLDER / NOTE).read_text(encoding="utf-8"))
        digest = sha256((FOLDER / LEARNED).read_bytes()).hexdigest()
        right = (note["weights"], tuple(note["kinds"]), note["features"]) == (digest, KINDS, FEATURES)
    except (OSError, KeyError, ValueError) as error:
        raise ModelUnreadable(f"The judge of names in {FOLDER} does not load ({error}).") from error
    if not right:
        raise ModelUnreadable(f"The judge of names in {FOLDER} is not the one that was learned.")
    packaged_folder()


def problem() -> str:
    """Why names are not judged; empty where all is as it should be. Loads nothing."""
    try:
        verify()
    except EncoderError as error:
        return error.detail
    return ""
