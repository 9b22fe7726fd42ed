"""Sessions, what was said in them, and what was learned from it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain.limits import LIMITS
from memoryapp.domain.turn import ReadingStatus
from memoryapp.interfaces.api.schemas import Body, FullName, Id, Moment, Name, Response, Sparse, words
from memoryapp.interfaces.memories.schemas import A_TURN, TurnOut, Voice

TurnText = Annotated[str, words(LIMITS.turn_chars, least=1)]
SessionKey = Annotated[
    str, Field(max_length=300, description="The session's id, or your own name for it.", examples=["standup-42"])
]
A_READING: dict[str, Any] = {
    "status": "done",
    "extractor": "rules",
    "learned": [{"memory": "9f2c1b7a40d3e685", "outcome": "written"}],
    "passed_over": 1,
    "asked": 0,
    "reworded": 0,
    "problem": "",
    "run": "5a5a0f0f12345678",
    "at": "2026-11-20T09:30:02Z",
}


class SessionIn(Body):
    """`name` is your own; opening it twice is opening it once."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "standup-42"}]})

    name: FullName
    agent: Name = ""
    started_at: Moment | None = Field(
        default=None, description="When it began, where that is not now: a session told later."
    )
    metadata: dict[str, Any] = Field(default={}, max_length=50)
    private: bool = Field(False, description="All that is said in it is private.")


class SessionEdit(Body):
    """`private`: nothing that is said in it from now on is found, learned from or exported."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"private": True}]})

    private: bool


class PrivateErased(Response):
    erased: int = Field(description="Turns whose private words were kept until now.", examples=[3])
    dry_run: bool = Field(examples=[False])


class SessionOut(Response):
    id: Id
    name: str = Field(examples=["standup-42"])
    agent: str | None = Field(examples=["planner"])
    metadata: dict[str, Any] = Field(examples=[{}])
    started_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    ended_at: datetime | None = Field(examples=[None])
    turns: int = Field(description="How many there are.", examples=[12])
    private: bool = Field(description="All that is said in it from now on is private.", examples=[False])


class SessionPage(Response):
    items: list[SessionOut]
    next_cursor: str | None = Field(examples=[None])


class SessionOpened(SessionOut):
    """`jobs`: the ingests begun because a source is marked to be read again when a session opens."""

    jobs: list[str] = Field(examples=[["8c7b6a5948372615"]])


class SessionDetail(SessionOut):
    """`waiting`: turns that are not read yet. `facts`: those first learned here. `episode`: what the session became."""

    waiting: int = Field(examples=[0])
    facts: list[str] = Field(examples=[["9f2c1b7a40d3e685"]])
    episode: str | None = Field(examples=["1f2e3d4c5b6a7988"])


class SessionEnd(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ended_at": "2026-11-21T10:00:00Z"}]})

    ended_at: Moment | None = None


class SessionEnded(SessionOut):
    """`job` writes the episode, where the session holds enough for one; null where nothing was said."""

    job: str | None = Field(examples=["8c7b6a5948372615"])


class TurnIn(Sparse):
    """One thing said. `ref` is your own id, unique in the session: the same ref again is the same turn."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "I moved to Busan last week.", "speaker": "Minsu", "ref": "t-7"}]},
    )

    text: TurnText
    speaker: FullName | None = None
    role: Voice = "user"
    at: Moment | None = Field(None, description="When it was said; by default now.")
    ref: FullName | None = None
    private: bool = Field(False, description="Not found, learned from or exported; kept in the session or not at all.")


class TurnsIn(Sparse):
    """One turn, or up to 200 of them under `turns`, in the order in which they were said."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "turns": [
                        {"text": "I moved to Busan last week.", "speaker": "Minsu", "ref": "t-7"},
                        {"text": "How do you like it there?", "role": "assistant", "ref": "t-8"},
                    ]
                }
            ]
        },
    )

    turns: list[TurnIn] = Field([], max_length=LIMITS.turns)
    text: TurnText | None = None
    speaker: FullName | None = None
    role: Voice = "user"
    at: Moment | None = None
    ref: FullName | None = None
    private: bool = Field(False, description="Not found, learned from or exported; kept in the session or not at all.")


class LearnedOut(Response):
    memory: Id
    outcome: str = Field(examples=["written"])


class ReadingOut(Response):
    """What became of a turn: waiting · done · failed · skipped (its role, or extraction is off). `problem`: why the
    rules stood in for the model, or why it failed. `passed_over`: sentences that hold nothing worth keeping. `asked`:
    facts that a model was asked to put into plainer words, `reworded` those of them whose words were taken."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_READING]})

    status: ReadingStatus
    extractor: str
    learned: list[LearnedOut]
    passed_over: int
    asked: int
    reworded: int
    problem: str
    run: str | None
    at: datetime | None


class TurnRead(TurnOut):
    """A turn with what was learned from it."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_TURN | {"reading": A_READING}]})

    reading: ReadingOut


class TurnPage(Response):
    items: list[TurnRead]
    next_cursor: str | None = Field(examples=[None])


class TurnsTaken(Response):
    """The turns as they are kept, numbered. They are read in the background, within seconds; `reading` is how far
    that is, `job` the one that does it (null where nothing waits)."""

    items: list[TurnOut]
    reading: Literal["waiting", "done"] = Field(examples=["waiting"])
    job: str | None = Field(examples=["8c7b6a5948372615"])


class ReadTurnsIn(Body):
    """Which turns are read once more, by number; without any, all of the session. What is known stays known."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"turns": [7]}]})

    turns: list[Annotated[int, Field(ge=1, le=10_000_000)]] = Field([], max_length=1_000)


class ReadAgainOut(Response):
    waiting: int = Field(description="Turns that are now waiting to be read.", examples=[1])
    job: str | None = Field(examples=["8c7b6a5948372615"])


class EpisodeIn(Body):
    """`force`: also where the session holds less than an episode needs."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"force": True}]})

    force: bool = True
