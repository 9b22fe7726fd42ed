"""give_feedback: whether what was recalled was of use. It is what ranks are corrected by, so every agent has it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp.mcp.operation import calls, operation
from memoryapp.mcp.shapes import Id
from memoryapp.mcp.tool import Taken


class Useful(Taken):
    id: Id = Field(description="The memory that was recalled.")
    used: bool = Field(description="true: it helped to answer. false: it was of no use.")
    query: Annotated[str, Field(max_length=300)] = Field("", description="The question it was recalled for.")


GIVE_FEEDBACK = operation(
    "give_feedback",
    "Give feedback",
    "Says whether a recalled memory was of use, which moves its rank by up to 20 %. Returns the counts.",
    Useful,
    calls("POST", "/memories/{id}/feedback"),
)
