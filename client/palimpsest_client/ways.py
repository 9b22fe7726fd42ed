"""What takes more than one call: told as steps, like a single call, so that both clients do the same."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from palimpsest_client.calls import keeping, remembering, searching
from palimpsest_client.calls.searching import Filters
from palimpsest_client.connection import Connection, Pause, Steps
from palimpsest_client.errors import JobFailed, PalimpsestError
from palimpsest_client.records import Job, NodeAct, Started
from palimpsest_client.shapes import Hit, Outcome

BATCH = 1_000  # memories of one request
LOOK_FIRST = 0.1  # seconds between the first two looks at a job; longer and longer, up to …
LOOK_LAST = 1.0
READABLE = (".md", ".markdown", ".txt")
OnProgress = Callable[[Job], object]


def recall(
    link: Connection, query: str, *, top_k: int = 10, strategy: str | None = None, filters: Filters | None = None
) -> Steps[list[Hit]]:
    """The memories that answer a question, the best first. `search` gives the same with all that is told about it."""
    found = yield from link.ask(searching.search(query, top_k=top_k, strategy=strategy, filters=filters))
    return found.items


def remember_many(link: Connection, items: Iterable[Mapping[str, Any]]) -> Steps[list[Outcome]]:
    """Writes any number of memories, a thousand at a time, and tells what became of each. Each item has the fields that
    `remember` takes. A problem points into its own thousand; those before it are written. Items with a `ref` can be
    sent again without harm."""
    waiting, outcomes = iter(items), list[Outcome]()
    while batch := list(islice(waiting, BATCH)):
        outcomes += (yield from link.ask(remembering.remember_batch(batch))).items
    return outcomes


def wait(
    link: Connection, job: Job | Started | str, *, on_progress: OnProgress | None = None, timeout: float | None = None
) -> Steps[Job]:
    """The job once it is done. `on_progress` is given the job at each look. Raises JobFailed, and TimeoutError after
    `timeout` seconds; the job goes on then."""
    held = job.job if isinstance(job, Started) else job
    key = held if isinstance(held, str) else held.id
    waited, pause = 0.0, LOOK_FIRST
    while True:
        found = yield from link.ask(keeping.job(key))
        if on_progress:
            on_progress(found)
        if not found.open:
            return _require_done(found)
        if timeout is not None and waited >= timeout:
            raise TimeoutError(f"Job {key} is not done after {timeout:g} s; it goes on.")
        yield Pause(pause)
        waited, pause = waited + pause, min(pause * 1.5, LOOK_LAST)


def ingest(
    link: Connection,
    path: str | Path,
    *,
    dry_run: bool = False,
    upload: bool = False,
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
) -> Steps[Job]:
    """Reads a folder or file of notes into the memory, and waits until that is done: the job's `report` counts what
    was added, changed and archived. The path is one of the app's machine; with `upload` it is one of this machine,
    and what is in it is sent. Raises JobFailed and TimeoutError as `wait` does."""
    if upload:
        name, content = _pack_folder(Path(path).expanduser())
        call = keeping.ingest_upload(name, content, dry_run=dry_run)
    else:
        call = keeping.ingest_place(str(path), dry_run=dry_run)
    started = yield from link.ask(call)
    return (yield from wait(link, started, on_progress=on_progress, timeout=timeout))


def heartbeat(
    link: Connection, act: str, *, on_progress: OnProgress | None = None, timeout: float | None = None
) -> Steps[Job]:
    """Has one act of the heartbeat done now (consolidate, summaries, graph, expire …) and waits for it."""
    started = yield from link.ask(keeping.begin_act(act))
    return (yield from wait(link, started, on_progress=on_progress, timeout=timeout))


def put_node(
    link: Connection,
    path: str,
    text: str,
    *,
    title: str | None = None,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
) -> Steps[NodeAct]:
    """Writes a node of the Context Tree, whether it is there or not. What somebody else writes meanwhile is not written
    over: that is an error with status 412."""
    try:
        there = yield from link.ask(keeping.node(path))
    except PalimpsestError as error:
        if error.status != 404:
            raise
        call = keeping.grow_node(path, text=text, title=title, keywords=keywords, weight=weight)
    else:
        call = keeping.edit_node(path, text=text, title=title, keywords=keywords, weight=weight, version=there.version)
    return (yield from link.ask(call))


def export(link: Connection, path: str | Path, *, vectors: bool = True) -> Steps[Path]:
    """Everything of the space as one zip that other programs can read, kept at `path`, which appears when it is whole.
    Without `vectors` it is smaller, and an import embeds anew. Takes an administrator's key."""
    target = Path(path).expanduser()
    partial = target.with_name(target.name + ".partial")
    try:
        yield from link.ask(keeping.export_into(partial, vectors=vectors))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def import_file(
    link: Connection,
    path: str | Path,
    *,
    form: str = "",
    merge: bool = False,
    dry_run: bool = False,
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
) -> Steps[Job]:
    """Takes in an export, which fills an empty space, or with `merge` adds its memories to those that are there; or a
    file that another program kept, which is recognised unless `form` names it. Waits until that is done: the job's
    `report` tells what became of everything, of a dry run what would. The file is read into memory whole. Takes an
    administrator's key. Raises JobFailed and TimeoutError as `wait` does."""
    file = Path(path).expanduser()
    call = keeping.import_upload(file.name, file.read_bytes(), form=form, merge=merge, dry_run=dry_run)
    started = yield from link.ask(call)
    return (yield from wait(link, started, on_progress=on_progress, timeout=timeout))


def _require_done(job: Job) -> Job:
    if job.status != "done":
        raise JobFailed(job.error or f"The job {job.kind} was {job.status}.", job=job)
    return job


def _pack_folder(path: Path) -> tuple[str, bytes]:
    """A file as it is; of a folder a zip of its notes, hidden ones left out. Raises FileNotFoundError."""
    if not path.is_dir():
        return path.name, path.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path.rglob("*")):
            inside = file.relative_to(path)
            hidden = any(part.startswith(".") for part in inside.parts)
            if file.is_file() and file.suffix.lower() in READABLE and not hidden:
                archive.write(file, str(inside))
    return f"{path.resolve().name}.zip", packed.getvalue()
