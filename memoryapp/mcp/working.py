"""Behind the opt-in: tools that do more, with sessions, sources, jobs and runs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.mcp.operation import calls, operation
from memoryapp.mcp.shapes import Id, Moment, Name
from memoryapp.mcp.tool import Taken


class Opened(Taken):
    name: Name = Field(description="Your own name for the session.", examples=["standup-42"])
    private: bool = Field(False, description="Nothing that is said in it is found or learned from.")


class Turn(Taken):
    session: Name = Field(
        description="The session's name, or the id that open_session gave, for a name with a slash.",
        examples=["standup-42"],
    )
    text: Annotated[str, Field(min_length=1, max_length=LIMITS.turn_chars)] = Field(
        description="What was said, as it was said.", examples=["I moved to Busan last week."]
    )
    speaker: Name | None = Field(None, description="Who said it.", examples=["Minsu"])
    role: Literal["user", "assistant", "system", "tool"] = Field("user", description="In which role.")
    at: Moment | None = Field(None, description="When; default: now.")
    ref: Name | None = Field(None, description="Your own id of this turn: sent again it is the same turn.")
    private: bool = Field(False, description="Not to be found or learned from.")


class Ended(Taken):
    session: Name = Field(description="The session's name.", examples=["standup-42"])


class Path(Taken):
    path: Annotated[str, Field(min_length=1, max_length=4_000)] = Field(
        description="A folder or markdown file that the server may read.", examples=["/home/alice/notes"]
    )
    dry_run: bool = Field(False, description="Only count what would change.")


class OneJob(Taken):
    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="The job's id, as it was answered.")


class Folded(Taken):
    older_than_days: int | None = Field(None, ge=0, le=36_500, description="Only daily logs older than this.")


class OneRun(Taken):
    id: Id = Field(description="The run's id, as an answer named it.")


WORKING = (
    operation(
        "open_session",
        "Open a session",
        "Opens a conversation under your own name for it; twice is once. Returns the session.",
        Opened,
        calls("POST", "/sessions"),
        repeats=True,
    ),
    operation(
        "append_turn",
        "Append a turn",
        "Keeps one thing said in an open session, word for word. What can be learned from it is learned in the "
        "background; returns the turn.",
        Turn,
        calls("POST", "/sessions/{session}/turns"),
    ),
    operation(
        "end_session",
        "End a session",
        "Ends a session and begins to tell it as an episode. Returns the session and the job.",
        Ended,
        calls("POST", "/sessions/{session}/end"),
        repeats=True,
    ),
    operation(
        "ingest",
        "Ingest notes",
        "Reads a folder or file of markdown into the memory; needs a curator's key. Returns a job for get_job.",
        Path,
        calls("POST", "/ingest"),
        repeats=True,
    ),
    operation(
        "get_job",
        "Get a job",
        "How far a job is. Returns its status, progress and report.",
        OneJob,
        calls("GET", "/jobs/{id}"),
        reads=True,
    ),
    operation(
        "preview_consolidation",
        "Preview a consolidation",
        "What would be folded into digests if old daily logs were consolidated now; changes nothing. Returns each "
        "digest with its sentences.",
        Folded,
        calls("POST", "/consolidate", fixed={"dry_run": True}),
        reads=True,
    ),
    operation(
        "undo_run",
        "Undo a run",
        "Takes back everything that one run changed; needs a curator's key. Returns what was put back.",
        OneRun,
        calls("POST", "/runs/{id}/undo"),
        destroys=True,
    ),
)
