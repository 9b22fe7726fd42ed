"""When an agent's session begins: with its greeting or, for a client that greets nobody, with a call after a long
pause. Then sources marked so are read again, as `POST /sessions` does it."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import OrderedDict

from memoryapp.mcp.asking import Api, Refused

log = logging.getLogger("memoryapp.mcp")

PAUSE = 30 * 60.0  # seconds without a call, after which the next one begins a session
_MOST = 1_000  # callers that are known; the least recent is forgotten first
_last: OrderedDict[str, float] = OrderedDict()
_lock = threading.Lock()


def session_key(*parts: str) -> str:
    """Who calls where: kept as a hash, since a key is among it."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


async def note_call(api: Api, *, greeting: bool = False) -> None:
    """Begins a session where this call does. What cannot be begun (a reader's key may write nothing) stops no call."""
    if not _begins(api.session, greeting=greeting):
        return
    try:
        await api.ask("POST", "/sources/session-start")
    except Refused as refused:
        log.info("Nothing is read at the start of an agent's session: %s", refused.sentence)


def _begins(session: str, *, greeting: bool) -> bool:
    now = time.monotonic()
    with _lock:
        last = _last.pop(session, None)
        _last[session] = now
        while len(_last) > _MOST:
            _last.popitem(last=False)
    return greeting or last is None or now - last >= PAUSE
