"""context: what belongs into a prompt for a message, within a budget of tokens."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.mcp.asking import Api, given
from memoryapp.mcp.fence import NOTICE
from memoryapp.mcp.shapes import Moment, Notice
from memoryapp.mcp.tool import AgentTool, Taken, Told


class ContextAsked(Taken):
    message: Annotated[str, Field(min_length=1, max_length=LIMITS.turn_chars)] = Field(
        description="The message that is to be answered, as it is.", examples=["Where does Minsu live now?"]
    )
    budget: int | None = Field(
        None, ge=1, le=200_000, description="Tokens at most; default: the space's own.", examples=[800]
    )
    layers: list[Literal["summaries", "tree", "facts", "experiences", "knowledge"]] = Field(
        [], max_length=5, description="Only these layers; default: all.", examples=[["facts"]]
    )
    facts: int | None = Field(None, ge=0, le=LIMITS.top_k, description="How many facts at most.", examples=[5])
    as_of: Moment | None = Field(None, description="What was believed at this past instant.")


class ContextTold(Told):
    """Ready for a prompt: `text` is framed as data already."""

    text: str = Field(description="The context, numbered, in a frame that marks it as data; empty where nothing fits.")
    tokens: int = Field(description="Its length in tokens.")
    budget: int = Field(description="Tokens that were allowed.")
    citations: dict[str, str] = Field(description="The number in the text → the memory's id.")
    needed: int = Field(0, description="Where nothing fitted: the budget that holds something.")
    notes: list[str] = Field([], description="What to know about it.")
    notice: Notice = NOTICE

    def words(self) -> str:
        notes = [f"Note: {note}" for note in self.notes]
        if not self.citations:
            nothing = "The budget was too small." if self.needed else "Nothing is remembered for this message."
            return "\n".join([nothing, *notes])
        cited = ", ".join(f"[{number}] {key}" for number, key in self.citations.items())
        return "\n".join([self.text, f"{self.tokens} of {self.budget} tokens. Memories: {cited}.", *notes])


async def _context(api: Api, asked: ContextAsked) -> ContextTold:
    return ContextTold.model_validate(await api.ask("POST", "/context", json=given(**asked.model_dump())))


CONTEXT = AgentTool(
    name="context",
    title="Get context for a message",
    description="Gives what an answer to this message should know: summaries, the best facts, experiences, notes, "
    "within a budget of tokens. Use it once at the start of a task; use recall for a specific question.",
    takes=ContextAsked,
    gives=ContextTold,
    act=_context,
    reads=True,
)
