"""Which nodes of the Context Tree a question reaches."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Id, Shown
from memoryapp.api.schemas.search import Question


class ReachIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"question": "가치관이 뭐야?"}]})

    question: Question


class MatchOut(Shown):
    """A word of the question and the keyword that answers to it: equal (1.0), or one within the other (0.7)."""

    word: str = Field(examples=["가치관이"])
    keyword: str = Field(examples=["가치관"])
    how: Literal["equal", "within"]
    grade: float = Field(examples=[1.0])


class ReachedOut(Shown):
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


class ReachOut(Shown):
    """The best first. `lit`: the paths of what was reached and of all above it. `bytes_loaded` of `bytes_bank`: how
    much of all the tree's markdown an agent is given."""

    question: str = Field(examples=["가치관이 뭐야?"])
    items: list[ReachedOut]
    lit: list[str] = Field(examples=[["identity", "identity/values"]])
    bytes_loaded: int = Field(examples=[3200])
    bytes_bank: int = Field(examples=[214_000])
