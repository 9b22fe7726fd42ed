"""Turns on their way to the memory: a file of lines for each session of an agent, from which they go when the memory
has them. `keep` puts in what is new in an agent's transcript, or in what it tells its hook; private words and secrets
are left out before anything is written. `send` hands all to the running app: in order, each turn once.

What a kill leaves behind is either there or not: a line that was broken off never was. Beside the lines stands how far
they were sent (`sent`), and how far the transcript was read (`read`). Each line carries its own `read`, so that a turn
and the cursor behind it are written in one step. Standard library and `domain` alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

from memoryapp.connect.app import App, NoKey, app_of, post
from memoryapp.connect.events import Act
from memoryapp.connect.places import FOLDER, Place
from memoryapp.connect.transcript import FORM, read_speech
from memoryapp.domain.cleaning import clean, has_words, pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.secrets import is_masked, mask

Line = dict[str, Any]
_KEPT_DAYS = 90  # how far a session was read; agents keep their transcripts for less
_KEEP_PATIENCE = 10.0  # seconds for another hook of the same session
_UNSAID = 1 << 16  # bytes of a transcript in which nothing is said, behind which the cursor is moved all the same
Payload = dict[str, Any]
_MOST = 100  # turns of one request
_WITHIN = 60.0  # seconds for one answer; nobody waits for it
_SEND_PATIENCE = 120.0  # seconds for another hook that is sending
_MOST_PARTS = 50
_UNUSABLE = (400, 413, 422)
Log = Callable[[str], None]


class State(NamedTuple):
    """`parts`: of a session that went on after its end, in which part of it the talk is."""

    sent: int = 0
    read: int = 0
    space: str = ""
    parts: dict[str, int] = {}


class Spool(NamedTuple):
    """Of one session of one agent."""

    folder: Path
    name: str

    @property
    def file(self) -> Path:
        return self.folder / f"{self.name}.jsonl"

    @property
    def _state_file(self) -> Path:
        return self.folder / f"{self.name}.json"

    def state(self) -> State:
        """Return how far it is, the lines that wait included."""
        lines = self._lines()
        kept = self._kept()
        read = max([kept.read, *(line["read"] for line in lines)])
        return kept._replace(read=read, space=kept.space or (lines[0]["space"] if lines else ""))

    def waiting(self) -> list[Line]:
        """Return the lines that the memory does not have yet, in order."""
        sent = self._kept().sent
        return [line for line in self._lines() if line["n"] > sent]

    def append(self, lines: Sequence[Line]) -> None:
        """Write the lines behind those that wait. Whoever calls this holds the lock. Raises OSError."""
        there = self._lines()
        number = max([self._kept().sent, *(line["n"] for line in there)])
        text = "".join(
            json.dumps({"n": number + count, **line}, ensure_ascii=False) + "\n"
            for count, line in enumerate(lines, start=1)
        )
        with open(self.file, "a+b") as out:
            out.truncate(_end_of_whole_lines(out))
            out.write(text.encode("utf-8", "replace"))
            out.flush()
            os.fsync(out.fileno())

    def settle(self, number: int, parts: dict[str, int]) -> None:
        """Write that the memory has the lines up to this number. Whoever calls this holds the lock. Raises OSError."""
        now = self.state()
        state = now._replace(sent=max(number, now.sent), parts=parts)
        draft = self._state_file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(state._asdict()), encoding="utf-8")
        os.replace(draft, self._state_file)
        if not self.waiting():
            self.file.unlink(missing_ok=True)

    def _kept(self) -> State:
        try:
            kept = json.loads(self._state_file.read_text(encoding="utf-8"))
            return State(int(kept["sent"]), int(kept["read"]), str(kept["space"]), dict(kept["parts"]))
        except (OSError, ValueError, KeyError, TypeError):
            return State()

    def _lines(self) -> list[Line]:
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return []
        found = []
        for line in content[: content.rfind(b"\n") + 1].splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found


def spool_of(data: Path, agent: str, session: str) -> Spool:
    """Return the spool of a session; its folder is made where it is missing. Raises OSError."""
    return Spool(_folder(data), f"{agent}~{re.sub(r'[^A-Za-z0-9._-]', '_', session)[:100]}")


def spools(data: Path) -> list[Spool]:
    """Return those in which something waits, the oldest first."""
    files = sorted(_folder(data).glob("*.jsonl"), key=lambda file: (file.stat().st_mtime, file.name))
    return [Spool(file.parent, file.stem) for file in files if "~" in file.stem]


def forget_old(data: Path) -> None:
    """Remove what was kept of sessions that are long over, and drafts that a kill left."""
    before = time.time() - _KEPT_DAYS * 86_400
    for file in _folder(data).iterdir():
        with contextlib.suppress(FileNotFoundError):
            if file.suffix != ".jsonl" and file.stat().st_mtime < before:
                file.unlink()


@contextlib.contextmanager
def hold(data: Path, name: str, *, patience: float) -> Iterator[None]:
    """Hold a lock of the spool's folder for the block; it goes with the process. Raises TimeoutError."""
    until = time.monotonic() + patience
    with open(_folder(data) / f".{name}", "a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError(f"Another hook has had {file.name} for {patience:.0f} seconds.") from None
                time.sleep(0.02)
        os.utime(file.name)
        yield


def _folder(data: Path) -> Path:
    folder = data / FOLDER / "spool"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _end_of_whole_lines(file: BinaryIO) -> int:
    """Where a line that was broken off begins, else the end."""
    file.seek(0)
    return file.read().rfind(b"\n") + 1


def keep(data: Path, agent: str, act: Act, payload: Payload, place: Place) -> None:
    """Write what is new to the spool of the session. Raises OSError and TimeoutError: then it is new the next time."""
    session = str(payload.get("session_id") or "").strip()
    if not session:
        return
    spool = spool_of(data, agent, session)
    with hold(data, "spool", patience=_KEEP_PATIENCE):
        state = spool.state()
        common: Line = {
            "agent": agent,
            "space": state.space or place.space,
            "session": f"{agent}:{session}",
            "title": Path(str(payload.get("cwd") or "")).name[:200],
        }
        said = _of_transcript if agent == FORM else _of_payload
        lines = [common | line for line in said(agent, payload, state.read)]
        if act is Act.END:
            lines.append(common | {"read": lines[-1]["read"] if lines else state.read, "end": True})
        if lines:
            spool.append(lines)


def _of_transcript(agent: str, payload: Payload, start: int) -> Iterator[Line]:
    file = Path(str(payload.get("transcript_path") or "")).expanduser()
    if not payload.get("transcript_path") or not file.is_file():
        return
    read = end = start
    for one, end in read_speech(file, start):
        if one is not None:
            ref = " ".join(clean(str(one.ref or "")).split())[:100] or derived_id(str(one.at), one.text)
            for turn in _turns(one.text, one.role, ref, one.at):
                yield {"read": end, "session": f"{agent}:{one.session}", "turn": turn}
                read = end
    if end - read > _UNSAID:
        yield {"read": end}


def _of_payload(agent: str, payload: Payload, start: int) -> Iterator[Line]:
    """Codex tells the message at one hook and the answer at another, Gemini both at one. A ref says which turn it is,
    so that one told twice is kept once."""
    at = payload.get("timestamp") or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    turn = payload.get("turn_id") or at
    event = payload.get("hook_event_name")
    asked = event == "UserPromptSubmit" or (event == "AfterAgent" and payload.get("stop_hook_active") is not True)
    told = (
        ("user", payload.get("prompt") if asked else None),
        ("assistant", payload.get("last_assistant_message") or payload.get("prompt_response")),
    )
    for role, text in told:
        for one in _turns(text, role, f"{turn}/{role}"[:100], at) if isinstance(text, str) else ():
            yield {"read": start, "turn": one}


def _turns(text: str, role: str, ref: str, at: Any) -> Iterator[dict[str, Any]]:
    """A long one in pieces; none where no word is left that may be kept."""
    text = mask(clean(text).strip())
    if not has_words(text) or is_masked(text):
        return
    for number, piece in enumerate(pieces(text, LIMITS.turn_chars), start=1):
        turn = {"text": piece, "role": role, "ref": ref if number == 1 else f"{ref}/{number}"}
        yield turn | ({"at": at} if _is_moment(at) else {})


def _is_moment(at: Any) -> bool:
    try:
        return isinstance(at, str) and bool(datetime.fromisoformat(at))
    except ValueError:
        return False


class Unavailable(Exception):
    """The app does not take it now; why, for the log."""


class AppUnreachable(Unavailable):
    """It takes nothing of anybody."""


def send(data: Path, log: Log) -> None:
    """Send all that waits, session by session, the oldest first; what cannot be sent waits on. Raises OSError and
    TimeoutError."""
    with hold(data, "sending", patience=_SEND_PATIENCE):
        for spool in spools(data):
            try:
                while lines := _read_waiting_lines(data, spool):
                    _send_some(data, spool, lines, log)
            except (Unavailable, NoKey) as reason:
                log(f"{len(_read_waiting_lines(data, spool))} turns of {spool.name} wait: {reason}")
                if isinstance(reason, AppUnreachable):
                    break
        forget_old(data)


def _read_waiting_lines(data: Path, spool: Spool) -> list[Line]:
    with hold(data, "spool", patience=_SEND_PATIENCE):
        return spool.waiting()


def _send_some(data: Path, spool: Spool, lines: list[Line], log: Log) -> None:
    """The first lines that go together: turns of one session, or its end."""
    first = lines[0]
    app = app_of(data, first["space"], first["agent"])
    if app is None:
        raise AppUnreachable("the app does not run")
    batch = list(takewhile(lambda line: "turn" in line and line["session"] == first["session"], lines))[:_MOST]
    state = spool.state()
    part = state.parts.get(first["session"], 1)
    if batch:
        part = _send_turns(data, app, first["session"], batch, part, log)
    elif "end" in first:
        _end(app, _session_name(first["session"], part))
    with hold(data, "spool", patience=_SEND_PATIENCE):
        spool.settle((batch or [first])[-1]["n"], {**state.parts, first["session"]: part})


def _send_turns(data: Path, app: App, session: str, batch: list[Line], part: int, log: Log) -> int:
    """Return the part of the session in which they are: one that has ended takes nothing more, and the talk goes on in
    the next. Raises Away."""
    for part in range(part, part + _MOST_PARTS):  # noqa: B020 - on from where it was
        name = _session_name(session, part)
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
    raise Unavailable(f"{session} has ended {_MOST_PARTS} times")


def _end(app: App, name: str) -> None:
    status, answer = post(app, f"/sessions/{quote(name, safe='')}/end", {}, within=_WITHIN)
    if status != 404:  # nothing was said in it that could be kept
        _must_be_done(status, answer)


def _must_be_done(status: int, answer: Any) -> None:
    if not status:
        raise AppUnreachable("the app does not answer")
    if not 200 <= status < 300:
        raise Unavailable(_answer_text(answer))


def _put_aside(data: Path, line: Line, answer: Any, log: Log) -> None:
    """What the memory will never take is kept for a person, and does not hold up the rest."""
    file = data / "connect" / "refused.jsonl"
    with open(file, "a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
    log(f"A turn was refused and lies in {file}: {_answer_text(answer)}")


def _session_name(session: str, part: int) -> str:
    return session if part == 1 else f"{session} ({part})"


def _answer_text(answer: Any) -> str:
    return (
        str(answer.get("detail") or answer.get("title")) if isinstance(answer, dict) else "no answer that can be read"
    )
