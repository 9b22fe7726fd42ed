"""Nodes of the Context Tree as they are shown, and which space a path is read from."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from memoryapp.api.caller import ApiRequest
from memoryapp.api.inherited import parents_of
from memoryapp.api.opened import the_space
from memoryapp.api.schemas.tree import (
    LineOut,
    MergeNodesOut,
    MovedOut,
    NodeRowOut,
    PageOut,
    PieceOut,
    SplitNodeOut,
)
from memoryapp.domain.change import Run
from memoryapp.domain.errors import NotAllowed, NotFound
from memoryapp.domain.node import MOST_BYTES, ROOT, Node, line_key
from memoryapp.spaces import Space
from memoryapp.store import nodes, revisions
from memoryapp.store.nodes import Outline
from memoryapp.tree import Merge, Split


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
    return NodeRowOut(
        id=one.id,
        path=one.path,
        title=one.title,
        keywords=list(one.keywords),
        weight=one.weight,
        size=one.size,
        overfull=one.size > MOST_BYTES,
        file=one.has_file,
        position=one.position,
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
    lines = [
        LineOut(row=rows[line.key], memory=line.memory, version=line.version, at=line.at, why=line.why)
        for line in node.lines
    ]
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
    return MergeNodesOut(
        path=preview.path,
        into=preview.into,
        title=preview.title,
        text=preview.text,
        size=preview.size,
        keywords=list(preview.keywords),
        added=preview.added,
        doubled=preview.doubled,
        moved=[MovedOut(path=old, to=new) for old, new in preview.moved],
        linked=list(preview.linked),
        version=preview.version,
        run=run,
        dry_run=dry_run,
    )


def show_split(preview: Split, *, run: str | None, dry_run: bool) -> SplitNodeOut:
    pieces = [
        PieceOut(
            path=one.path,
            title=one.title,
            keywords=list(one.keywords),
            headings=list(one.headings),
            size=one.size,
            text=one.text,
        )
        for one in preview.pieces
    ]
    return SplitNodeOut(
        path=preview.path,
        title=preview.title,
        size=preview.size,
        text=preview.text,
        pieces=pieces,
        linked=list(preview.linked),
        version=preview.version,
        run=run,
        dry_run=dry_run,
    )


def written(space: Space, run: Run) -> str | None:
    """The id of a run, or None where it changed nothing: then it was not written, and cannot be undone."""
    try:
        return revisions.get_run(space.db, run.id).id
    except NotFound:
        return None


def _is_child(path: str, parent: str) -> bool:
    return path != parent and "/" not in path.removeprefix(f"{parent}/")
