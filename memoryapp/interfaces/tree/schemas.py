"""The Context Tree: its outline, a node, and what arranging it takes and tells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from memoryapp.domain.change import Run
from memoryapp.domain.errors import BadInput, NotAllowed, NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.node import (
    KEYWORD_CHARS,
    MOST_BYTES,
    MOST_KEYWORDS,
    MOST_WEIGHT,
    PATH_CHARS,
    ROOT,
    Node,
    check_path,
    line_key,
)
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.inheritance import parents_of
from memoryapp.interfaces.api.schemas import Body, Id, Name, Response, Sparse, unsent, words
from memoryapp.spaces import Space
from memoryapp.store import nodes, revisions
from memoryapp.store.nodes import Outline
from memoryapp.tree import Merge, Split

A_ROW: dict[str, Any] = {
    "id": "9f2c1b7a40d3e685",
    "path": "infra/surrealdb",
    "title": "SurrealDB",
    "keywords": ["surrealdb", "임베딩"],
    "weight": 1.4,
    "size": 11_312,
    "overfull": True,
    "file": True,
    "position": 1,
    "memories": 31,
    "version": 7,
    "inherited_from": None,
}
A_NODE: dict[str, Any] = A_ROW | {
    "text": "# SurrealDB\n\nWhat we know of it.\n",
    "parent": "infra",
    "children": [],
    "lines": [],
    "created_at": "2026-11-20T09:31:07Z",
    "updated_at": "2026-11-21T18:50:00Z",
}


def _address(text: str) -> str:
    try:
        return check_path(text)
    except BadInput:
        raise NotFound(f"There is no node at “{text[:60]}”.") from None


NodePath = Annotated[
    str,
    Field(min_length=1, max_length=2 * PATH_CHARS, description="Names with slashes between.", examples=["infra/gpu"]),
]
# In an address: what cannot be a path is not there, which is a 404, not a 422.
NodeAddress = Annotated[
    str,
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": PATH_CHARS, "examples": ["infra/gpu"]}),
]
Keywords = Annotated[
    list[Annotated[str, words(2 * KEYWORD_CHARS)]],
    Field(max_length=2 * MOST_KEYWORDS, examples=[["gpu", "임베딩"]]),
]
Weight = Annotated[float, Field(ge=0, le=MOST_WEIGHT, description="What its keyword score is multiplied by.")]
Markdown = Annotated[
    str,
    words(LIMITS.text_chars, line_ends_stay=True),
    Field(description="Kept byte for byte, but for control characters.", examples=["# GPU\n"]),
]


class NodeRowOut(Response):
    """A node without its markdown. `size`: bytes of it; `overfull`: so large that it is to be split. `file` false: a
    branch, which only holds others. `memories` behind its lines. `inherited_from`: the parent space it is read of; it
    cannot be changed from here."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_ROW]})

    id: Id
    path: str
    title: str
    keywords: list[str]
    weight: float
    size: int
    overfull: bool
    file: bool
    position: int
    memories: int
    version: int = Field(description="Also the ETag.")
    inherited_from: str | None


class OutlineOut(Response):
    """All nodes in order of their paths; those beneath one parent are ordered by `position`. `bytes` of all."""

    items: list[NodeRowOut]
    bytes: int = Field(examples=[48_230])
    limit: int = Field(description="Bytes over which a node is to be split.", examples=[MOST_BYTES])


class LineOut(Response):
    """A line of the markdown, counted from 1, and the memory that stands behind it. `why`: how it was routed here."""

    row: int = Field(examples=[5])
    memory: Id
    version: int = Field(description="Of the memory, when the line was written.", examples=[1])
    at: datetime
    why: str = Field(examples=["routed by keyword H100"])


class PageOut(NodeRowOut):
    """A node with its markdown, the nodes directly beneath it in their order, and what stands behind its lines."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_NODE]})

    text: str
    parent: str
    children: list[NodeRowOut]
    lines: list[LineOut]
    created_at: datetime
    updated_at: datetime


class NodeActOut(Response):
    """The node after the act, and the run that undoes it: POST /runs/{id}/undo. Null where nothing changed.
    `suggested`: the keywords that it was given because none were sent."""

    node: PageOut
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    suggested: list[str] = Field([], examples=[["surrealdb"]])


class NewNodeIn(Body):
    """A node, and the `path` where it is put; what is missing above that becomes a branch. `text` null: a branch
    without a file of its own. Without a title it is called as its first heading says; without keywords it gets
    suggested ones."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"path": "identity/values", "text": "# 가치관\n", "keywords": ["가치관"]}]},
    )

    path: NodePath
    title: Name = ""
    text: Markdown | None = ""
    keywords: Keywords = []
    weight: Weight = 1.0


class EditNodeIn(Sparse):
    """The fields to change; the others stay."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "# 가치관\n\n- 정직\n", "weight": 1.4}]}
    )

    title: Name = unsent()
    text: Markdown = unsent()
    keywords: Keywords = unsent()
    weight: Weight = unsent()


class MoveNodeIn(Sparse):
    """`to`: its whole new path, or the one it has. `position`: its place among the siblings there, from 0."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "infra/gpu", "to": "hardware/gpu", "position": 0}]}
    )

    path: NodePath
    to: NodePath
    position: int | None = Field(None, ge=0, le=100_000)


class MergeNodesIn(Sparse):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "old/gpu", "into": "infra/gpu", "dry_run": True}]}
    )

    path: NodePath
    into: NodePath
    dry_run: bool = False


class MovedOut(Response):
    path: str = Field(examples=["old/gpu/renting"])
    to: str = Field(examples=["infra/gpu/renting"])


class MergeNodesOut(Response):
    """What merging makes, or made. `text`: what `into` says then; `added`, `doubled`: lines of the other that were put
    in, and that were there; `linked`: other nodes in which a link changes. On a dry run `run` is null."""

    path: str = Field(examples=["old/gpu"])
    into: str = Field(examples=["infra/gpu"])
    title: str = Field(examples=["GPU"])
    text: str = Field(examples=["# GPU\n"])
    size: int = Field(examples=[3_600])
    keywords: list[str] = Field(examples=[["gpu"]])
    added: int = Field(examples=[4])
    doubled: int = Field(examples=[1])
    moved: list[MovedOut]
    linked: list[str] = Field(examples=[["people/mina"]])
    version: int = Field(description="Of the node at `into`.", examples=[3])
    run: str | None = Field(examples=[None])
    dry_run: bool = Field(examples=[True])


class SplitNodeIn(Sparse):
    """Without `dry_run: false` it is only told what would be done."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "infra/surrealdb", "dry_run": True}]}
    )

    path: NodePath
    dry_run: bool = True


class PieceOut(Response):
    """A node that it becomes, with the headings that go into it."""

    path: str = Field(examples=["infra/surrealdb/storage"])
    title: str = Field(examples=["Storage"])
    keywords: list[str] = Field(examples=[["rocksdb"]])
    headings: list[str] = Field(examples=[["Engines", "Checkpoints"]])
    size: int = Field(examples=[4_600])
    text: str = Field(examples=["## Storage\n"])


class SplitNodeOut(Response):
    """`size`: bytes of the node before; `text`: what it says then. `linked`: other nodes in which a link changes.
    `version`: of the node that was looked at: send it as If-Match to split exactly what was shown."""

    path: str = Field(examples=["infra/surrealdb"])
    title: str = Field(examples=["SurrealDB"])
    size: int = Field(examples=[11_312])
    text: str = Field(examples=["# SurrealDB\n\n- [Storage](surrealdb/storage.md)\n"])
    pieces: list[PieceOut]
    linked: list[str] = Field(examples=[["people/mina"]])
    version: int = Field(examples=[7])
    run: str | None = Field(examples=[None])
    dry_run: bool = Field(examples=[True])


class RemovedOut(Response):
    """The nodes that were taken out, or would be: the node itself first. They come back with an undo of the run."""

    items: list[NodeRowOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(examples=[False])


class KeywordsOut(Response):
    items: list[str] = Field(examples=[["rocksdb", "체크포인트"]])


# Nodes of the Context Tree as they are shown, and which space a path is read from.


def outline_of(space: Space, *, under: str = "") -> list[NodeRowOut]:
    """Its nodes and those that its parents have at other paths, in order of their paths; `under` one, with it."""
    found: dict[str, NodeRowOut] = {}
    for home in (space, *parents_of(space)):
        inherited_from = home.name if home is not space else None
        for one in nodes.outline(home.db):
            within = not under or one.path == under or one.path.startswith(f"{under}/")
            if one.path != ROOT and within and one.path not in found:
                found[one.path] = show_row(one, inherited_from=inherited_from)
    return sorted(found.values(), key=lambda one: one.path.split("/"))


def home_of_node(space: Space, path: str) -> tuple[Space, Node]:
    """The space that holds a node at this path, this one or the nearest parent, and the node. Raises NotFound."""
    for home in (space, *parents_of(space)):
        found = nodes.at(home.db, path)
        if found is not None:
            return home, found
    raise NotFound(f"There is no node at “{path}” in space “{space.name}”.")


def changes_its_own_node(view: Callable[..., Any]) -> Callable[..., Any]:
    """For an operation on the node at `path`: one that only a parent space has is refused in plain words, not as if it
    were not there. Raises NotAllowed."""

    @wraps(view)
    def changing(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return view(request, *args, **kwargs)
        except NotFound:
            space, path = the_space(request), kwargs.get("path") or kwargs["body"].path
            for home in parents_of(space):
                if nodes.at(home.db, path) is not None:
                    raise NotAllowed(
                        f"Node “{path}” lives in “{home.name}”, which “{space.name}” reads and does not change. "
                        "Change it there, with a key for that space."
                    ) from None
            raise

    return changing


def show_row(one: Outline | Node, *, inherited_from: str | None = None) -> NodeRowOut:
    behind = one.lines if isinstance(one, Outline) else [line.memory for line in one.lines]
    return NodeRowOut.of(
        one,
        overfull=one.size > MOST_BYTES,
        file=one.has_file,
        memories=len(set(behind)),
        version=one.version if isinstance(one, Outline) else one.memory.version,
        inherited_from=inherited_from,
    )


def show_node(home: Space, node: Node, *, reader: Space) -> PageOut:
    """A node of the space `home`, for a caller who asked in the space `reader`."""
    inherited_from = home.name if home is not reader else None
    children = [one for one in outline_of(reader, under=node.path) if _is_child(one.path, node.path)]
    rows: dict[str, int] = {}
    for row, line in enumerate(node.text.splitlines(), start=1):
        rows.setdefault(line_key(line), row)
    lines = [LineOut.of(line, row=rows[line.key]) for line in node.lines]
    return PageOut(
        **show_row(node, inherited_from=inherited_from).model_dump(),
        text=node.text,
        parent=node.parent,
        children=sorted(children, key=lambda one: (one.position, one.path)),
        lines=sorted(lines, key=lambda one: one.row),
        created_at=node.memory.created_at,
        updated_at=node.memory.updated_at,
    )


def show_merge_of_nodes(preview: Merge, *, run: str | None, dry_run: bool) -> MergeNodesOut:
    return MergeNodesOut.of(
        preview, moved=[MovedOut(path=old, to=new) for old, new in preview.moved], run=run, dry_run=dry_run
    )


def show_split(preview: Split, *, run: str | None, dry_run: bool) -> SplitNodeOut:
    pieces = [PieceOut.of(one) for one in preview.pieces]
    return SplitNodeOut.of(preview, pieces=pieces, run=run, dry_run=dry_run)


def written_run_id(space: Space, run: Run) -> str | None:
    """The id of a run, or None where it changed nothing: then it was not written, and cannot be undone."""
    try:
        return revisions.get_run(space.db, run.id).id
    except NotFound:
        return None


def _is_child(path: str, parent: str) -> bool:
    return path != parent and "/" not in path.removeprefix(f"{parent}/")
