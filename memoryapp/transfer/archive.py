"""An export opened for reading: looked at from end to end before anything of it is believed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryapp.domain.archive import DAMAGED
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.domain.limits import LIMITS
from memoryapp.transfer import manifest as told
from memoryapp.transfer.manifest import Manifest
from memoryapp.transfer.shapes import BY_FILE, Line

# Unpacked, all together. Up to `archive_bytes` any archive is harmless; above that it may be as large as this, but not
# packed more tightly than words are.
MOST_BYTES = 16 * 1024**3
_LINE_BYTES = 64 * 1024**2
_CHUNK = 1 << 20
_UNREADABLE = (*DAMAGED, ValueError, KeyError)


@dataclass(frozen=True, slots=True)
class Export:
    """An export whose manifest was read. `check` before `lines`."""

    path: Path
    called: str
    manifest: Manifest

    def check(self, *, schema: list[str], going_on: Callable[[int, int], bool] = lambda done, total: True) -> None:
        """Reads every file once. Raises BadInput where one is missing, cut short or other than the manifest says, and
        where it comes from a newer store than `schema`. `going_on` is told the bytes read and how many there are, and
        answers whether to go on; Cancelled where not."""
        newer = sorted(set(self.manifest.schema) - set(schema))
        if newer:
            raise BadInput(
                f"{self.called} was made by a newer version of Palimpsest ({', '.join(newer)}). "
                "Update this installation first.",
                field="/upload",
            )
        with _open_zip(self.path, self.called) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            done, total = 0, sum(one.bytes for one in self.manifest.files.values())
            for name, one in self.manifest.files.items():
                info = infos.get(name)
                if info is None:
                    raise BadInput(f"{self.called} is not whole: {name} is missing.", field="/upload")
                if info.file_size != one.bytes:
                    raise self._changed(name)
                digest = hashlib.sha256()
                with archive.open(info) as stream:
                    while chunk := stream.read(_CHUNK):
                        digest.update(chunk)
                        done += len(chunk)
                        if not going_on(done, total):
                            raise Cancelled("Stopped. Nothing was written.")
                if digest.hexdigest() != one.sha256:
                    raise self._changed(name)

    def lines(self, file: str) -> Iterator[tuple[Line, int]]:
        """(a line of a .jsonl file, its length in bytes), in order; nothing for a file that is not there. Raises
        BadInput, naming the line, for one that is no JSON object."""
        if file not in self.manifest.files:
            return
        with _open_zip(self.path, self.called) as archive, archive.open(file) as stream:
            number = 0
            while raw := stream.readline(_LINE_BYTES + 1):
                number += 1
                yield self._line(raw, f"{file}, line {number}"), len(raw)

    def rows(self, file: str, row_of: Callable[[Any, Line], Line]) -> Iterator[tuple[str, Line, int]]:
        """(table, row, length) of each line, as the store's `fill` takes them."""
        shape = BY_FILE[file]
        for number, (line, length) in enumerate(self.lines(file), start=1):
            try:
                yield shape.table, row_of(shape, line), length
            except (KeyError, TypeError) as error:
                raise BadInput(f"{self.called}: {file}, line {number} lacks {error}.", field="/upload") from error

    def _line(self, raw: bytes, where: str) -> Line:
        if len(raw) > _LINE_BYTES:
            raise BadInput(f"{self.called}: {where} is longer than {_LINE_BYTES >> 20} MiB.", field="/upload")
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{self.called}: {where} cannot be read: {error}.", field="/upload") from error
        if not isinstance(line, dict):
            raise BadInput(f"{self.called}: {where} is no record.", field="/upload")
        return line

    def _changed(self, name: str) -> BadInput:
        return BadInput(
            f"{self.called} is damaged: {name} is not what the manifest says. Make the export again.", field="/upload"
        )


def is_export(path: Path) -> bool:
    """Whether it says that it is an export of this program, of whatever version. Never raises."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(told.NAME) as stream:
            return told.is_manifest(stream.read((1 << 20) + 1))
    except _UNREADABLE:
        return False


def open_export(path: Path, *, called: str = "") -> Export:
    """`called`: what the file is called in messages. Raises BadInput where it is no zip archive, no export or made by a
    newer version, or could do harm."""
    called = called or path.name
    with _open_zip(path, called) as archive:
        _check_harmless(archive, path, called)
        try:
            data = archive.read(told.NAME)
        except KeyError:
            raise BadInput(f"{called} is no export: there is no {told.NAME} in it.", field="/upload") from None
    return Export(path, called, told.read(data, called=called))


def _check_harmless(archive: zipfile.ZipFile, path: Path, called: str) -> None:
    infos = archive.infolist()
    if len(infos) > LIMITS.archive_members:
        raise BadInput(f"{called} has {len(infos):,} files; {LIMITS.archive_members:,} are the limit.", field="/upload")
    size, packed = sum(info.file_size for info in infos), max(path.stat().st_size, 1)
    if size > MOST_BYTES or (size > LIMITS.archive_bytes and size > LIMITS.archive_ratio * packed):
        raise BadInput(
            f"{called} unpacks to {size >> 20:,} MiB, as a zip bomb does. It was not opened.", field="/upload"
        )
    names = [info.filename for info in infos]
    if len(set(names)) < len(names):
        raise BadInput(f"{called} holds two files of one name.", field="/upload")
    for name in names:
        if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") or ":" in name[:2]:
            raise BadInput(f"{called} holds “{name[:80]}”, a path that leads out of it.", field="/upload")


@contextlib.contextmanager
def _open_zip(path: Path, called: str) -> Iterator[zipfile.ZipFile]:
    """Raises BadInput in one sentence wherever the archive turns out to be damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except _UNREADABLE as error:
        raise BadInput(
            f"{called} cannot be read as a zip archive: it is damaged or cut short.", field="/upload"
        ) from error
