"""Transcripts of Claude Code: JSON Lines, a file for each session, in folders for each project. What a person wrote and
Claude answered is told; tools, thoughts, commands and the work of helpers are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memoryapp.domain.turn import Role
from memoryapp.transfer.brought import Brought, Skipped
from memoryapp.transfer.foreign.chat import Talk
from memoryapp.transfer.foreign.opened import Opened, Part
from memoryapp.transfer.foreign.records import Broken, parts_with, records
from memoryapp.transfer.foreign.values import Tally, identifier, items, line, mapping, moment, words

FORM = "claude-code"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_MACHINE = "Of the machine: tools, thoughts, commands and their results, helpers, summaries."
_COMMAND = re.compile(r"<(?:command-|local-command-|system-reminder|bash-)|Caveat: The messages below were generated")


def is_one(value: Any) -> bool:
    one = mapping(value)
    return words(one.get("type")) in _ROLES and "sessionId" in one and isinstance(one.get("message"), dict)


def read(opened: Opened) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        tally = Tally()
        yield from _transcript(part, tally)
        yield from tally.skipped()


def _transcript(part: Part, tally: Tally) -> Iterator[Brought]:
    """A file may go on with another session: each is told on its own."""
    talks: dict[str, Talk] = {}
    for record in records(part):
        if isinstance(record, Broken):
            yield Skipped(record.where, record.why)
            continue
        one = mapping(record.value)
        if not is_one(one) or one.get("isSidechain") is True or one.get("isMeta") is True:
            tally.add(part.name, _MACHINE)
            continue
        key, at = identifier(one.get("sessionId")), moment(one.get("timestamp"))
        if key not in talks:
            title = line(str(one.get("cwd") or "")).rstrip("/").rpartition("/")[2]
            talks[key] = Talk(FORM, record.where, part.name, key, title, at, tally)
        text = _text(mapping(one["message"]).get("content"))
        if text and not _COMMAND.match(text):
            talks[key].say(_ROLES[one["type"]], text, ref=identifier(one.get("uuid")), at=at)
        else:
            tally.add(part.name, _MACHINE)
    for talk in talks.values():
        yield from talk.told()


def _text(content: Any) -> str:
    if isinstance(content, str):
        return words(content)
    said = [words(mapping(block).get("text")) for block in items(content) if mapping(block).get("type") == "text"]
    return "\n\n".join(text for text in said if text)
