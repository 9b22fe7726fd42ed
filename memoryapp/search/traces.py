"""The trace of a search: what an agent asked and was given, kept so that people can see it and mend what was wrong."""

from __future__ import annotations

import time
from collections.abc import Sequence

from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory
from memoryapp.domain.results import Answer
from memoryapp.domain.secrets import is_masked, mask
from memoryapp.domain.sentences import Span
from memoryapp.domain.trace import HASHED, LONGEST, Act, Asker, Given, Result, Trace
from memoryapp.inference.embedding.estimate import estimate_tokens
from memoryapp.search.pipeline import CLOSEST, NOTHING
from memoryapp.search.record import keep_trace
from memoryapp.spaces import Space


def trace_search(space: Space, answer: Answer, asker: Asker | None, *, began: float, narrowed: bool = False) -> None:
    """Keeps what `asker` was answered; nothing where there is none. `began`: time.perf_counter() at the call;
    `narrowed` by filters, so that what was not found need not be missing in memory."""
    if asker is None:
        return
    ms, now, query = (time.perf_counter() - began) * 1000, space.clock(), answer.query

    def made() -> Trace | None:
        if not (question := kept_question(query.text)):
            return None
        given = tuple(
            given_of(
                hit.memory,
                tokens=estimate_tokens(hit.memory.text),
                relevance=hit.relevance,
                answer=hit.answer,
                inherited_from=hit.inherited_from,
            )
            for hit in answer.hits
        )
        return Trace(
            id=new_id(),
            at=now,
            act=Act.SEARCH,
            question=question,
            of_all=not narrowed,
            asker=asker,
            strategy=query.strategy,
            result=result_of(answer.notes, empty=not given),
            given=given,
            tokens=sum(one.tokens for one in given),
            ms=round(ms, 3),
            cached=answer.cached,
        )

    keep_trace(space, made)


def kept_question(said: str) -> str:
    """The words as they may be stored: secrets and what is private masked, cut at LONGEST. Empty where nothing else is
    left of them."""
    kept = " ".join(mask(said[: LIMITS.query_chars]).split())[:LONGEST]
    return "" if is_masked(kept) else kept


def result_of(notes: Sequence[str], *, empty: bool) -> Result:
    """How an answer went, by its notes: nothing, unclear or answered."""
    if empty or NOTHING in notes:
        return Result.NOTHING
    return Result.UNCLEAR if CLOSEST in notes else Result.ANSWERED


def given_of(
    memory: Memory,
    *,
    tokens: int,
    relevance: float | None,
    answer: Span | None,
    inherited_from: str | None,
    layer: str = "",
) -> Given:
    """What a trace keeps of one memory that was given."""
    return Given(
        memory.id,
        tokens,
        None if relevance is None else round(relevance, 4),
        layer,
        (answer.start, answer.end) if answer is not None else None,
        memory.content_hash[:HASHED],
        inherited_from,
    )
