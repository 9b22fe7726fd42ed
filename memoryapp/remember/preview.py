"""What would be learned from some words, and what would become of it. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memoryapp.domain.fact import Candidate, Extracted, Said
from memoryapp.domain.memory import Memory
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.secrets import mask
from memoryapp.domain.statement import Verdict
from memoryapp.remember.exclude import exclude
from memoryapp.remember.judging import RULES, Judges
from memoryapp.remember.learn import as_fact, usable
from memoryapp.remember.match import match
from memoryapp.remember.settle import settle
from memoryapp.spaces import Space, embed

if TYPE_CHECKING:
    from memoryapp.extract.facts.choose import Reader


@dataclass(frozen=True, slots=True)
class Would:
    """`near`: the memory it would confirm or contradict, else the nearest there is; one that was said just before in
    the same preview is not held yet, and is None. `verdict` is what the detectors say of the two."""

    candidate: Candidate
    outcome: Became
    near: Memory | None = None
    cosine: float | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    extracted: Extracted
    would: tuple[Would, ...]


def preview(space: Space, said: Sequence[Said], *, reader: Reader, judges: Judges = RULES) -> tuple[Preview, ...]:
    """One a turn, in order. A candidate that could not be kept (too long, no words) is not in `would`. As of a turn,
    no reader has its private words."""
    said = [replace(one, text=mask(one.text)) for one in said]
    read = exclude(space, reader.read(said), speakers=[one.speaker for one in said], session=None)
    items: list[tuple[int, Candidate, NewMemory]] = []
    for n, (one, extracted) in enumerate(zip(said, read, strict=True)):
        for candidate in extracted.candidates:
            item = usable(as_fact(candidate, speaker=one.speaker, said_at=one.at))
            if item is not None:
                items.append((n, candidate, item))
    now = space.clock()
    matched = match(space.db, [item for _, _, item in items], now=now)
    embedded = embed(space, [one.after for one in matched if one.rewritten])
    settled = settle(space, matched, vectors={one.memory: one.vector for one in embedded}, now=now, judges=judges)
    new = {one.after.id for one in settled if one.before is None}
    would: list[list[Would]] = [[] for _ in read]
    for (n, candidate, _), became in zip(items, settled, strict=True):
        near = became.near or became.before
        held = near if near is not None and near.id not in new else None
        would[n].append(Would(candidate, became.outcome, held, became.cosine, became.verdict))
    return tuple(Preview(extracted, tuple(found)) for extracted, found in zip(read, would, strict=True))
