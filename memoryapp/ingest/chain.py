"""The chain through time of dated files: each section follows the one before it, the first of a day the last of the
day before."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from memoryapp.domain.document import Document
from memoryapp.domain.memory import Memory, State
from memoryapp.ingest.work import Work
from memoryapp.store import documents, lineage, memories

_DATE_FOLDER = re.compile(r"\d{4}|\d{2}|\d{4}-\d{2}|Q[1-4]")
_CHUNK = 200

Place = tuple[datetime, str, str]  # date, path, document id


def chain(work: Work) -> None:
    """Chains anew around the documents whose place in time changed. Derived, and so safe to repeat."""
    if not work.dated or work.dry_run:
        return
    present = [d for d in documents.heads(work.space.db, work.source.id).values() if d.present and d.date]
    lines: dict[str, list[Place]] = defaultdict(list)
    for document in present:
        lines[series(document.path)].append(_place(document))
    touched: dict[str, set[Place]] = defaultdict(set)
    for document in work.dated:
        touched[series(document.path)].add(_place(document))
    for name, places in touched.items():
        line = sorted(lines[name])
        near = sorted({place for one in places for place in _places_around(line, one)})
        left = {place[2] for place in places} - {place[2] for place in line}
        for start in range(0, max(len(near), 1), _CHUNK):
            work.tally.stop_if_asked()
            # One more at the start, so that the first of this piece follows the last of the piece before.
            _rechain(work, line, near[max(start - 1, 0) : start + _CHUNK], left)


def series(path: str) -> str:
    """Which files follow each other: those of one folder; folders that only say year and month are not told apart."""
    return "/".join(folder for folder in path.split("/")[:-1] if not _DATE_FOLDER.fullmatch(folder))


def _place(document: Document) -> Place:
    assert document.date is not None
    return document.date, document.path, document.id


def _places_around(line: Sequence[Place], place: Place) -> Sequence[Place]:
    """The place itself, if it is still in the line, with the one before and the one after."""
    at = bisect_left(line, place)
    return line[max(at - 1, 0) : at + 2]


def _rechain(work: Work, line: Sequence[Place], near: Sequence[Place], left: set[str]) -> None:
    """Writes the chain of these places. `left`: documents that stood in this line and do no longer."""
    db = work.space.db
    held = memories.of_documents(db, [*(place[2] for place in near), *left])
    wanted: set[tuple[str, str]] = set()
    last: Memory | None = None
    last_at = -2
    for place in near:
        at = bisect_left(line, place)
        before = last if at == last_at + 1 else None
        for memory in (m for m in held.get(place[2], ()) if m.state is State.HELD):
            if before is not None:
                wanted.add((memory.id, before.id))
            before = memory
        last, last_at = before, at
    inside = {m.id for place in near for m in held.get(place[2], ())}
    outside = {m.id for key in left for m in held.get(key, ())}
    dead = {m.id for group in held.values() for m in group if m.state is not State.HELD}
    standing = lineage.follows_among(db, list(inside | outside))
    # An edge to what was not looked at belongs to another piece of the line, unless one of its ends is dead.
    stale = {
        (later, earlier)
        for later, earlier in standing - wanted
        if {later, earlier} & dead or ({later, earlier} <= inside | outside and {later, earlier} & inside)
    }
    lineage.change_follows(db, added=wanted - standing, removed=stale)
