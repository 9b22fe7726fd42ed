"""Where questions to the store are run: those to the engine in this process by the thread that asks, those to a server
on one event loop in the background.

The engine answers on threads of its own, and its asynchronous extension, unlike its synchronous one, leaves the GIL
alone meanwhile. Handing a question to an event loop and back took twice as long as the engine takes over a small one.
So whoever asks goes through its coroutine itself, and waits where that waits. What stands between two waits runs in one
thread at a time, as it would on a loop: whatever only coroutines touch needs no lock.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from memoryapp.domain.errors import StoreTimeout
from memoryapp.observability.counts import STORE_TROUBLES

T = TypeVar("T")

_SETTLE = 0.05  # seconds in which the engine's threads drop what they hold of ours

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner = 0  # the process that started the loop: after a fork the thread is gone, and a new loop is needed
_used = False  # whether the engine's threads may hold anything of this process
# One at a time; again by the thread that has it, where a signal or the collection of garbage asks in between.
_stepping = threading.RLock()


def run(work: Coroutine[Any, Any, T], *, timeout: float = 60.0) -> T:
    """Runs `work`, which waits for the engine in this process alone, in this thread. Raises StoreTimeout after
    `timeout` seconds.

    Statements carry their own, shorter TIMEOUT; this one only guards against an engine that does not answer at all.
    The work is not cancelled then: the engine would go on with it all the same, and closing waits for it.
    """
    global _used
    _used = True
    until = time.monotonic() + timeout
    while True:
        try:
            waits = _step(work)
        except _Ended as end:
            return end.value  # type: ignore[no-any-return]
        if waits is None:
            continue
        try:
            came = waits.wait(until - time.monotonic())
        except BaseException:
            _finish_aside(work, waits)
            raise
        if not came:
            _finish_aside(work, waits)
            raise _timeout(timeout)


class _Ended(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def _step(work: Coroutine[Any, Any, Any]) -> _Answer | None:
    """Goes on until `work` waits, and returns what for; None where it only lets others in. Raises _Ended, or as it
    does."""
    outer = asyncio._get_running_loop()
    with _stepping:
        asyncio._set_running_loop(_HERE)
        try:
            return work.send(None)  # type: ignore[no-any-return]
        except StopIteration as end:
            raise _Ended(end.value) from None
        finally:
            asyncio._set_running_loop(outer)


def _finish_aside(work: Coroutine[Any, Any, Any], waits: _Answer) -> None:
    """Nobody waits for it any longer."""

    def finish() -> None:
        waits.wait()
        with contextlib.suppress(Exception):  # whoever asked was told that it took too long
            run(work, timeout=threading.TIMEOUT_MAX)

    threading.Thread(target=finish, name="store-late", daemon=True).start()


def _timeout(seconds: float) -> StoreTimeout:
    STORE_TROUBLES.labels("timeout").inc()
    return StoreTimeout(f"The store gave no answer in {seconds:.0f} seconds. Try again; if it stays so, restart.")


class _Answer:
    """What a coroutine waits for, as far as the engine, and asyncio's locks, events and pauses ask of a future."""

    def __init__(self) -> None:
        self._there = threading.Lock()
        self._there.acquire()
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it is there, within so many seconds."""
        came = self._there.acquire(timeout=-1 if seconds is None else min(max(seconds, 0), threading.TIMEOUT_MAX))
        if came:
            self._there.release()
        return came

    def done(self) -> bool:
        return self._done

    def cancelled(self) -> bool:
        return False

    def set_result(self, value: Any) -> None:
        self._value, self._done = value, True
        self._there.release()

    def set_exception(self, error: BaseException) -> None:
        self._error, self._done = error, True
        self._there.release()

    def add_done_callback(self, callback: Callable[..., Any]) -> None:
        """The engine asks to be told of a cancellation. There is none."""

    def __await__(self) -> Generator[_Answer, None, Any]:
        if not self._done:
            yield self
        if self._error is not None:
            raise self._error
        return self._value


class _Here:
    """What is asked of a running loop by whatever is awaited here."""

    def create_future(self) -> _Answer:
        return _Answer()

    def call_soon_threadsafe(self, callback: Callable[..., Any], *given: Any, context: Any = None) -> None:
        callback(*given)  # on the engine's thread: the answer is set, and whoever waits for it goes on

    def call_later(self, delay: float, callback: Callable[..., Any], *given: Any, context: Any = None) -> Any:
        timer = threading.Timer(delay, callback, given)
        timer.daemon = True
        timer.start()
        return timer

    def time(self) -> float:
        return time.monotonic()


_HERE: Any = _Here()


def _start_anew() -> None:
    global _stepping, _used
    _stepping, _used = threading.RLock(), False


os.register_at_fork(after_in_child=_start_anew)


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop, _owner
    with _lock:
        if _loop is None or _owner != os.getpid() or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            _owner = os.getpid()
            threading.Thread(target=_loop.run_forever, name="store-loop", daemon=True).start()
        return _loop


def run_in_background(work: Coroutine[Any, Any, T], *, timeout: float = 60.0) -> T:
    """The same on the event loop, for work that waits for a server."""
    future = asyncio.run_coroutine_threadsafe(work, _running_loop())
    try:
        return future.result(timeout)
    except concurrent.futures.TimeoutError:
        raise _timeout(timeout) from None


def stop() -> None:
    """Ends the loop and its thread, as the interpreter is about to end. A later `run` starts another."""
    global _loop
    with _lock:
        ending, _loop = _loop, None
    if ending is not None and _owner == os.getpid():
        ending.call_soon_threadsafe(ending.stop)
    if _used or ending is not None:
        time.sleep(_SETTLE)
