"""The Context Tree asked: which of its nodes a question reaches."""

from __future__ import annotations

from memoryapp import retrieve
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.tree_reach import MatchOut, ReachedOut, ReachIn, ReachOut
from memoryapp.domain.node import EQUAL

router = Routes("Context Tree")


@router.post(
    "/tree/reach", needs=Role.READER, reads=True, response=ReachOut, errors=(413,), summary="Ask what is reached"
)
def reach_nodes(request: ApiRequest, body: ReachIn) -> ReachOut:
    """The nodes of this space's tree that a question reaches by keywords, without their text, and how much of the tree
    would be loaded. Counts as no recall; a search by the strategy `context-tree` gives the nodes whole."""
    found = retrieve.reaching(the_space(request), body.question)
    return ReachOut(
        question=found.question,
        items=[_reached(one) for one in found.nodes],
        lit=list(found.lit),
        bytes_loaded=found.loaded,
        bytes_bank=found.bank,
    )


def _reached(one: retrieve.Arrived) -> ReachedOut:
    node, reached = one.node, one.reached
    return ReachedOut(
        id=node.id,
        path=node.path,
        title=node.title,
        score=reached.score,
        own=reached.own,
        via=reached.via,
        matches=[
            MatchOut(
                word=match.word,
                keyword=match.keyword,
                how="equal" if match.grade == EQUAL else "within",
                grade=match.grade,
            )
            for match in reached.matches
        ],
        size=node.size,
        loaded=one.loaded,
    )
