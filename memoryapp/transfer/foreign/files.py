"""A path in, the files that can be read below it out (`ImportFiles`): one file, a folder, or a zip archive that is
never unpacked to the disk. Nothing is read yet; `records` does, a little at a time.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from memoryapp.domain.archive import DAMAGED
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.transfer.entries import SkippedEntry

JSON = (".json", ".jsonl", ".ndjson", ".af")
MARKDOWN = (".md", ".markdown")
MOST_BYTES = 4 * 1024**3  # of one file: what is longer is not the memory of one person
_RATIO_FROM = 64 * 1024  # a short file of one repeated character also packs well, and does no harm
_LEFT_OUT = frozenset({"__MACOSX", "node_modules", "__pycache__"})


class TooLong(OSError):
    """More bytes came than may come: an archive that tells a false size, or a file that grew while it was read."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file. `name`: below the path, "/"-separated; the file's own name where the path is a file."""

    name: str
    size: int
    open: Callable[[], BinaryIO]

    @property
    def base(self) -> str:
        return PurePosixPath(self.name).name

    def ends(self, suffixes: tuple[str, ...]) -> bool:
        return self.name.lower().endswith(suffixes)


@dataclass(frozen=True, slots=True)
class ImportFiles:
    """`parts` in order of their names. `refused`: files that were not looked into, with the reason. `single`: the path
    is one file, so that it is meant itself whatever it is called."""

    name: str
    parts: tuple[Part, ...]
    refused: tuple[SkippedEntry, ...] = ()
    single: bool = False

    def of(self, suffixes: tuple[str, ...]) -> tuple[Part, ...]:
        return self.parts if self.single else tuple(part for part in self.parts if part.ends(suffixes))


def open_path(path: Path, *, called: str = "") -> ImportFiles:
    """`called`: what whoever sent it calls it, where it lies under another name. Raises BadInput where there is nothing
    that could be read."""
    name = clean(called or path.name) or str(path)
    try:
        if path.is_dir():
            return _folder(path, name)
        if not path.is_file():
            raise BadInput(f"There is no file {name}.", field="/path")
        if zipfile.is_zipfile(path):
            return _archive(path, name)
        return ImportFiles(name, (_file(path, name),), single=True)
    except (*DAMAGED, ValueError) as error:
        raise BadInput(f"{name} cannot be opened: {reason(error)}.", field="/path") from error


def reason(error: Exception) -> str:
    """The error in small words, without the path that an OSError repeats."""
    return str(getattr(error, "strerror", None) or error or type(error).__name__).lower().rstrip(".")


def _file(path: Path, name: str) -> Part:
    def opened() -> BinaryIO:
        return _limit_stream(path.open("rb"), MOST_BYTES)

    return Part(clean(name), path.stat().st_size, opened)


def _folder(root: Path, name: str) -> ImportFiles:
    parts: list[Part] = []
    for path in _walk(root):
        if len(parts) == LIMITS.archive_members:
            raise BadInput(f"{name} holds more than {LIMITS.archive_members:,} files.", field="/path")
        parts.append(_file(path, path.relative_to(root).as_posix()))
    return ImportFiles(name, tuple(sorted(parts, key=lambda part: part.name)))


def _walk(root: Path) -> Iterator[Path]:
    """Files that may hold something, links and hidden ones left out: a link may lead anywhere."""
    for here, folders, files in os.walk(root):
        folders[:] = [one for one in folders if one not in _LEFT_OUT and not one.startswith(".")]
        for one in files:
            path = Path(here, one)
            wanted = one.lower().endswith(JSON + MARKDOWN) and not one.startswith(".")
            if wanted and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _archive(path: Path, name: str) -> ImportFiles:
    # Left open for its members, and closed with the last of them: to open it anew reads the whole directory each time.
    archive = zipfile.ZipFile(path)
    infos = archive.infolist()
    if len(infos) > LIMITS.archive_members:
        raise BadInput(f"{name} has {len(infos):,} members; {LIMITS.archive_members:,} are the limit.", field="/path")
    parts, refused = [], []
    for info in infos:
        member = clean(info.filename).replace("\\", "/")
        hidden = any(step in _LEFT_OUT or step.startswith(".") for step in member.split("/") if step != "..")
        if info.is_dir() or hidden or not member.lower().endswith(JSON + MARKDOWN):
            continue
        if trouble := _trouble(info):
            refused.append(SkippedEntry(member[:300], trouble))
        else:
            parts.append(Part(member, info.file_size, _member(archive, info)))
    return ImportFiles(name, tuple(sorted(parts, key=lambda part: part.name)), tuple(refused))


def _trouble(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 0x1:
        return "It is encrypted; unpack the archive with its password first."
    if info.file_size > _RATIO_FROM and info.file_size > LIMITS.archive_ratio * max(info.compress_size, 1):
        return f"It is packed more than {LIMITS.archive_ratio} to 1, as a zip bomb is."
    return ""


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    def opened() -> BinaryIO:
        return _limit_stream(archive.open(info), min(MOST_BYTES, info.file_size))

    return opened


class _LimitedStream(io.RawIOBase):
    """A stream that gives at most so many bytes and then raises TooLong, whatever a directory said of its length."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream, self._left = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._stream.read(min(len(view), self._left + 1))
        if len(data) > self._left:
            raise TooLong("it is longer than it may be")
        self._left -= len(data)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _limit_stream(stream: object, most: int) -> BinaryIO:
    return io.BufferedReader(_LimitedStream(stream, most), 1 << 18)  # type: ignore[arg-type]
