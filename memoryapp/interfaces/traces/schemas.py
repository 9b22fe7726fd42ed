"""Traces as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from memoryapp.domain.memory import Kind, State
from memoryapp.domain.trace import Act, Result, Trace
from memoryapp.interfaces.api.schemas import Id, Response
from memoryapp.review.traces import GivenMemory
from memoryapp.store.traces import AgentSums, Sums


class TraceLine(Response):
    """A call: who asked what, and how it ended. `given` counts the memories, `used` those of which the agent said that
    it used them; `key`: how its key begins; `tokens` of a search are an estimate."""

    id: Id
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    act: Act
    question: str = Field(examples=["which port does staging use?"])
    agent: str = Field(examples=["atlas"])
    key: str = Field(examples=["pal_1a2b3c4d"])
    strategy: str = Field(examples=["hybrid"])
    result: Result
    given: int = Field(examples=[5])
    used: int = Field(examples=[2])
    tokens: int = Field(examples=[310])
    ms: float = Field(examples=[14.2])
    budget: int | None = Field(description="In tokens, of a context.", examples=[None])
    cached: bool = Field(description="An earlier answer was given again.", examples=[False])


class AgentLine(Response):
    """`unanswered`: calls for which nothing clear was found, or for which the budget was too small."""

    agent: str = Field(examples=["atlas"])
    calls: int = Field(examples=[41])
    unanswered: int = Field(examples=[3])
    last_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])


class TracePage(Response):
    """`calls` and `results` count all that match, on whatever page; `ms` and `tokens` are medians of a call; `agents`
    are those that asked, the last one first."""

    items: list[TraceLine]
    calls: int = Field(examples=[41])
    results: dict[str, int] = Field(examples=[{"answered": 38, "nothing": 3}])
    ms: float = Field(examples=[14.2])
    tokens: int = Field(examples=[310])
    agents: list[AgentLine]
    next_cursor: str | None = Field(examples=[None])


class TraceItem(Response):
    """A memory that was given, as it stands now; what is null is no longer there, or not for the reader's role.
    `relevance` as it was; `answer`: the sentence that answered, unless the text was `changed` since. `use` above 0: the
    agent said that it used it; below 0: that it was not useful. `layer` of a context."""

    id: Id
    kind: Kind | None
    state: State | None
    text: str | None = Field(examples=["The staging server listens on port 8080."])
    relevance: float | None = Field(examples=[0.81])
    answer: str = Field(examples=["The staging server listens on port 8080."])
    changed: bool = Field(examples=[False])
    layer: str = Field(examples=[""])
    tokens: int = Field(examples=[9])
    use: int = Field(examples=[1])
    conflicts: list[Id]
    inherited_from: str | None = Field(examples=[None])


class TraceOut(TraceLine):
    """`items`: the memories in the order in which they were given."""

    items: list[TraceItem]


class TraceDeleted(Response):
    """The id of the trace that is gone."""

    deleted: Id


def show_line(one: Trace, uses: Mapping[str, int]) -> TraceLine:
    return TraceLine.of(
        one, agent=one.asker.agent, key=one.asker.key, given=len(one.given), used=sum(use > 0 for use in uses.values())
    )


def show_sums(found: Sums) -> dict[str, int]:
    return {result.value: n for result, n in sorted(found.by_result.items())}


def show_agent(one: AgentSums) -> AgentLine:
    return AgentLine.of(one)


def show_trace(one: Trace, given: list[GivenMemory]) -> TraceOut:
    uses = {part.given.memory: part.use for part in given}
    return TraceOut(**show_line(one, uses).model_dump(), items=[_item(part) for part in given])


def _item(part: GivenMemory) -> TraceItem:
    memory = None if part.withheld else part.memory
    return TraceItem.of(
        part.given,
        id=part.given.memory,
        kind=memory.kind if memory else None,
        state=part.memory.state if part.memory else None,
        text=memory.text if memory else None,
        answer=part.answer,
        changed=part.changed,
        use=part.use,
        conflicts=list(part.conflicts),
    )
