"""Tools behind the opt-in: they look deeper (ranks, episodes, entities, the Context Tree) or do more (sessions,
sources, jobs, runs)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.mcp.client import Api, segment
from memoryapp.interfaces.mcp.shapes import Id, Moment, Name
from memoryapp.interfaces.mcp.tool import Answer, Arguments, calls, operation

Query = Annotated[str, Field(min_length=1, max_length=LIMITS.query_chars)]
Strategies = Annotated[list[Name], Field(min_length=1, max_length=4)]


class CompareArguments(Arguments):
    query: Query = Field(description="What to look for.", examples=["why did we leave RabbitMQ?"])
    strategies: Strategies = Field(
        ["hybrid", "keyword"], description="Up to four strategies or profiles.", examples=[["hybrid", "keyword"]]
    )
    top_k: int = Field(5, ge=1, le=50, description="How many results of each at most.", examples=[5])


class WhyNotArguments(Arguments):
    query: Query = Field(description="The question that did not find it.", examples=["why did we leave RabbitMQ?"])
    id: Id = Field(description="Id of the memory that was expected.")
    strategies: Strategies = Field(["hybrid"], description="By which strategies.", examples=[["hybrid"]])


class TimelineArguments(Arguments):
    query: Annotated[str, Field(max_length=300)] = Field(
        "", description="Only episodes like this; default: the last ones."
    )
    since: Moment | None = Field(None, description="From this time on, ISO 8601.")
    until: Moment | None = Field(None, description="Before this time, ISO 8601.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.", examples=[10])


class FindEntitiesArguments(Arguments):
    query: Annotated[str, Field(max_length=300)] = Field("", description="A part of a name.", examples=["redis"])
    limit: int = Field(20, ge=1, le=100, description="How many at most.", examples=[20])


class OneEntity(Arguments):
    id: Id = Field(description="The entity's id, from find_entities.")


class Around(Arguments):
    start: Id = Field(description="The entity's id, from find_entities.")
    steps: int = Field(1, ge=1, le=3, description="How many relations away.", examples=[1])
    limit: int = Field(30, ge=1, le=200, description="How many entities at most.", examples=[30])


class Tree(Arguments):
    path: Annotated[str, Field(max_length=400)] = Field("", description="Only beneath this node; default: everything.")


class Node(Arguments):
    path: Annotated[str, Field(min_length=1, max_length=400)] = Field(
        description="Path of the node, from list_tree.", examples=["identity/values"]
    )


async def _node(api: Api, said: Node) -> Answer:
    path = "/".join(segment(step) for step in said.path.strip("/").split("/"))
    return Answer(answer=await api.ask("GET", f"/tree/nodes/{path}"))


READ_TOOLS = (
    operation(
        "compare_strategies",
        "Compare search strategies",
        "Answers one question by several strategies side by side. Returns the results of each with the reasons for "
        "their ranks, and how far they agree.",
        CompareArguments,
        calls("POST", "/search/compare"),
        reads=True,
    ),
    operation(
        "why_not",
        "Explain an absence",
        "Tells at which stage a memory that was expected drops out of a search. Returns its rank and shares, or the "
        "cut that it missed, by strategy.",
        WhyNotArguments,
        calls("POST", "/search/explain"),
        reads=True,
    ),
    operation(
        "list_episodes",
        "List episodes",
        "The timeline of conversations as they were told. Returns episodes, the last first or those like the query.",
        TimelineArguments,
        calls("GET", "/episodes", query=True, renamed={"query": "q"}),
        reads=True,
    ),
    operation(
        "find_entities",
        "Find entities",
        "People, tools, places and concepts that memories refer to, by a part of their name. Returns them with ids, "
        "types and counts.",
        FindEntitiesArguments,
        calls("GET", "/entities", query=True, renamed={"query": "text"}),
        reads=True,
    ),
    operation(
        "get_entity",
        "Get an entity",
        "All there is to one entity. Returns its memories with its role in each, its relations and other names.",
        OneEntity,
        calls("GET", "/entities/{id}"),
        reads=True,
    ),
    operation(
        "look_around",
        "Look around an entity",
        "The entities near one of them, and what joins them. Returns nodes and edges.",
        Around,
        calls("GET", "/graph", query=True),
        reads=True,
    ),
    operation(
        "list_tree",
        "List the Context Tree",
        "The pages of curated knowledge, without their text. Returns paths, keywords and sizes.",
        Tree,
        calls("GET", "/tree", query=True),
        reads=True,
    ),
    operation(
        "read_node",
        "Read a node of the tree",
        "One page of the Context Tree. Returns its markdown, keywords and children.",
        Node,
        _node,
        reads=True,
    ),
)


class OpenSessionArguments(Arguments):
    name: Name = Field(description="Your own name for the session.", examples=["standup-42"])
    private: bool = Field(False, description="Nothing that is said in it is found or learned from.")


class Turn(Arguments):
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


class EndSessionArguments(Arguments):
    session: Name = Field(description="The session's name.", examples=["standup-42"])


class Path(Arguments):
    path: Annotated[str, Field(min_length=1, max_length=4_000)] = Field(
        description="A folder or markdown file that the server may read.", examples=["/home/alice/notes"]
    )
    dry_run: bool = Field(False, description="Only count what would change.")


class OneJob(Arguments):
    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(description="The job's id, as it was answered.")


class ConsolidateArguments(Arguments):
    older_than_days: int | None = Field(None, ge=0, le=36_500, description="Only daily logs older than this.")


class OneRun(Arguments):
    id: Id = Field(description="The run's id, as an answer named it.")


ACTION_TOOLS = (
    operation(
        "open_session",
        "Open a session",
        "Opens a conversation under your own name for it; twice is once. Returns the session.",
        OpenSessionArguments,
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
        EndSessionArguments,
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
        ConsolidateArguments,
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
