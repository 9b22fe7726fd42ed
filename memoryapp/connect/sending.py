"""What waits in the spool, sent to the running app: in order, each turn once. Standard library alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memoryapp.connect.app import App, NoKey, app_of, post
from memoryapp.connect.spool import Line, Spool, forget_old, hold, spools

_MOST = 100  # turns of one request
_WITHIN = 60.0  # seconds for one answer; nobody waits for it
_PATIENCE = 120.0  # seconds for another hook that is sending
_MOST_PARTS = 50
_UNUSABLE = (400, 413, 422)
Log = Callable[[str], None]


class Away(Exception):
    """The app does not take it now; why, for the log."""


class Mute(Away):
    """It takes nothing of anybody."""


def send(data: Path, log: Log) -> None:
    """Send all that waits, session by session, the oldest first; what cannot be sent waits on. Raises OSError and
    TimeoutError."""
    with hold(data, "sending", patience=_PATIENCE):
        for spool in spools(data):
            try:
                while lines := _waiting(data, spool):
                    _send_some(data, spool, lines, log)
            except (Away, NoKey) as reason:
                log(f"{len(_waiting(data, spool))} turns of {spool.name} wait: {reason}")
                if isinstance(reason, Mute):
                    break
        forget_old(data)


def _waiting(data: Path, spool: Spool) -> list[Line]:
    with hold(data, "spool", patience=_PATIENCE):
        return spool.waiting()


def _send_some(data: Path, spool: Spool, lines: list[Line], log: Log) -> None:
    """The first lines that go together: turns of one session, or its end."""
    first = lines[0]
    app = app_of(data, first["space"], first["agent"])
    if app is None:
        raise Mute("the app does not run")
    batch = list(takewhile(lambda line: "turn" in line and line["session"] == first["session"], lines))[:_MOST]
    state = spool.state()
    part = state.parts.get(first["session"], 1)
    if batch:
        part = _send_turns(data, app, first["session"], batch, part, log)
    elif "end" in first:
        _end(app, _named(first["session"], part))
    with hold(data, "spool", patience=_PATIENCE):
        spool.settle((batch or [first])[-1]["n"], {**state.parts, first["session"]: part})


def _send_turns(data: Path, app: App, session: str, batch: list[Line], part: int, log: Log) -> int:
    """Return the part of the session in which they are: one that has ended takes nothing more, and the talk goes on in
    the next. Raises Away."""
    for part in range(part, part + _MOST_PARTS):  # noqa: B020 - on from where it was
        name = _named(session, part)
        opened = {"name": name, "agent": app.agent, "metadata": {"title": batch[0]["title"]}}
        if at := batch[0]["turn"].get("at"):
            opened["started_at"] = at
        status, answer = post(app, "/sessions", opened, within=_WITHIN)
        _must_be_done(status, answer)
        path = f"/sessions/{quote(name, safe='')}/turns"
        status, answer = post(app, path, {"turns": [line["turn"] for line in batch]}, within=_WITHIN)
        if status in _UNUSABLE:
            if len(batch) > 1:
                for line in batch:
                    part = _send_turns(data, app, session, [line], part, log)
            else:
                _put_aside(data, batch[0], answer, log)
            return part
        if status != 409:
            _must_be_done(status, answer)
            return part
    raise Away(f"{session} has ended {_MOST_PARTS} times")


def _end(app: App, name: str) -> None:
    status, answer = post(app, f"/sessions/{quote(name, safe='')}/end", {}, within=_WITHIN)
    if status != 404:  # nothing was said in it that could be kept
        _must_be_done(status, answer)


def _must_be_done(status: int, answer: Any) -> None:
    if not status:
        raise Mute("the app does not answer")
    if not 200 <= status < 300:
        raise Away(_said(answer))


def _put_aside(data: Path, line: Line, answer: Any, log: Log) -> None:
    """What the memory will never take is kept for a person, and does not hold up the rest."""
    file = data / "connect" / "refused.jsonl"
    with open(file, "a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
    log(f"A turn was refused and lies in {file}: {_said(answer)}")


def _named(session: str, part: int) -> str:
    return session if part == 1 else f"{session} ({part})"


def _said(answer: Any) -> str:
    return (
        str(answer.get("detail") or answer.get("title")) if isinstance(answer, dict) else "no answer that can be read"
    )
