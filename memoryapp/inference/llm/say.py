"""One answer of a chat model within a deadline: its words and what they took, after as many tries as time allows.
Every failure is one of the LlmErrors, in words for a person. No message holds the key."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from pydantic import BaseModel, Field, ValidationError

from memoryapp.domain.errors import LlmDown, LlmError, LlmNonsense, LlmRefused, LlmSlow
from memoryapp.inference.llm.endpoint import Manner, patience, simpler
from memoryapp.inference.llm.message import Message
from memoryapp.inference.llm.model import ChatModel

_REFUSES_US = {401, 402, 403, 404, 405, 407, 408, 409, 429}  # the key, the bill, the address, the rate: not the text
_MAY_PASS = {408, 409, 429}
_UP = "Is it up, and MEMORY_LLM_URL right?"
_FIXES = {
    401: "Check MEMORY_LLM_KEY.",
    402: "Its account wants money.",
    403: "Check MEMORY_LLM_KEY.",
    404: "Check MEMORY_LLM_URL (it ends in /v1) and MEMORY_LLM_MODEL.",
    429: "It is asked too often, or its account is used up.",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """`cut`: it ended at the token limit, not by itself. Tokens are 0 where the endpoint does not count them."""

    text: str
    cut: bool
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Why a request was not answered. `wait`: seconds the server told us to wait, None where it did not say."""

    error: LlmError
    may_pass: bool = True
    status: int = 0
    complaint: str = ""
    wait: float | None = None


class _Words(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Words
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def say(
    model: ChatModel,
    messages: Sequence[Message],
    *,
    max_tokens: int,
    until: float,
    schema: dict[str, Any] | None = None,
) -> Reply:
    """Return the model's answer by `until` (time.monotonic). What may pass is tried again, a manner that the endpoint
    refuses gives way to a simpler one, and the one that worked is kept. Raises LlmDown, LlmSlow, LlmRefused,
    LlmNonsense."""
    manner, tries = model.manner, 1
    while True:
        answer = _post(model, messages, manner=manner, max_tokens=max_tokens, until=until, schema=schema)
        if isinstance(answer, httpx.Response):
            model.manner = manner
            return _read(model, answer)
        easier = simpler(manner, status=answer.status, complaint=answer.complaint, structured=schema is not None)
        if easier is not None:
            manner = easier
            continue
        wait = answer.wait if answer.wait is not None else _backoff(tries)
        if not answer.may_pass or tries >= model.endpoint.tries or time.monotonic() + wait >= until:
            raise answer.error
        model.sleep(wait)
        tries += 1


def _post(
    model: ChatModel,
    messages: Sequence[Message],
    *,
    manner: Manner,
    max_tokens: int,
    until: float,
    schema: dict[str, Any] | None,
) -> httpx.Response | _Trouble:
    import openai

    left = until - time.monotonic()
    if left <= 0:
        raise _slow_error(model)
    body: dict[str, Any] = {
        "model": model.name,
        "messages": [{"role": message.role.value, "content": message.text} for message in messages],
        **manner.parameters(max_tokens=max_tokens, schema=schema),
    }
    # Said at each request: an environment for another program may hold headers that the SDK would add otherwise.
    key = f"Bearer {model.endpoint.key}" if model.endpoint.key else openai.omit
    try:
        sent = model.client().chat.completions.with_raw_response.create(
            **body, timeout=patience(left), extra_headers={"Authorization": key}
        )
    except openai.APITimeoutError as error:
        if isinstance(error.__cause__, httpx.ConnectTimeout):
            return _Trouble(_down_error(model, "nobody answers at that address"))
        raise _slow_error(model) from error
    except openai.APIConnectionError as error:
        cause = type(error.__cause__).__name__ if error.__cause__ else "no connection"
        return _Trouble(_down_error(model, f"no connection ({cause})"))
    except openai.APIStatusError as error:
        return _refusal(model, error.response)
    return sent.http_response


def _read(model: ChatModel, answer: httpx.Response) -> Reply:
    try:
        read = _Completion.model_validate_json(answer.content)
    except ValidationError as error:
        said = "it answered, but not in the form of /v1/chat/completions"
        raise LlmNonsense(
            f"The chat model {model.endpoint.label} cannot be understood: {said}. Is MEMORY_LLM_URL right?"
        ) from error
    first, usage = read.choices[0], read.usage or _Usage()
    if first.message.refusal or first.finish_reason == "content_filter":
        raise LlmRefused(f"The chat model {model.endpoint.label} declined to work on this text.")
    return Reply(
        text=first.message.content or "",
        cut=first.finish_reason == "length",
        tokens_in=max(usage.prompt_tokens or 0, 0),
        tokens_out=max(usage.completion_tokens or 0, 0),
    )


def _slow_error(model: ChatModel) -> LlmSlow:
    return LlmSlow(
        f"The chat model {model.endpoint.label} gave no answer within {model.endpoint.timeout:g} s. "
        "Give it longer with MEMORY_LLM_TIMEOUT, or name a faster model."
    )


def _down_error(model: ChatModel, said: str, *, fix: str = _UP) -> LlmDown:
    return LlmDown(f"The chat model {model.endpoint.label} does not serve us: {said}. {fix}")


def _refusal(model: ChatModel, answer: httpx.Response) -> _Trouble:
    status, complaint = answer.status_code, _complaint(answer, key=model.endpoint.key)
    error: LlmError
    if status in _REFUSES_US or status >= 500 or status < 400:
        error = _down_error(model, complaint, fix=_FIXES.get(status, _UP))
    else:
        error = LlmRefused(f"The chat model {model.endpoint.label} does not take this request: {complaint}.")
    may_pass = status in _MAY_PASS or status >= 500
    return _Trouble(error, may_pass=may_pass, status=status, complaint=complaint, wait=_told_to_wait(answer))


def _complaint(answer: httpx.Response, *, key: str) -> str:
    """Return the status and what the server says of it, in one line without the key, which some servers repeat."""
    try:
        said = answer.json()["error"]
        said = said["message"] if isinstance(said, dict) else said
    except (ValueError, KeyError, TypeError):
        said = answer.text
    line = f"{answer.status_code} {' '.join(str(said).split())}".rstrip(" .")
    return (line.replace(key, "…") if key else line)[:200]


def _backoff(tries: int) -> float:
    return float(0.5 * 2 ** (tries - 1))


def _told_to_wait(answer: httpx.Response) -> float | None:
    try:
        return max(float(answer.headers["Retry-After"]), 0.0)
    except (KeyError, ValueError):  # none, or a date; our own schedule will do
        return None
