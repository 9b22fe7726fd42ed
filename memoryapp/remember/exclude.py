"""What an extractor read, without the candidates that are like a fact of which somebody said: never like this again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.exclusion import likeness_of
from memoryapp.domain.fact import Candidate, Extracted, PassedOver
from memoryapp.domain.memory import Memory, apart, index_text, words_of
from memoryapp.encoders.batch import encode_in_batches
from memoryapp.remember.learn import as_fact
from memoryapp.spaces import Space
from memoryapp.spaces.embed import PATIENCE
from memoryapp.store import embeddings, exclusions

_SHOWN = 120  # characters of the excluded fact that the reason repeats


@dataclass(frozen=True, slots=True)
class _Exclusions:
    """`lines` (n,): from which cosine each excludes; `vectors` (n, dimension), zeros where there is none."""

    facts: tuple[Memory, ...]
    lines: NDArray[np.float32]
    vectors: NDArray[np.float32]

    def against(self, text: str, vector: NDArray[np.float32] | None) -> Memory | None:
        """Return the fact that a candidate is most like, of those it is like enough; None where it is like none."""
        words = _plain(text)
        same = next((fact for fact in self.facts if _plain(fact.text) == words), None)
        if same is not None or vector is None:
            return same
        above = self.vectors @ vector - self.lines
        best = int(np.argmax(above))
        return self.facts[best] if above[best] >= 0 else None


def exclude(
    space: Space, read: Sequence[Extracted], *, speakers: Sequence[str | None], session: str | None
) -> list[Extracted]:
    """Return the readings with excluded candidates among `passed_over`, the exclusion named. `speakers`: of each
    reading. What the owner of another session never wants to see again may be learned in this one. Without a usable
    model only a candidate in the very words is excluded."""
    standing = [fact for fact in exclusions.standing(space.db) if apart(fact.origin.session) == apart(session)]
    if not standing or not any(one.candidates for one in read):
        return list(read)
    texts = [
        words_of(candidate.text, speaker=as_fact(candidate, speaker=speaker, said_at=None).speaker)
        for one, speaker in zip(read, speakers, strict=True)
        for candidate in one.candidates
    ]
    known, vectors = _encoded(space, standing, texts)
    every = iter(vectors)
    return [_without(one, [known.against(found.text, next(every)) for found in one.candidates]) for one in read]


def _without(read: Extracted, by: Sequence[Memory | None]) -> Extracted:
    kept: list[Candidate] = []
    passed: list[PassedOver] = []
    for candidate, fact in zip(read.candidates, by, strict=True):
        if fact is None:
            kept.append(candidate)
        else:
            words = fact.text if len(fact.text) <= _SHOWN else f"{fact.text[:_SHOWN]}…"
            reason = f"facts like “{words}” are not learned here"
            passed.append(PassedOver(candidate.quote or candidate.text, reason))
    out = tuple(fact.id for fact in by if fact is not None)
    return replace(read, candidates=tuple(kept), passed_over=(*read.passed_over, *passed), excluded=out)


def _encoded(
    space: Space, standing: Sequence[Memory], texts: Sequence[str]
) -> tuple[_Exclusions, list[NDArray[np.float32] | None]]:
    """The exclusions with their vectors, and the vectors of these texts; what cannot be encoded has none."""
    lines = np.array([likeness_of(fact) for fact in standing], dtype=np.float32)
    kept = embeddings.get_many(space.db, space.encoder.name, [fact.id for fact in standing])
    missing = [fact for fact in standing if fact.id not in kept]
    try:
        encoder = space.encoder.get(PATIENCE)
        encoded = encode_in_batches(encoder, [*texts, *map(index_text, missing)]).vectors
    except EncoderError:
        return _Exclusions(tuple(standing), lines, np.zeros((len(standing), 0), dtype=np.float32)), [None] * len(texts)
    own = dict(zip((fact.id for fact in missing), np.nan_to_num(encoded[len(texts) :]), strict=True))
    vectors = np.stack([kept.get(fact.id, own.get(fact.id)) for fact in standing])  # type: ignore[misc]
    usable = [None if np.isnan(vector).any() else vector for vector in encoded[: len(texts)]]
    return _Exclusions(tuple(standing), lines, vectors), usable


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!?。")
