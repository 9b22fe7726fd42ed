"""What an agent runs at its hooks: `python -I -S hook.py --data DIR --agent NAME`, with the hook's JSON on standard
input. It gives what the memory knows, and keeps what was said; it never holds the agent up and never fails it.

Standard library alone, and little of that: the agent waits for as long as Python takes to start and, where it asks, for
an answer within a second. What is kept is kept by a process of its own, after the agent went on.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memoryapp.connect.events import EVENTS, Act
from memoryapp.connect.places import FOLDER, Place, place_of

SWITCH = "MEMORY_HOOKS"  # off: this session is neither told anything nor kept
LOG = "hook.log"
_LOG_BYTES = 256 * 1024  # then it begins anew, and the one before is kept
_WITHIN = "1"  # seconds for what is known, where --within says nothing else: later it is of no use
_PAUSE = 0.5  # seconds in which an agent writes the last lines of its transcript, after it ran the hook
_MOST_CHARS = 20_000  # of a message
_OPENING = "What is known about {}, and what was done there last?"


def main(words: list[str]) -> None:
    """Act on one hook. `--wait`: keep in this process, as tests and people at a terminal want it."""
    options = dict(itertools.pairwise(words))
    data, agent = Path(options["--data"]), options["--agent"]
    os.umask(0o077)
    try:
        payload = json.loads(sys.stdin.buffer.read().decode("utf-8", "replace"))
        act = EVENTS[agent].get(payload.get("hook_event_name"))
        folder = os.environ.get("CLAUDE_PROJECT_DIR") or payload.get("cwd") or os.getcwd()
        if act is None or os.environ.get(SWITCH, "").strip().lower() == "off":
            return
        place = place_of(data, folder)
        if place.off:
            return
        if act in (Act.BEGIN, Act.ASK):
            _give(data, agent, act, payload, place, options)
        if _has_work(data, agent, act) and ("--wait" in words or _is_apart()):
            if "--wait" not in words:
                time.sleep(_PAUSE)
            _keep(data, agent, act, payload, place)
    except Exception as error:  # noqa: BLE001 - an agent is never to notice
        note(data, f"{agent}: {type(error).__name__}: {error}")


def note(data: Path, text: str) -> None:
    """Write a line to the log. It is all that can be told, so where that fails nothing is."""
    try:
        file = data / FOLDER / LOG
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if file.exists() and file.stat().st_size > _LOG_BYTES:
            os.replace(file, file.with_suffix(".log.1"))
        with open(file, "a", encoding="utf-8", errors="replace") as out:
            out.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(text.split())[:2000]}\n")
    except OSError:
        pass


def _message(act: Act, payload: dict[str, Any], place: Place) -> str:
    """What is asked of the memory; "" for nothing: a session taken up again, or words that are all private."""
    if act is Act.BEGIN:
        if payload.get("source") == "resume":  # it was given when the session began
            return ""
        return _OPENING.format(Path(payload.get("cwd") or place.space).name or place.space)
    message = str(payload.get("prompt") or "")
    if "private>" not in message.lower():
        return message
    from memoryapp.domain.secrets import is_masked, mask_private

    message = mask_private(message)
    return "" if is_masked(message) else message


def _give(data: Path, agent: str, act: Act, payload: dict[str, Any], place: Place, options: dict[str, str]) -> None:
    """Prints what is known, as additional context."""
    sys.modules.setdefault("ssl", None)  # type: ignore[arg-type]  # the app is on this machine: http.client starts sooner
    from memoryapp.connect.app import NoKey, app_of, post

    message = _message(act, payload, place)
    if not message.strip():
        return
    try:
        app = app_of(data, place.space, agent)
    except NoKey as error:
        return note(data, str(error))
    if app is None:
        return
    asked: dict[str, Any] = {"message": message[:_MOST_CHARS]}
    if "--budget" in options:
        asked["budget"] = int(options["--budget"])
    status, answer = post(app, "/context", asked, within=float(options.get("--within", _WITHIN)))
    if status != 200:
        return note(data, f"{agent}: no context: {(answer or {}).get('detail') or 'no answer in time'}")
    if any(layer["items"] for layer in answer["layers"]):
        told = {"hookEventName": payload["hook_event_name"], "additionalContext": answer["text"]}
        sys.stdout.write(json.dumps({"hookSpecificOutput": told}))
        sys.stdout.flush()


def _has_work(data: Path, agent: str, act: Act) -> bool:
    if act in (Act.KEEP, Act.END) or agent == "codex":  # which tells the message only when it is asked
        return True
    return any((data / FOLDER / "spool").glob("*.jsonl"))


def _is_apart() -> bool:
    """Whether this is the process that keeps: a child in a session of its own, which outlives the agent. The other one
    ends at once."""
    sys.stdout.flush()
    if os.fork():
        os._exit(0)
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, 256)
    return True


def _keep(data: Path, agent: str, act: Act, payload: dict[str, Any], place: Place) -> None:
    from memoryapp.connect.spool import keep, send

    if act is not Act.BEGIN:
        keep(data, agent, act, payload, place)
    send(data, lambda text: note(data, text))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException as error:  # noqa: BLE001 - words that are missing, a standard output that is closed
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    os._exit(0)
