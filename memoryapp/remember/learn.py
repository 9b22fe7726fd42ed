"""From what an extractor read in turns to facts that can be remembered, and back to what each turn's reading tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import BadInput, EncoderError
from memoryapp.domain.exclusion import likeness_of
from memoryapp.domain.fact import Candidate, Extraction, PassedOver, SpokenTurn
from memoryapp.domain.fields import shared_fields
from memoryapp.domain.memory import Kind, Memory, MemoryType, State, index_text, owner_of_session, words_of
from memoryapp.domain.redaction import MARK
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.secrets import mask
from memoryapp.domain.statement import Verdict
from memoryapp.domain.turn import LearnedFact, Reading, ReadingStatus, Turn
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.remember.check import check
from memoryapp.remember.judging import RULES, Judges, settle
from memoryapp.remember.match import MatchResult, fact_id, fingerprint, match
from memoryapp.spaces import Space, embed
from memoryapp.spaces.embed import PATIENCE
from memoryapp.store import embeddings, exclusions, memories, purge

if TYPE_CHECKING:
    from memoryapp.extraction.facts.choose import Reader

_NO_NAMES = frozenset({"user", "human", "me", "assistant", "ai", "bot", "system"})  # roles that stand in for a name


@dataclass(frozen=True, slots=True)
class Lesson:
    """`items`: what there is to remember, checked. `left`: by turn, how many facts stay forgotten or cannot be kept."""

    items: tuple[NewMemory, ...]
    left: dict[str, int]


def said_of(turn: Turn, *, speakers: Sequence[str] = ()) -> SpokenTurn:
    """The turn as an extractor reads it."""
    name = turn.speaker or turn.role.value
    return SpokenTurn(turn.text, name, turn.at, tuple(one for one in speakers if one != turn.speaker))


def lesson_of(space: Space, chunk: Sequence[Turn], read: Sequence[Extraction]) -> Lesson:
    """The facts of these turns. What a person deleted or purged does not come back because a turn is read."""
    items: list[NewMemory] = []
    left: dict[str, int] = {}
    for turn, extracted in zip(chunk, read, strict=True):
        for candidate in extracted.candidates:
            item = usable(of_turn(candidate, turn))
            if item is None or MARK in item.text or MARK in item.quote:  # what is left where words were purged
                left[turn.id] = left.get(turn.id, 0) + 1
            else:
                items.append(item)
    forgotten = _forgotten_fingerprints(space, items)
    for item in items:
        if item.turn and fingerprint(item) in forgotten:
            left[item.turn] = left.get(item.turn, 0) + 1
    return Lesson(tuple(item for item in items if fingerprint(item) not in forgotten), left)


def of_turn(candidate: Candidate, turn: Turn) -> NewMemory:
    """The candidate as a fact of this turn."""
    fact = as_fact(candidate, speaker=turn.speaker, said_at=turn.at)
    return replace(fact, session=turn.session, turn=turn.id)


def as_fact(candidate: Candidate, *, speaker: str | None, said_at: datetime | None) -> NewMemory:
    """What happened on a day fades as an event does; what is so, slowly."""
    own = {
        "kind": Kind.FACT,
        "speaker": None if speaker is None or speaker.strip().casefold() in _NO_NAMES else speaker,
        "memory_type": MemoryType.EPISODIC if candidate.occurred_at else MemoryType.SEMANTIC,
        "said_at": said_at,
    }
    return NewMemory(**shared_fields(candidate, NewMemory) | own)


def readings_of(
    chunk: Sequence[Turn],
    read: Sequence[Extraction],
    matched: Sequence[MatchResult],
    *,
    lesson: Lesson,
    earlier: Mapping[str, Reading],
    run: str | None,
    now: datetime,
) -> list[Reading]:
    """One a turn, done. A fact that an earlier reading of the turn gave keeps the outcome it had then."""
    made: list[Reading] = []
    for turn, extracted in zip(chunk, read, strict=True):
        before = {learned.memory: learned.outcome for learned in earlier[turn.id].learned}
        gave: dict[str, str] = {}
        for one in matched:
            if one.item.turn == turn.id:
                gave.setdefault(one.after.id, one.outcome.value)
        for memory, outcome in gave.items():
            if outcome == Became.UNCHANGED and memory in before:
                gave[memory] = before[memory]
        made.append(
            Reading(
                turn=turn.id,
                session=turn.session,
                status=ReadingStatus.DONE,
                extractor=extracted.extractor,
                learned=tuple(LearnedFact(memory, outcome) for memory, outcome in gave.items()),
                passed_over=len(extracted.passed_over) + lesson.left.get(turn.id, 0),
                problem=extracted.problem,
                tries=earlier[turn.id].tries,
                run=run,
                at=now,
                asked=extracted.asked,
                reworded=extracted.reworded,
                excluded=extracted.excluded,
            )
        )
    return made


def usable(item: NewMemory) -> NewMemory | None:
    """The item checked; None where it cannot be kept, which is the extractor's fault and not the speaker's."""
    try:
        return check([item])[0]
    except BadInput:
        return None


def _forgotten_fingerprints(space: Space, items: Sequence[NewMemory]) -> set[str]:
    """Fingerprints of what somebody took away: facts deleted in these very words and not held in them, or purged. What
    one owner had taken away may still be learned from another."""
    prints = {fingerprint(item) for item in items}
    owners = {owner_of_session(item.session) for item in items}
    said = memories.by_hashes(space.db, sorted(prints))
    gone = {
        print_
        for print_, found in said.items()
        if (
            states := {
                one.state for one in found if one.kind is Kind.FACT and owner_of_session(one.origin.session) in owners
            }
        )
        and states == {State.DELETED}
    }
    asked = [(fact_id(item, fingerprint(item)), item.text) for item in items]
    purged = purge.purged_among(space.db, asked).ids
    return gone | {fingerprint(item) for item in items if fact_id(item, fingerprint(item)) in purged}


# What an extractor read, without the candidates that are like a fact of which somebody said: never like this again.

_SHOWN = 120  # characters of the excluded fact that the reason repeats


@dataclass(frozen=True, slots=True)
class _Exclusions:
    """`lines` (n,): from which cosine each excludes; `vectors` (n, dimension), zeros where there is none."""

    facts: tuple[Memory, ...]
    lines: NDArray[np.float32]
    vectors: NDArray[np.float32]

    def against(self, text: str, vector: NDArray[np.float32] | None) -> Memory | None:
        """Return the fact that a candidate is most like, of those it is like enough; None where it is like none."""
        words = _plain_text(text)
        same = next((fact for fact in self.facts if _plain_text(fact.text) == words), None)
        if same is not None or vector is None:
            return same
        above = self.vectors @ vector - self.lines
        best = int(np.argmax(above))
        return self.facts[best] if above[best] >= 0 else None


def exclude(
    space: Space, read: Sequence[Extraction], *, speakers: Sequence[str | None], session: str | None
) -> list[Extraction]:
    """Return the readings with excluded candidates among `passed_over`, the exclusion named. `speakers`: of each
    reading. What the owner of another session never wants to see again may be learned in this one. Without a usable
    model only a candidate in the very words is excluded."""
    standing = [
        fact
        for fact in exclusions.standing(space.db)
        if owner_of_session(fact.origin.session) == owner_of_session(session)
    ]
    if not standing or not any(one.candidates for one in read):
        return list(read)
    texts = [
        words_of(candidate.text, speaker=as_fact(candidate, speaker=speaker, said_at=None).speaker)
        for one, speaker in zip(read, speakers, strict=True)
        for candidate in one.candidates
    ]
    known, vectors = _encode_exclusions(space, standing, texts)
    every = iter(vectors)
    return [_drop_excluded(one, [known.against(found.text, next(every)) for found in one.candidates]) for one in read]


def _drop_excluded(read: Extraction, by: Sequence[Memory | None]) -> Extraction:
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


def _encode_exclusions(
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


def _plain_text(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!?。")


# What would be learned from some words, and what would become of it. Stores nothing.


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
    extracted: Extraction
    would: tuple[Would, ...]


def preview(space: Space, said: Sequence[SpokenTurn], *, reader: Reader, judges: Judges = RULES) -> tuple[Preview, ...]:
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
