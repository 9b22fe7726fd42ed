"""The files of a bank: as nodes (`Bank`), and as a zip archive.

The index finds its markdown, and files that it does not name stand for themselves; `bank_import` compares them with
what is held. The same files give the same archive. An archive that could do harm is refused by name: bombs, links,
encrypted members; what is neither markdown nor an index is not unpacked at all.
"""

from __future__ import annotations

import io
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memoryapp.domain.archive import members_of
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.tree.bank_index import INDEX, Entry, Index, Problem, read_index
from memoryapp.tree.paths import BANK, climbs, is_markdown, path_of_file
from memoryapp.tree.placement import parents_of

_OTHER_ENDS = (".md", ".markdown", "")
_WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can tell, so that the time is no part of it
_READ = (".txt", ".json")


@dataclass(slots=True)
class Leaf:
    """A node as the bank has it. `entry`: what the index says of it, None where it is not in it. `file`: where its
    markdown lies, None for a branch. `unread`: there is a file, and it cannot be read."""

    path: str
    entry: Entry | None = None
    file: str | None = None
    text: str | None = None
    position: int = 0
    unread: bool = False


@dataclass(slots=True)
class Bank:
    """`index_text` is None without an index. `whole`: it is a tree and not single files, so what it lacks is gone."""

    leaves: dict[str, Leaf] = field(default_factory=dict)
    index: Index | None = None
    index_text: str | None = None
    whole: bool = True
    ignored: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


def read_bank(files: Mapping[str, bytes]) -> Bank:
    """Raises BadInput where there is neither an index nor markdown, where there are two indexes, and for an index that
    is no JSON; TooLarge. Whatever else is wrong is named in `problems`."""
    _check_amount(files)
    bank = Bank()
    below = _files_below(files, bank)
    if INDEX in below:
        bank.index_text = _decode_file(INDEX, below.pop(INDEX))
        bank.index = read_index(bank.index_text)
        bank.problems += bank.index.problems
    texts = _texts(below, bank)
    has_folder = any(name.startswith(BANK) for name in texts)
    bank.whole = bank.index is not None or has_folder
    taken = _listed_leaves(bank, texts) if bank.index else set()
    _other_leaves(bank, texts, taken, only_folder=has_folder)
    _branches(bank)
    bank.ignored = tuple(sorted(set(below) - {leaf.file for leaf in bank.leaves.values()}))
    for leaf in bank.leaves.values() if not bank.whole else ():
        leaf.file = f"{BANK}{leaf.file}" if leaf.file else None  # files of no tree go where those of ours lie
    if not bank.leaves and bank.index is None:
        named = "; ".join(f"{one.where} {one.what}" for one in bank.problems[:3])
        raise BadInput(
            f"There is no {INDEX} here, and no markdown to read. {named}".strip(),
            field="/files",
        )
    return bank


def _check_amount(files: Mapping[str, bytes]) -> None:
    if len(files) > LIMITS.archive_members:
        raise TooLarge(f"{len(files):,} files; {LIMITS.archive_members:,} are the limit.", field="/files")
    if sum(map(len, files.values())) > LIMITS.archive_bytes:
        raise TooLarge(f"The files have more than {LIMITS.archive_bytes >> 20} MiB together.", field="/files")


def _files_below(files: Mapping[str, bytes], bank: Bank) -> dict[str, bytes]:
    """The files by their path below the tree's folder: where the index lies, or what holds `bank`."""
    names: dict[str, str] = {}
    for name in sorted(files):
        plain = "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
        if climbs(name):
            bank.problems.append(Problem(name[:200], "is a path that climbs out of the tree; it was left out."))
        elif plain in names:
            bank.problems.append(Problem(name[:200], "is there twice; the first was taken."))
        elif plain and not any(part.startswith((".", "__MACOSX")) for part in plain.split("/")):
            names[plain] = name
    base = _base(names)
    return {name.removeprefix(base): files[whole] for name, whole in names.items() if name.startswith(base)}


def _base(names: Iterable[str]) -> str:
    """The tree's folder, with “/” behind it, or nothing."""
    indexes = [name.removesuffix(INDEX) for name in names if f"/{name}".endswith(f"/{INDEX}")]
    folders = {f"/{name}".partition(f"/{BANK}")[0] for name in names if f"/{BANK}" in f"/{name}"}
    bases = indexes or [f"{folder}/".lstrip("/") for folder in folders]
    highest = sorted(base for base in bases if base.count("/") == min(one.count("/") for one in bases))
    if len(highest) > 1:
        told = " and ".join(f"“{base}”" for base in highest[:2])
        raise BadInput(f"There is more than one tree here, in {told}. Bring one at a time.", field="/files")
    return highest[0] if highest else ""


def _decode_file(name: str, data: bytes) -> str:
    """Raises BadInput, TooLarge."""
    if len(data) > LIMITS.file_bytes:
        raise TooLarge(f"{name} has {len(data) / 2**20:.1f} MiB; the limit is {LIMITS.file_bytes >> 20} MiB.")
    if (at := data.find(b"\0")) >= 0:
        raise BadInput(f"{name} is binary: a NUL byte at byte {at}.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from None


def _texts(below: Mapping[str, bytes], bank: Bank) -> dict[str, str | None]:
    """The markdown by name; None for what cannot be read."""
    texts: dict[str, str | None] = {}
    named = {entry.file for entry in bank.index.entries.values()} if bank.index else set()
    for name, data in below.items():
        if not is_markdown(name) and not {name, name.removeprefix(BANK)} & named:
            continue
        try:
            text = texts[name] = _decode_file(name, data)
            if len(text) > LIMITS.text_chars:
                texts[name] = None
                raise TooLarge(
                    f"{name} has {len(text):,} characters; one node may have {LIMITS.text_chars:,}. Cut it up first."
                )
        except BadInput as error:
            texts[name] = None
            bank.problems.append(Problem(name, error.detail.removeprefix(f"{name} ")))
    return texts


def _listed_leaves(bank: Bank, texts: Mapping[str, str | None]) -> set[str]:
    """A leaf for each node of the index; returns the files that they take."""
    assert bank.index is not None
    known = {unicodedata.normalize("NFC", name): name for name in reversed(list(texts))}
    taken: dict[str, str] = {}
    for path, entry in bank.index.entries.items():
        leaf = bank.leaves[path] = Leaf(path, entry, position=entry.position)
        file = _file_of(entry, known)
        if file is None:
            if entry.file:
                bank.problems.append(Problem(path, f"names the file {entry.file}, which is not there."))
        elif file in taken:
            bank.problems.append(Problem(path, f"names the file {file}, which is that of {taken[file]}."))
        else:
            taken[file] = path
            leaf.file, leaf.text, leaf.unread = file, texts[file], texts[file] is None
    return set(taken)


def _file_of(entry: Entry, known: Mapping[str, str]) -> str | None:
    """The file with the markdown of an entry: the one it names, else the one at its path."""
    if entry.file:
        named = "/".join(part for part in entry.file.replace("\\", "/").split("/") if part not in ("", "."))
        tried = [] if climbs(entry.file) else [f"{start}{named}{end}" for end in ("", ".md") for start in ("", BANK)]
    else:
        tried = [f"{start}{entry.path}{end}" for start in (BANK, "") for end in _OTHER_ENDS[:2]]
    found = (known.get(unicodedata.normalize("NFC", one)) for one in tried)
    return next((one for one in found if one is not None), None)


def _other_leaves(bank: Bank, texts: Mapping[str, str | None], taken: set[str], *, only_folder: bool) -> None:
    """Files that the index does not name are nodes by their path."""
    position = len(bank.leaves)
    for name, text in texts.items():
        if name in taken or (only_folder and not name.startswith(BANK)):
            continue
        path = path_of_file(name)
        if not path:
            bank.problems.append(Problem(name, "has a name that cannot be a path; it was left out."))
            continue
        free = path
        if path in bank.leaves:
            free = next(one for n in range(2, len(texts) + 2) if (one := f"{path}-{n}") not in bank.leaves)
            bank.problems.append(Problem(name, f"is not the file of the node {path}; it became {free}."))
        bank.leaves[free] = Leaf(free, None, name, text, position, unread=text is None)
        position += 1


def _branches(bank: Bank) -> None:
    for path in list(bank.leaves):
        for above in parents_of(path):
            if above not in bank.leaves:
                bank.leaves[above] = Leaf(above, position=len(bank.leaves))


# ── archives


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """The files as an archive, in their order."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _WHEN)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, data)
    return written.getvalue()


def unzip_files(data: bytes) -> dict[str, bytes]:
    """Markdown, text and JSON by path. A file over the limit of one is cut right behind it, so that whoever reads it
    sees that it is too large. Raises BadInput where it is no zip archive or holds what could do harm, TooLarge."""
    members = members_of(data, called="This")
    if sum(one.size for one in members) > LIMITS.archive_bytes:
        raise _too_large()
    files: dict[str, bytes] = {}
    budget = LIMITS.archive_bytes
    for one in members:
        if not is_markdown(one.path) and not one.path.lower().endswith(_READ):
            continue
        if trouble := one.trouble or ("there twice" if one.path in files else ""):
            raise BadInput(f"“{one.path[:200]}” cannot be brought in: {trouble}.", field="/upload")
        try:
            files[one.path] = one.read(min(LIMITS.file_bytes, budget) + 1)
        except OSError as error:
            raise BadInput(f"“{one.path[:200]}” cannot be read: {error}.", field="/upload") from error
        budget -= len(files[one.path])
        if budget < 0:
            raise _too_large()
    return files


def _too_large() -> TooLarge:
    return TooLarge(f"The archive unpacks to more than {LIMITS.archive_bytes >> 20} MiB.", field="/upload")
