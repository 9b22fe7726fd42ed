"""Nothing leads to what is not there: edges have both their ends, and whatever names a record by its id names one."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.integrity.finding import MOST, Whole
from memoryapp.store import integrity


def loose_ends(whole: Whole) -> Iterator[tuple[str, str]]:
    for table in integrity.EDGES:
        for key in integrity.loose_ends(whole.space.db, table, limit=MOST):
            yield key, "leads from or to something that is not there"


def dangling_names(whole: Whole) -> Iterator[tuple[str, str]]:
    """The id of a purged memory may stay where it names nothing but itself: in no list below."""
    known = {"memory": set(whole.held), "entity": set(whole.entities)}
    for what, named, pairs in integrity.names(whole.space.db):
        there = known.get(named) or known.setdefault(named, integrity.keys(whole.space.db, named))
        for row, key in pairs:
            if key not in there:
                yield f"{what} {row}", f"names {named}:{key}, which is not there"


def merges_that_lead_on(whole: Whole) -> Iterator[tuple[str, str]]:
    """Whoever follows who stands for whom comes to an end: no circle."""
    for key in whole.entities:
        seen, at = {key}, whole.entities[key].merged_into
        while at is not None and at in whole.entities:
            if at in seen:
                yield f"entity:{key}", "is merged into itself by a circle of merges"
                break
            seen.add(at)
            at = whole.entities[at].merged_into


def nodes_at_one_path(whole: Whole) -> Iterator[tuple[str, str]]:
    paths: dict[str, str] = {}
    for one in whole.held.values():
        if one.node_path and one.state == "held":
            if one.node_path in paths:
                yield f"memory:{one.key}", f"has the path “{one.node_path}”, and so has memory:{paths[one.node_path]}"
            paths[one.node_path] = one.key


def talks_with_gaps(whole: Whole) -> Iterator[tuple[str, str]]:
    for session, turns, last in integrity.talks(whole.space.db):
        if turns != last:
            yield f"session:{session}", f"has {turns} turns, and the last is number {last}"


def conflicts_half_decided(whole: Whole) -> Iterator[tuple[str, str]]:
    for key in integrity.unfinished(whole.space.db):
        yield f"conflict:{key}", "says a decision while it waits, or is decided without saying how"
