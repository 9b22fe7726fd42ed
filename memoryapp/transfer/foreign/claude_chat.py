"""Claude's data export: a zip archive of it, the folder it unpacks to, or one of its files. Conversations are told with
what a person wrote and Claude answered; what Claude remembers (`memories.json`) becomes notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memoryapp.domain.cleaning import pieces
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.turn import Role
from memoryapp.transfer.entries import Brought, Item, SkippedEntry
from memoryapp.transfer.foreign.chat import Talk, path_of
from memoryapp.transfer.foreign.files import JSON, ImportFiles
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
    words,
)

FORM = "claude-chat"
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_SAID = frozenset({"text", "voice_note"})
_MEMORY = ("conversations_memory", "project_memories", "memory_files")
_ROOT = "00000000-0000-4000-8000-000000000000"  # what the first message of a conversation names as its parent
_HEADING = re.compile(r"(?:#{1,6}\s+(.+?)\s*#*|\*\*(.+?)\*\*:?)$")


def is_one(value: Any) -> bool:
    """Whether this is a conversation, or what Claude remembers."""
    one = mapping(value)
    return isinstance(one.get("chat_messages"), list) or any(one.get(key) for key in _MEMORY if key in one)


def read(opened: ImportFiles) -> Iterator[Brought]:
    projects = _projects(opened)
    for part in parts_with(opened, is_one):
        tally = Tally()
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
            elif any(key in mapping(record.value) for key in _MEMORY):
                yield from _claude_memories(mapping(record.value), record.where, projects)
            else:
                yield from _conversation(mapping(record.value), record.where, part.name, tally)
        yield from tally.skipped()


def _projects(opened: ImportFiles) -> dict[str, str]:
    """Their names by their ids, for the titles of what is remembered of them."""
    found = {}
    for part in opened.of(JSON):
        if not opened.single and "project" in part.name.lower():
            for record in records(part):
                one = mapping(record.value) if not isinstance(record, BrokenRecord) else {}
                found[identifier(one.get("uuid"))] = line(one.get("name"))
    return found


def _conversation(one: dict[str, Any], where: str, file: str, tally: Tally) -> Iterator[Brought]:
    if not isinstance(one.get("chat_messages"), list):
        yield SkippedEntry(where, "It is no conversation: it has no list of messages.")
        return
    talk = Talk(
        form=FORM,
        where=where,
        file=file,
        id=identifier(one.get("uuid")),
        title=line(one.get("name")),
        at=moment(one.get("created_at")),
        tally=tally,
    )
    for message in _branch([mapping(each) for each in one["chat_messages"]], one.get("current_leaf_message_uuid")):
        role = _ROLES.get(words(message.get("sender")))
        if role is None:
            talk.leave("A message of nobody that the export names.")
            continue
        text, left = _text(message)
        if left:
            talk.leave("Of the machine: thoughts, what was said to tools and by them.", left)
        if files := len(items(message.get("attachments"))) + len(items(message.get("files"))):
            talk.leave("A file that was sent along.", files)
        talk.say(role, text, ref=identifier(message.get("uuid")), at=moment(message.get("created_at")))
    yield from talk.told()


def _branch(messages: list[dict[str, Any]], leaf: Any) -> list[dict[str, Any]]:
    """Where a message was written anew, the branch that ends with the leaf, else with the last message; all of them
    where the export does not tell which follows which."""
    by_id = {key: message for message in messages if (key := identifier(message.get("uuid")))}
    parents = {key: identifier(message.get("parent_message_uuid")) for key, message in by_id.items()}
    known = [parent for parent in parents.values() if parent and parent != _ROOT]
    if len(by_id) < len(messages) or len(known) < len(messages) - 1 or len(set(known)) == len(known):
        return messages
    return [by_id[key] for key in path_of(parents, leaf if isinstance(leaf, str) and leaf in by_id else [*by_id][-1])]


def _text(message: dict[str, Any]) -> tuple[str, int]:
    """The words, and how many blocks that are none. `text` alone in exports of before there were blocks."""
    blocks = [mapping(block) for block in items(message.get("content"))]
    spoken = [block for block in blocks if words(block.get("type")) in _SAID]
    said = [words(block.get("text")) for block in spoken]
    others = len(blocks) - len(spoken)
    return "\n\n".join(text for text in said if text) if blocks else words(message.get("text")), others


def _claude_memories(one: dict[str, Any], where: str, projects: dict[str, str]) -> Iterator[Brought]:
    yield from _notes(words(one.get("conversations_memory")), "What Claude remembers", where)
    for key, text in mapping(one.get("project_memories")).items():
        name = projects.get(key, "")
        title = f"What Claude remembers of {name or 'project ' + line(key, 40)}"
        yield from _notes(words(text), title, where, project=key, subject=name)
    for number, each in enumerate(items(one.get("memory_files")), start=1):
        file = mapping(each)
        path, text = line(file.get("path"), 200), words(file.get("content"))
        if not text:
            yield SkippedEntry(f"{where}, file {number}", "It is a file of memory without words.")
        for part, piece in enumerate(pieces(text, LIMITS.text_chars), start=1):
            yield Item(  # a file is rewritten in place there, and by its path here
                text=piece,
                ref=reference(FORM, "file", derived_id(identifier(one.get("account_uuid")), path, str(part))),
                title=PurePosixPath(path).stem,
                tags=("claude memory",),
                occurred_at=moment(file.get("updated_at")),
                source=f"{where}, {path}",
            )


def _notes(text: str, title: str, where: str, *, project: str = "", subject: str = "") -> Iterator[Brought]:
    """A note for each paragraph or list, under the heading it stands below. Its ref hangs on its words, so that one
    that is rewritten there comes as another."""
    heading = ""
    for block in re.split(r"\n\s*\n", text):
        head, _, rest = block.strip().partition("\n")
        if found := _HEADING.match(head.strip()):
            heading, block = line(found.group(1) or found.group(2), 200), rest
        for piece in pieces(block.strip(), LIMITS.text_chars):
            yield Item(
                text=piece,
                ref=reference(FORM, "memory", derived_id(project, heading, piece)),
                title=f"{title}: {heading}" if heading else title,
                tags=("claude memory",),
                subject=subject,
                source=where,
            )
