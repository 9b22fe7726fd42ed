"""One background event loop that all handles live on.

The engine's synchronous extension holds the GIL for the whole of a query; its asynchronous one does not. So every
query runs on this loop, and threads wait for it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from memoryapp.domain.errors import StoreTimeout
from memoryapp.observability.counts import STORE_TROUBLES

T = TypeVar("T")

_SETTLE = 0.05  # seconds in which the engine's threads drop what they hold of ours

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner = 0  # the process that started the loop: after a fork the thread is gone, and a new loop is needed


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop, _owner
    with _lock:
        if _loop is None or _owner != os.getpid() or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            _owner = os.getpid()
            threading.Thread(target=_loop.run_forever, name="store-loop", daemon=True).start()
        return _loop


def run(work: Coroutine[Any, Any, T], *, timeout: float = 60.0) -> T:
    """Runs `work` on the loop and waits for it. Raises StoreTimeout after `timeout` seconds.

    Statements carry their own, shorter TIMEOUT; this one only guards against an engine that does not answer at all.
    The work is not cancelled then: the engine would go on with it all the same, and closing waits for it.
    """
    future = asyncio.run_coroutine_threadsafe(work, _running_loop())
    try:
        return future.result(timeout)
    except concurrent.futures.TimeoutError:
        STORE_TROUBLES.labels("timeout").inc()
        raise StoreTimeout(
            f"The store gave no answer in {timeout:.0f} seconds. Try again; if it stays so, restart."
        ) from None


def stop() -> None:
    """Ends the loop and its thread, as the interpreter is about to end. A later `run` starts another."""
    global _loop
    with _lock:
        ending, _loop = _loop, None
    if ending is not None and _owner == os.getpid():
        ending.call_soon_threadsafe(ending.stop)
        time.sleep(_SETTLE)
