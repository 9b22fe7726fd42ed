"""The running app as a hook speaks to it: found by the data folder, asked by HTTP. Standard library alone."""

from __future__ import annotations

import fcntl
import http.client
import json
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

_API = "/api/v1"


class App(NamedTuple):
    host: str
    port: int
    key: str
    agent: str


class NoKey(Exception):
    """The space has no key for the agents of this machine."""


def key_file(data: Path, space: str) -> Path:
    """Return where the key of a writer of the space is kept."""
    return data / f"mcp-writer-{space}.key"


def app_of(data: Path, space: str, agent: str) -> App | None:
    """Return the app that runs on the data folder, or None where none does. Raises NoKey."""
    try:
        url = urlsplit(json.loads((data / "server.json").read_text(encoding="utf-8"))["url"])
        with open(data / "lock", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None  # nobody holds the folder: that file is left from an app that was killed
    except BlockingIOError:
        pass
    except (OSError, ValueError, KeyError, TypeError):
        return None
    try:
        key = key_file(data, space).read_text(encoding="utf-8").strip()
    except OSError:
        raise NoKey(f"There is no key for space “{space}”: `palimpsest connect --space {space}` makes one.") from None
    return App(url.hostname or "127.0.0.1", url.port or 80, key, agent)


def post(app: App, path: str, body: Any, *, within: float) -> tuple[int, Any]:
    """Return (status, the answer's JSON); the status is 0 where there was no answer within so many seconds."""
    until = time.monotonic() + within
    connection = http.client.HTTPConnection(app.host, app.port, timeout=within)
    headers = {
        "Authorization": f"Bearer {app.key}",
        "Content-Type": "application/json",
        "X-Agent-ID": app.agent,
        "Connection": "close",
    }
    try:
        connection.request("POST", _API + path, json.dumps(body).encode(), headers)
        if connection.sock is not None:
            connection.sock.settimeout(max(0.01, until - time.monotonic()))
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content else None
    except (OSError, http.client.HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()
