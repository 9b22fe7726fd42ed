"""The Context Tree, notes read in, jobs, spaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palimpsest_client.call import Call, given
from palimpsest_client.records import Job, Node, NodeAct, Outline, Space, Spaces, Started
from palimpsest_client.shapes import Page


def tree(*, path: str | None = None) -> Call[Outline]:
    """The Context Tree, or what is below one node of it: paths, titles, sizes; no texts."""
    return Call(method="GET", path="/tree", gives=Outline, query=given(path=path))


def node(path: str) -> Call[Node]:
    """One node of the tree with its text and what is below it."""
    return Call(method="GET", path="/tree/nodes/{path}", gives=Node, names={"path": path})


def grow_node(
    path: str,
    *,
    text: str | None = None,
    title: str | None = None,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
) -> Call[NodeAct]:
    """Puts a node where there is none."""
    body = given(path=path, text=text, title=title, keywords=keywords, weight=weight)
    return Call(method="POST", path="/tree", gives=NodeAct, json=body, writes=True)


def edit_node(
    path: str,
    *,
    text: str | None = None,
    title: str | None = None,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
    version: int | None = None,
) -> Call[NodeAct]:
    """Changes what is named of a node; `version` as in `update`."""
    body = given(text=text, title=title, keywords=keywords, weight=weight)
    names = {"path": path}
    return Call(
        method="PATCH", path="/tree/nodes/{path}", gives=NodeAct, names=names, json=body, writes=True, version=version
    )


def ingest_place(path: str, *, dry_run: bool = False) -> Call[Started]:
    """Begins to read a folder or file that the app's machine holds."""
    body = given(path=path, dry_run=dry_run)
    return Call(method="POST", path="/ingest", gives=Started, json=body, writes=True)


def ingest_upload(name: str, content: bytes, *, dry_run: bool = False) -> Call[Started]:
    """Begins to read a file that is sent: .md, .markdown, .txt, or a .zip of them."""
    form = {"dry_run": "true" if dry_run else "false"}
    return Call(method="POST", path="/ingest", gives=Started, json=form, upload=(name, content), writes=True)


def jobs(
    *, status: str | None = None, kind: str | None = None, limit: int | None = None, cursor: str | None = None
) -> Call[Page[Job]]:
    """Lists the space's jobs, newest first."""
    asked = given(status=status, kind=kind, limit=limit, cursor=cursor)
    return Call(method="GET", path="/jobs", gives=Page[Job], query=asked)


def job(id: str) -> Call[Job]:
    """How far a job is, and what it reports."""
    return Call(method="GET", path="/jobs/{id}", gives=Job, names={"id": id})


def cancel_job(id: str) -> Call[Job]:
    """Stops a job within two seconds. What it has written stays."""
    return Call(method="POST", path="/jobs/{id}/cancel", gives=Job, names={"id": id}, writes=True)


def retry_job(id: str) -> Call[Job]:
    """Queues a failed or cancelled job again. What was done is not done twice."""
    return Call(method="POST", path="/jobs/{id}/retry", gives=Job, names={"id": id}, writes=True)


def begin_act(act: str) -> Call[Started]:
    """Has one act of the heartbeat done at once: consolidate, summaries, graph, expire …"""
    return Call(method="POST", path="/heartbeat/{act}/run", gives=Started, names={"act": act}, writes=True)


def spaces() -> Call[Spaces]:
    """The spaces that this key opens, with its role in each."""
    return Call(method="GET", path="/spaces", gives=Spaces)


def create_space(name: str, *, title: str | None = None, parent: str | None = None) -> Call[Space]:
    """Makes a space. With a `parent`, it reads that one's memories beside its own."""
    body = given(name=name, title=title, parent=parent)
    return Call(method="POST", path="/spaces", gives=Space, json=body, writes=True)


def export_into(file: Path, *, vectors: bool | None = None) -> Call[bytes]:
    """Everything of the space as one zip, written into a file as it comes."""
    return Call(method="POST", path="/export", gives=bytes, query=given(vectors=vectors), into=file)


def import_upload(
    name: str, content: bytes, *, form: str = "", merge: bool = False, dry_run: bool = False
) -> Call[Started]:
    """Begins to take in a file that is sent: an export, or what another program kept."""
    said = {"form": form, "merge": "true" if merge else "false", "dry_run": "true" if dry_run else "false"}
    return Call(method="POST", path="/import", gives=Started, json=said, upload=(name, content), writes=True)


def version() -> Call[dict[str, Any]]:
    """Which Palimpsest answers, with which encoder."""
    return Call(method="GET", path="/version", gives=dict[str, Any])
