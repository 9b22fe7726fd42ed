"""The forms that can be read, in the order in which they are tried; which of them a path has; and its reading.

A form is known by what the first records say, never by a file's name: exports are renamed, and one program's
`memory.json` is another's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.program import program_name
from memoryapp.transfer.entries import Brought
from memoryapp.transfer.foreign import (
    basic_memory,
    claude_chat,
    claude_code,
    graphiti,
    langgraph,
    letta,
    mcp_memory,
    mem0,
    memory_list,
    openai_chat,
)
from memoryapp.transfer.foreign.files import JSON, MARKDOWN, ImportFiles, Part, open_path
from memoryapp.transfer.foreign.records import first

_LOOKED_AT = 200  # files of a folder or an archive until its form is known


@dataclass(frozen=True, slots=True)
class Form:
    """`label` names it to a person, `holds` what a file of it holds."""

    name: str
    label: str
    holds: str
    read: Callable[[ImportFiles], Iterator[Brought]]
    is_record: Callable[[Any], bool] | None = None  # of one that is JSON
    is_file: Callable[[Part], bool] | None = None  # of one that is text
    alone: bool = False  # only of one file, not of a folder


_ALL = (
    Form("claude-chat", "Claude data export", "conversations with chat_messages, or memories",
         claude_chat.read, claude_chat.is_one),
    Form("openai-chat", "ChatGPT data export", "conversations with a mapping of messages",
         openai_chat.read, openai_chat.is_one),
    Form("mcp-memory", "knowledge graph of the MCP memory server", "entities with observations, and relations",
         mcp_memory.read, mcp_memory.is_one),
    Form("letta", "Letta agent file", "agents with their memory blocks", letta.read, letta.is_one),
    Form("langgraph", "LangGraph store", "items with a namespace, a key and a value", langgraph.read, langgraph.is_one),
    Form("graphiti", "Zep or Graphiti graph", "nodes, edges or episodes", graphiti.read, graphiti.is_one),
    Form("claude-code", "Claude Code transcript", "messages of a session", claude_code.read, claude_code.is_one),
    Form("mem0", "mem0 export", "memories with an id and a text", mem0.read, mem0.is_one),
    Form("basic-memory", "basic-memory folder", "notes with a permalink, or with observations and relations",
         basic_memory.read, is_file=basic_memory.is_one),
    Form("memory-list", "list of memories", "dated lines, as “[2025-05-02] - prefers metric units”",
         memory_list.read, is_file=memory_list.is_one, alone=True),
)  # fmt: skip
FORMS: dict[str, Form] = {form.name: form for form in _ALL}


def recognise(path: Path) -> str | None:
    """The name of the form, or None where it is none of those known. Never raises."""
    try:
        opened = open_path(path)
    except BadInput:
        return None
    form = _form_of(opened)
    return form.name if form else None


def read(path: Path, form: str, *, called: str = "") -> Iterator[Brought]:
    """What the file holds, one thing after the other; what cannot be taken as `Skipped`, in its place. `called`: what
    whoever sent it calls it, where it lies under another name; a note without an id of its own is known by that.

    Raises BadInput at once for an unknown form, a path that cannot be opened, and a file that holds nothing of the
    form.
    """
    if form not in FORMS:
        raise BadInput(f"“{form}” is no form that can be read. Known: {', '.join(FORMS)}.", field="/form")
    opened = open_path(path, called=called)
    if not _has_form(opened, FORMS[form]):
        raise BadInput(_not_one(opened, FORMS[form]), field="/form")
    return _read(opened, FORMS[form])


def _read(opened: ImportFiles, form: Form) -> Iterator[Brought]:
    yield from opened.refused
    yield from form.read(opened)


def _not_one(opened: ImportFiles, wanted: Form) -> str:
    found = _form_of(opened)
    said = f"{opened.name} is no {wanted.label}: it holds no {wanted.holds}."
    if found:
        return f"{said} It looks like a {found.label} ({found.name})."
    if any(part.ends(MARKDOWN) for part in opened.parts):
        return f"{said} Markdown of any other kind is ingested: {program_name()} ingest."
    return said


def _form_of(opened: ImportFiles) -> Form | None:
    seen = _FirstRecords(opened)
    return next((form for form in _ALL if seen.has(form)), None)


def _has_form(opened: ImportFiles, form: Form) -> bool:
    return _FirstRecords(opened).has(form)


class _FirstRecords:
    """The first records of each file, read once however many forms are tried."""

    def __init__(self, opened: ImportFiles) -> None:
        self._opened = opened
        self._values: list[Any] | None = None

    def has(self, form: Form) -> bool:
        if form.alone and not self._opened.single:
            return False
        if form.is_file is not None:
            return any(form.is_file(part) for part in self._opened.of(MARKDOWN)[:_LOOKED_AT])
        if self._values is None:
            self._values = [value for part in self._opened.of(JSON)[:_LOOKED_AT] for value in first(part)]
        return form.is_record is not None and any(form.is_record(value) for value in self._values)
