"""What a later hit has made untrue: the first hits are read beside one another by the packaged judge, and the older of
two that exclude each other is marked and stands behind the newer.

Two hits of one question speak of the same thing far more often than any two memories, so the judge is believed from
even chances on; where a conflict is raised it must be surer (`detect.learned.LINE`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from itertools import combinations
from threading import Lock

from memoryapp.detect.learned import LONGEST, can_read, clash_probabilities
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Hit
from memoryapp.domain.sentences import sentences
from memoryapp.encoders.rerank import passage_text

FIRST = 5  # hits that are compared, of them …
WORTH = 0.25  # … those with so much of the best one's relevance: a pair costs some 4 ms
LEAST = 0.5  # probability that the later of two excludes the earlier


class Known:
    """Probabilities by a digest of the two texts, so that no words of a purged memory are kept: the same memories are
    hits of many questions."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._chances: OrderedDict[bytes, float] = OrderedDict()
        self._lock = Lock()

    def of(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely the later text of each (earlier, later) excludes the earlier."""
        keys = [blake2b("\0".join(pair).encode(), digest_size=16).digest() for pair in pairs]
        with self._lock:
            known = {key: self._chances[key] for key in keys if key in self._chances}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        fresh = dict(zip(new, clash_probabilities(list(new.values())).tolist(), strict=True))
        with self._lock:
            self._chances.update(fresh)
            while len(self._chances) > self._most:
                self._chances.popitem(last=False)
        return [(known | fresh)[key] for key in keys]


known = Known()


@dataclass(frozen=True, slots=True)
class Statement:
    """What a hit says, as the judge reads it. `sources`: the memory and the turn that it comes from."""

    memory: str
    at: datetime
    text: str
    sources: frozenset[str]


def mark_outdated(hits: Sequence[Hit], *, first: int = FIRST) -> tuple[Hit, ...]:
    """Return the hits, of the `first` each with `outdated_by` the newest later one that excludes it, and behind that
    one. Without the judge nothing is marked."""
    least = WORTH * max((hit.relevance for hit in hits[:first]), default=0.0)
    read = [one for hit in hits[:first] if hit.relevance >= least and (one := _statement(hit)) is not None]
    statements = sorted(read, key=lambda one: one.at)
    pairs = [
        (older, newer)
        for older, newer in combinations(statements, 2)
        if older.at < newer.at and not older.sources & newer.sources
    ]
    chances = known.of([(older.text, newer.text) for older, newer in pairs])
    replaced_by = {
        older.memory: newer.memory  # the newest, as the pairs are in order of time
        for (older, newer), chance in zip(pairs, chances, strict=True)
        if chance >= LEAST
    }
    return behind_newer([replace(hit, outdated_by=replaced_by.get(hit.memory.id)) for hit in hits])


def behind_newer(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits in their order, but what is outdated directly behind what outdates it, where that comes later."""
    placed: list[Hit] = []
    waiting = list(hits)
    while waiting:
        hit = waiting.pop(0)
        at = next((n for n, other in enumerate(waiting) if other.memory.id == hit.outdated_by), None)
        if at is None:
            placed.append(hit)
        else:
            waiting.insert(at + 1, hit)
    return tuple(placed)


def _statement(hit: Hit) -> Statement | None:
    """None for what nobody said, what only asks, what is known to be no longer so, and what the judge cannot read."""
    memory = hit.memory
    if memory.kind not in (Kind.FACT, Kind.TURN) or memory.state is not State.HELD or memory.valid_to is not None:
        return None
    text = memory.text
    if hit.answer is not None and len(text) > LONGEST:
        text = text[hit.answer.start : hit.answer.end]
    text = " ".join(sentence for sentence in sentences(text) if not sentence.endswith("?"))
    if not can_read(text):
        return None
    words = passage_text(text, speaker=memory.speaker) if memory.kind is Kind.TURN else text
    return Statement(memory.id, memory.occurred_at or memory.created_at, words, _sources(memory))


def _sources(memory: Memory) -> frozenset[str]:
    return frozenset(key for key in (memory.id, memory.origin.turn) if key)
