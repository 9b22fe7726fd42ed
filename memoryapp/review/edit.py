"""Edit: a person's words over a memory. What came from a source is kept beneath them, and outlives re-ingest. Where the
source changed under an edit, a conflict offers both: here is what each outcome makes of the memory.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import check_text, clean, clean_name, clean_tags, clean_title
from memoryapp.domain.clock import as_utc
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.domain.fields import moment_fields
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, index_text, words_of
from memoryapp.domain.node import Line, line_conflict, line_key, lines_of, rewritten, with_row
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.retry import retry_write

EDITABLE = frozenset(
    {"text", "title", "category", "tags", "confidence", "memory_type", "mood", "occurred_at", "valid_from", "valid_to",
     "expires_at", "review_at", "speaker", "pinned", "salience"}
)  # fmt: skip
EDIT_OUTCOMES = (Outcome.KEEP, Outcome.REPLACE, Outcome.MERGE)


def edit(
    space: Space, key: str, changes: dict[str, Any], *, actor: Actor, expected: int | None = None, reason: str = ""
) -> ReviewResult:
    """Changes some of EDITABLE's fields.

    `expected`: the version the caller read. Raises NotFound, Stale (with the present version), or BadInput that
    points at the field.
    """
    _check_editable(changes)

    def edited() -> ReviewResult:
        memory = memories.get(space.db, key)
        require_version(memory, expected)
        after = replace(memory, **{name: _value(name, value, memory) for name, value in changes.items()})
        if memory.kind is Kind.TURN:
            _leave_as_said(memory, after)
        if after.valid_from and after.valid_to and after.valid_to < after.valid_from:
            raise BadInput("valid_to lies before valid_from.", field="/valid_to")
        return rewrite(space, [(memory, overlaid(memory, after))], act="edit", actor=actor, reason=reason)

    return retry_write(edited, version=expected)


def _leave_as_said(before: Memory, after: Memory) -> None:
    """What was said is evidence: it can be tagged, pinned, given an end, deleted or purged, and not be changed."""
    for name in sorted(EDITABLE - {"tags", "pinned", "salience", "expires_at", "review_at"}):
        if getattr(before, name) != getattr(after, name):
            raise BadInput(
                "A turn stays as it was said. Correct the fact that was learned from it, or delete or purge the turn.",
                field=f"/{name}",
            )


def overlaid(before: Memory, after: Memory) -> Memory:
    """The edited memory with the words of its source kept beneath, or without them where the edit says the same.

    Its content hash stays that of the source, which is compared with it when it is read again. A note without a source
    is known by its own words: who says the old ones again does not confirm the new ones. A node of the Context Tree
    is nobody's copy: its content hash is that of the file it was last read from.
    """
    if before.kind is Kind.NODE:
        return after if after.text == before.text else rewritten(after, after.text)
    if before.origin.document is None and before.ref is None:
        return replace(after, content_hash=content_hash(index_text(after)))
    if after.text == before.text:
        return after
    under = before.source_text if before.source_text is not None else before.text
    return replace(after, source_text=under if after.text != under else None)


def require_version(memory: Memory, expected: int | None) -> None:
    """Raises Stale when the caller read another version than the present one."""
    if expected is not None and expected != memory.version:
        raise Stale(
            f"Memory {memory.id} is at version {memory.version}, and you read {expected}. "
            "Read it again and repeat your change.",
            current=memory.version,
        )


def _check_editable(changes: dict[str, Any]) -> None:
    unknown = set(changes) - EDITABLE
    if unknown:
        name = sorted(unknown)[0]
        raise BadInput(f"“{name}” cannot be edited. Editable: {', '.join(sorted(EDITABLE))}.", field=f"/{name}")


def edited_text(text: Any, memory: Memory) -> str:
    """The words that somebody wrote for it, as they may be stored. Those that it has, or had from its source, stay as
    they are: a page sends them along with every edit, and a file's secrets are the file's. Raises as check_text."""
    said = clean(text).strip() if isinstance(text, str) else ""
    for own in (memory.text, memory.source_text):
        if own is not None and said and said == clean(own).strip():
            return own
    return check_text(said, field="/text")


def _value(name: str, value: Any, memory: Memory) -> Any:
    at = f"/{name}"
    if name == "text":
        return edited_text(value, memory)
    if name == "title":
        return clean_title(value, field=at)
    if name == "speaker":
        return clean_name(value, field=at)
    if name == "tags":
        return clean_tags(value, field=at)
    if name in ("confidence", "salience"):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise BadInput(f"{name} lies between 0 and 1, not at {value!r}.", field=at)
        return float(value)
    if name == "pinned":
        return bool(value)
    if name in moment_fields(Memory):
        return as_utc(value) if value is not None else None
    return _choice({"category": Category, "memory_type": MemoryType, "mood": Mood}[name], value, at)


def _choice(kind: Any, value: Any, at: str) -> Any:
    if value in (None, ""):
        return None
    try:
        return kind(value)
    except ValueError:
        raise BadInput(f"{value!r} is none of {', '.join(kind)}.", field=at) from None


assert {f.name for f in fields(Memory)} >= EDITABLE


def settle_edit(memory: Memory, conflict: Conflict, outcome: Outcome, text: str | None) -> Memory:
    """The memory as the outcome leaves it.

    keep: the edit stays, now over the source's new words. replace: the source's words, the edit goes. merge: `text`,
    over the source's new words. Raises BadInput for an outcome that does not fit, and for a merge without a text.
    """
    incoming = conflict.incoming_text
    if incoming is None or outcome not in EDIT_OUTCOMES:
        known = ", ".join(one.value for one in EDIT_OUTCOMES)
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
