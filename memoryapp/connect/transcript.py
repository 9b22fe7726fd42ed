"""What was said in a transcript of Claude Code: JSON Lines. Standard library and `domain` alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memoryapp.domain.cleaning import clean

FORM = "claude-code"
_ROLES = ("user", "assistant")
_COMMAND = re.compile(r"<(?:command-|local-command-|system-reminder|bash-)|Caveat: The messages below were generated")


class Speech(NamedTuple):
    """What a person wrote or Claude answered. `at` is as the file has it."""

    session: Any
    role: str
    text: str
    ref: Any
    at: Any


def is_record(value: Any) -> bool:
    """Return whether a line's value belongs to a talk: said, or done by the machine."""
    return (
        isinstance(value, dict)
        and value.get("type") in _ROLES
        and "sessionId" in value
        and isinstance(value.get("message"), dict)
    )


def speech_of(value: Any) -> Speech | None:
    """Return what a line says; None for tools, thoughts, commands and their results, helpers and summaries."""
    if not is_record(value) or value.get("isSidechain") is True or value.get("isMeta") is True:
        return None
    text = _text(value["message"].get("content"))
    if not text or _COMMAND.match(text):
        return None
    return Speech(value["sessionId"], value["type"], text, value.get("uuid"), value.get("timestamp"))


def read_speech(file: Path, start: int) -> Iterator[tuple[Speech | None, int]]:
    """Yield for each whole line from byte `start` on what it says, and where the next line begins. A file that is
    shorter than that was written anew, and is read from its beginning. Raises OSError."""
    with open(file, "rb") as lines:
        if lines.seek(0, 2) < start:
            start = 0
        lines.seek(start)
        for line in lines:
            if not line.endswith(b"\n"):  # still being written
                return
            start += len(line)
            try:
                yield speech_of(json.loads(line)), start
            except (ValueError, RecursionError):  # a line that was broken off: there is nothing to read in it
                yield None, start


def _text(content: Any) -> str:
    if isinstance(content, str):
        return _words(content)
    if not isinstance(content, list):
        return ""
    said = (_words(block.get("text")) for block in content if isinstance(block, dict) and block.get("type") == "text")
    return "\n\n".join(text for text in said if text)


def _words(value: Any) -> str:
    return clean(value).strip() if isinstance(value, str) else ""
