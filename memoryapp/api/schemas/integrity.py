"""What a check of the whole space found."""

from __future__ import annotations

from pydantic import Field

from memoryapp.api.schemas.base import Shown


class InvariantOut(Shown):
    name: str = Field(examples=["both-ends"])
    sentence: str = Field(examples=["Every edge leads from something that is there to something that is."])
    holds: bool = Field(examples=[True])


class BrokenOut(Shown):
    invariant: str = Field(examples=["vectors"])
    record: str = Field(examples=["memory:3f1c9a2b7d5e8046"])
    told: str = Field(examples=["has no vector of all-MiniLM-L6-v2"])


class IntegrityOut(Shown):
    """`broken` names at most 100 records of each invariant."""

    sound: bool = Field(examples=[True])
    memories: int = Field(examples=[3447])
    seconds: float = Field(examples=[2.1])
    invariants: list[InvariantOut]
    broken: list[BrokenOut]
