"""Behind the opt-in: tools that look deeper, into ranks, episodes, entities and the Context Tree."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.mcp.asking import Api, segment
from memoryapp.mcp.operation import Answer, calls, operation
from memoryapp.mcp.shapes import Id, Moment, Name
from memoryapp.mcp.tool import Taken

Query = Annotated[str, Field(min_length=1, max_length=LIMITS.query_chars)]
Strategies = Annotated[list[Name], Field(min_length=1, max_length=4)]


class Compared(Taken):
    query: Query = Field(description="What to look for.", examples=["why did we leave RabbitMQ?"])
    strategies: Strategies = Field(
        ["hybrid", "keyword"], description="Up to four strategies or profiles.", examples=[["hybrid", "keyword"]]
    )
    top_k: int = Field(5, ge=1, le=50, description="How many results of each at most.", examples=[5])


class Missed(Taken):
    query: Query = Field(description="The question that did not find it.", examples=["why did we leave RabbitMQ?"])
    id: Id = Field(description="Id of the memory that was expected.")
    strategies: Strategies = Field(["hybrid"], description="By which strategies.", examples=[["hybrid"]])


class Timeline(Taken):
    query: Annotated[str, Field(max_length=300)] = Field(
        "", description="Only episodes like this; default: the last ones."
    )
    since: Moment | None = Field(None, description="From this time on, ISO 8601.")
    until: Moment | None = Field(None, description="Before this time, ISO 8601.")
    limit: int = Field(10, ge=1, le=50, description="How many at most.", examples=[10])


class Named(Taken):
    query: Annotated[str, Field(max_length=300)] = Field("", description="A part of a name.", examples=["redis"])
    limit: int = Field(20, ge=1, le=100, description="How many at most.", examples=[20])


class OneEntity(Taken):
    id: Id = Field(description="The entity's id, from find_entities.")


class Around(Taken):
    start: Id = Field(description="The entity's id, from find_entities.")
    steps: int = Field(1, ge=1, le=3, description="How many relations away.", examples=[1])
    limit: int = Field(30, ge=1, le=200, description="How many entities at most.", examples=[30])


class Tree(Taken):
    path: Annotated[str, Field(max_length=400)] = Field("", description="Only beneath this node; default: everything.")


class Node(Taken):
    path: Annotated[str, Field(min_length=1, max_length=400)] = Field(
        description="Path of the node, from list_tree.", examples=["identity/values"]
    )


async def _node(api: Api, said: Node) -> Answer:
    path = "/".join(segment(step) for step in said.path.strip("/").split("/"))
    return Answer(answer=await api.ask("GET", f"/tree/nodes/{path}"))


LOOKING = (
    operation(
        "compare_strategies",
        "Compare search strategies",
        "Answers one question by several strategies side by side. Returns the results of each with the reasons for "
        "their ranks, and how far they agree.",
        Compared,
        calls("POST", "/search/compare"),
        reads=True,
    ),
    operation(
        "why_not",
        "Explain an absence",
        "Tells at which stage a memory that was expected drops out of a search. Returns its rank and shares, or the "
        "cut that it missed, by strategy.",
        Missed,
        calls("POST", "/search/why-not"),
        reads=True,
    ),
    operation(
        "list_episodes",
        "List episodes",
        "The timeline of conversations as they were told. Returns episodes, the last first or those like the query.",
        Timeline,
        calls("GET", "/episodes", query=True, renamed={"query": "q"}),
        reads=True,
    ),
    operation(
        "find_entities",
        "Find entities",
        "People, tools, places and concepts that memories refer to, by a part of their name. Returns them with ids, "
        "types and counts.",
        Named,
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
