"""ChatGPT's data export: the zip archive, the folder it unpacks to, or a `conversations.json` of it. A conversation is
a tree of messages; what is told is the branch that its owner read last, without what was never on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memoryapp.domain.fact import IMPLIED
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind
from memoryapp.domain.turn import Role
from memoryapp.transfer.entries import Brought, Item, SkippedEntry
from memoryapp.transfer.foreign.chat import Talk, path_of
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    Tally,
    identifier,
    items,
    line,
    mapping,
    moment,
    parts_with,
    records,
    reference,
    strip_fences,
    words,
)

FORM = "openai-chat"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SAID = frozenset({"text", "multimodal_text", "code"})  # kinds of content that are words to somebody
_INSTRUCTIONS = {
    "user_profile": "About me",
    "user_instructions": "How to answer me",
    "about_user_message": "About me",
    "about_model_message": "How to answer me",
}
_DATED = re.compile(r"(?:\d+\.\s*)?\[(\d{4}-\d{2}-\d{2})\]\.?\s*(.+)")


def is_one(value: Any) -> bool:
    """Whether this is a conversation, or an object that holds them."""
    one = mapping(value)
    return isinstance(one.get("mapping"), dict) or any(
        isinstance(mapping(inner).get("mapping"), dict) for inner in items(one.get("conversations"))
    )


def read(opened: ImportFiles) -> Iterator[Brought]:
    remembered: set[str] = set()
    for part in parts_with(opened, is_one):
        tally = Tally()
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
                continue
            held = items(mapping(record.value).get("conversations")) or [record.value]
            for number, one in enumerate(held, start=1):
                where = record.where if len(held) == 1 else f"{record.where}, conversation {number}"
                yield from _conversation(mapping(one), where, part.name, tally, remembered)
        yield from tally.skipped()


def _conversation(one: dict[str, Any], where: str, file: str, tally: Tally, remembered: set[str]) -> Iterator[Brought]:
    nodes = {key: mapping(node) for key, node in mapping(one.get("mapping")).items()}
    if not nodes:
        yield SkippedEntry(where, "It is no conversation: it has no tree of messages.")
        return
    if one.get("is_do_not_remember") is True:
        tally.add(file, "A conversation whose owner asked that it not be remembered.")
        return
    talk = Talk(
        form=FORM,
        where=where,
        file=file,
        id=identifier(one.get("conversation_id")) or identifier(one.get("id")),
        title=line(one.get("title")),
        at=moment(one.get("create_time")),
        tally=tally,
    )
    for key in _branch(nodes, one.get("current_node")):
        message = mapping(nodes[key].get("message"))
        if message:
            yield from _message(message, key, talk, remembered)
    yield from talk.told()


def _branch(nodes: dict[str, dict[str, Any]], current: Any) -> list[str]:
    parents = {key: parent if isinstance(parent := node.get("parent"), str) else "" for key, node in nodes.items()}
    if isinstance(current, str) and current in nodes:
        return path_of(parents, current)
    inner = set(parents.values())
    leaves = [key for key in nodes if key not in inner] or list(nodes)
    return path_of(parents, max(leaves, key=lambda key: _written_at(nodes[key])))


def _written_at(node: dict[str, Any]) -> float:
    at = moment(mapping(node.get("message")).get("create_time"))
    return at.timestamp() if at else 0.0


def _message(message: dict[str, Any], key: str, talk: Talk, remembered: set[str]) -> Iterator[Brought]:
    content, meta = mapping(message.get("content")), mapping(message.get("metadata"))
    kind, at = words(content.get("content_type")), moment(message.get("create_time"))
    role = words(mapping(message.get("author")).get("role"))
    recipient = words(message.get("recipient")) or "all"
    yield from _instructions(content, mapping(meta.get("user_context_message_data")), at, talk, remembered)
    if recipient == "bio" and role == "assistant":
        yield from _memories(_text(content), at, talk, remembered)
    elif kind == "model_editable_context":
        yield from _memories(words(content.get("model_set_context")), at, talk, remembered)
    elif role not in _ROLES or recipient != "all":
        talk.leave("Of the machine: what the system said, and what was said to tools and by them.")
    elif kind not in _SAID or meta.get("is_visually_hidden_from_conversation") is True:
        talk.leave("Never on the screen: thoughts, summaries of them, hidden messages.")
    else:
        text = _text(content)
        talk.say(_ROLES[role], text, ref=identifier(message.get("id")) or key, at=at)
        if text and (beside := _count_wordless_parts(content)):
            talk.leave("A picture or a file beside the words of a turn.", beside)


def _text(content: dict[str, Any]) -> str:
    """The words of a message; of one that mixes pictures with words, the words, and what was heard of a voice."""
    parts = [part if isinstance(part, str) else mapping(part).get("text") for part in items(content.get("parts"))]
    return "\n\n".join(text for part in [*parts, content.get("text")] if (text := words(part)))


def _count_wordless_parts(content: dict[str, Any]) -> int:
    """How many parts of a message hold no words."""
    parts = (part if isinstance(part, str) else mapping(part).get("text") for part in items(content.get("parts")))
    return sum(not isinstance(text, str) for text in parts)


def _memories(text: str, at: datetime | None, talk: Talk, remembered: set[str]) -> Iterator[Brought]:
    """What ChatGPT wrote into its own memory, a line each. Some of it may have been deleted there since, which the
    export does not tell: hence implied, not explicit."""
    for entry in text.splitlines():
        dated = _DATED.match(entry.strip())
        said = (dated.group(2) if dated else entry).strip(" -•\t")
        digest = derived_id("memory", " ".join(said.casefold().split()))
        if not said or digest in remembered:
            continue
        remembered.add(digest)
        yield Item(
            text=said,
            ref=reference(FORM, "memory", digest),
            kind=Kind.FACT,
            tags=("chatgpt memory",),
            occurred_at=(moment(dated.group(1)) if dated else None) or at,
            confidence=IMPLIED,
            source=talk.where,
        )


def _instructions(
    content: dict[str, Any], about: dict[str, Any], at: datetime | None, talk: Talk, remembered: set[str]
) -> Iterator[Brought]:
    """Its owner's custom instructions, which the export repeats in each conversation: each text once."""
    for name, title in _INSTRUCTIONS.items():
        text = strip_fences(words(content.get(name)) or words(about.get(name)))
        digest = derived_id("instructions", " ".join(text.split())) if text else ""
        if text and digest not in remembered:
            remembered.add(digest)
            yield Item(
                text=text,
                ref=reference(FORM, "instructions", digest),
                title=f"{title} (custom instructions of ChatGPT)",
                tags=("custom instructions",),
                occurred_at=at or talk.at,
                source=talk.where,
            )
