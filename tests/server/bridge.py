"""A stand-in for a SurrealDB server: the embedded engine behind `ws://…/rpc`, for tests of server mode.

    python -m tests.server.bridge PORT FOLDER [USER PASSWORD]

Every connection signs in and uses a database of its own choice; each database is an engine of its own in the folder,
for in one engine all connections would share a session. `let` is refused for the same reason. Prints one line when
it listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from typing import Any

from aiohttp import WSMsgType, web
from surrealdb.data.cbor import decode, encode
from surrealdb_embedded import AsyncEmbeddedDB

OPEN: dict[tuple[str, str], AsyncEmbeddedDB] = {}
OPENING = asyncio.Lock()
ARGUMENTS = web.AppKey("arguments", tuple)
ASKED = itertools.count()  # questions since it started


def error(request: dict[str, Any], message: str, *, kind: str = "NotAllowed", code: int = -32002) -> bytes:
    return bytes(encode({"id": request["id"], "error": {"code": code, "kind": kind, "message": message}}))


def answer(request: dict[str, Any], result: Any) -> bytes:
    return bytes(encode({"id": request["id"], "result": result}))


async def engine_of(folder: str, namespace: str, name: str) -> AsyncEmbeddedDB:
    async with OPENING:
        if (namespace, name) not in OPEN:
            engine = AsyncEmbeddedDB(f"surrealkv://{folder}/{namespace}-{name}?sync=never")
            await engine.connect()
            await engine.execute(bytes(encode({"id": "use", "method": "use", "params": [namespace, name]})))
            OPEN[namespace, name] = engine
        return OPEN[namespace, name]


class Connection:
    """What a server knows of one client: whether it signed in, and the database it uses."""

    def __init__(self, folder: str, credentials: tuple[str, ...]) -> None:
        self.folder = folder
        self.credentials = credentials
        self.signed_in = not credentials
        self.engine: AsyncEmbeddedDB | None = None

    async def reply(self, data: bytes) -> bytes:
        request: dict[str, Any] = decode(data)
        method, params = request["method"], request.get("params", [])
        if method == "signin":
            given = params[0]
            self.signed_in = self.credentials in ((), (given.get("user"), given.get("pass")))
            return answer(request, "token") if self.signed_in else error(request, "There was a problem with signing in")
        if not self.signed_in:
            return error(request, "Anonymous access not allowed")
        if method == "use":
            self.engine = await engine_of(self.folder, *params[:2])
            return answer(request, None)
        if method not in ("query", "ping", "version"):
            return error(request, f"Method not found: {method}", kind="NotFound", code=-32601)
        next(ASKED)
        if self.engine is None:
            return error(request, "Specify a namespace to use", kind="Validation", code=-32000)
        return bytes(await self.engine.execute(data))


async def rpc(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(protocols=["cbor"], max_msg_size=0)
    await socket.prepare(request)
    connection = Connection(*request.app[ARGUMENTS])
    under_way: set[asyncio.Task[None]] = set()

    async def serve(data: bytes) -> None:
        reply = await connection.reply(data)
        with contextlib.suppress(ConnectionError):  # the client went meanwhile; what it wrote stays written
            await socket.send_bytes(reply)

    async for message in socket:
        if message.type is WSMsgType.BINARY:
            # One question of a connection does not wait for another, as at the real server.
            task = asyncio.create_task(serve(message.data))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
    return socket


async def counted(request: web.Request) -> web.Response:
    """How many questions it was asked, for who measures; this one is one of them."""
    return web.json_response(next(ASKED))


async def ready(app: web.Application) -> None:
    print("listening", flush=True)


def main(port: int, folder: str, *credentials: str) -> None:
    app = web.Application()
    app[ARGUMENTS] = (folder, credentials)
    app.router.add_get("/rpc", rpc)
    app.router.add_get("/counted", counted)
    app.on_startup.append(ready)
    web.run_app(app, host="127.0.0.1", port=port, print=None, handle_signals=True, shutdown_timeout=1)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *sys.argv[3:])
