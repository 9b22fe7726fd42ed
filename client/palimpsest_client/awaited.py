"""The same client for programs that do other things meanwhile: every method is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx

from palimpsest_client import ways
from palimpsest_client.call import Call
from palimpsest_client.calls import judging, keeping, remembering, searching, talking
from palimpsest_client.connection import Answer, Connection, Send, Steps, connect
from palimpsest_client.records import TurnsTaken
from palimpsest_client.shapes import Page
from palimpsest_client.wire import answered, lost, request_of, shown_as

P = ParamSpec("P")
T = TypeVar("T")


def _method_of_call(build: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncPalimpsest, P], Awaitable[T]]:
    """A call of the API as a method of the client."""

    async def method(client: AsyncPalimpsest, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await client._walk(client.connection.ask(build(*args, **kwargs)))

    return shown_as(build, method, leaves_out=0)


def _method_of_steps(
    way: Callable[Concatenate[Connection, P], Steps[T]],
) -> Callable[Concatenate[AsyncPalimpsest, P], Awaitable[T]]:
    """What takes several calls, as a method of the client."""

    async def method(client: AsyncPalimpsest, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await client._walk(way(client.connection, *args, **kwargs))

    return shown_as(way, method, leaves_out=1)


class AsyncPalimpsest:
    """A memory, asked and written over its API.

    `url` and `key` are read from MEMORY_URL and MEMORY_KEY where they are not given. `space` names one of those the key
    opens, `agent` tells the agents of one key apart in the history. `timeout` is in seconds, for one try; what is not
    answered is tried `retries` times more. Methods raise PalimpsestError. `close` it, or use it in an `async with`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        space: str = "",
        agent: str = "",
        retries: int = 4,
        timeout: float = 60.0,
    ) -> None:
        self.connection = connect(url, key, space=space, agent=agent, retries=retries)
        self._http = httpx.AsyncClient(timeout=timeout, trust_env=self.connection.trusts_environment)

    remember = _method_of_call(remembering.remember)
    remember_many = _method_of_steps(ways.remember_many)
    memories = _method_of_call(remembering.memories)
    get = _method_of_call(remembering.get)
    update = _method_of_call(remembering.update)
    confirm = _method_of_call(remembering.confirm)
    archive = _method_of_call(remembering.archive)
    delete = _method_of_call(remembering.delete)
    restore = _method_of_call(remembering.restore)
    purge = _method_of_call(remembering.purge)
    feedback = _method_of_call(remembering.feedback)

    recall = _method_of_steps(ways.recall)
    search = _method_of_call(searching.search)
    compare = _method_of_call(searching.compare)
    explain = _method_of_call(searching.explain)
    context = _method_of_call(searching.context)

    open_session = _method_of_call(talking.open_session)
    sessions = _method_of_call(talking.sessions)
    session_state = _method_of_call(talking.session_state)
    say = _method_of_call(talking.say)
    say_all = _method_of_call(talking.say_all)
    turns = _method_of_call(talking.turns)
    end_session = _method_of_call(talking.end_session)

    conflicts = _method_of_call(judging.conflicts)
    conflict = _method_of_call(judging.conflict)
    resolve = _method_of_call(judging.resolve)
    undo_decision = _method_of_call(judging.undo_decision)
    undo = _method_of_call(judging.undo)
    entities = _method_of_call(judging.entities)
    entity = _method_of_call(judging.entity)
    add_entity = _method_of_call(judging.add_entity)

    tree = _method_of_call(keeping.tree)
    node = _method_of_call(keeping.node)
    put_node = _method_of_steps(ways.put_node)
    ingest = _method_of_steps(ways.ingest)
    heartbeat = _method_of_steps(ways.heartbeat)
    jobs = _method_of_call(keeping.jobs)
    job = _method_of_call(keeping.job)
    wait = _method_of_steps(ways.wait)
    export = _method_of_steps(ways.export)
    import_file = _method_of_steps(ways.import_file)
    cancel_job = _method_of_call(keeping.cancel_job)
    retry_job = _method_of_call(keeping.retry_job)
    spaces = _method_of_call(keeping.spaces)
    create_space = _method_of_call(keeping.create_space)
    version = _method_of_call(keeping.version)

    async def every(
        self, listing: Callable[P, Awaitable[Page[T]]], *args: P.args, **kwargs: P.kwargs
    ) -> AsyncIterator[T]:
        """All that a listing method lists: `async for memory in client.every(client.memories, tags=["ops"])`."""
        while True:
            page = await listing(*args, **kwargs)
            for one in page.items:
                yield one
            if not page.next_cursor:
                return
            kwargs["cursor"] = page.next_cursor

    def session(self, name: str, **opened: Any) -> AsyncTalk:
        """A conversation for an `async with`: opened there with what `open_session` takes, ended behind it."""
        return AsyncTalk(self, name, opened)

    def in_space(self, space: str) -> AsyncPalimpsest:
        """The same client in another space, over the same connections."""
        other = object.__new__(type(self))
        other.connection, other._http = replace(self.connection, space=space), self._http
        return other

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncPalimpsest:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _walk(self, steps: Steps[T]) -> T:
        """Carries out step after step, and gives what they end with."""
        answer: Answer | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as ended:
                value: T = ended.value
                return value
            answer = None
            if isinstance(step, Send):
                answer = await self._sent(step)
            else:
                await asyncio.sleep(step.seconds)

    async def _sent(self, step: Send) -> Answer:
        asked, file = request_of(self.connection, step.call), step.call.into
        try:
            if file is None:
                return answered(await self._http.request(**asked))
            async with self._http.stream(**asked) as response:
                if not response.is_success:
                    await response.aread()
                    return answered(response)
                with file.open("wb") as opened:
                    async for part in response.aiter_bytes():
                        opened.write(part)
                return Answer(response.status_code)
        except httpx.TransportError as error:
            return lost(error)


class AsyncTalk:
    """An open conversation."""

    def __init__(self, client: AsyncPalimpsest, name: str, opened: dict[str, Any]) -> None:
        self.name = name
        self._client = client
        self._opened = opened

    async def say(self, text: str, **more: Any) -> TurnsTaken:
        """One turn, with what the client's `say` takes."""
        return await self._client.say(self.name, text, **more)

    async def __aenter__(self) -> AsyncTalk:
        await self._client.open_session(self.name, **self._opened)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._client.end_session(self.name)
