"""An agent's program: the SDK's own client over HTTP, whose every answer is held against the promised schema."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
import jsonschema
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, Tool

T = TypeVar("T")
ERAS = ("2026-07-28", "legacy")  # each request by itself; a handshake first


@dataclass(slots=True)
class Agent:
    client: Client
    tools: dict[str, Tool]

    async def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool answers, structured."""
        return (await self.told(name, **arguments)).structured_content

    async def told(self, name: str, /, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, result.content[0].text
        jsonschema.validate(arguments, self.tools[name].input_schema)
        jsonschema.validate(result.structured_content, self.tools[name].output_schema)
        return result

    async def words(self, name: str, /, **arguments: Any) -> str:
        """What a tool answers, as text."""
        return (await self.told(name, **arguments)).content[0].text

    async def refused(self, name: str, /, **arguments: Any) -> str:
        """The sentence with which a tool says no."""
        result = await self.client.call_tool(name, arguments)
        assert result.is_error and result.structured_content is None
        return result.content[0].text


@contextlib.asynccontextmanager
async def talking(
    url: str, key: str = "", *, era: str = ERAS[0], name: str = "claude-code", transport: Any = None, **headers: str
) -> AsyncIterator[Agent]:
    """`headers` are written with underscores: X_Space="work"."""
    sent = {word.replace("_", "-"): value for word, value in headers.items()}
    if key:
        sent["Authorization"] = f"Bearer {key}"
    info = Implementation(name=name, version="1")
    async with (
        httpx2.AsyncClient(headers=sent, timeout=30, trust_env=False, transport=transport) as http,
        Client(streamable_http_client(url, http_client=http), mode=era, client_info=info) as client,
    ):
        yield Agent(client, {tool.name: tool for tool in (await client.list_tools()).tools})


def run(talk: Coroutine[Any, Any, T]) -> T:
    """The talk's end; what went wrong in it comes out of the task groups that it is wrapped in."""
    try:
        return asyncio.run(talk)
    except BaseExceptionGroup as group:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
