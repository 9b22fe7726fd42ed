"""Edit: a person's words over a memory. What came from a source is kept beneath them, and outlives re-ingest."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import check_text, clean, clean_name, clean_tags, clean_title
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, Stale
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, index_text
from memoryapp.domain.node import rewritten
from memoryapp.review.rewrite import Done, repeated, rewrite
from memoryapp.spaces import Space
from memoryapp.store import memories

EDITABLE = frozenset(
    {"text", "title", "category", "tags", "confidence", "memory_type", "mood", "occurred_at", "valid_from", "valid_to",
     "expires_at", "review_at", "speaker", "pinned", "salience"}
)  # fmt: skip


def edit(
    space: Space, key: str, changes: dict[str, Any], *, actor: Actor, expected: int | None = None, reason: str = ""
) -> Done:
    """Changes some of EDITABLE's fields.

    `expected`: the version the caller read. Raises NotFound, Stale (with the present version), or BadInput that
    points at the field.
    """
    _known(changes)

    def edited() -> Done:
        memory = memories.get(space.db, key)
        require_version(memory, expected)
        after = replace(memory, **{name: _value(name, value, memory) for name, value in changes.items()})
        if memory.kind is Kind.TURN:
            _leave_as_said(memory, after)
        if after.valid_from and after.valid_to and after.valid_to < after.valid_from:
            raise BadInput("valid_to lies before valid_from.", field="/valid_to")
        return rewrite(space, [(memory, overlaid(memory, after))], act="edit", actor=actor, reason=reason)

    return repeated(edited, expected=expected)


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


def _known(changes: dict[str, Any]) -> None:
    unknown = set(changes) - EDITABLE
    if unknown:
        name = sorted(unknown)[0]
        raise BadInput(f"“{name}” cannot be edited. Editable: {', '.join(sorted(EDITABLE))}.", field=f"/{name}")


def written(text: Any, memory: Memory) -> str:
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
        return written(value, memory)
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
    if name in ("occurred_at", "valid_from", "valid_to", "expires_at", "review_at"):
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
