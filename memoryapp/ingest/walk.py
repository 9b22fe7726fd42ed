"""The files of a source that may be read: a folder, one file, or an upload. What is refused is named with the reason
while the rest go on. `read` comes next.

Members of a .zip that could do harm are refused by name: paths that climb out, links, encrypted ones, bombs.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memoryapp.domain import archive
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.document import FileOutcome, FileReport, Source, SourceKind
from memoryapp.domain.errors import BadInput, NotFound, OutsideRoots
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.obsidian import SETTINGS, SETTINGS_FILES, Templates


@dataclass(frozen=True, slots=True)
class Member:
    path: str
    size: int
    load: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class UnpackedArchive:
    members: tuple[Member, ...]
    refused: tuple[FileReport, ...]


def unpack(name: str, data: bytes, *, wanted: Callable[[str], bool]) -> UnpackedArchive:
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
    return UnpackedArchive(tuple(members), tuple(refused))


def _trouble(one: archive.Member, budget: int) -> str:
    """Why a member is refused, or nothing. Harmful names are told even where the suffix is not one that is read."""
    if one.climbs:
        absolute = ".." not in one.path.split("/")
        return "an absolute path in the archive" if absolute else "a path that climbs out of the archive"
    if not one.trouble and one.size > budget:
        return f"the archive unpacks to more than {LIMITS.archive_bytes >> 20} MiB"
    return one.trouble


SUFFIXES = (".md", ".markdown", ".txt")
# Documents that a person may miss among the memories; of pictures and programs nobody expects words.
_OTHER_DOCUMENTS = {
    ".canvas": "Obsidian canvas, not read",
    ".base": "Obsidian base, not read",
    ".pdf": "PDF, not read",
    ".doc": "Word document, not read",
    ".docx": "Word document, not read",
    ".odt": "OpenDocument text, not read",
    ".rtf": "rich text, not read",
    ".epub": "e-book, not read",
    ".org": "Org file, not read",
}
_TEMPLATE = "template, left out"
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "__MACOSX"})


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read. `path` is below the source's root, "/"-separated; `load` fetches its bytes."""

    path: str
    size: int
    modified_ns: int  # 0: not known, compare by content
    load: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class WalkResult:
    """`refused` names what was not taken; `blind` the paths that could not be looked at, so that nothing below
    them counts as gone; `skipped` what is by its nature not read."""

    files: tuple[FoundFile, ...]
    refused: tuple[FileReport, ...] = ()
    blind: tuple[str, ...] = ()
    skipped: tuple[FileReport, ...] = ()


def allowed_path(path: str | Path, roots: Sequence[Path]) -> Path:
    """The path with every link resolved. Raises OutsideRoots unless it lies in a root, in no hidden folder of it, and
    BadInput for what can be no path."""
    if without_unseen(str(path)) != str(path) or "\n" in str(path):
        raise BadInput("The path has a control character in it.", field="/path")
    try:
        real = Path(os.path.realpath(Path(path).expanduser()))
    except (RuntimeError, ValueError) as error:  # the home of nobody known; a NUL
        raise BadInput(f"{path} is no path on this machine.", field="/path") from error
    for root in roots:
        base = Path(os.path.realpath(root.expanduser()))
        if real == base or base in real.parents:
            if not any(part.startswith(".") for part in real.relative_to(base).parts):
                return real
            break
    listed = ", ".join(str(root) for root in roots) or "none are set"
    raise OutsideRoots(
        f"{path} is outside the folders that may be read: {listed}. Set MEMORY_INGEST_ROOTS to add"
        " one and start the app again, or upload the files.",
        field="/path",
    )


def existing_path(path: str | Path, roots: Sequence[Path]) -> Path:
    """The same, of something that is there. Raises BadInput where nothing is, as under a name too long for a disk."""
    real = allowed_path(path, roots)
    if not os.path.exists(real):  # unlike Path.exists, it takes what cannot be asked for as not there
        raise BadInput(f"Folder or file not found: {path}", field="/path")
    return real


def walk(source: Source, *, upload: bytes | None = None) -> WalkResult:
    """Every readable file of a source, in order of path.

    `upload`: the bytes of an uploaded file. Raises NotFound where the root is gone, BadInput where it is neither a
    folder nor a file that can be read, TooLarge for an archive with too many members.
    """
    if source.kind is SourceKind.UPLOAD:
        if upload is None:
            raise BadInput(f"The upload {source.root} is no longer here. Upload it again.", field="/upload")
        return _from_bytes(Path(source.root).name, upload)
    root = Path(os.path.realpath(source.root))
    if root.is_dir():
        return _from_folder(root)
    if not root.exists():
        raise NotFound(f"There is no {source.root}. Was it moved, or is its disk not mounted?", field="/path")
    if root.suffix.lower() == ".zip":
        _check_size(root)
        return _from_bytes(root.name, root.read_bytes())
    _check_suffix(root.name)
    if not root.is_file():
        raise BadInput(f"{source.root} is not a regular file.", field="/path")
    return _sort_files([_found_file(root.name, str(root), root.stat())], [], [])


def _check_size(archive: Path) -> None:
    size = archive.stat().st_size
    if size > LIMITS.upload_bytes:
        raise BadInput(f"{archive.name} has {size / 2**20:.1f} MiB; an archive may have {LIMITS.upload_bytes >> 20}.")


def check_upload(name: str) -> None:
    """Raises BadInput for the name of a file that no ingest reads."""
    if not name.lower().endswith(".zip"):
        _check_suffix(name, field="/upload")


def _check_suffix(name: str, *, field: str = "/path") -> None:
    if not name.lower().endswith(SUFFIXES):
        raise BadInput(f"{name} is none of {', '.join(SUFFIXES)} or .zip.", field=field)


def _from_bytes(name: str, data: bytes) -> WalkResult:
    if not name.lower().endswith(".zip"):
        _check_suffix(name)
        return WalkResult((FoundFile(plain_name(name), len(data), 0, lambda: data),))
    skipped: list[FileReport] = []

    def wanted(path: str) -> bool:
        if not _is_hidden(path) and (reason := _other_document(path)):
            skipped.append(_skipped_report(plain_name(path), reason))
        return _is_wanted(path) or _vault_settings(path) is not None

    unpacked: UnpackedArchive = unpack(name, data, wanted=wanted)
    templates = Templates()
    files: list[FoundFile] = []
    for member in unpacked.members:
        if (vault := _vault_settings(member.path)) is not None:
            settings = member.load().decode("utf-8", "replace")
            templates.add(plain_name(vault[0]), vault[1], settings)
        else:
            files.append(FoundFile(plain_name(member.path), member.size, 0, member.load))
    return _sort_files(files, list(unpacked.refused), [], skipped, templates)


def _is_wanted(path: str) -> bool:
    return not _is_hidden(path) and path.lower().endswith(SUFFIXES)


def _is_hidden(path: str) -> bool:
    parts = path.split("/")
    return any(is_skipped(part) for part in parts[:-1]) or parts[-1].startswith(".")


def _other_document(path: str) -> str:
    """Why a document of another form is skipped; nothing where it is none."""
    return _OTHER_DOCUMENTS.get(os.path.splitext(path)[1].lower(), "")


def _skipped_report(path: str, reason: str) -> FileReport:
    return FileReport(path, FileOutcome.SKIPPED, note=reason)


def _vault_settings(path: str) -> tuple[str, str] | None:
    """(the vault's path, the file below its settings) of an archive's member that tells where templates are."""
    for name in SETTINGS_FILES:
        if path == f"{SETTINGS}/{name}" or path.endswith(f"/{SETTINGS}/{name}"):
            return path[: -len(f"{SETTINGS}/{name}")].rstrip("/"), name
    return None


def is_skipped(folder: str) -> bool:
    """Whether no file in a folder of this name is read."""
    return folder in _SKIPPED_FOLDERS or (folder.startswith(".") and folder not in (".", ".."))


class _Enough(Exception):
    """A look ends that was to see so many entries and no more."""


class _Look:
    """One look through a folder: what was found, refused, and which real places were already seen. `most`: entries
    after which it raises _Enough; None for all."""

    def __init__(self, root: Path, most: int | None = None) -> None:
        self.root = root
        self.most = most
        self.files: list[FoundFile] = []
        self.refused: list[FileReport] = []
        self.skipped: list[FileReport] = []
        self.templates = Templates()
        self.blind: list[str] = []
        self.links: list[os.DirEntry[str]] = []
        self.seen: set[str] = set()

    def name(self, path: str) -> str:
        return plain_name(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def refuse(self, path: str, note: str) -> None:
        self.refused.append(FileReport(self.name(path), FileOutcome.NOT_READ, note=note))

    def folder(self, path: str) -> None:
        waiting = [path]
        while waiting:
            here = waiting.pop()
            self.seen.add(here)
            try:
                entries = list(os.scandir(here))
            except OSError as error:
                if here == str(self.root):
                    raise BadInput(f"{here} cannot be opened: {_reason(error)}.", field="/path") from error
                self.refuse(here, f"the folder cannot be opened: {_reason(error)}")
                self.blind.append(self.name(here))
                continue
            waiting.extend(self._take(entries))

    def _take(self, entries: Sequence[os.DirEntry[str]]) -> Iterator[str]:
        for entry in entries:
            if self.most is not None:
                if not self.most:
                    raise _Enough
                self.most -= 1
            if entry.is_symlink():
                self.links.append(entry)
            elif entry.is_dir(follow_symlinks=False):
                if entry.name == SETTINGS:
                    self.vault(Path(entry.path))
                elif not is_skipped(entry.name):
                    yield entry.path
            elif _is_wanted(entry.name):
                self.file(entry.path, entry.path)
            elif not entry.name.startswith(".") and (reason := _other_document(entry.name)):
                self.skipped.append(_skipped_report(self.name(entry.path), reason))

    def vault(self, settings: Path) -> None:
        """Look where an Obsidian vault keeps its templates."""
        vault = self.name(str(settings.parent))
        for name in SETTINGS_FILES:
            file = settings / name
            if file.is_file() and not file.is_symlink():
                try:
                    told = _load(str(file)).decode("utf-8", "replace")
                except OSError as error:
                    self.refuse(str(file), f"where templates are kept cannot be read: {_reason(error)}")
                    continue
                self.templates.add("" if vault == "." else vault, name, told)

    def file(self, path: str, real: str) -> None:
        self.seen.add(real)
        try:
            status = os.stat(real, follow_symlinks=False)
        except OSError as error:
            self.blind.append(self.name(path))
            self.refuse(path, f"it cannot be looked at: {_reason(error)}")
            return
        if stat.S_ISREG(status.st_mode):
            self.files.append(_found_file(self.name(path), real, status))
        else:
            self.refuse(path, "not a regular file")

    def follow(self, entry: os.DirEntry[str]) -> None:
        """A link is followed when it stays inside the root and leads to something not read already."""
        wanted = _is_wanted(entry.name) or not Path(entry.name).suffix
        if not wanted or is_skipped(entry.name):
            return
        real = os.path.realpath(entry.path)
        if real != str(self.root) and not real.startswith(str(self.root) + os.sep):
            self.refuse(entry.path, "a link that leads out of the source's folder")
        elif not os.path.exists(real):
            self.refuse(entry.path, "a link that leads nowhere, or in a circle")
        elif (entry.path + os.sep).startswith(real + os.sep):
            self.refuse(entry.path, "a link back to a folder that holds it")
        elif real in self.seen:
            self.refuse(entry.path, f"a link to {self.name(real)}, which is read itself")
        elif os.path.isdir(real):
            self.folder(real)
        elif _is_wanted(entry.name):
            self.file(entry.path, real)


def _from_folder(root: Path) -> WalkResult:
    return _found(_Look(root))


def count_files(root: Path, *, most: int) -> tuple[int, bool]:
    """How many files an ingest of the folder would read, and whether that is all: after `most` entries nothing more is
    looked at. Raises BadInput where the folder cannot be opened."""
    look = _Look(root, most)
    try:
        return len(_found(look).files), True
    except _Enough:
        return len(look.files), False


def _found(look: _Look) -> WalkResult:
    look.folder(str(look.root))
    # Links come last, so that a file and a link to it are read once, under the file's own name; a folder reached
    # by a link may bring further links.
    while look.links:
        links, look.links = sorted(look.links, key=lambda entry: entry.path), []
        for entry in links:
            look.follow(entry)
    return _sort_files(look.files, look.refused, look.blind, look.skipped, look.templates)


def _found_file(path: str, real: str, status: os.stat_result) -> FoundFile:
    return FoundFile(plain_name(path), status.st_size, status.st_mtime_ns, lambda: _load(real))


def _load(real: str) -> bytes:
    # The last name must still be the file that was looked at, not a link put there since.
    handle = os.open(real, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as stream:
        return stream.read(LIMITS.file_bytes + 1)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def plain_name(path: str) -> str:
    """A path as it is stored: composed Unicode (macOS decomposes Hangul), and no bytes that are not text."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", text)


def _sort_files(
    files: list[FoundFile],
    refused: list[FileReport],
    blind: list[str],
    skipped: list[FileReport] | None = None,
    templates: Templates | None = None,
) -> WalkResult:
    by_path: dict[str, FoundFile] = {}
    skipped = skipped or []
    for found in files:
        if templates and templates.hold(found.path):
            skipped.append(_skipped_report(found.path, _TEMPLATE))
        elif found.path in by_path:
            refused.append(FileReport(found.path, FileOutcome.NOT_READ, note="a second file of the same name"))
        else:
            by_path[found.path] = found
    skipped.sort(key=lambda report: report.path)
    return WalkResult(tuple(by_path[path] for path in sorted(by_path)), tuple(refused), tuple(blind), tuple(skipped))
