"""What a tool is: its name and words, what it takes and gives as JSON Schema, and the call that it makes.

Most tools behind the opt-in are one operation of the JSON API and answer with its own JSON: `operation` makes those.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from memoryapp.interfaces.mcp.client import Api, segment
from memoryapp.interfaces.mcp.shapes import NOTICE, Notice, fence_lines, quote_lines


class Arguments(BaseModel):
    """What a tool is called with. An unknown name is an error: a mistyped filter must not give everything."""

    model_config = ConfigDict(extra="forbid")


class Result(BaseModel, ABC):
    """What a tool answers: structured, and by `words` as a text. Fields that the API adds later are passed by."""

    model_config = ConfigDict(extra="ignore", json_schema_serialization_defaults_required=True)

    @abstractmethod
    def words(self) -> str:
        """The answer as an agent reads it; what is recalled stands in the frame of `fence`."""


@dataclass(frozen=True, slots=True)
class AgentTool:
    """`reads`: changes nothing. `destroys`: may take something away. `repeats`: twice is once."""

    name: str
    title: str
    description: str
    takes: type[Arguments]
    gives: type[Result]
    act: Callable[[Api, Any], Awaitable[Result]]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False

    def listed(self) -> Tool:
        """As the protocol lists it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=_inline_schema(self.takes.model_json_schema(), nulls=False),
            output_schema=_inline_schema(self.gives.model_json_schema(mode="serialization"), nulls=True),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.reads or self.repeats,
                open_world_hint=False,
            ),
        )


def _inline_schema(schema: dict[str, Any], *, nulls: bool) -> dict[str, Any]:
    """Without references and generated titles, which many clients cannot follow or show to no use. `nulls` False: an
    optional field is of its one type and may be left out; a null sent for it is still understood."""
    shared = schema.pop("$defs", {})

    def plain(part: Any) -> Any:
        if isinstance(part, list):
            return [plain(one) for one in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            named = shared[part["$ref"].rpartition("/")[2]]
            part = {**named, **{name: value for name, value in part.items() if name != "$ref"}}
        if not nulls and {"type": "null"} in part.get("anyOf", []):
            (kind,) = [one for one in part["anyOf"] if one != {"type": "null"}]
            rest = {name: value for name, value in part.items() if name not in ("anyOf", "default")}
            return plain({**kind, **rest})
        # A generated title is a text; a property that is called so is a schema.
        return {name: plain(value) for name, value in part.items() if name != "title" or not isinstance(value, str)}

    found: dict[str, Any] = plain(schema)
    found.pop("description", None)
    return found


class Answer(Result):
    """The API's own answer."""

    answer: dict[str, Any] = Field(description="The answer of the JSON API, as /api/docs tells it.")
    notice: Notice = NOTICE

    def words(self) -> str:
        return fence_lines(quote_lines(json.dumps(self.answer, ensure_ascii=False, separators=(",", ":"))))


def operation(name: str, title: str, description: str, takes: type[Arguments], act: Any, **more: bool) -> AgentTool:
    """A tool that answers as the API does; `act` is what `calls` made, and `more` its annotations."""
    return AgentTool(name, title, description, takes, Answer, act, **more)


def calls(
    method: str,
    path: str,
    *,
    query: bool = False,
    fixed: dict[str, Any] | None = None,
    renamed: dict[str, str] | None = None,
) -> Callable[[Api, Any], Any]:
    """A call of one operation: names in braces are put into the address, the rest into the body or, with `query`, the
    question behind it. `renamed`: what the API calls an argument that every tool calls the same."""

    async def act(api: Api, said: Arguments) -> Answer:
        told = said.model_dump(mode="json", exclude_none=True)
        fields = {(renamed or {}).get(name, name): value for name, value in told.items()}
        steps = {name: segment(fields.pop(name)) for name in list(fields) if f"{{{name}}}" in path}
        fields |= fixed or {}
        where = path.format(**steps)
        asked = api.ask(method, where, params=fields) if query else api.ask(method, where, json=fields)
        return Answer(answer=await asked)

    return act
