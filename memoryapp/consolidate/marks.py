"""The ranker “marks”: a sentence is worth what it shows by itself (domain.sentence_score)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memoryapp.consolidate.ranked import Ranked
from memoryapp.consolidate.sentences import Piece, repeats
from memoryapp.domain.sentence_score import reasons, sentence_score


class ByMarks:
    """Equal scores: what comes first in reading order."""

    def __init__(self, pieces: Sequence[Piece], *, markers: Sequence[str]) -> None:
        self.ranked = tuple(_ranked(piece, markers) for piece in pieces)
        self._order = sorted(range(len(self.ranked)), key=lambda n: (-self.ranked[n].score, n))

    def next(self, open_: Collection[int], taken: Collection[int]) -> int | None:
        return next((n for n in self._order if n in open_), None)

    def likeness(self, one: int, taken: Collection[int]) -> float:
        return repeats(self.ranked[one].piece.terms, [self.ranked[n].piece.terms for n in taken])


def _ranked(piece: Piece, markers: Sequence[str]) -> Ranked:
    score = sentence_score(piece.text, markers=markers, item=piece.item)
    return Ranked(piece, round(score.value, 4), reasons(score, korean=piece.korean))
