"""What a ranker says of the sentences of one group, whichever ranker it is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from memoryapp.consolidate.sentences import Piece


@dataclass(frozen=True, slots=True)
class Ranked:
    """`score` 0–1 and `why` in words, in the sentence's language."""

    piece: Piece
    score: float
    why: tuple[str, ...]


class Ranking(Protocol):
    """The sentences of one group, ranked. `ranked` is in reading order."""

    ranked: tuple[Ranked, ...]

    def next(self, open_: Collection[int], taken: Collection[int]) -> int | None:
        """Which of the sentences still open is worth most beside those taken; None where none is worth its words."""

    def likeness(self, one: int, taken: Collection[int]) -> float:
        """How much it is like the taken sentence that it says again; 0.0 where it says none of them again."""
