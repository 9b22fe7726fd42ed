"""The Context Tree fed: routing, retaining, what waits, and what is stale. Paths of nodes are parameters here, so that
no address under /tree is taken by them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Query
from pydantic import ConfigDict, Field

from memoryapp import tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import PATH_CHARS
from memoryapp.domain.remembering import NewMemory
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Limit, Response, Sparse, path_id, words
from memoryapp.interfaces.memories.schemas import A_MEMORY, MemoryOut, show_memories
from memoryapp.interfaces.memories.writing_schemas import Tags, Text
from memoryapp.jobs.reading import judges_for
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.tree.write import node_at

ID = "9f2c1b7a40d3e685"
A_LINE = "Embedding runs go to the rented H100."
MOST_TEXTS = 100
A_ROUTE: dict[str, Any] = {
    "path": "infra/gpu", "why": "routed by keyword H100", "score": 1.0, "by": "keyword", "certain": True, "others": [],
}  # fmt: skip

NodePath = Annotated[str, words(2 * PATH_CHARS, least=1), Field(examples=["infra/gpu"])]
Ids = Annotated[list[Id], Field(max_length=LIMITS.batch_items)]
By = Literal["tag", "keyword", "near", "inbox", "hand"]


class TextIn(Sparse):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "[W] Plain words before clever ones.", "tags": []}]}
    )

    text: Text
    tags: Tags = []


class RouteIn(Sparse):
    """`texts`, or ids of `memories`: one of the two."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"texts": [{"text": A_LINE}]}]})

    texts: list[TextIn] = Field([], max_length=MOST_TEXTS)
    memories: list[Id] = Field([], max_length=MOST_TEXTS)


class RouteOut(Response):
    """`by`: tag (of the space's routing table), keyword, near (the node whose page is nearest in meaning), inbox.
    `certain`: by a tag, or a keyword that stands in the words as it is. `others`: paths that came next."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_ROUTE]})

    path: str
    why: str
    score: float
    by: By
    certain: bool
    others: list[str]


class RoutesOut(Response):
    """In the order in which they were sent."""

    items: list[RouteOut]


class RetainIn(Sparse):
    """`memories` that are held, or a `text` with its `tags`, which becomes a note first. Without a `path` each goes
    where it is routed."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"memories": [ID], "path": "infra/gpu", "dry_run": True}]}
    )

    memories: Ids = []
    text: Text | None = None
    tags: Tags = []
    path: NodePath | None = None
    dry_run: bool = False


class KeptOut(Response):
    """`outcome`: written (a line more), merged (a line says it already), conflict (a line speaks against it, and
    `conflict` waits for a decision), unchanged. `memory` is null for a text that is only tried out."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "memory": ID,
                    "path": "infra/gpu",
                    "outcome": "written",
                    "line": A_LINE,
                    "why": "routed by keyword H100",
                    "conflict": None,
                }
            ]
        }
    )

    memory: str | None
    path: str
    outcome: Literal["written", "merged", "conflict", "unchanged"]
    line: str
    why: str
    conflict: str | None


class RetainedOut(Response):
    """`run` undoes all of it; null where nothing was written."""

    items: list[KeptOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


class WaitingOut(Response):
    model_config = ConfigDict(json_schema_extra={"examples": [{"memory": A_MEMORY, "route": A_ROUTE}]})

    memory: MemoryOut
    route: RouteOut


class WaitingList(Response):
    """The newest first. `total`: how many wait in all; `left_out`: how many were left out and are not asked for."""

    items: list[WaitingOut]
    total: int = Field(examples=[2])
    left_out: int = Field(examples=[0])


class LeaveOutIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"left_out": True}]})

    left_out: bool


class LeftOutDone(Response):
    """`run` undoes it."""

    memory: str = Field(examples=[ID])
    left_out: bool = Field(examples=[True])
    run: str = Field(examples=["5a5a0f0f12345678"])


class StaleOut(Response):
    """A line whose memory is held no longer, or says something else. `now_says`: what holds in its place, by memory
    `by`; null where nothing does."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "key": "1864c28eca28dec7",
                    "line": "Embedding runs go to the two A100s in Seoul.",
                    "memory": ID,
                    "why": "Its memory was superseded.",
                    "now_says": A_LINE,
                    "by": "2c3d4e5f60718a9b",
                    "until": "2026-11-18T09:30:00Z",
                }
            ]
        }
    )

    key: str
    line: str
    memory: str
    why: str
    now_says: str | None
    by: str | None
    until: datetime | None


class StaleList(Response):
    path: str = Field(examples=["infra/gpu"])
    version: int = Field(examples=[7])
    items: list[StaleOut]


class FreshenIn(Sparse):
    """`keys` of stale lines; without them all that are stale. `version`: of the node as it was read."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "infra/gpu", "keys": ["1864c28eca28dec7"]}]}
    )

    path: NodePath
    keys: list[Id] | None = Field(None, max_length=1_000)
    version: int | None = Field(None, ge=1)


class FreshenedOut(Response):
    """The node as it stands, and the run that undoes it."""

    path: str = Field(examples=["infra/gpu"])
    version: int = Field(examples=[8])
    text: str = Field(examples=["# gpu\n\n- Embedding runs go to the rented H100.\n"])
    run: str = Field(examples=["5a5a0f0f12345678"])


router = Routes("Context Tree")
MemoryId = Annotated[str, path_id("memory")]


@router.post(
    "/tree/route",
    needs=Role.WRITER,
    reads=True,
    response=RoutesOut,
    errors=(404, 413),
    summary="Ask where something belongs",
)
def route_texts(request: ApiRequest, body: RouteIn) -> RoutesOut:
    """The node each text or memory would go to, and why: by a tag of the space's routing table, else by keywords, else
    by meaning, else the inbox. Changes nothing."""
    space = the_space(request)
    if bool(body.texts) is bool(body.memories):
        raise BadInput("Send `texts`, or ids of `memories`: one of the two.", field="/texts")
    if body.texts:
        found = tree.route(space, [one.text for one in body.texts], tags=[one.tags for one in body.texts])
    else:
        some = [memories.get(space.db, key) for key in body.memories]
        found = tree.route(space, [one.text for one in some], tags=[one.tags for one in some])
    return RoutesOut(items=[_route(one) for one in found])


@router.post(
    "/tree/retain", needs=Role.CURATOR, response=RetainedOut, errors=(404, 409, 413), summary="Take into the tree"
)
def retain_memories(request: ApiRequest, body: RetainIn) -> RetainedOut:
    """Puts memories into the tree as lines: what a line says already is merged into it, what contradicts one waits as
    a conflict, anything else is a line more. Doing it again changes nothing. `dry_run` says what would become of
    each."""
    space, actor = the_space(request), request.auth.actor
    if bool(body.memories) is (body.text is not None):
        raise BadInput("Send ids of `memories`, or a `text`: one of the two.", field="/memories")
    if body.text is None:
        done = tree.retain(space, body.memories, path=body.path, actor=actor, dry_run=body.dry_run)
    elif body.dry_run:
        done = tree.rehearse(space, [_draft_note(space, body)], path=body.path, actor=actor)
        return RetainedOut(items=[_show_kept(one, tried=True) for one in done.items], run=None, dry_run=True)
    else:
        note = NewMemory(body.text, tags=tuple(body.tags))
        (said,) = remember(space, [note], actor=actor, judges=judges_for(space, chat=False))
        done = tree.retain(space, [said.id], path=body.path, actor=actor)
    return RetainedOut(
        items=[_show_kept(one) for one in done.items], run=done.run.id if done.run else None, dry_run=body.dry_run
    )


@router.get("/tree/waiting", needs=Role.READER, response=WaitingList, summary="List what waits to go in")
def list_waiting(request: ApiRequest, path: NodePath | None = None, limit: Limit = 20) -> WaitingList:
    """Facts, notes and digests that are held and in no node yet, the newest first, each with the node it would go to;
    with `path` those that would go there. Looks at the newest few hundred."""
    space = the_space(request)
    found = tree.waiting(space, path, limit=limit)
    shown = show_memories(space, [one.memory for one in found])
    items = [
        WaitingOut(
            memory=memory,
            route=RouteOut.of(one, others=[]),
        )
        for one, memory in zip(found, shown, strict=True)
    ]
    return WaitingList(items=items, total=tree.count_waiting(space), left_out=len(tree.left_out(space)))


@router.patch(
    "/tree/waiting/{id}",
    needs=Role.CURATOR,
    response=LeftOutDone,
    errors=(404, 409),
    summary="Leave a memory out of the tree, or let it wait",
)
def leave_memory_out(request: ApiRequest, id: MemoryId, body: LeaveOutIn) -> LeftOutDone:
    """`left_out` true: it stays held, and is not asked for any more; false: it waits again."""
    act = tree.leave_out if body.left_out else tree.let_in
    run = act(the_space(request), [id], actor=request.auth.actor)
    return LeftOutDone(memory=id, left_out=body.left_out, run=run.id)


@router.get("/tree/stale", needs=Role.READER, response=StaleList, errors=(404,), summary="List stale lines")
def list_stale(request: ApiRequest, path: Query[NodePath]) -> StaleList:
    """Lines of a node whose memory is held no longer or says something else, each with what holds in its place."""
    space = the_space(request)
    node = node_at(space, path)
    items = [StaleOut(**asdict(one)) for one in tree.stale(space, node)]
    return StaleList(path=node.path, version=node.memory.version, items=items)


@router.post(
    "/tree/freshen",
    needs=Role.CURATOR,
    response=FreshenedOut,
    errors=(404, 409, 412),
    summary="Bring stale lines up to date",
)
def freshen_lines(request: ApiRequest, body: FreshenIn) -> FreshenedOut:
    """Puts what holds now in place of stale lines; a line that nothing replaces is taken out."""
    node, run = tree.freshen(the_space(request), body.path, body.keys, actor=request.auth.actor, version=body.version)
    return FreshenedOut(path=node.path, version=node.memory.version, text=node.text, run=run.id)


def _route(one: tree.Route) -> RouteOut:
    return RouteOut(**asdict(one) | {"others": list(one.others)})


def _show_kept(one: tree.RetainedMemory, *, tried: bool = False) -> KeptOut:
    return KeptOut(**asdict(one) | ({"memory": None} if tried else {}))


def _draft_note(space: Space, body: RetainIn) -> Memory:
    """The note that the text would become."""
    now = space.clock()
    text = (body.text or "").strip()
    return Memory("0" * 16, Kind.NOTE, text, now, now, tags=tuple(body.tags))
