"""Everything that a space holds into one archive that any program can read, and that an import takes back whole."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from memoryapp import graph, tree
from memoryapp.domain.entity import EntityState
from memoryapp.domain.memory import State
from memoryapp.domain.relation import MadeBy, RelationState
from memoryapp.domain.scene import Edge, EdgeKind, EdgeState, Node, Scene
from memoryapp.graph.community_map import spots_of, sunflower
from memoryapp.spaces import Space
from memoryapp.store import backup
from memoryapp.store.migrate import digest_key
from memoryapp.transfer import manifest as told
from memoryapp.transfer.manifest import FileTold, Manifest
from memoryapp.transfer.shapes import BY_FILE, SHAPES, VECTORS, Line, line_of

_HEAD = """# A memory, exported

Everything that a space of Palimpsest holds, as plain text. `.jsonl` files have one JSON object a line,
UTF-8; times are ISO 8601 in UTC. `manifest.json` tells the version of this format, the space and its settings, and the
SHA-256 of every file. No keys, passwords or people are in here. Names of those who wrote something are.

To bring it into another Palimpsest: `palimpsest import FILE`, or Settings, “Import & export”.

## Files

| File | Records | What it holds |
|---|---:|---|
"""
_FIELDS = """
`manifest.json` says the same in a form that programs read. Fields that are not set are left out of a line.

## A line of memories.jsonl

| Field | What it is |
|---|---|
| `id` | 16 hex digits; every other file names a memory by it |
| `ref` | the id that its author gave it, unique in a space |
| `kind` | note, fact, atom, section of a document, episode, digest, summary, or node of the Context Tree |
| `state` | `held`; or `superseded`, `archived`, `deleted`, which are kept and not recalled |
| `title`, `text` | what it says; `source_text` is what its document said before a person edited it |
| `tags`, `category` | as they were given; categories are of facts |
| `confidence` | how sure its author was, 0 to 1 |
| `trust` | `when_confirmed`, as it was at `confirmed_at`; see below |
| `occurred_at` | the date that it speaks of; `created_at` is when it was written here |
| `valid_from`, `valid_to` | between which it is so |
| `expires_at`, `review_at` | until when it is recalled; when somebody wants to be asked about it |
| `source` | the document, its path and lines, or the session and turn that it comes from |
| `detail` | what only its kind has: the quoted sentence of a fact, the atom in PENMAN, the path of a node |

Trust is confidence × (1 + 0.1·log2(1 + reinforcements), at most 1.5) when it was last confirmed, and halves every 90
days from then on, unless the settings say otherwise. What was made from others (`derivations.jsonl`) is trusted at most
as much as they are.

In fields without a shape of their own (`detail`, `metadata`, `before`, `after`), `{"$at": …}` is an instant,
`{"$null": true}` an explicit null, and `{"$dict": …}` an object whose only key begins with `$`.
"""


def readme(manifest: Manifest) -> str:
    """README.md of an export: what each file is, for whoever opens it without this program."""
    lines = []
    for name, file in manifest.files.items():
        if file.records is not None:
            lines.append(f"| `{name}` | {file.records:,} | {BY_FILE[name].what} |")
    if any(name.startswith("tree/") for name in manifest.files):
        lines.append("| `tree/` | | the Context Tree, as `tree-index.json` and markdown |")
    lines.append("| `graph.graphml` | | the entity graph, for yEd, Gephi, Cytoscape or networkx |")
    without = "" if manifest.vectors else "\nIt was made without vectors; an import embeds the memories anew.\n"
    return _HEAD + "\n".join(lines) + "\n" + without + _FIELDS


_KINDS = {"relates": EdgeKind.RELATION, "is_a": EdgeKind.IS_A}
_OF_ENTITY = ("id", "name", "type", "state", "merged_into")
_READ = frozenset({"entity", "memory", "references", *_KINDS})


class WholeGraph:
    """The entity graph of an export as one scene: every entity that stands for itself, every relation not refused.

    It is gathered from the lines as they are written, in the order of SHAPES (memories before what speaks of them), so
    that it says what the other files say."""

    def __init__(self) -> None:
        self._entities: dict[str, Line] = {}
        self._held: set[str] = set()
        self._named: Counter[str] = Counter()
        self._relations: list[tuple[EdgeKind, Line]] = []

    def take(self, table: str, line: Line) -> None:
        if table not in _READ:
            return
        if table == "entity":
            self._entities[line["id"]] = {name: line.get(name) for name in _OF_ENTITY}
        elif table == "memory":
            if line["state"] == State.HELD:
                self._held.add(line["id"])
        elif table == "references":
            if line["memory"] in self._held:
                self._named[self._standing(line["entity"])] += 1
        elif line["state"] != RelationState.REFUSED:
            self._relations.append((_KINDS[table], line))

    def scene(self, space: Space) -> Scene:
        """Nodes and edges in order of their ids, at the places of the space's map, where one was drawn."""
        edges = [edge for kind, line in self._relations if (edge := self._edge(kind, line)) is not None]
        links = Counter(end for edge in edges for end in (edge.source, edge.target))
        shown = [
            one
            for key, one in sorted(self._entities.items())
            if self._standing(key) == key and (one["state"] != EntityState.REFUSED or links[key])
        ]
        spots, spread = spots_of(space), sunflower(len(shown))
        nodes = []
        for at, one in enumerate(shown):
            spot = spots.get(one["id"])
            x, y = (spot.x, -spot.y) if spot else (float(spread[at, 0]), float(spread[at, 1]))
            nodes.append(
                Node(
                    id=one["id"],
                    name=one["name"],
                    type=one["type"],
                    state=one["state"],
                    memories=self._named[one["id"]],
                    links=links[one["id"]],
                    hidden=0,
                    x=round(x, 4),
                    y=round(y, 4),
                )
            )
        return Scene(nodes=tuple(nodes), edges=tuple(edges), total=len(nodes))

    def _standing(self, key: str) -> str:
        """What the entity is merged into at last; of a circle, itself."""
        passed = [key]
        while (into := self._entities.get(passed[-1], {}).get("merged_into")) in self._entities:
            if into in passed:
                return key
            passed.append(into)
        return passed[-1]

    def _edge(self, kind: EdgeKind, line: Line) -> Edge | None:
        source, target = self._standing(line["subject"]), self._standing(line["object"])
        if source == target:
            return None
        fact = line.get("fact")
        over = line.get("valid_to") or (fact is not None and fact not in self._held)
        state = EdgeState.SUPERSEDED if over else EdgeState.PLANNED if line.get("planned") else EdgeState.HELD
        return Edge(
            id=line["id"],
            source=source,
            target=target,
            kind=kind,
            type=line["type"],
            state=state,
            label=line.get("label") or "",
            hint=line["made_by"] == MadeBy.RULES,
        )


README = "README.md"
GRAPH = "graph.graphml"
TREE = "tree/"
_WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can tell, so that the time is no part of the bytes


def export(space: Space, target: Path, *, settings: dict[str, Any], vectors: bool = True) -> Manifest:
    """Writes `target` (a zip, readable by its owner alone) and returns its manifest. The file appears under its name
    only when it is whole; writers need not wait. `settings`: the space's own numbers, which go along. Raises StoreFull
    where the disk has no room, StoreError where the file cannot be written."""
    partial = target.with_name(target.name + ".partial")
    try:
        with (
            open(partial, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as packed,
            zipfile.ZipFile(packed, "w") as archive,
        ):
            manifest = _write(space, archive, settings, vectors)
        partial.replace(target)
    except OSError as error:
        if error.errno is None:
            raise
        raise backup.in_words(error, target.parent, what="an export") from error
    finally:
        partial.unlink(missing_ok=True)
    return manifest


def _write(space: Space, archive: zipfile.ZipFile, settings: dict[str, Any], vectors: bool) -> Manifest:
    files: dict[str, FileTold] = {}
    manifest = Manifest(
        space=space.name,
        made_at=space.clock().isoformat(),
        model=space.encoder.name,
        vectors=vectors,
        settings=settings,
        schema=tuple(backup.migrations(space.db)),
        purge_key=digest_key(space.db),
        files=files,
    )
    drawn = _lines(space, archive, files, vectors)
    for name, data in tree.take(space).items():
        _put(archive, files, TREE + name, data)
    _put(archive, files, GRAPH, graph.graphml(drawn.scene(space)).encode("utf-8"))
    _put(archive, files, README, readme(manifest).encode("utf-8"))
    with _entry(archive, told.NAME) as entry:
        entry.write(told.serialize_manifest(manifest))
    return manifest


def _lines(space: Space, archive: zipfile.ZipFile, files: dict[str, FileTold], vectors: bool) -> WholeGraph:
    """One file a table, an empty one too, so that a reader finds what it looks for."""
    drawn = WholeGraph()
    shapes = [shape for shape in SHAPES if vectors or shape.file != VECTORS]
    groups = groupby(backup.every_row(space.db, [shape.table for shape in shapes]), key=itemgetter(0))
    ahead = next(groups, None)
    for shape in shapes:
        with _entry(archive, shape.file) as entry:
            records = 0
            if ahead is not None and ahead[0] == shape.table:
                for _, row in ahead[1]:
                    line = line_of(shape, row)
                    drawn.take(shape.table, line)
                    entry.write((json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8"))
                    records += 1
                ahead = next(groups, None)
        files[shape.file] = FileTold(entry.digest.hexdigest(), entry.size, records)
    return drawn


class _Entry:
    """A file of the archive while it is written: what went in is counted and summed up."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._stream.write(data)
        self.digest.update(data)
        self.size += len(data)


@contextlib.contextmanager
def _entry(archive: zipfile.ZipFile, name: str) -> Iterator[_Entry]:
    info = zipfile.ZipInfo(name, _WHEN)
    info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
    with archive.open(info, "w", force_zip64=True) as stream:
        yield _Entry(stream)


def _put(archive: zipfile.ZipFile, files: dict[str, FileTold], name: str, data: bytes) -> None:
    with _entry(archive, name) as entry:
        entry.write(data)
    files[name] = FileTold(entry.digest.hexdigest(), entry.size)
