"""The trace of a context: what an agent was given for a message, kept so that people can see it."""

from __future__ import annotations

import time

from memoryapp.context.found import PromptContext
from memoryapp.domain.identity import new_id
from memoryapp.domain.strategies import DEFAULT
from memoryapp.domain.trace import Act, Asker, Result, Trace
from memoryapp.domain.turn import is_question
from memoryapp.search.record import keep_trace
from memoryapp.search.traces import given_of, kept_question, result_of
from memoryapp.spaces import Space


def trace_context(
    space: Space, message: str, found: PromptContext, asker: Asker | None, *, began: float, narrowed: bool = False
) -> None:
    """Keeps what `asker` was given; nothing where there is none. `began`: time.perf_counter() at the call; `narrowed`:
    by layers or to a past, so that what is missing need not be missing in memory."""
    if asker is None:
        return
    ms, now = (time.perf_counter() - began) * 1000, space.clock()

    def made() -> Trace | None:
        if not (question := kept_question(message)):
            return None
        given = tuple(
            given_of(
                item.memory,
                tokens=item.tokens,
                relevance=item.relevance,
                answer=item.answer,
                inherited_from=item.inherited_from,
                layer=layer.name,
            )
            for layer in found.layers
            for item in layer.items
        )
        return Trace(
            id=new_id(),
            at=now,
            act=Act.CONTEXT,
            question=question,
            of_all=is_question(message) and not narrowed,
            asker=asker,
            strategy=DEFAULT,
            result=Result.NO_ROOM if found.needed else result_of(found.notes, empty=not given),
            given=given,
            tokens=found.tokens,
            ms=round(ms, 3),
            budget=found.budget,
        )

    keep_trace(space, made)
