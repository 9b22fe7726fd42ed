"""A tool that is one operation of the API and answers with its own JSON: what is behind the opt-in is made of these."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import Field

from memoryapp.mcp.asking import Api, segment
from memoryapp.mcp.fence import NOTICE, fenced, quoted
from memoryapp.mcp.shapes import Notice
from memoryapp.mcp.tool import AgentTool, Taken, Told


class Answer(Told):
    """The API's own answer."""

    answer: dict[str, Any] = Field(description="The answer of the JSON API, as /api/docs tells it.")
    notice: Notice = NOTICE

    def words(self) -> str:
        return fenced(quoted(json.dumps(self.answer, ensure_ascii=False, separators=(",", ":"))))


def operation(name: str, title: str, description: str, takes: type[Taken], act: Any, **more: bool) -> AgentTool:
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

    async def act(api: Api, said: Taken) -> Answer:
        told = said.model_dump(mode="json", exclude_none=True)
        fields = {(renamed or {}).get(name, name): value for name, value in told.items()}
        steps = {name: segment(fields.pop(name)) for name in list(fields) if f"{{{name}}}" in path}
        fields |= fixed or {}
        where = path.format(**steps)
        asked = api.ask(method, where, params=fields) if query else api.ask(method, where, json=fields)
        return Answer(answer=await asked)

    return act
