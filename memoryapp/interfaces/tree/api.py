"""The Context Tree: looked at, asked which nodes a question reaches, grown, changed, moved, merged, split.

A node's address is /tree/nodes/{path}, where every node is reached, whatever it is called.
"""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Query
from pydantic import ConfigDict, Field

from memoryapp import search, tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Run
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.node import EQUAL, MOST_BYTES, Node, check_path
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, expected_version
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Response
from memoryapp.interfaces.search.schemas import Question
from memoryapp.interfaces.tree.schemas import (
    EditNodeIn,
    KeywordsOut,
    MergeNodesIn,
    MergeNodesOut,
    MoveNodeIn,
    NewNodeIn,
    NodeActOut,
    NodeAddress,
    NodePath,
    OutlineOut,
    PageOut,
    RemovedOut,
    SplitNodeIn,
    SplitNodeOut,
    changes_its_own_node,
    home_of_node,
    outline_of,
    show_merge_of_nodes,
    show_node,
    show_row,
    show_split,
    written_run_id,
)
from memoryapp.spaces import Space
from memoryapp.tree.write import node_at

router = Routes("Context Tree")
Under = Annotated[str, Field(max_length=400, description="Only this node and what is beneath it.", examples=[""])]
EDITS = (404, 409, 412, 413)


@router.get("/tree", needs=Role.READER, response=OutlineOut, errors=(404,), summary="Get the tree")
def get_tree(request: ApiRequest, path: Under = "") -> OutlineOut:
    """Every node without its markdown, those of parent spaces too."""
    space = the_space(request)
    under = check_path(path, field="path") if path.strip() else ""
    items = outline_of(space, under=under)
    if under and not items:
        raise NotFound(f"There is no node at “{under}” in space “{space.name}”.")
    return OutlineOut(items=items, bytes=sum(one.size for one in items), limit=MOST_BYTES)


@router.post("/tree", needs=Role.CURATOR, response={201: NodeActOut}, errors=(409, 413), summary="Grow a node")
def grow_node(request: ApiRequest, body: NewNodeIn) -> Reply:
    """Puts a node where there is none. What was deleted at this path comes back as the same memory, with these
    words."""
    space = the_space(request)
    said = body.model_dump()
    return _act(space, *tree.grow(space, said.pop("path"), **said, actor=request.auth.actor), status=201)


@router.post(
    "/tree/move",
    needs=Role.CURATOR,
    if_match=True,
    response=NodeActOut,
    errors=(404, 409, 412),
    summary="Move a node",
)
@changes_its_own_node
def move_node(request: ApiRequest, body: MoveNodeIn) -> Reply:
    """Gives a node another path, with all beneath it, or another place among its siblings. Links to what moved, and
    those in it, lead where they led."""
    space = the_space(request)
    version = _expected_node_version(request, space, body.path)
    node, run = tree.move(space, body.path, body.to, position=body.position, version=version, actor=request.auth.actor)
    return _act(space, node, run)


@router.post(
    "/tree/merge",
    needs=Role.CURATOR,
    if_match=True,
    response=MergeNodesOut,
    errors=EDITS,
    summary="Merge one node into another",
)
@changes_its_own_node
def merge_nodes(request: ApiRequest, body: MergeNodesIn) -> Reply:
    """Puts what the node at `path` says into the one at `into`, what both say only once, and takes the first out.
    If-Match is the version of the node at `into`. `dry_run` tells what would become of it."""
    space = the_space(request)
    version = _expected_node_version(request, space, body.into)
    preview = tree.preview_merge(space, body.path, body.into)
    if body.dry_run:
        return Reply(show_merge_of_nodes(preview, run=None, dry_run=True), version=preview.version)
    node, run = tree.merge(space, body.path, body.into, version=version, actor=request.auth.actor)
    return Reply(show_merge_of_nodes(preview, run=run.id, dry_run=False), version=node.memory.version)


@router.post(
    "/tree/split",
    needs=Role.CURATOR,
    if_match=True,
    response=SplitNodeOut,
    errors=(404, 409, 412),
    summary="Split a node by topic",
)
@changes_its_own_node
def split_node(request: ApiRequest, body: SplitNodeIn) -> Reply:
    """Tells what the node would become or, with `dry_run: false`, makes it so: whole sections in their order, in nodes
    of 2–5 KB beneath it. It keeps how it opens, and links to them. Nothing is lost, and the run undoes it."""
    space = the_space(request)
    version = _expected_node_version(request, space, body.path)
    preview = tree.preview_split(space, body.path)
    if body.dry_run:
        return Reply(show_split(preview, run=None, dry_run=True), version=preview.version)
    # What was looked at a moment ago is what is done, whether the caller named a version or not.
    _, run = tree.split(space, body.path, version=version or preview.version, actor=request.auth.actor)
    return Reply(show_split(preview, run=run.id, dry_run=False), version=node_at(space, body.path).memory.version)


@router.get("/tree/keywords", needs=Role.READER, response=KeywordsOut, errors=(404,), summary="Suggest keywords")
@changes_its_own_node
def suggest_keywords(request: ApiRequest, path: Query[NodePath]) -> KeywordsOut:
    """Words and names that stand in the node and seldom in others, the most telling first, without those it has."""
    return KeywordsOut(items=list(tree.suggest_keywords(the_space(request), path)))


@router.get("/tree/nodes/{path:path}", needs=Role.READER, response=PageOut, errors=(404,), summary="Get a node")
def get_node(request: ApiRequest, path: NodeAddress) -> Reply:
    """A node with its markdown. Its version is the ETag. One of a parent space says so in `inherited_from`."""
    space = the_space(request)
    home, node = home_of_node(space, path)
    return Reply(show_node(home, node, reader=space), version=node.memory.version)


@router.patch(
    "/tree/nodes/{path:path}",
    needs=Role.CURATOR,
    if_match=True,
    response=NodeActOut,
    errors=EDITS,
    summary="Change a node",
)
@changes_its_own_node
def change_node(request: ApiRequest, path: NodeAddress, body: EditNodeIn) -> Reply:
    """Changes the fields that are sent. With If-Match it is refused (412) if somebody changed the node since."""
    changes = body.model_dump(exclude_unset=True)
    if not changes:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    space = the_space(request)
    version = _expected_node_version(request, space, path)
    return _act(space, *tree.change(space, path, **changes, version=version, actor=request.auth.actor))


@router.delete(
    "/tree/nodes/{path:path}",
    needs=Role.CURATOR,
    if_match=True,
    response=RemovedOut,
    errors=(404, 409, 412),
    summary="Take a node out",
)
@changes_its_own_node
def remove_node(request: ApiRequest, path: NodeAddress, dry_run: bool = False) -> Reply:
    """Takes a node out of the tree with all beneath it. An undo of the run brings them back as they were."""
    space = the_space(request)
    version = _expected_node_version(request, space, path)
    if dry_run:
        gone = tree.preview_remove(space, path)
        return Reply(RemovedOut(items=[show_row(one) for one in gone], run=None, dry_run=True))
    gone, run = tree.remove(space, path, version=version, actor=request.auth.actor)
    return Reply(RemovedOut(items=[show_row(one) for one in gone], run=run.id, dry_run=False))


def _expected_node_version(request: ApiRequest, space: Space, path: str) -> int | None:
    return expected_version(request, lambda: node_at(space, path).memory.version)


def _act(space: Space, node: Node, run: Run, *, status: int = 200) -> Reply:
    """An act on one node, with the run that undoes it."""
    body = NodeActOut(
        node=show_node(space, node, reader=space),
        run=written_run_id(space, run),
        suggested=list((run.detail or {}).get("suggested", ())),
    )
    return Reply(body, status, version=node.memory.version)


class ReachIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"question": "가치관이 뭐야?"}]})

    question: Question


class MatchOut(Response):
    """A word of the question and the keyword that answers to it: equal (1.0), or one within the other (0.7)."""

    word: str = Field(examples=["가치관이"])
    keyword: str = Field(examples=["가치관"])
    how: Literal["equal", "within"]
    grade: float = Field(examples=[1.0])


class ReachedOut(Response):
    """`own`: by keywords of its own; else `matches` are those of the node at `via`, the nearest above it that has some.
    `loaded`: among the first that an agent is given whole. `size` in bytes."""

    id: Id
    path: str = Field(examples=["identity/values"])
    title: str = Field(examples=["가치관"])
    score: float = Field(examples=[1.0])
    own: bool
    via: str = Field(examples=["identity/values"])
    matches: list[MatchOut]
    size: int = Field(examples=[3200])
    loaded: bool


class ReachOut(Response):
    """The best first. `lit`: the paths of what was reached and of all above it. `bytes_loaded` of `bytes_bank`: how
    much of all the tree's markdown an agent is given."""

    question: str = Field(examples=["가치관이 뭐야?"])
    items: list[ReachedOut]
    lit: list[str] = Field(examples=[["identity", "identity/values"]])
    bytes_loaded: int = Field(examples=[3200])
    bytes_bank: int = Field(examples=[214_000])


@router.post(
    "/tree/reach", needs=Role.READER, reads=True, response=ReachOut, errors=(413,), summary="Ask what is reached"
)
def reach_nodes(request: ApiRequest, body: ReachIn) -> ReachOut:
    """The nodes of this space's tree that a question reaches by keywords, without their text, and how much of the tree
    would be loaded. Counts as no recall; a search by the strategy `context-tree` gives the nodes whole."""
    found = search.reaching(the_space(request), body.question)
    return ReachOut(
        question=found.question,
        items=[_show_reached(one) for one in found.nodes],
        lit=list(found.lit),
        bytes_loaded=found.loaded,
        bytes_bank=found.bank,
    )


def _show_reached(one: search.ReachedNode) -> ReachedOut:
    node, reached = one.node, one.reached
    return ReachedOut.of(
        node,
        score=reached.score,
        own=reached.own,
        via=reached.via,
        matches=[MatchOut.of(match, how="equal" if match.grade == EQUAL else "within") for match in reached.matches],
        loaded=one.loaded,
    )
