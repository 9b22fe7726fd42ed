"""What an export says of itself: `manifest.json`, by which a reader knows that it is whole, unchanged and not newer."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from memoryapp.domain.errors import BadInput

FORMAT = 1
NAME = "manifest.json"
_MARK = "palimpsest_export"
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FileTold:
    """`records` is the number of lines of a .jsonl, None for any other file."""

    sha256: str
    bytes: int
    records: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """`settings` are the space's own numbers and policy, `model` the one its vectors are of. `schema` names the
    migrations of the store it came from. `purge_key` is what lets another space know purged words again; it opens
    nothing."""

    space: str
    made_at: str
    model: str
    vectors: bool
    settings: dict[str, Any] = field(default_factory=dict)
    schema: tuple[str, ...] = ()
    purge_key: str = ""
    files: dict[str, FileTold] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """Records by the name of their file, without its ending; those that are empty are left out."""
        told = {name.removesuffix(".jsonl"): one.records for name, one in self.files.items()}
        return {name: count for name, count in told.items() if count}


def serialize_manifest(manifest: Manifest) -> bytes:
    """The manifest as indented JSON, in UTF-8."""
    told = {_MARK: FORMAT, **asdict(manifest)}
    told["counts"] = manifest.counts
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def is_manifest(data: bytes) -> bool:
    """Whether these bytes say that they are the manifest of an export, of whatever version."""
    return len(data) <= _MOST_BYTES and _MARK in _object(data)


def read(data: bytes, *, called: str) -> Manifest:
    """Raises BadInput where it is none, or was written by a newer version of this program."""
    told = _object(data) if len(data) <= _MOST_BYTES else {}
    version = told.get(_MARK)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadInput(f"{called} is no export: its {NAME} does not say so.", field="/upload")
    if version > FORMAT:
        raise BadInput(
            f"{called} was made by a newer version of Palimpsest (its format is {version}, this one reads {FORMAT}). "
            "Update this installation first.",
            field="/upload",
        )
    try:
        files = {str(name): _file(one) for name, one in told["files"].items()}
        if not isinstance(told["settings"], dict):
            raise TypeError("settings")
        return Manifest(
            space=str(told["space"]),
            made_at=str(told["made_at"]),
            model=str(told["model"]),
            vectors=bool(told["vectors"]),
            settings=told["settings"],
            schema=tuple(str(name) for name in told["schema"]),
            purge_key=str(told["purge_key"]),
            files=files,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadInput(f"{called} has a {NAME} that is damaged ({error}).", field="/upload") from error


def _file(told: dict[str, Any]) -> FileTold:
    return FileTold(str(told["sha256"]), int(told["bytes"]), None if told["records"] is None else int(told["records"]))


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
