"""/mcp and /mcp/SPACE over streamable HTTP. In comes an ASGI request; a tool call goes on into the application that was
handed in, as a request of the JSON API with the same key.

Each request is served whole by a manager of its own, with JSON for an answer. Nothing is kept between two of them, so
any of several processes may answer any of them, a restart is not noticed, and no lifespan of the server is needed.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

import httpx
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from memoryapp.interfaces.mcp.client import API, PATIENCE, Api, Send
from memoryapp.interfaces.mcp.server import make_server, session_key

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
SendMessage = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, SendMessage], Awaitable[None]]

PATH = "/mcp"
BODY_BYTES = 2 * 1024 * 1024  # the longest memory, every character of it escaped, and some
# Only these go on: a browser's cookie must not open what its key does not.
_PASSED = (b"authorization", b"x-api-key", b"x-space", b"host", b"user-agent", b"x-request-id")
_SESSION = "mcp-session-id"
_AGENT = re.compile(r"[^A-Za-z0-9._@+-]")


def http_door(application: Asgi, *, every_tool: bool = False, purges: bool = False) -> Asgi:
    """The door as an ASGI application. `every_tool`: without `?tools=all` too. `purges`: agents may erase for good."""

    async def door(scope: Scope, receive: Receive, send: SendMessage) -> None:
        headers = _headers(scope)
        problem = _out_of_place(scope, headers)
        if problem:
            await _answer(send, *problem)
            return
        asked = _make_send(application, scope)
        known = await asked("GET", f"{API}/version")
        if not known.is_success:  # no key, a wrong one, too many tries, a space that is not open, a host not let in
            await _pass_on(send, known)
            return
        wanted = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("tools", [""])[-1]
        agent = headers.get("x-agent-id", "") or _client_in(headers.get(_SESSION, ""))
        who = session_key(headers.get("authorization") or headers.get("x-api-key", ""), scope["path"], agent)
        caller = Api(asked, agent=agent, purges=purges, session=who)
        server = make_server(caller, every_tool=every_tool or wanted == "all")
        manager = StreamableHTTPSessionManager(
            app=server, json_response=True, stateless=True, max_request_body_size=BODY_BYTES
        )
        name = _ClientName(send)
        server.middleware.append(name.note)
        async with manager.run():
            await manager.handle_request(scope, receive, name.send)

    return door


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _out_of_place(scope: Scope, headers: Mapping[str, str]) -> tuple[int, str, dict[str, str]] | None:
    """(status, sentence, headers) for what this door does not do: other methods, other pages' scripts, other paths."""
    if "/" in scope["path"].removeprefix(PATH).strip("/"):
        return 404, f"Agents are served at {PATH} and {PATH}/SPACE.", {}
    if scope["method"] != "POST":  # there is no stream to listen to, and no session to end
        return 405, "Send the protocol's messages by POST.", {"allow": "POST"}
    origin = headers.get("origin")
    if origin and urlsplit(origin).netloc != headers.get("host"):
        return 403, "A page of another address may not speak to this memory.", {}
    return None


def _make_send(application: Asgi, scope: Scope) -> Send:
    """Requests into the application as from the same caller: with its key, its space, its address."""
    passed = [(name.lower(), value) for name, value in scope["headers"] if name.lower() in _PASSED]
    space = scope["path"].removeprefix(PATH).strip("/")
    if space:
        passed = [(name, value) for name, value in passed if name != b"x-space"]
        passed.append((b"x-space", quote(space, safe="").encode()))
    client = scope.get("client") or ("127.0.0.1", 0)
    base = f"{scope.get('scheme', 'http')}://127.0.0.1"
    plain = {"Accept-Encoding": "identity"}  # it goes nowhere: compressing it would be work for nothing

    async def asked(method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=application, client=(client[0], client[1]), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=base, timeout=PATIENCE, trust_env=False) as through:
            own = plain | more.get("headers", {})
            more["headers"] = [*passed, *((name.encode(), value.encode()) for name, value in own.items())]
            return await through.request(method, path, **more)

    return asked


class _ClientName:
    """A client tells its name once, at the start, and may be served by another process from then on. So its name is
    given back to it as the session's, which it sends with every request: a name, and nothing that opens anything."""

    def __init__(self, send: SendMessage) -> None:
        self._send = send
        self._name = ""

    async def note(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        if ctx.method == "initialize":
            info = (ctx.params or {}).get("clientInfo")
            self._name = str(info.get("name", "")) if isinstance(info, Mapping) else ""
        return await call_next(ctx)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._name:
            said = f"agent.{quote(_AGENT.sub('-', self._name)[:80])}"
            message = {**message, "headers": [*message.get("headers", []), (_SESSION.encode(), said.encode())]}
        await self._send(message)


def _client_in(session: str) -> str:
    return unquote(session.removeprefix("agent.")) if session.startswith("agent.") else ""


async def _pass_on(send: SendMessage, answer: httpx.Response) -> None:
    """The API's refusal as it is, problem and headers."""
    kept = [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in answer.headers.items()
        if name.lower() in ("content-type", "www-authenticate", "retry-after")
    ]
    await _respond(send, answer.status_code, kept, answer.content)


async def _answer(send: SendMessage, status: int, sentence: str, headers: dict[str, str]) -> None:
    kept = [(name.encode(), value.encode()) for name, value in headers.items()]
    kept.append((b"content-type", b"text/plain; charset=utf-8"))
    await _respond(send, status, kept, f"{sentence}\n".encode())


async def _respond(send: SendMessage, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    sized = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": sized})
    await send({"type": "http.response.body", "body": body})
