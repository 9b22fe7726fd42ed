"""The Context Tree as files: brought in, taken out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Id, Shown

AN_INDEX = '{"nodes": {"identity/values": {"title": "Values", "keywords": ["values", "가치관"]}}}'
SOME_FILES = {"tree-index.json": AN_INDEX, "bank/identity/values.md": "# Values\n\n- Plain words.\n"}
A_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
HASHES = {"bank/identity/values.md": A_HASH}

Hashes = Annotated[
    dict[str, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]],
    Field(description="sha256 of a file's bytes, by its path.", examples=[HASHES], max_length=20_000),
]


class TreeImportIn(Body):
    """`files`: the text of each by its path. `prune`: nodes that are no longer in the bank are deleted, unless they
    were changed here."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"files": SOME_FILES, "dry_run": True}]})

    files: dict[str, str] = Field(max_length=20_000)
    dry_run: bool = False
    prune: bool = False


class TreeExportIn(Body):
    """Without a format, the Accept header decides between the two, and a zip is the default."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"format": "zip"}]})

    format: Literal["zip", "json"] | None = None


class HandedOutIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"files": HASHES}]})

    files: Hashes


class HandedOutOut(Shown):
    """`run` is null where that was known already."""

    run: Id | None = Field(examples=["5a5a0f0f12345678"])


class ProblemOut(Shown):
    where: str = Field(description="A path of a node, or a file.", examples=["infra/gpu"])
    what: str = Field(examples=["names the file bank/gpu.md, which is not there."])


class RaisedOut(Shown):
    path: str = Field(examples=["identity/values"])
    conflict: Id = Field(examples=["7c1d2e3f4a5b6c70"])


class BroughtOut(Shown):
    """Paths of nodes by what became of them. `kept`: changed here since, and not in the bank. `gone`: no longer in the
    bank; `removed`: those of them that were pruned. `conflicts`: both changed, so the node stays until that is decided.
    `ignored`: files that are no part of the tree. `run` undoes it, and is null where nothing was written."""

    run: Id | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(examples=[False])
    added: list[str] = Field(examples=[["identity", "identity/values"]])
    changed: list[str] = Field(examples=[["infra/gpu"]])
    unchanged: list[str] = Field(examples=[["inbox"]])
    kept: list[str] = Field(examples=[[]])
    gone: list[str] = Field(examples=[[]])
    removed: list[str] = Field(examples=[[]])
    conflicts: list[RaisedOut]
    ignored: list[str] = Field(examples=[["bank/picture.png"]])
    problems: list[ProblemOut]


FILES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["files", "last"],
    "properties": {
        "files": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "The text of each file by its path.",
        },
        "last": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "sha256 of each file as it was last brought or handed out; absent where it never was.",
        },
    },
}
