"""Which space the talks of a folder belong to, and in which folders hooks are off: `connect/folders.json` in the data
folder. Standard library alone: hooks read it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple  # not dataclasses: they take the agent 15 ms

DEFAULT_SPACE = "default"
FOLDER = "connect"  # within the data folder: all that this room keeps
_FILE = "folders.json"


class Place(NamedTuple):
    """`off`: hooks neither ask nor keep anything there."""

    space: str = DEFAULT_SPACE
    off: bool = False


def place_of(data: Path, folder: Path | str) -> Place:
    """Return what was chosen for the folder, or for the nearest folder around it. Raises ValueError for a table that
    cannot be read: what is switched off must not be taken for on."""
    table = places(data)
    path = os.path.realpath(folder)
    while True:
        if path in table:
            return table[path]
        above = os.path.dirname(path)
        if above == path:
            return Place()
        path = above


def places(data: Path) -> dict[str, Place]:
    """Return the whole table: absolute folder → Place. Raises ValueError."""
    file = data / FOLDER / _FILE
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return {
            folder: Place(str(row.get("space") or DEFAULT_SPACE), row.get("off") is True)
            for folder, row in rows.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise ValueError(f"{file} cannot be read ({error}). Correct or remove it.") from None


def table_with(data: Path, folder: Path | str, place: Place | None) -> tuple[Path, bytes]:
    """Return the table's file, and what it says with `place` for the folder (None: as for the folders around it).
    Raises ValueError."""
    table = places(data)
    path = os.path.realpath(folder)
    table.pop(path, None)
    if place is not None:
        table[path] = place
    rows = {name: {"space": one.space} | ({"off": True} if one.off else {}) for name, one in sorted(table.items())}
    return data / FOLDER / _FILE, (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()
