"""The bytes of a .zip in, its readable members out. Members that could do harm are refused by name: paths that
climb out, links, encrypted ones, bombs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from memoryapp.domain import archive
from memoryapp.domain.document import FileOutcome, FileReport
from memoryapp.domain.limits import LIMITS


@dataclass(frozen=True, slots=True)
class Member:
    path: str
    size: int
    load: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Unpacked:
    members: tuple[Member, ...]
    refused: tuple[FileReport, ...]


def unpack(name: str, data: bytes, *, wanted: Callable[[str], bool]) -> Unpacked:
    """Members whose path is `wanted`, each read only when it is loaded.

    Raises BadInput where it is no zip archive, TooLarge where it has too many members.
    """
    members: list[Member] = []
    refused: list[FileReport] = []
    budget = LIMITS.archive_bytes
    for one in archive.members_of(data, called=name):
        trouble = _trouble(one, budget)
        if trouble:
            refused.append(FileReport(one.path, FileOutcome.NOT_READ, note=trouble))
        elif wanted(one.path):
            budget -= one.size
            # The size in the archive's directory may lie, so the read itself is bounded too.
            members.append(Member(one.path, one.size, partial(one.read, LIMITS.file_bytes + 1)))
    return Unpacked(tuple(members), tuple(refused))


def _trouble(one: archive.Member, budget: int) -> str:
    """Why a member is refused, or nothing. Harmful names are told even where the suffix is not one that is read."""
    if one.climbs:
        absolute = ".." not in one.path.split("/")
        return "an absolute path in the archive" if absolute else "a path that climbs out of the archive"
    if not one.trouble and one.size > budget:
        return f"the archive unpacks to more than {LIMITS.archive_bytes >> 20} MiB"
    return one.trouble
