"""The second layer: pages of the Context Tree that the message reaches by a keyword of their own."""

from __future__ import annotations

import re
from datetime import datetime

from memoryapp.context.found import Offer
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.sentences import sentences
from memoryapp.domain.strategies import CONTEXT_TREE
from memoryapp.retrieve import search
from memoryapp.spaces import Space

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
    return [_offer(hit) for hit in reached]


def _offer(hit: Hit) -> Offer:
    node = Node(hit.memory)
    told = ", ".join(dict.fromkeys(match["keyword"] for match in hit.evidence["reached"]["matches"]))
    return Offer(
        hit.memory,
        f"reached by {told}",
        sentences(_SIGNS.sub("", node.text)),
        lead=f"{node.path}: ",
        inherited_from=hit.inherited_from,
    )
