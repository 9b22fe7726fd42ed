"""What must always be true of a space, and the check of all of it (`INVARIANTS`, `check`).

Nothing leads to what is not there; a memory's history adds up to what it is; what is derived - the search index, the
vectors, the graph, trust - agrees with the store.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

import numpy as np

from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS, STATES
from memoryapp.integrity.finding import MOST, CheckedSpace, Invariant, Report, Violation
from memoryapp.spaces import Space, trust_of
from memoryapp.store import embeddings, integrity, lineage, memories
from memoryapp.store.integrity import MemoryRecord, Step


def loose_ends(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Edges whose other end is not there, as (record, what is wrong with it): so is all below."""
    for table in integrity.EDGES:
        for key in integrity.loose_ends(whole.space.db, table, limit=MOST):
            yield key, "leads from or to something that is not there"


def dangling_names(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """The id of a purged memory may stay where it names nothing but itself: in no list below."""
    known = {"memory": set(whole.held), "entity": set(whole.entities)}
    for what, named, pairs in integrity.names(whole.space.db):
        there = known.get(named) or known.setdefault(named, integrity.keys(whole.space.db, named))
        for row, key in pairs:
            if key not in there:
                yield f"{what} {row}", f"names {named}:{key}, which is not there"


def merges_that_lead_on(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Whoever follows who stands for whom comes to an end: no circle."""
    for key in whole.entities:
        seen, at = {key}, whole.entities[key].merged_into
        while at is not None and at in whole.entities:
            if at in seen:
                yield f"entity:{key}", "is merged into itself by a circle of merges"
                break
            seen.add(at)
            at = whole.entities[at].merged_into


def nodes_at_one_path(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Nodes of the tree that share a path with another."""
    paths: dict[str, str] = {}
    for one in whole.held.values():
        if one.node_path and one.state == "held":
            if one.node_path in paths:
                yield f"memory:{one.key}", f"has the path “{one.node_path}”, and so has memory:{paths[one.node_path]}"
            paths[one.node_path] = one.key


def talks_with_gaps(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Sessions whose turns are not numbered without a gap."""
    for session, turns, last in integrity.talks(whole.space.db):
        if turns != last:
            yield f"session:{session}", f"has {turns} turns, and the last is number {last}"


def conflicts_half_decided(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Conflicts whose state and decision do not go together."""
    for key in integrity.inconsistent_conflicts(whole.space.db):
        yield f"conflict:{key}", "says a decision while it waits, or is decided without saying how"


# Not kept in revisions' fields, but beside them: edges that came and went with the change.
_EDGES = {"references", "superseded_by"}
_NOTHING = object()


def standing(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Since when a memory is not held is known of those that are not held, and of no others."""
    for one in whole.held.values():
        if (one.state == "held") == (one.ended_at is not None):
            told = (
                "is held and says since when it is not"
                if one.state == "held"
                else "does not say since when it is not held"
            )
            yield f"memory:{one.key}", told


def broken_chains(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Memories that are not what their revisions lead to."""
    seen = set()
    for key, steps in groupby(integrity.steps(whole.space.db), key=lambda step: step.key):
        one = whole.held.get(key)
        if one is None:
            continue  # purged meanwhile, or its revision is of a reference
        seen.add(key)
        told = _history_fault(one, [step for step in steps if step.version > 0])
        if told:
            yield f"memory:{key}", told
    for key in whole.held.keys() - seen:
        if whole.held[key].kind == Kind.TURN:
            continue  # it came as it was said; its turn tells when, and by whom
        yield f"memory:{key}", "has no revision: nobody can say where it came from"


def _history_fault(one: MemoryRecord, steps: Sequence[Step]) -> str:
    versions = [step.version for step in steps]
    first = 2 if one.kind == Kind.TURN else 1
    if sorted(set(versions)) != list(range(first, one.version + 1)):
        return f"is at version {one.version}, and its revisions are of {_versions_text(versions)}"
    values: dict[str, Any] = {}
    for step in steps:
        for name, was in step.before.items():
            if name not in _EDGES and values.get(name, _NOTHING) not in (_NOTHING, was):
                return f"changed “{name}” in version {step.version} from a value that it did not have"
        values |= {name: now for name, now in step.after.items() if name not in _EDGES}
    if values.get("state", one.state) != one.state:
        return f"is {one.state}, and its last revision that tells of it says {values['state']}"
    return ""


def _versions_text(versions: Sequence[int]) -> str:
    return ", ".join(map(str, versions[:12])) + (" …" if len(versions) > 12 else "") or "none"


_PAGE = 2_000
_APART = 0.01  # of two unit vectors; the index keeps them in half precision
_ROUNDING = 1e-4  # of a trust in single precision


def not_indexed_once(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Held memories that the index has not, or twice, or otherwise than the store."""
    roster = whole.view.roster
    indexed: dict[str, int] = {}
    for slot in np.flatnonzero(roster.alive).tolist():
        key = roster.ids[slot]
        if key in indexed:
            yield f"memory:{key}", "is in the search index twice"
        indexed[key] = slot
    for key, one in whole.held.items():
        if key not in indexed:
            if one.state != "deleted":
                yield f"memory:{key}", "is not in the search index"
        elif (STATES[roster.state[indexed[key]]], KINDS[roster.kind[indexed[key]]]) != (one.state, one.kind):
            yield f"memory:{key}", f"is a {one.kind}, {one.state}; the search index says otherwise"
    for key in indexed.keys() - whole.held.keys():
        yield f"memory:{key}", "is in the search index and nowhere else"


def vectors_that_differ(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Every memory that is not deleted has one vector of the space's model, and the index has the same. That of a turn
    may still be on its way: the job that reads turns makes it."""
    space, roster = whole.space, whole.view.roster
    model = space.encoder.name
    have = set(embeddings.embedded_memory_ids(space.db, model))
    for key, one in whole.held.items():
        slot = roster.slot(key)
        if one.state == "deleted":
            continue
        if key not in have:
            if one.kind == Kind.TURN:
                continue
            yield f"memory:{key}", f"has no vector of {model}"
        elif slot is not None and not roster.has[slot]:
            yield f"memory:{key}", "has a vector, and the search index does not know it"
    stored = embeddings.scan(space.db, model)
    while page := tuple(islice(stored, _PAGE)):
        seated = [(row, roster.slot(row.memory)) for row in page]
        pairs = [(row, slot) for row, slot in seated if slot is not None and roster.has[slot]]
        if not pairs:
            continue
        kept = whole.view.vectors_of(np.array([slot for _, slot in pairs], dtype=np.intp))
        far = np.abs(kept - np.stack([row.vector for row, _ in pairs])).max(axis=1) > _APART
        for (row, _), differs in zip(pairs, far, strict=True):
            if differs:
                yield f"memory:{row.memory}", "is indexed by another vector than the one that is kept"


def links_that_differ(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """The graph has each reference of an indexed memory once, under the entity that stands for the one it names."""
    incidence, roster = whole.view.incidence, whole.view.roster
    wanted = set()
    for memory, entity in integrity.reference_pairs(whole.space.db):
        slot, code = roster.slot(memory), incidence.code(entity)
        if slot is not None and code >= 0:
            wanted.add((slot, code))
    matrix = incidence.matrix.tocoo()
    have = set(zip(matrix.row.tolist(), matrix.col.tolist(), strict=True))
    names = {code: key for key, code in incidence.code_of.items()}
    for slot, code in wanted - have:
        yield f"memory:{roster.ids[slot]}", f"refers to entity:{names[code]}, and the graph does not know it"
    for slot, code in have - wanted:
        yield f"memory:{roster.ids[slot]}", f"refers to entity:{names.get(code, '?')} in the graph alone"


def more_trusted_than_its_sources(whole: CheckedSpace) -> Iterator[tuple[str, str]]:
    """Derived memories are trusted at most as their least trusted source; the index says the same as the formula."""
    space, roster = whole.space, whole.view.roster
    edges = lineage.scan_derived(space.db)
    while page := tuple(islice(edges, _PAGE)):
        there = memories.get_many(space.db, [key for one in page for key in (one.made, one.source)])
        trusts = {key: trust.value for key, trust in trust_of(space, list(there.values())).items()}
        now = space.clock()
        indexed = roster.trust(now, half_life=space.tuning.trust_half_life_days)
        for one in page:
            if one.made in trusts and one.source in trusts and trusts[one.made] > trusts[one.source] + _ROUNDING:
                yield f"memory:{one.made}", f"is trusted more than memory:{one.source}, from which it was made"
            slot = roster.slot(one.made)
            if one.made in trusts and slot is not None and abs(indexed[slot] - trusts[one.made]) > _ROUNDING:
                yield f"memory:{one.made}", "has another trust in the search index than by the formula"


INVARIANTS = (
    Invariant("both-ends", "Every edge leads from something that is there to something that is.", loose_ends),
    Invariant("names", "Whatever names a record by its id names one that is there.", dangling_names),
    Invariant("merges", "Following merges comes to an end.", merges_that_lead_on),
    Invariant("tree", "No two nodes of the Context Tree stand at one path.", nodes_at_one_path),
    Invariant("turns", "The turns of a session are numbered without a gap.", talks_with_gaps),
    Invariant("decisions", "A conflict says its decision once it is decided, not before.", conflicts_half_decided),
    Invariant("standing", "What is not held says since when, and only that does.", standing),
    Invariant("revisions", "A memory's revisions lead to what it is, without a gap.", broken_chains),
    Invariant("indexed", "Each memory that is not deleted is in the search index once, as it is.", not_indexed_once),
    Invariant("vectors", "Each has one vector of the space's model, the same in the index.", vectors_that_differ),
    Invariant("graph", "The graph has every reference once, and no other.", links_that_differ),
    Invariant("trust", "Nothing is trusted more than what it was made from.", more_trusted_than_its_sources),
)


def check(space: Space, *, only: Collection[str] = ()) -> Report:
    """Checks every invariant, or those named, against the whole space. It reads every table, some ten seconds for
    50,000 memories; nothing is written. What is written meanwhile may be told as broken: check a space at rest.

    Raises KeyError for a name that is none.
    """
    known = {invariant.name: invariant for invariant in INVARIANTS}
    chosen = [known[name] for name in only] or list(INVARIANTS)
    began = time.monotonic()
    whole = CheckedSpace(space)
    broken = [
        Violation(invariant.name, record, told)
        for invariant in chosen
        for record, told in islice(invariant.broken(whole), MOST)
    ]
    return Report(
        tuple(invariant.name for invariant in chosen), tuple(broken), len(whole.held), time.monotonic() - began
    )
