"""Questions to a chat model: an answer of a known shape (`ask`), or prose (`write`), each with its cost.

An answer that does not fit its pydantic model is sent back once with what is wrong. `talk_to` is the one asking beneath
both: its deadline, its cost, and what its outcome tells of the endpoint.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import LlmDown, LlmError, LlmNonsense, LlmRefused
from memoryapp.domain.fact import Cost
from memoryapp.inference.llm.message import DATA_RULE, Message, as_material, assistant, system, user
from memoryapp.inference.llm.model import ChatModel
from memoryapp.inference.llm.say import Reply, say
from memoryapp.inference.llm.shape import Answer, read_answer, strict_schema, with_schema, without_thoughts
from memoryapp.observability.counts import LLM_CALLS, LLM_SECONDS, LLM_TOKENS


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


MORE_ROOM = 4  # times the tokens, where an answer was cut off
_SENT_BACK = 4_000  # characters of a wrong answer that the model is shown again


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[Answer]):
    parsed: Answer
    cost: Cost


def ask(model: ChatModel, messages: Sequence[Message], answer: type[Answer], *, max_tokens: int) -> ParsedReply[Answer]:
    """Return the model's answer as an `answer`, within the endpoint's timeout, repair included.

    Raises LlmDown, LlmSlow, LlmRefused, LlmNonsense; what was spent is in the error's `cost`.
    """
    schema = strict_schema(answer)
    told = with_schema(messages, schema)
    with talk_to(model) as talk:
        reply = talk.say(told, max_tokens=max_tokens, schema=schema)
        parsed, wrong = read_answer(reply.text, answer)
        if parsed is None:
            reply = _ask_again(talk, told, reply, wrong=wrong, max_tokens=max_tokens, schema=schema)
            parsed, wrong = read_answer(reply.text, answer)
        if parsed is None:
            raise _nonsense(model, reply, wrong)
    return ParsedReply(parsed, talk.cost)


def _ask_again(
    talk: Talk,
    told: Sequence[Message],
    reply: Reply,
    *,
    wrong: str,
    max_tokens: int,
    schema: dict[str, Any],
) -> Reply:
    if reply.cut:  # nothing wrong but its length; a model that thinks aloud needs more than its answer takes
        return talk.say(told, max_tokens=max_tokens * MORE_ROOM, schema=schema)
    back = user(f"That does not fit the schema: {wrong}. Answer again with the whole corrected JSON object only.")
    return talk.say([*told, assistant(reply.text[:_SENT_BACK]), back], max_tokens=max_tokens, schema=schema)


def _nonsense(model: ChatModel, reply: Reply, wrong: str) -> LlmNonsense:
    said = "the answer was cut off at the token limit" if reply.cut else wrong
    return LlmNonsense(
        f"The chat model {model.endpoint.label} did not answer in the form it was asked for: {said}. "
        "A larger model, or one made for instructions, does."
    )


def write(
    model: ChatModel, instructions: str, material: str, *, max_tokens: int, examples: Sequence[tuple[str, str]] = ()
) -> tuple[str, Cost]:
    """Return what the model makes of the material, as plain text. `examples`: materials, each with its answer. An
    answer that is empty or cut off is asked for once more with more room. Raises LlmDown, LlmSlow, LlmRefused,
    LlmNonsense; what was spent is in the error's `cost`."""
    messages = _messages(instructions, material, examples)
    with talk_to(model) as talk:
        reply = talk.say(messages, max_tokens=max_tokens)
        if reply.cut or not without_thoughts(reply.text):
            reply = talk.say(messages, max_tokens=max_tokens * MORE_ROOM)
        text = clean(without_thoughts(reply.text)).strip()
        if reply.cut or not text:
            said = "its answer was cut off at the token limit" if reply.cut else "its answer was empty"
            raise LlmNonsense(
                f"The chat model {model.endpoint.label} wrote nothing usable: {said}. Name another model."
            )
    return text, talk.cost


def _messages(instructions: str, material: str, examples: Sequence[tuple[str, str]]) -> list[Message]:
    if not examples:
        # Instructions come last: small models retell the rule itself where it stands between them and the material.
        return [system(DATA_RULE), user(f"{as_material(material)}\n\n{instructions}")]
    # What is asked again and again begins alike, so that a server reads that beginning but once.
    shown = [one for asked, answer in examples for one in (user(as_material(asked)), assistant(answer))]
    return [system(f"{instructions} {DATA_RULE}"), *shown, user(as_material(material))]
