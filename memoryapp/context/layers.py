"""Episodes for a message: by similarity and recency.

The second layer: pages of the Context Tree that the message reaches by a keyword of their own.

The first layer: what is known by category, the categories nearest to the message first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from memoryapp.context.found import Offer
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.sentences import sentences
from memoryapp.domain.strategies import CONTEXT_TREE
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.spaces.past import as_it_stood
from memoryapp.store import revisions
from memoryapp.summaries import current_summaries, summaries_of

HALF_LIFE_DAYS = 30.0
RECENT = 0.3  # share of recency; likeness decides, and of like ones the later
_COMPARED = 30
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Near:
    """`score` = similarity · (0.7 + 0.3 · 0.5^(days / 30)); `similarity` is the share of the best match, 0–1."""

    memory: Memory
    score: float
    similarity: float
    days: float
    inherited_from: str | None = None


def episodes_near(space: Space, message: str, *, limit: int = 20, as_of: datetime | None = None) -> tuple[Near, ...]:
    """The best first. Raises what `search` raises for a bad query."""
    filters = Filters(kinds=(Kind.EPISODE,), as_of=as_of)
    hits = list(search(space, Query(message, top_k=max(_COMPARED, limit), filters=filters)).hits)
    best = max((hit.score for hit in hits), default=0.0)
    now = as_of or space.clock()
    near = [_near_episode(hit, best=best, now=now) for hit in hits]
    return tuple(sorted(near, key=lambda one: (-round(one.score, 9), one.memory.id))[:limit])


def _near_episode(hit: Hit, *, best: float, now: datetime) -> Near:
    at = hit.memory.occurred_at or hit.memory.created_at
    days = max((now - at).total_seconds() / _DAY, 0.0)
    similarity = hit.score / best if best else 0.0
    score = similarity * (1 - RECENT + RECENT * 0.5 ** (days / HALF_LIFE_DAYS))
    return Near(hit.memory, score, similarity, days, hit.inherited_from)


_LOOKED_AT = 20  # nodes, of which those that only words lead to are passed over
_SIGNS = re.compile(r"^(?:#{1,6}\s+|[-*+•]\s+|>\s?)+", re.MULTILINE)


def node_offers(space: Space, message: str, *, as_of: datetime | None) -> list[Offer]:
    """At most Tuning.context_nodes. A node that words or a node above it lead to is left out: what stands in a page is
    often said by facts as well, and a page costs many times what a fact does. With `as_of` as they stood then."""
    most = space.tuning.context_nodes
    if most < 1:
        return []
    filters = Filters(kinds=(Kind.NODE,), as_of=as_of)
    hits = search(space, Query(message, strategy=CONTEXT_TREE.name, top_k=_LOOKED_AT, filters=filters)).hits
    reached = [hit for hit in hits if hit.evidence.get("reached", {}).get("own")][:most]
    return [_node_offer(hit) for hit in reached]


def _node_offer(hit: Hit) -> Offer:
    node = Node(hit.memory)
    told = ", ".join(dict.fromkeys(match["keyword"] for match in hit.evidence["reached"]["matches"]))
    return Offer(
        hit.memory,
        f"reached by {told}",
        sentences(_SIGNS.sub("", node.text)),
        lead=f"{node.path}: ",
        inherited_from=hit.inherited_from,
        relevance=hit.relevance,
    )


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
