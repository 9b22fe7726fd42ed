"""A source that changed under a person's edit: one memory, and the words its source says now."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.cleaning import check_text
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, words_of
from memoryapp.domain.node import Line, line_conflict, line_key, lines_of, rewritten, with_row

OFFERED = (Outcome.KEEP, Outcome.REPLACE, Outcome.MERGE)


def settled(memory: Memory, conflict: Conflict, outcome: Outcome, text: str | None) -> Memory:
    """The memory as the outcome leaves it.

    keep: the edit stays, now over the source's new words. replace: the source's words, the edit goes. merge: `text`,
    over the source's new words. Raises BadInput for an outcome that does not fit, and for a merge without a text.
    """
    incoming = conflict.incoming_text
    if incoming is None or outcome not in OFFERED:
        known = ", ".join(one.value for one in OFFERED)
        raise BadInput(f"This conflict can be decided by {known}; “{outcome.value}” does not fit.", field="/outcome")
    if memory.kind is Kind.NODE:
        line = _line_of(memory, conflict)
        if line is not None:
            return _line(memory, line, incoming, outcome, text)
        return _node(memory, incoming, outcome, text)
    # What the source says was put before a person: from now on it counts as read.
    read = replace(memory, content_hash=_fingerprint(memory, incoming))
    if outcome is Outcome.REPLACE:
        return replace(read, text=incoming, source_text=None)
    if outcome is Outcome.KEEP:
        return replace(read, source_text=incoming)
    merged = merged_text(text)
    return replace(read, text=merged, source_text=incoming if merged != incoming else None)


def _node(memory: Memory, incoming: str, outcome: Outcome, text: str | None) -> Memory:
    """A node has no words beneath it: it says one thing or the other, and what was decided on counts as read."""
    read = replace(memory, content_hash=content_hash(incoming))
    if outcome is Outcome.KEEP:
        return read
    return rewritten(read, incoming if outcome is Outcome.REPLACE else _merged_page(memory, text))


def _line(memory: Memory, line: Line, incoming: str, outcome: Outcome, text: str | None) -> Memory:
    """One line of a node against one that came in: whatever else was written into the node meanwhile stays, and no file
    was read. Raises Clash where the line it is about stands there no longer."""
    if outcome is Outcome.KEEP:
        return memory
    if outcome is Outcome.MERGE:
        return rewritten(memory, _merged_page(memory, text))
    row = next((row for row in incoming.splitlines() if line_key(row) == line.key), None)
    after = memory.text if row is None else with_row(memory.text, line.instead, row)
    if after == memory.text:
        raise Clash("The line that this is about was changed or taken out meanwhile. Keep the page, or merge by hand.")
    return rewritten(memory, after)


def _line_of(memory: Memory, conflict: Conflict) -> Line | None:
    """The line that came in, where the conflict is about one line of a node and not about its file."""
    asked = (line for line in lines_of(memory) if line.instead)
    return next((one for one in asked if line_conflict(memory.id, one.instead, one.key) == conflict.id), None)


def _merged_page(memory: Memory, text: str | None) -> str:
    """What somebody wrote for the page, with the ends of rows that it had."""
    merged = merged_text(text) + ("\n" if memory.text.endswith("\n") else "")
    return merged.replace("\n", "\r\n") if "\r\n" in memory.text else merged


def merged_text(text: str | None) -> str:
    """Raises BadInput where there is none."""
    if text is None:
        raise BadInput("A merge needs the text that is to stand.", field="/text")
    return check_text(text, field="/text")


def _fingerprint(memory: Memory, incoming: str) -> str:
    """As ingest takes it of a section, and remember of everything else."""
    section = memory.kind is Kind.SECTION
    return content_hash(incoming if section else words_of(incoming, title=memory.title, speaker=memory.speaker))
