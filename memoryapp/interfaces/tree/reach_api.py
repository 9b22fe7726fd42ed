"""The Context Tree asked: which of its nodes a question reaches."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp import search
from memoryapp.accounts.roles import Role
from memoryapp.domain.node import EQUAL
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Response
from memoryapp.interfaces.search.schemas import Question


class ReachIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"question": "가치관이 뭐야?"}]})

    question: Question


class MatchOut(Response):
    """A word of the question and the keyword that answers to it: equal (1.0), or one within the other (0.7)."""

    word: str = Field(examples=["가치관이"])
    keyword: str = Field(examples=["가치관"])
    how: Literal["equal", "within"]
    grade: float = Field(examples=[1.0])


class ReachedOut(Response):
    """`own`: by keywords of its own; else `matches` are those of the node at `via`, the nearest above it that has some.
    `loaded`: among the first that an agent is given whole. `size` in bytes."""

    id: Id
    path: str = Field(examples=["identity/values"])
    title: str = Field(examples=["가치관"])
    score: float = Field(examples=[1.0])
    own: bool
    via: str = Field(examples=["identity/values"])
    matches: list[MatchOut]
    size: int = Field(examples=[3200])
    loaded: bool


class ReachOut(Response):
    """The best first. `lit`: the paths of what was reached and of all above it. `bytes_loaded` of `bytes_bank`: how
    much of all the tree's markdown an agent is given."""

    question: str = Field(examples=["가치관이 뭐야?"])
    items: list[ReachedOut]
    lit: list[str] = Field(examples=[["identity", "identity/values"]])
    bytes_loaded: int = Field(examples=[3200])
    bytes_bank: int = Field(examples=[214_000])


router = Routes("Context Tree")


@router.post(
    "/tree/reach", needs=Role.READER, reads=True, response=ReachOut, errors=(413,), summary="Ask what is reached"
)
def reach_nodes(request: ApiRequest, body: ReachIn) -> ReachOut:
    """The nodes of this space's tree that a question reaches by keywords, without their text, and how much of the tree
    would be loaded. Counts as no recall; a search by the strategy `context-tree` gives the nodes whole."""
    found = search.reaching(the_space(request), body.question)
    return ReachOut(
        question=found.question,
        items=[_reached(one) for one in found.nodes],
        lit=list(found.lit),
        bytes_loaded=found.loaded,
        bytes_bank=found.bank,
    )


def _reached(one: search.Arrived) -> ReachedOut:
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
