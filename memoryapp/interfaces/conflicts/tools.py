"""list_conflicts and resolve_conflict: what contradicts what, and how it is settled or proposed to be."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memoryapp.domain.conflict import Outcome
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.mcp.client import Api, segment, without_empty
from memoryapp.interfaces.mcp.shapes import NOTICE, Case, Id, Label, Moment, Notice, Reason, fence_lines
from memoryapp.interfaces.mcp.tool import AgentTool, Arguments, Result


class ConflictsArguments(Arguments):
    status: Literal["waiting", "automatic", "decided", "snoozed"] = Field(
        "waiting",
        description="waiting: open. automatic: settled by policy. decided: by somebody. snoozed: put off.",
    )
    limit: int = Field(10, ge=1, le=50, description="How many at most.", examples=[10])
    cursor: Annotated[str, Field(max_length=2_000)] = Field("", description="next_cursor of the page before.")


class ConflictsResult(Result):
    """One page of conflicts."""

    items: list[Case] = Field(description="The conflicts, newest first.")
    total: int = Field(description="How many there are in all.")
    next_cursor: str | None = Field(None, description="For the next page; null on the last.")
    notice: Notice = NOTICE

    def words(self) -> str:
        if not self.items:
            return "There are no such conflicts."
        lines = [line for one in self.items for line in one.lines()]
        more = f"\nMore with cursor {self.next_cursor}" if self.next_cursor else ""
        return f"{len(self.items)} of {self.total}.\n{fence_lines(lines)}{more}"


class ResolveArguments(Arguments):
    id: Id = Field(description="The conflict's id, from remember, recall or list_conflicts.")
    outcome: Outcome = Field(
        description="keep: the existing one holds. replace: the incoming one does. both: each in its circumstances. "
        "merge: `text` holds instead. neither: both are put aside.",
        examples=["replace"],
    )
    text: Annotated[str, Field(min_length=1, max_length=LIMITS.text_chars)] | None = Field(
        None, description="For merge: what is to hold.", examples=["Minsu lived in Seoul until May, now in Busan."]
    )
    reason: Reason = ""
    existing_holds: Label | None = Field(None, description="For both: where the existing one holds.", examples=["work"])
    incoming_holds: Label | None = Field(None, description="For both: where the incoming one holds.", examples=["home"])
    ended_at: Moment | None = Field(
        None, description="For both: when the older one ended and the newer began, ISO 8601."
    )


class ResolveResult(Result):
    """What became of the decision."""

    status: Literal["decided", "proposed"] = Field(
        description="decided: it is so now. proposed: kept for a curator, because this key may not decide."
    )
    outcome: Outcome = Field(description="What was decided or proposed.")
    run: str | None = Field(None, description="The run that undoes it.")
    conflict: Case = Field(description="The conflict as it now stands.")
    notice: Notice = NOTICE

    def words(self) -> str:
        told = (
            f"Decided: {self.outcome}. It can be undone by run {self.run}."
            if self.status == "decided"
            else f"Proposed: {self.outcome}. This key may not decide; a curator sees it with the conflict."
        )
        return f"{told}\n{fence_lines(self.conflict.lines())}"


async def _list(api: Api, asked: ConflictsArguments) -> ConflictsResult:
    params = {"status": asked.status, "limit": asked.limit} | without_empty(cursor=asked.cursor or None)
    page = await api.ask("GET", "/conflicts", params=params)
    return ConflictsResult(
        items=[Case.of(one) for one in page["items"]], total=page["total"], next_cursor=page["next_cursor"]
    )


async def _resolve(api: Api, said: ResolveArguments) -> ResolveResult:
    scope = without_empty(existing=said.existing_holds, incoming=said.incoming_holds, ended_at=said.ended_at)
    body = without_empty(outcome=said.outcome, text=said.text, reason=said.reason or None, scope=scope or None)
    done = await api.ask("POST", f"/conflicts/{segment(said.id)}/resolve", json=body)
    return ResolveResult(
        status=done["status"], outcome=said.outcome, run=done["run"], conflict=Case.of(done["conflict"])
    )


LIST_CONFLICTS = AgentTool(
    name="list_conflicts",
    title="List conflicts",
    description="Lists pairs of memories that cannot both hold, with trust, dates and what is proposed. Use it when "
    "recalled memories disagree, or to ask the user which of them is right.",
    takes=ConflictsArguments,
    gives=ConflictsResult,
    act=_list,
    reads=True,
)
RESOLVE_CONFLICT = AgentTool(
    name="resolve_conflict",
    title="Resolve a conflict",
    description="Settles one conflict; use it when the user has said, or a source shows, which side holds. A curator's "
    "key decides at once, another's proposes for a curator; returns which of the two happened.",
    takes=ResolveArguments,
    gives=ResolveResult,
    act=_resolve,
    destroys=True,
)
