"""Folders of this machine, to choose one that is to be ingested: those in a folder, those that a path which is being
typed may go on to, and those that were ingested before. Nothing outside the roots that ingest may read is looked at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, OutsideRoots
from memoryapp.ingest.walk import allowed_path, count_files, existing_path, is_skipped, plain_name
from memoryapp.program import short_path

MOST = 100  # folders that are listed
LOOKED_AT = 20_000  # entries that are looked at to count files, shared among the folders that are listed
LEAST = 200  # of these for each of them
RECENT = 6


@dataclass(frozen=True, slots=True)
class Folder:
    """`path`: absolute. `files`: how many an ingest of it would read, with all below it; at least so many where not
    `exact`. `closed`: why it cannot be opened."""

    path: str
    name: str
    files: int
    exact: bool
    closed: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """`folder` whose `folders` these are, None of the roots themselves; `parent`: the one above it, None where that may
    not be read; `more`: how many folders are not listed."""

    folder: Folder | None
    parent: str | None
    folders: tuple[Folder, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A `folder` and the path that it makes of what was typed."""

    typed: str
    folder: Folder


@dataclass(frozen=True, slots=True)
class Completions:
    """`there`: the folder that is typed already, or `file`; `trouble`: why nothing can be offered; `more`: as in
    Listing."""

    items: tuple[Completion, ...] = ()
    there: Folder | None = None
    file: bool = False
    trouble: str = ""
    more: int = 0


def list_folder(path: str, roots: Sequence[Path], *, begins: str = "") -> Listing:
    """The folders in a folder, by name; only those whose names begin so. Without a path: the roots.

    Raises OutsideRoots, and BadInput (/path) where there is no such folder, it is a file, or it cannot be opened."""
    if not path.strip():
        found = [root for root in _places(roots) if plain_name(root.name).casefold().startswith(begins.casefold())]
        return Listing(None, None, _counted(found), max(len(found) - MOST, 0))
    here = existing_path(path, roots)
    if not here.is_dir():
        raise BadInput(f"{path} is a file, not a folder: it can be ingested as it is.", field="/path")
    found = _inside(here, path, roots, begins)
    return Listing(_folder(here, LOOKED_AT), _parent(here, roots), _counted(found), max(len(found) - MOST, 0))


def complete(typed: str, roots: Sequence[Path]) -> Completions:
    """What a path that is being typed may go on to. After its last “/” the beginning of a name may stand; a name alone
    is looked for in every root. Raises nothing: what is wrong is told."""
    typed = "~/" if typed.strip() == "~" else typed.strip()
    head, slash, begins = typed.rpartition("/")
    head += slash
    try:
        if not head:
            return _from_roots(typed, roots)
        listing = list_folder(head, roots, begins=begins)
        real = existing_path(typed, roots) if begins and os.path.exists(os.path.expanduser(typed)) else None
    except OutsideRoots as problem:
        on_the_way = [root for root in _places(roots) if str(root).startswith(typed)]
        return _of(on_the_way) if on_the_way else Completions(trouble=problem.detail)
    except BadInput as problem:
        return Completions(trouble=problem.detail)
    items = tuple(Completion(f"{head}{one.name}/", one) for one in listing.folders)
    if not items and begins and real is None:
        return Completions(trouble=f"No folder in {head} begins with “{begins}”.")
    there = _folder(real, LOOKED_AT) if real is not None and real.is_dir() else None if begins else listing.folder
    return Completions(items, there, file=real is not None and real.is_file(), more=listing.more)


def recent_folders(sources: Iterable[Source], roots: Sequence[Path]) -> tuple[Folder, ...]:
    """Folders that were ingested, the last one first, as far as they are there and may be read."""
    known = sorted(
        (one for one in sources if one.kind is SourceKind.FOLDER),
        key=lambda one: one.last_ingest_at or one.created_at,
        reverse=True,
    )
    found = []
    for source in known:
        try:
            real = existing_path(source.root, roots)
        except BadInput:
            continue  # moved, or shut out since: its source says so when it is read
        if real.is_dir():
            found.append(real)
    return _counted(found[:RECENT])


def as_typed(path: Path | str) -> str:
    """A folder as a person types it."""
    return short_path(Path(path)).rstrip("/") + "/"


def _from_roots(typed: str, roots: Sequence[Path]) -> Completions:
    """Nothing but a name, or nothing at all, was typed."""
    places = _places(roots)
    if not typed:
        return _of(places)
    found: list[Path] = []
    for root in places:
        found += _inside(root, str(root), roots, typed)
    if not found:
        return Completions(trouble=f"No folder begins with “{typed}”. Begin with “/” or “~”.")
    return _of(found)


def _of(found: Sequence[Path]) -> Completions:
    items = tuple(Completion(as_typed(one), folder) for one, folder in zip(found, _counted(found), strict=False))
    return Completions(items, more=max(len(found) - MOST, 0))


def _places(roots: Sequence[Path]) -> list[Path]:
    """The roots that are there, without one that lies in another."""
    real = [Path(os.path.realpath(root.expanduser())) for root in roots]
    there = dict.fromkeys(root for root in real if root.is_dir())
    return [root for root in there if not any(other in root.parents for other in there)]


def _parent(here: Path, roots: Sequence[Path]) -> str | None:
    try:
        return str(allowed_path(here.parent, roots))
    except OutsideRoots:
        return None


def _inside(here: Path, typed: str, roots: Sequence[Path], begins: str) -> list[Path]:
    """The folders of a folder that may be read, by name."""
    begins = plain_name(begins).casefold()
    found = []
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                name = plain_name(entry.name)
                if not name.casefold().startswith(begins) or not _can_be_named(entry.name) or is_skipped(entry.name):
                    continue
                if entry.is_dir() and _may_be_read(Path(entry.path), roots):
                    found.append(Path(entry.path))
    except OSError as error:
        raise BadInput(f"{typed} cannot be opened: {_reason(error)}.", field="/path") from error
    return sorted(found, key=lambda one: plain_name(one.name).casefold())


def _can_be_named(name: str) -> bool:
    """Whether a person can send it: text, and nothing unseen in it."""
    return plain_name(name).isprintable() and "\ufffd" not in plain_name(name) and without_unseen(name) == name


def _may_be_read(path: Path, roots: Sequence[Path]) -> bool:
    """A link may lead out of the roots."""
    try:
        return bool(allowed_path(path, roots))
    except BadInput:
        return False


def _counted(found: Sequence[Path]) -> tuple[Folder, ...]:
    shown = found[:MOST]
    each = max(LEAST, LOOKED_AT // max(len(shown), 1))
    return tuple(_folder(one, each) for one in shown)


def _folder(path: Path, most: int) -> Folder:
    name = path.name or str(path)
    try:
        os.scandir(path).close()
    except OSError as error:
        return Folder(str(path), name, 0, exact=True, closed=_reason(error))
    files, exact = count_files(Path(os.path.realpath(path)), most=most)
    return Folder(str(path), name, files, exact)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
