"""What a later hit has made untrue: the first hits are read beside one another by the packaged judge, and the older of
two that exclude each other is marked and stands behind the newer.

Two hits of one question speak of the same thing far more often than any two memories, so the judge is believed from
even chances on. Where both were said in one session, which nearly always goes on rather than takes back, it must be as
sure as where a conflict is raised (`pair_judge.LINE`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from memoryapp.contradictions.pair_judge import LINE, LONGEST, can_read, clash_probabilities
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Hit
from memoryapp.domain.sentences import sentences
from memoryapp.inference.reranking.pair_cache import PairCache
from memoryapp.inference.reranking.reranker import passage_text

FIRST = 5  # hits that are compared, of them …
WORTH = 0.5  # … those with so much of the best one's relevance: a pair costs some 4 ms
LEAST = 0.5  # probability that the later of two excludes the earlier, said in another session


known = PairCache()  # the same memories are hits of many questions


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a hit says, as the judge reads it. `sources`: the memory and the turn that it comes from; `session`: the
    one in which it was said, if any."""

    memory: str
    at: datetime
    text: str
    sources: frozenset[str]
    session: str | None


def mark_outdated(hits: Sequence[Hit], *, first: int = FIRST) -> tuple[Hit, ...]:
    """Return the hits, of the `first` each with `outdated_by` the newest later one that excludes it, and behind that
    one. Without the judge nothing is marked."""
    least = WORTH * max((hit.relevance for hit in hits[:first]), default=0.0)
    read = [one for hit in hits[:first] if hit.relevance >= least and (one := _candidate(hit)) is not None]
    candidates = sorted(read, key=lambda one: one.at)
    pairs = [
        (older, newer)
        for older, newer in combinations(candidates, 2)
        if older.at < newer.at and not older.sources & newer.sources
    ]
    chances = known.scores([(older.text, newer.text) for older, newer in pairs], clash_probabilities)
    replaced_by = {
        older.memory: newer.memory  # the newest, as the pairs are in order of time
        for (older, newer), chance in zip(pairs, chances, strict=True)
        if chance >= _line(older, newer)
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


def _candidate(hit: Hit) -> Candidate | None:
    """None for what nobody said, what only asks, what is known to be no longer so, and what the judge cannot read."""
    memory = hit.memory
    if memory.kind not in (Kind.FACT, Kind.TURN) or memory.state is not State.HELD or memory.valid_to is not None:
        return None
    text = memory.text
    if hit.answer is not None and len(text) > LONGEST:
        text = text[hit.answer.start : hit.answer.end]
    words = statements_of(text, speaker=memory.speaker if memory.kind is Kind.TURN else None)
    at = memory.occurred_at or memory.created_at
    return Candidate(memory.id, at, words, _sources(memory), memory.origin.session) if words else None


def _line(older: Candidate, newer: Candidate) -> float:
    return LINE if older.session is not None and older.session == newer.session else LEAST


def statements_of(text: str, *, speaker: str | None = None) -> str:
    """Return what a text states, its questions left out, as the judge reads it; empty where it cannot read that."""
    stated = " ".join(sentence for sentence in sentences(text) if not sentence.endswith("?"))
    return passage_text(stated, speaker=speaker) if can_read(stated) else ""


def _sources(memory: Memory) -> frozenset[str]:
    return frozenset(key for key in (memory.id, memory.origin.turn) if key)
