"""Which nodes of the Context Tree a question reaches, what of them is loaded, and how little of the whole that is."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import above
from memoryapp.domain.reach import NodeReach, loaded_count, reach
from memoryapp.search.trees import trees
from memoryapp.spaces import Space
from memoryapp.store.nodes import Outline


@dataclass(frozen=True, slots=True)
class ReachedNode:
    """`loaded`: among the first that an agent is given whole."""

    node: Outline
    reached: NodeReach
    loaded: bool


@dataclass(frozen=True, slots=True)
class Reaching:
    """`nodes` the best first. `lit`: paths of the reached nodes and of all above them, in order. `loaded` and `bank`:
    bytes of what is given and of all the tree's markdown."""

    question: str
    nodes: tuple[ReachedNode, ...]
    lit: tuple[str, ...]
    loaded: int
    bank: int


def reaching(space: Space, question: str) -> Reaching:
    """By keywords alone, in the space's own tree as it is held now; the strategy context-tree adds words to it and
    reads a parent space along. Raises BadInput or TooLarge for a question that cannot be one."""
    asked = " ".join(question.split())
    if not asked:
        raise BadInput("The question is empty: say what to look for.", field="/question")
    if len(asked) > LIMITS.query_chars:
        raise TooLarge(
            f"The question has {len(asked):,} characters; it may have {LIMITS.query_chars:,}.", field="/question"
        )
    space.index.refresh()
    view = space.index.view()
    tree = trees.of(space, view, view.roster.mask(Filters(kinds=(Kind.NODE,)), now=space.clock()))
    if tree is None:
        return Reaching(asked, (), (), 0, 0)
    by_id = {one.id: one for one in tree.outlines}
    reached = reach(asked, tree.signs)
    first = loaded_count([by_id[one.id].size for one in reached])
    nodes = tuple(ReachedNode(by_id[one.id], one, n < first) for n, one in enumerate(reached))
    lit = {"/".join(above(one.path)[:n]) for one in reached for n in range(1, len(above(one.path)) + 1)}
    return Reaching(
        question=asked,
        nodes=nodes,
        lit=tuple(sorted(lit | {one.path for one in reached}, key=lambda path: path.split("/"))),
        loaded=sum(one.node.size for one in nodes if one.loaded),
        bank=sum(one.size for one in tree.outlines),
    )
