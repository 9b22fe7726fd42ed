"""An import: the files that were sent, under the paths they had in their folder, and what it would change, told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from memoryapp import tree
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.tree.bank_import import Brought
from memoryapp.web import human

_MOST = 30  # lines of a group


@dataclass(frozen=True, slots=True)
class Line:
    path: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    count: int
    lines: list[Line]
    more: int
    open: bool = False
    prune: bool = False  # whether they may be deleted here


def files_of(sent: Sequence[UploadedFile[Any]], paths: str) -> dict[str, bytes]:
    """By path; a single zip is unpacked. `paths`: JSON, where each file lay in the folder that was chosen, as a browser
    sends names alone. Raises BadInput, TooLarge."""
    if not sent:
        raise BadInput("No file was chosen.", field="files")
    if (size := sum(one.size or 0 for one in sent)) > LIMITS.upload_bytes:
        raise TooLarge(
            f"The file has {human.size(size)}; {human.size(LIMITS.upload_bytes)} is the limit.", field="files"
        )
    names = _names(sent, paths)
    if len(sent) == 1 and names[0].lower().endswith(".zip"):
        return tree.unzipped(sent[0].read())
    return {name: one.read() for name, one in zip(names, sent, strict=True)}


def _names(sent: Sequence[UploadedFile[Any]], paths: str) -> list[str]:
    try:
        told = json.loads(paths) if paths else []
    except ValueError:
        told = []
    if isinstance(told, list) and len(told) == len(sent) and all(isinstance(name, str) for name in told):
        return told
    return [one.name or "" for one in sent]


def brought_of(brought: Brought) -> dict[str, Any]:
    """What a dry run found, group by group."""
    groups = [
        _group("Added", map(Line, brought.added)),
        _group("Changed", map(Line, brought.changed)),
        _group("Unchanged", map(Line, brought.unchanged), told=False),
        _group("Changed here, kept", map(Line, brought.kept)),
        replace(_group("Only here, left unchanged", map(Line, brought.gone)), prune=True),
        _group("In conflict", (Line(path, "changed here too") for path, _ in brought.conflicts), opened=True),
        _group("Adjusted on import", (Line(one.where, one.what) for one in brought.problems), opened=True),
        _group("Unrelated files", map(Line, brought.ignored)),
    ]
    return {
        "groups": [group for group in groups if group.count or group.name in ("Added", "Changed")],
        "anything": bool(brought.added or brought.changed or brought.removed or brought.conflicts),
    }


def brought_told(brought: Brought) -> str:
    counts = [("added", brought.added), ("changed", brought.changed), ("removed", brought.removed)]
    told = [f"{len(some)} {word}" for word, some in counts if some]
    if brought.conflicts:
        told.append(f"{human.counted(len(brought.conflicts), 'conflict')} to decide")
    return f"Imported: {', '.join(told)}." if told else "No change."


def _group(name: str, some: Iterable[Line], *, told: bool = True, opened: bool = False) -> Group:
    every = list(some)
    shown = every[:_MOST] if told else []
    return Group(name, len(every), shown, len(every) - len(shown) if told else 0, opened)
