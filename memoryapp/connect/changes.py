"""What was changed in files of other programs, written down so that it can be taken back: `connect/changes.json` in the
data folder, and beside it each file as it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryapp.connect.agents import Wish
from memoryapp.connect.files import read_bytes, write_bytes
from memoryapp.connect.places import FOLDER

_FILE, _BACKUPS = "changes.json", "backups"


@dataclass(frozen=True, slots=True)
class Change:
    """`project`: the folder whose own file this is, "" for the person's. `before`: the backup's name, None where there
    was no file. `after`: the digest of what was written. `folders`: those that were made for the file."""

    agent: str
    project: str
    file: Path
    before: str | None
    after: str
    folders: tuple[Path, ...]
    wishes: tuple[Wish, ...]


def digest(content: bytes) -> str:
    """Return SHA-256 as hex digits."""
    return hashlib.sha256(content).hexdigest()


def changes_in(data: Path) -> list[Change]:
    """Return all that is written down. Raises ValueError where it cannot be read."""
    file = data / FOLDER / _FILE
    content = read_bytes(file)
    try:
        return [_read(row) for row in json.loads(content)] if content else []
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file} cannot be read ({error}). Its backups lie beside it, in {_BACKUPS}.") from None


def write_changes(data: Path, changes: Iterable[Change]) -> None:
    """Write down these and no others. Raises OSError."""
    rows = [
        {
            "agent": one.agent,
            "project": one.project,
            "file": str(one.file),
            "before": one.before,
            "after": one.after,
            "folders": [str(folder) for folder in one.folders],
            "wishes": [{"path": wish.path, "value": wish.value, "element": wish.element} for wish in one.wishes],
        }
        for one in changes
    ]
    write_bytes(data / FOLDER / _FILE, (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode())


def keep_backup(data: Path, file: Path, content: bytes | None) -> str | None:
    """Keep the bytes and return the name that finds them; None for no file. Raises OSError."""
    if content is None:
        return None
    name = f"{digest(content)[:16]}-{file.name.lstrip('.')}"
    write_bytes(data / FOLDER / _BACKUPS / name, content)
    return name


def backup(data: Path, name: str | None) -> bytes | None:
    """Return the bytes of a backup, None for no file. Raises OSError where it is gone."""
    return None if name is None else (data / FOLDER / _BACKUPS / name).read_bytes()


def drop_backup(data: Path, name: str | None, others: Iterable[Change]) -> None:
    """Remove a backup that no other change needs. Raises OSError."""
    if name is not None and all(name != one.before for one in others):
        (data / FOLDER / _BACKUPS / name).unlink(missing_ok=True)


def _read(row: dict[str, Any]) -> Change:
    file = Path(row["file"])
    return Change(
        row["agent"],
        row["project"],
        file,
        row["before"],
        row["after"],
        tuple(Path(folder) for folder in row["folders"]),
        tuple(Wish(file, tuple(one["path"]), one["value"], one["element"]) for one in row["wishes"]),
    )
