"""A handle of one space's database: opened once, asked from any thread, closed once.

Embedded (`surrealkv://`, `mem://`) or a server (`ws://`) by the URL alone. `use` is sent once, at opening, and never
again: on a shared handle it can hang with a query under way.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import random
import re
import shutil
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from surrealdb import AsyncSurreal
from surrealdb.errors import ConnectionUnavailableError, NotAllowedError, SurrealError, ValidationError

from memoryapp.domain.errors import (
    BadInput,
    StoreError,
    StoreLocked,
    StoreTimeout,
    StoreUnavailable,
    WriteConflict,
)
from memoryapp.observability.counts import STORE_SECONDS, STORE_TROUBLES
from memoryapp.store import loop
from memoryapp.store.engine import Engine, is_conflict, plain_error, results, unreachable
from memoryapp.store.folder import (
    clear_half_repair,
    finish_swap,
    folder_of,
    full,
    has_room,
    left_open,
    not_written,
    snapshot_of,
    tidied_up,
)

T = TypeVar("T")

NAMESPACE = "palimpsest"
ATTEMPTS = 8  # of a write that met another one
CONNECT = 5.0  # seconds until a server that neither takes nor refuses a connection counts as gone
_OPENING = 30.0  # seconds in all
_MENDING = 900.0  # where the owner was killed: the log is read and tidied first, 148 s at 117,000 on a busy machine
PING = 10.0  # seconds between two questions whether a server is still there, and in which it must answer
RECONNECTS = 5  # 0.2 s, then twice as long each time: about six seconds for a server that restarts
_WRITE = re.compile(r"\b(CREATE|INSERT|UPDATE|UPSERT|DELETE|RELATE|DEFINE|REMOVE)\b")
DRAIN = 10.0  # seconds that closing waits for questions under way
REST = 30.0  # seconds until writes under way must have ended, where others wait for that


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who to be at a server; the embedded engine needs none."""

    username: str
    password: str = field(repr=False)


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(slots=True, eq=False, weakref_slot=True)
class Database:
    """`query` gives one entry a statement. The counters are shown on the health page."""

    url: str
    name: str
    _handle: Any
    _reopen: Callable[[], Any]
    conflicts_retried: int = 0
    conflicts_given_up: int = 0
    reconnected: int = 0
    closed: bool = False
    in_memory: bool = False
    folder: Path | None = None  # where the embedded engine keeps it
    _process: int = field(default_factory=os.getpid)
    _under_way: int = 0
    _writes: dict[int, int] = field(default_factory=dict)  # writes under way: when each was begun, in ms since 1970
    _asked: int = 0
    written: int = 0  # writing statements of this handle that have ended, well or badly
    _reopening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _may_write: asyncio.Event = field(default_factory=_set_event)
    _away: bool = False  # a question gave its server up, and none has reached it since: the next ones do not wait
    _missed_at: float = 0.0  # the loop's clock: when a new connection was last tried in vain
    _at_engine: int = 0  # of those under way, the ones that do not wait for a new handle
    _spoilt: bool = False  # a write failed on disk: what follows it would not outlive this process
    _shut: bool = False  # its handle is closed, and there is no new one yet

    @property
    def embedded(self) -> bool:
        return not self.url.startswith(("ws", "http"))

    def still_at(self, written: int) -> bool:
        """Whether no write has ended since `written` was read. Nobody was told of one that is under way; when it ends,
        the number moves first. Only ever true of an embedded store, whose one writer is this handle."""
        return self.embedded and self.written == written

    def query(self, statement: str, *, timeout: float = 60.0, logs: bool = False, **variables: Any) -> list[Any]:
        """Runs bound SurrealQL and checks every statement's result. `logs`: it writes only what no cache and no index
        reads, so that these stay as they are.

        Retries a write conflict up to ATTEMPTS times with jitter, and a lost connection to a server up to RECONNECTS
        times: a write whose answer was lost may then be run twice, so writes are made to bear it.
        Raises Stale or LostRace where the statement threw so, StoreTimeout, StoreUnavailable, WriteConflict, StoreFull,
        BadInput (a value that cannot be stored) or StoreError.
        """
        if self.closed:
            raise StoreUnavailable(f"The store of space “{self.name}” is closed.")
        if self._process != os.getpid():
            # The engine's threads stayed in the parent: the question would wait for ever.
            raise StoreUnavailable(f"The store of space “{self.name}” was opened before this process was forked.")
        return self._run(self._ask(statement, variables, logs=logs), timeout=timeout)

    def _run(self, work: Coroutine[Any, Any, T], *, timeout: float = 60.0) -> T:
        return (loop.run if self.embedded else loop.run_in_background)(work, timeout=timeout)

    async def _ask(  # noqa: C901 - one loop, with every way in which a statement can end
        self, statement: str, variables: dict[str, Any], *, logs: bool
    ) -> list[Any]:
        met = lost = 0
        self._asked += 1
        question = self._asked
        self._under_way += 1
        began = time.perf_counter()
        writes = _writing(statement)
        try:
            if writes:
                await self._may_write.wait()
                self._writes[question] = time.time_ns() // 1_000_000
            while True:
                if self._shut or (self._spoilt and writes) or (self.embedded and self._reopening.locked()):
                    await self._renew()
                handle = self._handle
                try:
                    if _was_cut_off(handle):
                        raise ConnectionUnavailableError("the connection was lost")
                    found = results(await self._put(handle, statement, variables))
                    if self._spoilt and writes:  # by another write meanwhile: it is kept once the folder was closed
                        await self._renew()
                    return found
                except (SurrealError, OSError) as error:
                    if refused := not_written(error, self.folder):
                        self._spoilt = True
                        raise refused from error
                    if is_conflict(error):
                        met += 1
                        await self._after_conflict(met, error)
                    elif not self.embedded and _is_lost(error) and lost < (1 if self._away else RECONNECTS):
                        lost += 1
                        await asyncio.sleep(0 if self._away else 0.2 * 2 ** (lost - 1))
                        await self._reconnect(handle)
                    else:
                        self._away = not self.embedded and _is_lost(error)
                        raise plain_error(error, url=self.url) from error
                except (ValueError, RecursionError) as error:
                    raise BadInput(f"A value cannot be stored as it is: {error}") from error
        finally:
            self._under_way -= 1
            STORE_SECONDS.labels("write" if writes else "read").observe(time.perf_counter() - began)
            # Counted before anybody is told that it is kept, so that whoever was told finds the number moved.
            if self._writes.pop(question, None) is not None and not logs:
                self.written += 1

    async def _put(self, handle: Any, statement: str, variables: dict[str, Any]) -> Any:
        self._at_engine += 1
        try:
            return await handle.query_raw(statement, variables)
        finally:
            self._at_engine -= 1

    async def _after_conflict(self, met: int, error: BaseException) -> None:
        self.conflicts_retried += 1
        STORE_TROUBLES.labels("conflict").inc()
        if met >= ATTEMPTS:
            self.conflicts_given_up += 1
            STORE_TROUBLES.labels("given_up").inc()
            raise WriteConflict(
                f"A write met others {ATTEMPTS} times in a row and was given up; nothing of it was kept. Try it again."
            ) from error
        # Full jitter: two writers that met once should not meet again.
        await asyncio.sleep(random.uniform(0, 0.004 * 2**met))

    async def _reconnect(self, broken: Any) -> None:
        """A new connection in place of the broken one, made by whichever question comes first; whoever waited while it
        was tried in vain does not try again."""
        clock = asyncio.get_running_loop()
        asked = clock.time()
        async with self._reopening:
            if self._handle is not broken or self._missed_at >= asked:
                return
            try:
                self._handle = await self._reopen()
            except (SurrealError, OSError):
                self._missed_at = clock.time()
                return  # the next attempt finds the old handle still broken, and counts
            self.reconnected += 1
            STORE_TROUBLES.labels("reopened").inc()
            self._away = False
            with contextlib.suppress(SurrealError, OSError):
                await broken.close()

    async def _renew(self) -> None:
        """Closes the folder and opens it again where a write failed on disk; waits where another question does so.
        Raises StoreFull while there is no room for that, and StoreUnavailable."""
        async with self._reopening:
            if not self._spoilt or self.folder is None:
                return
            if not has_room(self.folder):
                raise full(self.folder)
            await self._drain(lambda: self._at_engine)
            self._shut = True
            with contextlib.suppress(SurrealError, OSError):
                await self._handle.close()
            try:
                self._handle = await self._reopen()
            except (SurrealError, OSError) as error:
                raise unreachable(self.url, error) from error
            self._spoilt = self._shut = False
            self.reconnected += 1
            STORE_TROUBLES.labels("reopened").inc()

    @property
    def busy(self) -> bool:
        """Whether a question of anybody is under way."""
        return self._under_way > 0

    def oldest_write(self) -> int | None:
        """When the oldest write of this process that is still under way was begun, in milliseconds since 1970."""
        return min(self._writes.copy().values(), default=None)

    def close(self) -> None:
        """Ends the handle, once questions under way have their answers, and frees the folder for another process.
        A second call does nothing."""
        if self.closed:
            return
        self.closed = True
        if self._process == os.getpid():
            self._run(self._end())

    async def _end(self) -> None:
        await self._drain(lambda: self._under_way)
        with contextlib.suppress(SurrealError, OSError):
            await self._handle.close()
        await tidied_up(self.folder)

    @contextlib.contextmanager
    def at_rest(self, last: str, **variables: Any) -> Iterator[None]:
        """Runs `last`, a writing statement, once every write under way has ended; no other begins while this lasts.
        For moments: whoever writes waits so long. Raises as `query` does, StoreTimeout where a write does not end."""
        try:
            self._run(self._come_to_rest(last, variables), timeout=REST)
            yield
        finally:
            self._run(self._go_on())

    async def _come_to_rest(self, last: str, variables: dict[str, Any]) -> None:
        self._may_write.clear()
        try:
            await self._drain(lambda: len(self._writes))
            if self._writes:
                raise StoreTimeout("Writes are under way that do not end. Try it again in a minute.")
            results(await self._put(self._handle, last, variables))
            self.written += 1
        except (SurrealError, OSError) as error:
            raise plain_error(error, url=self.url) from error

    async def _go_on(self) -> None:
        self._may_write.set()

    async def _drain(self, left: Callable[[], int]) -> None:
        clock = asyncio.get_running_loop()
        until = clock.time() + DRAIN
        while left() and clock.time() < until:
            await asyncio.sleep(0.01)


async def _attach(address: str, name: str, credentials: Credentials | None) -> Any:
    """A handle on the database `name` at `address`. Raises ConnectionUnavailableError after CONNECT seconds."""
    served = address.startswith(("ws", "http"))
    # One answer a question: nothing here reads row by row.
    handle: Any
    if address.startswith(("surrealkv://", "mem://")):
        handle = Engine(address)
    else:
        handle = AsyncSurreal(address, streaming=False, ping_interval=PING, ping_timeout=PING)
    try:
        async with asyncio.timeout(CONNECT) if served else contextlib.nullcontext():
            await handle.connect()
            if credentials is not None and served:
                await handle.signin({"username": credentials.username, "password": credentials.password})
            await handle.use(NAMESPACE, name)
    except TimeoutError as error:
        raise ConnectionUnavailableError(f"it gave no answer within {CONNECT:g} seconds.") from error
    return handle


def open_database(
    url: str, name: str, *, credentials: Credentials | None = None, folder: str | None = None
) -> Database:
    """Opens the database of one space.

    `url`: `surrealkv:///folder` (each space gets a folder of its own below it), `ws://host:port/rpc`, or `mem://` for
    trials and tests (under contention the engine's memory mode loses a write now and then; the others do not).
    `folder`: where it is not named like the space, while that is being rewritten.
    Raises StoreLocked when another process holds the folder, StoreUnavailable when it cannot be opened or reached,
    BadInput for a name that is no folder's.
    """
    if not name or name in (".", "..") or any(c in name for c in "/\\\x00"):
        raise BadInput(f"“{name}” cannot be the name of a space.")
    address = f"{url}/{folder or name}" if url.startswith("surrealkv") else url
    kept = folder_of(url, folder or name)

    async def connect() -> Any:
        if kept is not None and left_open(kept):
            clear_half_repair(kept)
            handle = await _attach(address, name, credentials)
            with contextlib.suppress(SurrealError):  # no room: the log is whole now, and stays
                await handle.close()
            await tidied_up(kept)
        return await _attach(address, name, credentials)

    try:
        _make_folder(kept)
        begin = loop.run_in_background if address.startswith(("ws", "http")) else loop.run
        handle = begin(connect(), timeout=_OPENING if kept is None or not left_open(kept) else _MENDING)
    except (SurrealError, OSError, ValueError) as error:
        if "already locked" in str(error):
            raise StoreLocked(
                f"The store of space “{name}” is held by another program. Close the other Palimpsest, "
                "or give this one its own folder with --data."
            ) from error
        raise unreachable(address, error) from error
    if kept is not None:  # ours now: what a process left that was killed while it made a backup
        shutil.rmtree(snapshot_of(kept), ignore_errors=True)
    in_memory = address.startswith("mem")
    database = Database(url=address, name=name, _handle=handle, _reopen=connect, in_memory=in_memory, folder=kept)
    _open.add(database)
    return database


_open: weakref.WeakSet[Database] = weakref.WeakSet()


@atexit.register
def _leave_in_order() -> None:
    """An engine thread that wants to hand over an answer while the interpreter ends aborts the whole process (seen
    with 3.2.4): so what was left open is closed, and the engine's threads get a moment to let go."""
    for database in list(_open):
        with contextlib.suppress(StoreError):
            database.close()
    loop.stop()


@lru_cache(maxsize=256)
def _writing(statement: str) -> bool:
    return _WRITE.search(statement) is not None


def _make_folder(folder: Path | None) -> None:
    if folder is not None:
        finish_swap(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _was_cut_off(handle: Any) -> bool:
    """Whether the socket has ended since the last question. The SDK would open a new one by itself, as nobody and
    without a database."""
    reader = getattr(handle, "recv_task", None)
    return reader is not None and reader.done()


def _is_lost(error: BaseException) -> bool:
    """Whether a new connection, signed in afresh, may help. An answer that is only late is not asked for twice."""
    if isinstance(error, ValidationError):
        return "namespace" in str(error).lower() or "database" in str(error).lower()
    return isinstance(error, (ConnectionUnavailableError, NotAllowedError, OSError))
