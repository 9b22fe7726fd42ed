"""The shape of an answer: told to the model as a JSON schema, and found again in what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from memoryapp.domain.turn import Role
from memoryapp.inference.llm.message import Message

Answer = TypeVar("Answer", bound=BaseModel)

_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_MOST_STARTS = 200  # places where JSON may begin that are tried; an answer that needs more is not meant as JSON
_MOST_COMPLAINTS = 5
# Strict mode knows neither defaults nor bounds; pydantic holds the answer to them afterwards.
_NOT_STRICT = frozenset(
    {"default", "title", "maxLength", "minLength", "maxItems", "minItems", "maximum", "minimum", "format"}
)


def strict_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """The answer's JSON schema as strict endpoints want it: every field required, no others allowed."""
    strict: dict[str, Any] = _strict_schema(answer.model_json_schema())
    return strict


def _strict_schema(part: Any, *, names: bool = False) -> Any:
    """`names`: the keys of this part are names of fields, not words of the schema language."""
    if isinstance(part, list):
        return [_strict_schema(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {
        key: _strict_schema(value, names=not names and key in ("properties", "$defs"))
        for key, value in part.items()
        if names or key not in _NOT_STRICT
    }
    if not names and "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


def with_schema(messages: Sequence[Message], schema: dict[str, Any]) -> list[Message]:
    """The messages, the first of which also tells the schema: at the start, because not every model takes a system
    message later on."""
    told = (
        "Answer with one JSON object and nothing else: no explanation, no code fence. It follows this JSON schema:\n"
        f"{json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"
    )
    if messages and messages[0].role is Role.SYSTEM:
        return [replace(messages[0], text=f"{messages[0].text}\n\n{told}"), *messages[1:]]
    return [Message(Role.SYSTEM, told), *messages]


def without_thoughts(text: str) -> str:
    """What a reasoning model says once it has thought aloud."""
    return _THOUGHT.sub("", text).strip()


def read_answer(text: str, answer: type[Answer]) -> tuple[Answer | None, str]:
    """The first object in the text that is such an answer; or None and what is wrong, in words for the model. Words
    around it and code fences do not matter."""
    wrong = "it holds no JSON object"
    for found in _objects(without_thoughts(text)):
        try:
            return answer.model_validate(found), ""
        except ValidationError as error:
            wrong = _complaints(error)
    return None, wrong


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _complaints(error: ValidationError) -> str:
    """Without what was found there: the complaint goes into messages that a person reads."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    told = [f"{'/'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in found[:_MOST_COMPLAINTS]]
    return "; ".join(told)
