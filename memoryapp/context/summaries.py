"""The first layer: what is known by category, the categories nearest to the message first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from memoryapp.context.found import Offer
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Query
from memoryapp.domain.sentences import sentences
from memoryapp.narrate import current_summaries, summaries_of
from memoryapp.retrieve import search
from memoryapp.spaces import Space
from memoryapp.spaces.past import as_it_stood
from memoryapp.store import revisions


def summary_offers(space: Space, message: str, *, as_of: datetime | None) -> list[Offer]:
    """The space's own summaries and those of the spaces above it. With `as_of` as they stood then."""
    found = list(_of_all(space, as_of))
    if not found:
        return []
    hits = search(space, Query(message, top_k=100, filters=Filters(kinds=(Kind.SUMMARY,)))).hits
    rank = {(hit.inherited_from, hit.memory.id): n for n, hit in enumerate(hits)}
    order = sorted(range(len(found)), key=lambda n: (rank.get((found[n][2], found[n][0].id), len(rank)), n))
    return [_offer(*found[n]) for n in order]


def _of_all(space: Space, as_of: datetime | None) -> Iterator[tuple[Memory, str, str | None]]:
    """(the summary, why it is not told as it is kept, the space it lives in where that is another one)."""
    owner: Space | None = space
    while owner is not None:
        above = None if owner is space else owner.name
        if as_of is None:
            for one in current_summaries(owner):
                yield one.memory, one.outdated, above
        else:
            summaries = {one.id: one for one in summaries_of(owner).values()}
            later = revisions.of_memories_since(owner.db, list(summaries), as_of)
            for key, memory in summaries.items():
                then = as_it_stood(memory, later.get(key, ()))
                if memory.created_at <= as_of and then.state is State.HELD:
                    yield then, "", above
        owner = owner.parent


def _offer(memory: Memory, outdated: str, above: str | None) -> Offer:
    why = f"what is known of {memory.category}" + (f", told anew: {outdated}" if outdated else "")
    return Offer(memory, why, sentences(memory.text), lead=f"{memory.title}: ", inherited_from=above)
