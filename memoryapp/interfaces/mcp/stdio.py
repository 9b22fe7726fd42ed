"""The protocol over standard input and output: one client, whose calls go by HTTP to an app that runs somewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
import httpx
from mcp.server.stdio import stdio_server

from memoryapp.interfaces.mcp.client import PATIENCE, Api, Send
from memoryapp.interfaces.mcp.server import make_server


@dataclass(frozen=True, slots=True)
class AppAddress:
    """An app that answers at `url` (without a slash at its end), and the key that opens it."""

    url: str
    key: str


def serve_stdio(
    find: Callable[[], AppAddress | None],
    *,
    space: str = "",
    agent: str = "",
    every_tool: bool = False,
    purges: bool = False,
) -> None:
    """Serves until standard input ends. `find` says where the app is; it is asked again when that one is gone, so that
    an app which starts later, or starts anew, is found without starting the agent's program again."""
    server = make_server(Api(_make_send(find, space), agent=agent, purges=purges), every_tool=every_tool)

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)


def _make_send(find: Callable[[], AppAddress | None], space: str) -> Send:
    found: list[AppAddress] = []

    async def asked(method: str, path: str, **more: Any) -> httpx.Response:
        fresh = not found
        where = found[0] if found else await anyio.to_thread.run_sync(find)
        if where is None:
            raise httpx.ConnectError("it is not running")
        found[:] = [where]
        headers = {"Authorization": f"Bearer {where.key}"} | ({"X-Space": space} if space else {})
        sent = {**more, "headers": headers | more.get("headers", {})}
        try:
            async with httpx.AsyncClient(base_url=where.url, timeout=PATIENCE, trust_env=False) as client:
                return await client.request(method, path, **sent)
        except httpx.ConnectError:  # nothing was sent: asking another one cannot do a thing twice
            found.clear()
            if fresh:
                raise
        return await asked(method, path, **more)

    return asked
