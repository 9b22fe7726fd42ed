"""Sample exports, written by hand in the shape that each program writes, and ways to look at what was read."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoryapp.transfer.entries import Brought, Conversation, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.foreign import read

SAMPLES = Path(__file__).parent / "samples"


class Found:
    """Everything that a path holds, sorted by what it is."""

    def __init__(self, path: Path, form: str) -> None:
        self.all: list[Brought] = list(read(path, form))

    @property
    def items(self) -> list[Item]:
        return [one for one in self.all if isinstance(one, Item)]

    @property
    def links(self) -> list[tuple[str, str, str]]:
        return [(one.subject, one.relation, one.object) for one in self.all if isinstance(one, Link)]

    @property
    def named(self) -> list[tuple[str, str]]:
        return [(one.name, one.type) for one in self.all if isinstance(one, ImportedEntity)]

    @property
    def told(self) -> list[Conversation]:
        return [one for one in self.all if isinstance(one, Conversation)]

    @property
    def skipped(self) -> dict[str, int]:
        """How many of each reason."""
        counts: dict[str, int] = {}
        for one in self.all:
            if isinstance(one, SkippedEntry):
                counts[one.why] = counts.get(one.why, 0) + one.count
        return counts

    @property
    def texts(self) -> list[str]:
        return [item.text for item in self.items]

    @property
    def refs(self) -> list[str]:
        """Of items, sessions and relations, in order."""
        return [ref for one in self.all if (ref := getattr(one, "ref", "") or getattr(one, "session_ref", ""))]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """A file of its own with such records: an array, or with `lines` a line for each."""

    def write(value: Any, name: str = "export.json", *, lines: bool = False) -> Path:
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(one) for one in value) if lines else json.dumps(value), "utf-8")
        return path

    return write


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The folder of basic-memory, with a file in it that is no text."""
    folder = tmp_path / "basic-memory"
    shutil.copytree(SAMPLES / "basic-memory", folder)
    (folder / "Broken.md").write_bytes(b"---\npermalink: broken\n---\n\xff\xfe\xfa")
    return folder


@pytest.fixture
def zipped(tmp_path: Path) -> Callable[[Path], Path]:
    """A sample folder as the zip archive that its program sends."""

    def pack(folder: Path) -> Path:
        target = tmp_path / f"{folder.name}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    archive.write(file, f"export/{file.relative_to(folder).as_posix()}")
            archive.writestr("export/picture.png", b"\x89PNG")
        return target

    return pack
