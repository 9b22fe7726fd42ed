"""What a ranker says of the sentences of one group, whichever ranker it is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memoryapp.consolidate.sentences import Piece, repeats
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.sentences import marker_of, reasons, sentence_score
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.spaces import Space


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """`score` 0–1 and `why` in words, in the sentence's language."""

    piece: Piece
    score: float
    why: tuple[str, ...]


class Ranking(Protocol):
    """The sentences of one group, ranked. `ranked` is in reading order."""

    ranked: tuple[RankedSentence, ...]

    def next(self, open_: Collection[int], taken: Collection[int]) -> int | None:
        """Which of the sentences still open is worth most beside those taken; None where none is worth its words."""

    def likeness(self, one: int, taken: Collection[int]) -> float:
        """How much it is like the taken sentence that it says again; 0.0 where it says none of them again."""


# The ranker “marks”: a sentence is worth what it shows by itself (domain.sentences).


class ByMarks:
    """Equal scores: what comes first in reading order."""

    def __init__(self, pieces: Sequence[Piece], *, markers: Sequence[str]) -> None:
        self.ranked = tuple(_rank_sentence(piece, markers) for piece in pieces)
        self._order = sorted(range(len(self.ranked)), key=lambda n: (-self.ranked[n].score, n))

    def next(self, open_: Collection[int], taken: Collection[int]) -> int | None:
        return next((n for n in self._order if n in open_), None)

    def likeness(self, one: int, taken: Collection[int]) -> float:
        return repeats(self.ranked[one].piece.terms, [self.ranked[n].piece.terms for n in taken])


def _rank_sentence(piece: Piece, markers: Sequence[str]) -> RankedSentence:
    score = sentence_score(piece.text, markers=markers, item=piece.item)
    return RankedSentence(piece, round(score.value, 4), reasons(score, korean=piece.korean))


# The ranker “central”: a sentence is worth what it tells of its group that is not told yet.
#
# Every stem has a likelihood of belonging into a summary: how many lines hold it, how early it stands, how rare it is,
# how near its sentences are to the middle of all. Sentences are taken one by one, each for the likelihoods of the stems
# that it adds, less a price for its words, plus what it is worth by itself. The weights were fitted on one half of
# DialogSum's development dialogues (docs/CONSOLIDATION.md); a line is a turn there and a section here.

Floats = NDArray[np.floating[Any]]

WORD_PRICE = 0.08  # of one word, in likelihoods; one word more a sentence for its beginning
OWN = 10.0  # weight of what a sentence is worth by itself
MARKER = 0.02  # added to that for a marker word; set by hand, since talk has hardly any
SAME = 0.85  # cosine from which two sentences without other numbers say the same
_SHORTEST, _LONGEST = 6, 20  # words


@dataclass(frozen=True, slots=True)
class Weights:
    """`stem`: of log lines holding it, e^(−2 place), whether only questions hold it, centrality of its best sentence,
    rarity, rarity² / 5, whether it is a number, 1. `own`: of centrality, mean cosine with the other sentences, e^(−2
    place) × spread, e^(−2 place), stems, words / 20, whether it opens, capitalised words up to 3;
    `mean`: what a sentence is worth on average, so that a middling one adds nothing by itself."""

    stem: tuple[float, ...]
    own: tuple[float, ...]
    mean: float


WITH_VECTORS = Weights(
    stem=(1.669, 1.092, 0.395, 1.689, 0.728, -0.285, -0.814, -5.017),
    own=(0.2157, 0.1935, 0.1695, -0.0715, -0.0043, 0.0631, 0.0349, 0.0134),
    mean=0.1368,
)
WITHOUT = Weights(
    stem=(1.667, 1.196, 0.423, 1.214, 0.721, -0.275, -0.816, -4.842),
    own=(0.1533, 0.1532, 0.1141, -0.035, -0.0066, 0.091, 0.0417, 0.0112),
    mean=0.1138,
)


def rarity(lines: Sequence[Collection[str]]) -> dict[str, float]:
    """ln((N + 1) / (n + 1)) of each stem that n of N texts hold."""
    held = Counter(stem for line in lines for stem in set(line))
    return {stem: math.log((len(lines) + 1) / (n + 1)) for stem, n in held.items()}


class ByCentrality:
    """`rare`: rarity by stem among everything that is consolidated together. `vectors`: of the pieces, unit rows in
    their order, and of the whole text behind them, one row more. None where there is no model: the cosine of stems
    weighted by their rarity stands in for it."""

    def __init__(
        self, pieces: Sequence[Piece], *, rare: Mapping[str, float], vectors: Floats | None, markers: Sequence[str] = ()
    ) -> None:
        if not pieces:
            vectors = None
        self._pieces = pieces
        self._vectors = vectors
        self._words = [len(piece.text.split()) for piece in pieces]
        weights = WITHOUT if vectors is None else WITH_VECTORS
        held = Counter(stem for line in _lines(pieces).values() for stem in line)
        central, near = _by_stems(pieces, rare) if vectors is None else by_vectors(vectors)
        marked = [marker_of(piece.text, markers) for piece in pieces]
        self.likelihood = _likelihoods(stem_features(pieces, held, rare, central), weights.stem)
        own = own_features(pieces, held, central, near) @ np.array(weights.own) - weights.mean
        self._own = OWN * (own + MARKER * np.array([bool(marker) for marker in marked], dtype=np.float64))
        alone = np.array([self._gain(n, frozenset()) for n in range(len(pieces))])
        low, high = (float(alone.min()), float(alone.max())) if len(pieces) else (0.0, 1.0)
        score = (alone - low) / (high - low) if high > low else np.ones(len(pieces))
        self.ranked = tuple(
            RankedSentence(piece, round(float(score[n]), 4), _rank_reasons(piece, held, central[n], marked[n]))
            for n, piece in enumerate(pieces)
        )

    def next(self, open_: Collection[int], taken: Collection[int]) -> int | None:
        covered = frozenset[str]().union(*(self._pieces[n].terms for n in taken))
        best = min(open_, key=lambda n: (-round(self._gain(n, covered), 6), n), default=None)
        return None if best is None or (taken and self._gain(best, covered) <= 0) else best

    def likeness(self, one: int, taken: Collection[int]) -> float:
        same = repeats(self._pieces[one].terms, [self._pieces[n].terms for n in taken])
        if same or self._vectors is None:
            return same
        numbers = _numbers(self._pieces[one])
        near = [
            cosine
            for n in taken
            if (cosine := float(self._vectors[one] @ self._vectors[n])) >= SAME and numbers <= _numbers(self._pieces[n])
        ]
        return max(near, default=0.0)

    def _gain(self, n: int, covered: frozenset[str]) -> float:
        new = sorted(self._pieces[n].terms - covered)  # in one order, so that sums are the same in every process
        return sum(self.likelihood[stem] for stem in new) - WORD_PRICE * (self._words[n] + 1) + float(self._own[n])


def stem_features(
    pieces: Sequence[Piece], held: Mapping[str, int], rare: Mapping[str, float], central: Floats
) -> dict[str, tuple[float, ...]]:
    """By stem, in the order of Weights.stem."""
    first: dict[str, float] = {}
    asked: dict[str, bool] = {}
    best: dict[str, float] = {}
    for n, piece in enumerate(pieces):
        for stem in piece.terms:
            first[stem] = min(first.get(stem, 1.0), piece.place)
            asked[stem] = asked.get(stem, True) and piece.text.rstrip().endswith(("?", "？"))
            best[stem] = max(best.get(stem, -1.0), float(central[n]))
    return {
        stem: (
            math.log(held[stem]),
            math.exp(-2 * first[stem]),
            float(asked[stem]),
            best[stem],
            rare.get(stem, 0.0),
            rare.get(stem, 0.0) ** 2 / 5,
            float(stem.isdigit()),
            1.0,
        )
        for stem in sorted(first)
    }


def own_features(pieces: Sequence[Piece], held: Mapping[str, int], central: Floats, near: Floats) -> Floats:
    """(n, 8), in the order of Weights.own."""
    words = np.array([len(piece.text.split()) for piece in pieces], dtype=np.float64)
    spread = np.array([sum(held[stem] for stem in piece.terms) for piece in pieces], dtype=np.float64)
    spread /= np.sqrt(np.maximum(_SHORTEST, words))
    spread /= max(float(spread.max(initial=0.0)), 1e-9)
    early = np.exp(-2 * np.array([piece.place for piece in pieces], dtype=np.float64))
    opens = np.array([float(piece.place == 0) for piece in pieces])
    names = np.array([min(3, sum(w[:1].isupper() for w in piece.text.split()[1:])) for piece in pieces])
    stems = np.array([len(piece.terms) for piece in pieces], dtype=np.float64)
    return np.stack(
        [central, near, early * spread, early, stems, np.minimum(words, _LONGEST) / _LONGEST, opens, names], axis=1
    )


def _likelihoods(features: Mapping[str, tuple[float, ...]], weights: Sequence[float]) -> dict[str, float]:
    return {
        stem: 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(weights, values, strict=True))))
        for stem, values in features.items()
    }


def _lines(pieces: Sequence[Piece]) -> dict[str, set[str]]:
    lines: dict[str, set[str]] = {}
    for piece in pieces:
        lines.setdefault(piece.section, set()).update(piece.terms)
    return lines


def by_vectors(vectors: Floats) -> tuple[Floats, Floats]:
    """Cosine of each sentence with the whole, and its mean cosine with all sentences. The last row is the whole."""
    each, whole = vectors[:-1], vectors[-1]
    return np.round(each @ whole, 6), np.round(each @ each.mean(axis=0), 6)


def _by_stems(pieces: Sequence[Piece], rare: Mapping[str, float]) -> tuple[Floats, Floats]:
    """Cosine with all of them together, of stems weighted by their rarity; it stands for both measures."""
    counts = Counter(stem for piece in pieces for stem in piece.terms)
    length = math.sqrt(sum((n * rare.get(stem, 0.0)) ** 2 for stem, n in sorted(counts.items()))) or 1.0
    central = []
    for piece in pieces:
        stems = sorted(piece.terms)
        own = math.sqrt(sum(rare.get(stem, 0.0) ** 2 for stem in stems)) or 1.0
        central.append(sum(counts[stem] * rare.get(stem, 0.0) ** 2 for stem in stems) / (length * own))
    told = np.round(np.array(central, dtype=np.float64), 6)
    return told, told


def _numbers(piece: Piece) -> frozenset[str]:
    return frozenset(term for term in piece.terms if any(c.isdigit() for c in term))


def _rank_reasons(piece: Piece, held: Mapping[str, int], central: float, marker: str) -> tuple[str, ...]:
    shared = sum(held[stem] > 1 for stem in piece.terms)
    words = len(piece.text.split())
    if piece.korean:
        said = [f"표지 “{marker}”"] if marker else []
        said += [f"여러 절에 나오는 말 {shared}개"] if shared else []
        return (*said, f"중심과 {central:.2f}", f"{words}어절")
    said = [f"marker “{marker}”"] if marker else []
    said += [f"{shared} word{'' if shared == 1 else 's'} that other sections use"] if shared else []
    return (*said, f"{central:.2f} to the middle", f"{words} word{'' if words == 1 else 's'}")


# Vectors of sentences, for the ranker that goes by them: embedded for this one plan, and not kept.

EMBEDDED = 3_000  # sentences of one plan: a minute of work. Of more, the ranker goes by their words
_PATIENCE = 30.0  # seconds a plan waits for a model that is still loading


def vectors_of(space: Space, pieces: Sequence[Piece]) -> dict[str, Floats]:
    """By sentence id; none where there are too many, or where no model is usable."""
    if not pieces or len(pieces) > EMBEDDED:
        return {}
    try:
        encoded = encode_in_batches(space.encoder.get(_PATIENCE), [piece.text for piece in pieces])
    except EncoderError:
        return {}
    return {} if encoded.failed else {piece.id: encoded.vectors[n] for n, piece in enumerate(pieces)}


def beside_whole(space: Space, pieces: Sequence[Piece], known: Mapping[str, Floats]) -> Floats | None:
    """The vectors of a group's sentences, and in one row more that of the group: the middle of its sections. None where
    one of these has no vector."""
    view = space.index.view()
    slots = view.roster.slots(list(dict.fromkeys(piece.section for piece in pieces)))
    if (
        not pieces
        or any(piece.id not in known for piece in pieces)
        or not slots.size
        or not view.roster.has[slots].all()
    ):
        return None
    whole = view.vectors_of(slots).astype(np.float64).sum(axis=0)
    whole /= max(float(np.linalg.norm(whole)), 1e-9)
    return np.vstack([np.array([known[piece.id] for piece in pieces], dtype=np.float64), whole[None]])
