"""New turns of a talk, out of an agent's transcript or of what it tells its hook, into the spool. Private words and
secrets are left out before anything is written. Standard library and `domain` alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memoryapp.connect.events import Act
from memoryapp.connect.places import Place
from memoryapp.connect.spool import Line, hold, spool_of
from memoryapp.connect.transcript import FORM, read_speech
from memoryapp.domain.cleaning import clean, has_words, pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.secrets import is_masked, mask

_PATIENCE = 10.0  # seconds for another hook of the same session
_UNSAID = 1 << 16  # bytes of a transcript in which nothing is said, behind which the cursor is moved all the same
Payload = dict[str, Any]


def keep(data: Path, agent: str, act: Act, payload: Payload, place: Place) -> None:
    """Write what is new to the spool of the session. Raises OSError and TimeoutError: then it is new the next time."""
    session = str(payload.get("session_id") or "").strip()
    if not session:
        return
    spool = spool_of(data, agent, session)
    with hold(data, "spool", patience=_PATIENCE):
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
