"""The invariants, and the check of all of them: the table of contents of this room."""

from __future__ import annotations

import time
from collections.abc import Collection
from itertools import islice

from memoryapp.integrity import derived, histories, links
from memoryapp.integrity.finding import MOST, Broken, Invariant, Report, Whole
from memoryapp.spaces import Space

INVARIANTS = (
    Invariant("both-ends", "Every edge leads from something that is there to something that is.", links.loose_ends),
    Invariant("names", "Whatever names a record by its id names one that is there.", links.dangling_names),
    Invariant("merges", "Following merges comes to an end.", links.merges_that_lead_on),
    Invariant("tree", "No two nodes of the Context Tree stand at one path.", links.nodes_at_one_path),
    Invariant("turns", "The turns of a session are numbered without a gap.", links.talks_with_gaps),
    Invariant(
        "decisions", "A conflict says its decision once it is decided, not before.", links.conflicts_half_decided
    ),
    Invariant("standing", "What is not held says since when, and only that does.", histories.standing),
    Invariant("revisions", "A memory's revisions lead to what it is, without a gap.", histories.broken_chains),
    Invariant(
        "indexed", "Each memory that is not deleted is in the search index once, as it is.", derived.not_indexed_once
    ),
    Invariant(
        "vectors", "Each has one vector of the space's model, the same in the index.", derived.vectors_that_differ
    ),
    Invariant("graph", "The graph has every reference once, and no other.", derived.links_that_differ),
    Invariant("trust", "Nothing is trusted more than what it was made from.", derived.more_trusted_than_its_sources),
)


def check(space: Space, *, only: Collection[str] = ()) -> Report:
    """Checks every invariant, or those named, against the whole space. It reads every table, some ten seconds for
    50,000 memories; nothing is written. What is written meanwhile may be told as broken: check a space at rest.

    Raises KeyError for a name that is none.
    """
    known = {invariant.name: invariant for invariant in INVARIANTS}
    chosen = [known[name] for name in only] or list(INVARIANTS)
    began = time.monotonic()
    whole = Whole(space)
    broken = [
        Broken(invariant.name, record, told)
        for invariant in chosen
        for record, told in islice(invariant.broken(whole), MOST)
    ]
    return Report(
        tuple(invariant.name for invariant in chosen), tuple(broken), len(whole.held), time.monotonic() - began
    )
