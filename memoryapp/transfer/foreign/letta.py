"""Letta's agent file (`.af`), of today and as it was first: the blocks that an agent keeps in mind become notes, its
messages a conversation. The file holds no archival memory; Letta leaves it behind itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memoryapp.domain.cleaning import pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.turn import Role
from memoryapp.transfer.entries import Brought, Item, SkippedEntry
from memoryapp.transfer.foreign.chat import Talk
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    Tally,
    items,
    line,
    mapping,
    moment,
    parts_with,
    records,
    reference,
    words,
)

FORM = "letta"
_MACHINE = "Of the machine: instructions, thoughts, what was said to tools and by them."


def is_one(value: Any) -> bool:
    one = mapping(value)
    return (isinstance(one.get("agents"), list) and isinstance(one.get("blocks"), list)) or (
        isinstance(one.get("core_memory"), list) and "agent_type" in one
    )


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        tally = Tally()
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
            elif not is_one(record.value):
                yield SkippedEntry(record.where, "It is no agent file.")
            else:
                yield from _file(record.value, record.where, part.name, tally)
        yield from tally.skipped()


def _file(one: dict[str, Any], where: str, file: str, tally: Tally) -> Iterator[Brought]:
    shared = {line(mapping(block).get("id")): mapping(block) for block in items(one.get("blocks"))}
    agents = [mapping(agent) for agent in items(one.get("agents"))] or [one]
    for agent in agents:
        name = line(agent.get("name"), 100) or "agent"
        own = [shared.get(line(key), {}) for key in items(agent.get("block_ids"))]
        own += [mapping(block) for block in items(agent.get("core_memory"))]
        for block in own:
            yield from _block(block, name, where)
        yield from _messages([mapping(message) for message in items(agent.get("messages"))], name, where, file, tally)


def _block(block: dict[str, Any], agent: str, where: str) -> Iterator[Brought]:
    """A block is rewritten in place there, and by its label here."""
    label = line(block.get("label"), 100)
    for number, piece in enumerate(pieces(words(block.get("value")), LIMITS.text_chars), start=1):
        yield Item(
            text=piece,
            ref=reference(FORM, "block", derived_id(agent, label, str(number))),
            title=f"{label} (memory block of {agent})",
            tags=("letta", label) if label else ("letta",),
            source=f"{where}, block {label}",
        )


def _messages(messages: list[dict[str, Any]], agent: str, where: str, file: str, tally: Tally) -> Iterator[Brought]:
    began = next((at for one in messages if (at := moment(one.get("created_at")))), None)
    talk = Talk(
        form=FORM, where=where, file=file, id=derived_id(agent, str(began)), title=f"Talk with {agent}", at=began,
        tally=tally,
    )  # fmt: skip
    for message in messages:
        role, at = line(message.get("role")), moment(message.get("created_at"))
        text = _message_text(message) if role in ("user", "assistant") else ""
        if text:
            # The ids of a file begin anew in each file, so the words and their time must do.
            ref = derived_id(role, str(message.get("created_at")), text)
            talk.say(Role(role), text, ref=ref, at=at)
        else:
            talk.leave(_MACHINE)
    if talk.turns:
        yield from talk.told()


def _message_text(message: dict[str, Any]) -> str:
    """What one said to the other. An agent of the first kind speaks by calling `send_message`, and thinks in what
    stands as its text; what it is sent is wrapped in JSON, heartbeats and alerts included."""
    content = message.get("content", message.get("text"))
    blocks = [content] if isinstance(content, str) else [mapping(block).get("text") for block in items(content)]
    text = "\n\n".join(said for block in blocks if (said := words(block)))
    calls = [mapping(mapping(call).get("function")) for call in items(message.get("tool_calls"))]
    if calls:
        sent = [_loaded(call.get("arguments")).get("message") for call in calls if call.get("name") == "send_message"]
        return "\n\n".join(said for one in sent if (said := words(one)))
    wrapped = _loaded(text)
    if "type" in wrapped:
        return words(wrapped.get("message")) if wrapped["type"] == "user_message" else ""
    return text


def _loaded(text: Any) -> dict[str, Any]:
    try:
        return mapping(json.loads(text)) if isinstance(text, str) and text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):
        return {}
