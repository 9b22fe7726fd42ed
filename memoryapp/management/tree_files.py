"""The Context Tree on the disk: a folder or an archive read, and written so that nothing of somebody else's is lost."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.tree import unzipped, zipped
from memoryapp.tree.bank_index import INDEX
from memoryapp.tree.paths import climbs, is_markdown


def read_tree(path: Path) -> dict[str, bytes]:
    """The files of a tree by their path in it: a folder, a .zip or one markdown file. Of a folder with an index or a
    bank, links that lead elsewhere and hidden folders are left out. Raises BadInput, TooLarge."""
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise BadInput(f"There is nothing at {path}.")
    if path.stat().st_size > LIMITS.upload_bytes:
        raise TooLarge(f"{path} has more than {LIMITS.upload_bytes >> 20} MiB.")
    data = path.read_bytes()
    if path.suffix.lower() == ".zip":
        return unzipped(data)
    if is_markdown(path.name):
        return {path.name: data}
    raise BadInput(f"{path} is no folder, no .zip and no markdown.")


def _folder(root: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name != INDEX and not is_markdown(name):
                continue
            file = Path(folder) / name
            if not file.resolve().is_relative_to(root.resolve()) or not file.is_file():
                continue
            size += file.stat().st_size
            if size > LIMITS.archive_bytes:
                raise TooLarge(f"The markdown in {root} has more than {LIMITS.archive_bytes >> 20} MiB.")
            files[file.relative_to(root).as_posix()] = file.read_bytes()
    if not files:
        raise BadInput(f"There is neither {INDEX} nor markdown in {root}.")
    return files


def write_tree(
    files: Mapping[str, str], last: Mapping[str, str], target: Path, *, overwrite: bool
) -> tuple[list[str], list[str]]:
    """(written, as they were). A file that is neither as it was last handed out nor as it is to be is written over only
    where `overwrite` says so: raises Clash that names them, and nothing is written. Removes nothing."""
    if target.suffix.lower() == ".zip":
        return _archive(files, target, overwrite=overwrite), []
    if target.exists() and not target.is_dir():
        raise BadInput(f"{target} is a file. Name a folder, or a .zip.")
    changed, same, wanted = [], [], []
    for name, text in files.items():
        if climbs(name):
            raise BadInput(f"“{name}” leads out of {target}.")
        file = target / name
        there = _hash(file.read_bytes()) if file.is_file() else None
        if there == _hash(text.encode("utf-8")):
            same.append(name)
            continue
        wanted.append(name)
        if there is not None and there != last.get(name):
            changed.append(name)
        if file.exists() and not file.resolve().is_relative_to(target.resolve()):
            raise BadInput(f"{file} is a link that leads out of {target}.")
    if changed and not overwrite:
        shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        raise Clash(f"Changed since in {target}: {shown}. Import them first, or pass --overwrite. Nothing was written.")
    # The index last: where this is cut off, the markdown it tells of is there.
    for name in sorted(wanted, key=lambda one: (one == INDEX, one)):
        _write(target / name, files[name].encode("utf-8"))
    return wanted, same


def _archive(files: Mapping[str, str], target: Path, *, overwrite: bool) -> list[str]:
    if target.exists() and not overwrite:
        raise Clash(f"{target} is there already. Choose another name, or pass --overwrite.")
    if not target.parent.is_dir():
        raise BadInput(f"There is no folder {target.parent}.")
    _write(target, zipped({name: text.encode("utf-8") for name, text in files.items()}))
    return list(files)


def _write(file: Path, data: bytes) -> None:
    """Appears only when it is whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.partial")
    partial.write_bytes(data)
    partial.replace(file)


def hashes(files: Mapping[str, str]) -> dict[str, str]:
    """sha256 of each file."""
    return {name: _hash(text.encode("utf-8")) for name, text in files.items()}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
