"""The memories of an export as things to remember, for a space that holds others already. Each goes by its own ref, or
by its id where it has none, so that merging the same export twice adds nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.extract.atoms import parse
from memoryapp.store import memories
from memoryapp.store.database import Database
from memoryapp.transfer.archive import Export
from memoryapp.transfer.brought import Skipped
from memoryapp.transfer.shapes import MEMORIES, Line

_AT_ONCE = 200  # memories looked for by id
_AS_NOTE = frozenset({Kind.NOTE, Kind.SECTION, Kind.EPISODE, Kind.DIGEST, Kind.TURN})
_LEFT = {
    Kind.SUMMARY: "Summaries are written anew from the facts of the space they are in.",
    Kind.NODE: "Pages of the Context Tree are brought in on the Context Tree's own page, from the folder tree/.",
}


def items_of(export: Export, db: Database) -> Iterator[NewMemory | Skipped]:
    """What is held; of what is not, of what a space makes by itself and of what `db` has by the same id, one Skipped a
    reason. Sections, episodes, digests and turns come as notes. Conflicts, history and relations are not merged: they
    are about memories of the other space."""
    left: Counter[str] = Counter()
    for lines in _pages(line for line, _ in export.lines(MEMORIES)):
        here = memories.get_many(db, [str(line.get("id")) for _, line in lines])
        for number, line in lines:
            try:
                if line["id"] in here:
                    left["They are here already, by the same id."] += 1
                elif line["state"] != State.HELD:
                    left[f"They were {line['state']} in the other space."] += 1
                elif Kind(line["kind"]) in _LEFT:
                    left[_LEFT[Kind(line["kind"])]] += 1
                else:
                    yield _item(line)
            except (KeyError, TypeError, ValueError, BadInput) as error:
                why = error.detail if isinstance(error, BadInput) else f"It is no memory of this program ({error})."
                yield Skipped(f"{MEMORIES}, line {number}", why)
    for why, count in left.items():
        yield Skipped(MEMORIES, why, count)


def _pages(lines: Iterator[Line]) -> Iterator[list[tuple[int, Line]]]:
    """The lines with their numbers, from 1, so many at a time."""
    numbered = enumerate(lines, start=1)
    while page := list(islice(numbered, _AT_ONCE)):
        yield page


def _item(line: Line) -> NewMemory:
    kind = Kind(line["kind"])
    atom = (line.get("detail") or {}).get("atom") if kind is Kind.ATOM else None
    source = line.get("source") or {}
    return NewMemory(
        text=line["text"],
        title=line["title"],
        kind=Kind.NOTE if kind in _AS_NOTE else kind,
        ref=line.get("ref") or f"palimpsest:{line['id']}",
        # What has no date of its own was said when it was written down, and not today.
        occurred_at=_moment(line.get("occurred_at")),
        said_at=None if line.get("occurred_at") else _moment(line["created_at"]),
        session=source.get("session") if kind in (Kind.NOTE, Kind.TURN) else None,
        speaker=line.get("speaker"),
        tags=tuple(line["tags"]),
        category=Category(line["category"]) if line.get("category") else None,
        confidence=float(line["confidence"]),
        memory_type=MemoryType(line["memory_type"]) if line.get("memory_type") else None,
        mood=Mood(line["mood"]) if line.get("mood") else None,
        valid_from=_moment(line.get("valid_from")),
        valid_to=_moment(line.get("valid_to")),
        expires_at=_moment(line.get("expires_at")),
        review_at=_moment(line.get("review_at")),
        decision_point=bool(line.get("decision_point")),
        emotional_signal=bool(line.get("emotional_signal")),
        atom=parse(atom)[0] if atom else None,
    )


def _moment(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None
