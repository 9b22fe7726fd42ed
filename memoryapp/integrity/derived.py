"""What is derived agrees with the store: the search index, the vectors, the graph, and trust."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS, STATES
from memoryapp.integrity.finding import Whole
from memoryapp.spaces import trust_of
from memoryapp.store import embeddings, integrity, lineage, memories

_PAGE = 2_000
_APART = 0.01  # of two unit vectors; the index keeps them in half precision
_ROUNDING = 1e-4  # of a trust in single precision


def not_indexed_once(whole: Whole) -> Iterator[tuple[str, str]]:
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


def vectors_that_differ(whole: Whole) -> Iterator[tuple[str, str]]:
    """Every memory that is not deleted has one vector of the space's model, and the index has the same. That of a turn
    may still be on its way: the job that reads turns makes it."""
    space, roster = whole.space, whole.view.roster
    model = space.encoder.name
    have = set(embeddings.embedded(space.db, model))
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


def links_that_differ(whole: Whole) -> Iterator[tuple[str, str]]:
    """The graph has each reference of an indexed memory once, under the entity that stands for the one it names."""
    incidence, roster = whole.view.incidence, whole.view.roster
    wanted = set()
    for memory, entity in integrity.linked(whole.space.db):
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


def more_trusted_than_its_sources(whole: Whole) -> Iterator[tuple[str, str]]:
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
