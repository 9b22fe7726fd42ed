"""What the field for a folder offers, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from memoryapp.domain.document import Source
from memoryapp.ingest import folders
from memoryapp.interfaces.pages import human
from memoryapp.program import short_path


@dataclass(frozen=True, slots=True)
class Choice:
    """`typed`: what the field becomes."""

    typed: str
    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Choices:
    name: str
    choices: list[Choice]


def roots_told() -> list[str]:
    """The folders that may be ingested, without those of the example."""
    own = settings.DATA_DIR.resolve()
    return [short_path(root) for root in settings.INGEST_ROOTS if not root.resolve().is_relative_to(own)]


def choices_of(typed: str, sources: Sequence[Source]) -> dict[str, Any]:
    """`groups` of choices, and what is `told` of what is typed; `wrong` where it leads nowhere."""
    found = folders.complete(typed, settings.INGEST_ROOTS)
    recent = folders.recent_folders(sources, settings.INGEST_ROOTS) if not typed.strip() else ()
    groups = [
        Choices("Recent", [_choice(folders.as_typed(one.path), one, whole=True) for one in recent]),
        Choices("Folders", [_choice(one.typed, one.folder, whole=not typed.strip()) for one in found.items]),
    ]
    return {
        "groups": [group for group in groups if group.choices],
        "told": _told(found),
        "wrong": bool(found.trouble or (found.there and found.there.closed)),
    }


def _choice(typed: str, folder: folders.Folder, *, whole: bool) -> Choice:
    """`whole`: named by its path, where it is not below what was typed."""
    return Choice(typed, typed.rstrip("/") or typed if whole else folder.name, folder.closed or _files(folder))


def _told(found: folders.Completions) -> str:
    if found.trouble:
        return found.trouble
    if found.file:
        return "A file: it is ingested alone."
    more = f" {human.count_text(found.more, 'more folder')}: type on to see them." if found.more else ""
    if found.there is None:
        return more.strip()
    there = found.there
    if there.closed:
        return f"{there.name} cannot be opened: {there.closed}."
    files = _files(there) if there.files or not there.exact else "nothing that ingest reads"
    return f"{there.name}: {files}.{more}"


def _files(folder: folders.Folder) -> str:
    count = human.count_text(folder.files, "file")
    return count if folder.exact else f"{count} or more"
