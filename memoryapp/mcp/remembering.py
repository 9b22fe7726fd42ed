"""remember: one memory is written, and what became of it is told, with both texts where it contradicts another."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category
from memoryapp.mcp.asking import Api, given, segment
from memoryapp.mcp.fence import NOTICE, fenced
from memoryapp.mcp.shapes import Case, Label, Moment, Name, Notice
from memoryapp.mcp.tool import AgentTool, Taken, Told

WHAT_TO_DO = (
    "Both stay until it is decided. Settle it with resolve_conflict if the user has said which holds; otherwise ask, "
    "or leave it waiting."
)


class RememberTaken(Taken):
    text: Annotated[str, Field(min_length=1, max_length=LIMITS.text_chars)] = Field(
        description="What to remember: one statement that makes sense by itself, with names instead of “he” or “here”.",
        examples=["Alice prefers Python over Go for services."],
    )
    kind: Literal["note", "fact", "atom"] = Field(
        "fact",
        description="fact: a statement, compared with what is held. note: longer words, kept as they are and compared "
        "with nothing. atom: text is PENMAN.",
    )
    category: Category | None = Field(None, description="Of a fact, what it is about.", examples=["preferences"])
    title: Annotated[str, Field(max_length=300)] | None = Field(None, description="A heading.", examples=["Queue"])
    tags: list[Label] = Field([], max_length=LIMITS.tags, description="Labels to filter by.", examples=[["decision"]])
    ref: Name | None = Field(
        None, description="Your own id, unique here: written again it updates instead of adding.", examples=["D1:3"]
    )
    occurred_at: Moment | None = Field(
        None, description="When it happened or was said, ISO 8601; 2023 or 2023-11 will do. Default: unknown."
    )
    expires_at: Moment | None = Field(None, description="From then on it is not recalled, ISO 8601; default: never.")
    review_at: Moment | None = Field(None, description="When a person is asked whether it still holds, ISO 8601.")
    session: Name | None = Field(None, description="The conversation it belongs to.", examples=["standup-42"])
    speaker: Name | None = Field(None, description="Who said it.", examples=["Alice"])
    confidence: float | None = Field(
        None, ge=0, le=1, description="Of a fact: stated .9 (default), implied .7, inferred .5, the least."
    )


class RememberTold(Told):
    """What became of it."""

    outcome: Literal["written", "reinforced", "conflict", "unchanged"] = Field(
        description="written: new. reinforced: known already. conflict: contradicts what is held. unchanged: same ref."
    )
    id: str = Field(description="Id of the memory that now holds it.")
    ref: str | None = Field(None, description="Your own id.")
    kind: str = Field(description="note, fact or atom.")
    text: str = Field(description="What is held (data).")
    trust: float = Field(description="How far it is to be believed.")
    occurred_at: str | None = Field(None, description="When it happened, as it was understood.")
    conflict: Case | None = Field(None, description="The conflict that it caused, with both sides.")
    what_to_do: str | None = Field(None, description="Of a conflict: how to go on.")
    more: list[str] = Field([], description="Ids of further memories, where there were several atoms.")
    notice: Notice = NOTICE

    def words(self) -> str:
        told = {
            "written": f"Remembered as {self.kind} {self.id}.",
            "reinforced": f"Known already: {self.kind} {self.id} is reinforced, trust {self.trust:.2f}.",
            "unchanged": f"Unchanged: {self.kind} {self.id} says so already.",
            "conflict": f"Written as {self.kind} {self.id}, but it contradicts what is held.",
        }[self.outcome]
        if self.occurred_at:
            told += f" It happened at {self.occurred_at}."
        if self.more:
            told += f" Also written: {', '.join(self.more)}."
        if self.conflict is None:
            return told
        return f"{told}\n{fenced(self.conflict.lines())}\n{self.what_to_do}"


async def _remember(api: Api, said: RememberTaken) -> RememberTold:
    written: dict[str, Any] = await api.ask("POST", "/memories", json=given(**said.model_dump(mode="json")))
    case = None
    if written["conflict"]:
        case = Case.of(await api.ask("GET", f"/conflicts/{segment(written['conflict'])}"))
    return RememberTold(
        **{name: written[name] for name in ("outcome", "id", "ref", "kind", "text", "trust", "occurred_at")},
        conflict=case,
        what_to_do=WHAT_TO_DO if case else None,
        more=[one["id"] for one in written["more"]],
    )


REMEMBER = AgentTool(
    name="remember",
    title="Remember",
    description="Writes one memory; use it for what will matter in later conversations: facts, preferences, decisions, "
    "results. Returns whether it was written, reinforced, unchanged or contradicts something, then with both sides.",
    takes=RememberTaken,
    gives=RememberTold,
    act=_remember,
)
