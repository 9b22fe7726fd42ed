"""The ASGI application that uvicorn serves: agents at /mcp, everything else by Django."""

from __future__ import annotations

import asyncio
import os
from functools import cache
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
django.setup(set_prefix=False)

from memoryapp.interfaces.pages.handler import Pages  # noqa: E402 - it reads the settings

pages = Pages()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI application: `/mcp` for agents, everything else Django's."""
    path = scope.get("path", "")
    if scope["type"] == "http" and (path == "/mcp" or path.startswith("/mcp/")):
        # Loaded with its first visitor, beside the event loop: commands that use this application never need it.
        door = await asyncio.to_thread(_agents)
        await door(scope, receive, send)
    else:
        await pages(scope, receive, send)


@cache
def _agents() -> Any:
    from memoryapp.interfaces.mcp.http import http_door

    every = os.environ.get("MEMORY_MCP_TOOLS", "").strip() == "all"
    return http_door(pages, every_tool=every, purges=os.environ.get("MEMORY_MCP_PURGE", "").strip() == "on")
