"""The Context Tree as files: `tree-index.json` and `bank/**/*.md` in, and out again byte for byte."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from pydantic import ConfigDict, Field, JsonValue, ValidationError

from memoryapp import tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.parser import read_json
from memoryapp.interfaces.api.problems import invalid
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Id, Response
from memoryapp.interfaces.ingest.api import upload_of
from memoryapp.tree.bank_import import Brought

AN_INDEX = '{"nodes": {"identity/values": {"title": "Values", "keywords": ["values", "가치관"]}}}'
SOME_FILES: dict[str, JsonValue] = {
    "tree-index.json": AN_INDEX,
    "bank/identity/values.md": "# Values\n\n- Plain words.\n",
}
A_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
HASHES: dict[str, JsonValue] = {"bank/identity/values.md": A_HASH}

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


class HandedOutOut(Response):
    """`run` is null where that was known already."""

    run: Id | None = Field(examples=["5a5a0f0f12345678"])


class ProblemOut(Response):
    where: str = Field(description="A path of a node, or a file.", examples=["infra/gpu"])
    what: str = Field(examples=["names the file bank/gpu.md, which is not there."])


class RaisedOut(Response):
    path: str = Field(examples=["identity/values"])
    conflict: Id = Field(examples=["7c1d2e3f4a5b6c70"])


class BroughtOut(Response):
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


router = Routes("Context Tree")
JSON, ZIP = "application/json", "application/zip"
AS_JSON_OR_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {"schema": {"$ref": "#/components/schemas/TreeImportIn"}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["upload"],
                    "properties": {
                        "upload": {
                            "type": "string",
                            "contentMediaType": ZIP,
                            "description": "A .zip of a tree, or one .md file.",
                        },
                        "dry_run": {"type": "string", "enum": ["true", "false"], "default": "false"},
                        "prune": {"type": "string", "enum": ["true", "false"], "default": "false"},
                    },
                },
                "example": {"upload": "tree.zip", "dry_run": "true"},
            },
        },
    }
}
AS_ZIP_OR_JSON: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The tree: an archive, or its files by their paths.",
            "content": {
                ZIP: {"schema": {"type": "string", "contentMediaType": ZIP}, "example": "…"},
                JSON: {"schema": FILES_SCHEMA, "example": {"files": SOME_FILES, "last": HASHES}},
            },
        }
    }
}


@router.post(
    "/tree/import",
    needs=Role.CURATOR,
    response=BroughtOut,
    errors=(412, 413, 415),
    summary="Bring a tree in",
    openapi_extra=AS_JSON_OR_UPLOAD,
)
def import_tree(request: ApiRequest) -> BroughtOut:
    """Takes over `tree-index.json` and the markdown below `bank/`, as files by their paths or as a zip. Brought again,
    it changes nothing. What was edited here survives: where its file changed too, a conflict waits for a decision. A
    dry run tells the same and writes nothing."""
    if request.content_type == "multipart/form-data":
        files, dry_run, prune = _read_upload(request)
    else:
        try:
            body = TreeImportIn.model_validate(read_json(request.body or b"{}"))
        except ValidationError as error:
            raise invalid(error) from None
        files = {name: text.encode("utf-8") for name, text in body.files.items()}
        dry_run, prune = body.dry_run, body.prune
    brought = tree.bring(the_space(request), files, actor=request.auth.actor, dry_run=dry_run, prune=prune)
    return show_brought(brought)


@router.post(
    "/tree/export",
    needs=Role.READER,
    reads=True,
    response={200: None},
    summary="Take a tree out",
    openapi_extra=AS_ZIP_OR_JSON,
)
def export_tree(request: ApiRequest, body: TreeExportIn = TreeExportIn()) -> HttpResponse:
    """The whole tree, byte for byte as it was brought where nothing changed. Nothing is written: say which files you
    keep with `POST /tree/export/kept`, so that a change of theirs is known as one when they are brought again."""
    space = the_space(request)
    files = tree.take(space)
    if body.format == "json" or (body.format is None and JSON in request.headers.get("Accept", "")):
        told = {name: data.decode("utf-8") for name, data in files.items()}
        text = json.dumps({"files": told, "last": tree.last_handed_out(space)}, ensure_ascii=False)
        return HttpResponse(text.encode("utf-8"), content_type=JSON)
    name = f"{space.name}-tree-{space.clock():%Y%m%d-%H%M%S}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(tree.zip_files(files), content_type=ZIP, headers=headers)


@router.post("/tree/export/kept", needs=Role.CURATOR, response=HandedOutOut, errors=(412,), summary="Say what you keep")
def keep_export(request: ApiRequest, body: HandedOutIn) -> HandedOutOut:
    """Remembers that these files stand outside as they were taken. One that comes back changed is then taken over,
    unless its node was changed here too. Files that the tree says otherwise by now are passed over."""
    run = tree.handed_out(the_space(request), body.files, actor=request.auth.actor)
    return HandedOutOut(run=run.id if run else None)


def show_brought(brought: Brought) -> BroughtOut:
    """What bringing a bank did, as the API tells it."""
    return BroughtOut.of(
        brought,
        run=brought.run.id if brought.run else None,
        conflicts=[RaisedOut(path=path, conflict=key) for path, key in brought.conflicts],
        problems=[ProblemOut(where=one.where, what=one.what) for one in brought.problems],
    )


def _read_upload(request: ApiRequest) -> tuple[dict[str, bytes], bool, bool]:
    """(files, dry_run, prune)."""
    upload, dry_run = upload_of(request)
    prune = request.POST.get("prune", "false").lower()
    if prune not in ("true", "false", "1", "0", "on", ""):
        raise BadInput("“prune” is true or false.", field="/prune")
    if (upload.size or 0) > LIMITS.upload_bytes:
        raise TooLarge(f"An upload may have {LIMITS.upload_bytes >> 20} MiB.", field="/upload")
    name, data = upload.name or "", upload.read()
    files = {name: data} if name.lower().endswith((".md", ".markdown")) else tree.unzip_files(data)
    return files, dry_run, prune in ("true", "1", "on")
