"""A zip archive that somebody sent, read with care: the names of its members, which of them could do harm, and no more
of each than is asked for. Whoever reads it says what becomes of a harmful one."""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS

_RATIO_FROM_BYTES = 64 * 1024  # a short file of one repeated character also packs well, and does no harm
_UTF8_NAME, _ENCRYPTED = 0x800, 0x1
# What zipfile raises for an archive that is damaged, encrypted or packed in a way it does not know, and what the
# packings raise through it.
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, EOFError, RuntimeError)
_UNREADABLE = (*DAMAGED, ValueError, IndexError, OverflowError)


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive. `path` is "/"-separated, as it stands there: it may lead anywhere."""

    path: str
    size: int  # as the archive tells, which may lie
    trouble: str  # why it is not to be read; "" for most
    _archive: zipfile.ZipFile
    _info: zipfile.ZipInfo

    @property
    def climbs(self) -> bool:
        """Whether its path leads out of a folder that it is unpacked into."""
        return self.path.startswith("/") or bool(re.match(r"[A-Za-z]:", self.path)) or ".." in self.path.split("/")

    def read(self, most: int) -> bytes:
        """At most so many bytes of it. Raises OSError where the archive is damaged."""
        try:
            with self._archive.open(self._info) as stream:
                return stream.read(most)
        except _UNREADABLE as error:
            raise OSError(f"the archive is damaged here ({error})") from error


def members_of(data: bytes, *, called: str) -> tuple[Member, ...]:
    """All files, in order. Raises BadInput where it is no zip archive, TooLarge where it has too many members."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = archive.infolist()
    except _UNREADABLE as error:
        raise BadInput(f"{called} cannot be opened as a zip archive: {error}.", field="/upload") from error
    if len(infos) > LIMITS.archive_members:
        raise TooLarge(
            f"{called} has {len(infos):,} members; {LIMITS.archive_members:,} are the limit.", field="/upload"
        )
    return tuple(
        Member(_name(info).replace("\\", "/"), info.file_size, _trouble(info), archive, info)
        for info in infos
        if not info.is_dir()
    )


def _name(info: zipfile.ZipInfo) -> str:
    """zipfile reads an unmarked name as cp437; it is usually UTF-8, or cp949 out of a Korean Windows."""
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    for encoding in ("utf-8", "cp949"):
        try:
            return info.filename.encode("cp437").decode(encoding)
        except UnicodeError:
            continue
    return info.filename


def _trouble(info: zipfile.ZipInfo) -> str:
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link in the archive"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted; unpack it with its password first"
    if info.file_size > _RATIO_FROM_BYTES and info.file_size > LIMITS.archive_ratio * max(info.compress_size, 1):
        return f"packed more than {LIMITS.archive_ratio} to 1, as a zip bomb is"
    return ""
