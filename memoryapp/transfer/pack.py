"""Everything that a space holds into one archive that any program can read, and that an import takes back whole."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from memoryapp import graph, tree
from memoryapp.spaces import Space
from memoryapp.store import backup
from memoryapp.store.migrate import digest_key
from memoryapp.transfer import manifest as told
from memoryapp.transfer.manifest import FileTold, Manifest
from memoryapp.transfer.readme import readme
from memoryapp.transfer.shapes import SHAPES, VECTORS, line_of
from memoryapp.transfer.whole_graph import WholeGraph

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
        entry.write(told.written(manifest))
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
