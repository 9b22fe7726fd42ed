"""One asking of a chat model: its deadline, its cost, and what its outcome tells of the endpoint."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memoryapp.domain.errors import LlmDown, LlmError, LlmRefused
from memoryapp.domain.fact import Cost
from memoryapp.llm.message import Message
from memoryapp.llm.model import ChatModel
from memoryapp.llm.say import Reply, say
from memoryapp.observe.counts import LLM_CALLS, LLM_SECONDS, LLM_TOKENS


class Talk:
    """Some answers within one time. `cost` is complete once the talk is over."""

    def __init__(self, model: ChatModel, *, until: float) -> None:
        self.cost = Cost()
        self._model = model
        self._until = until

    def say(self, messages: Sequence[Message], *, max_tokens: int, schema: dict[str, Any] | None = None) -> Reply:
        """See llm.say."""
        reply = say(self._model, messages, max_tokens=max_tokens, until=self._until, schema=schema)
        money = self._model.price_of(tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)
        self.cost += Cost(calls=1, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, money=money)
        return reply


@contextmanager
def talk_to(model: ChatModel) -> Iterator[Talk]:
    """A talk as long as the endpoint's timeout. An LlmError out of it counts against the endpoint, but for a refusal of
    this one request, and carries what was spent. Raises LlmDown at once while the endpoint is left alone."""
    _admit(model)
    began = time.monotonic()
    talk = Talk(model, until=began + model.endpoint.timeout)
    failure: LlmError | None = None
    try:
        yield talk
        model.breaker.worked()
    except LlmError as error:
        failure = error
        if isinstance(error, LlmRefused):
            model.breaker.worked()
        else:
            model.breaker.failed(error.detail)
        raise
    finally:
        talk.cost += Cost(seconds=time.monotonic() - began)
        model.charge(talk.cost)
        _count(talk.cost, failure)
        if failure is not None:
            failure.cost = talk.cost


def _count(cost: Cost, failure: LlmError | None) -> None:
    LLM_CALLS.labels(type(failure).__name__ if failure else "ok").inc()
    LLM_TOKENS.labels("in").inc(cost.tokens_in)
    LLM_TOKENS.labels("out").inc(cost.tokens_out)
    LLM_SECONDS.inc(cost.seconds)


def _admit(model: ChatModel) -> None:
    model.client()  # before the clock starts: at the first asking it loads the SDK
    until = model.breaker.resting_until()
    if until is not None:
        problem = model.breaker.fared.problem
        raise LlmDown(f"{problem} After several failures in a row it is left alone until {until:%H:%M:%S} UTC.")
