"""What an export is asked with, and how an import is begun."""

from __future__ import annotations

from typing import Any

from memoryapp.api.schemas.base import Shown
from memoryapp.api.schemas.work import JobOut
from memoryapp.transfer.foreign import FORMS
from memoryapp.transfer.report import PALIMPSEST

ZIP = "application/zip"
AS_ARCHIVE: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The export: a zip of JSON lines, the Context Tree as markdown, the graph as GraphML.",
            "content": {ZIP: {"schema": {"type": "string", "contentMediaType": ZIP}, "example": "…"}},
        }
    }
}
_FORMS = (PALIMPSEST, *FORMS)
_YES_OR_NO = {"type": "string", "enum": ["true", "false"], "default": "false"}
FROM_ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["upload"],
                    "properties": {
                        "upload": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "An export of Palimpsest, or a file of another program.",
                        },
                        "form": {
                            "type": "string",
                            "default": "",
                            "description": f"What it is, where it is not to be recognised: {', '.join(_FORMS)}.",
                        },
                        "merge": _YES_OR_NO,
                        "dry_run": _YES_OR_NO,
                    },
                },
                "example": {"upload": "memories.json", "form": "mem0", "dry_run": "true"},
            }
        },
    }
}


class ImportStarted(Shown):
    """`form` is what the file was recognised as. Follow the job; its report says what became of everything."""

    job: JobOut
    form: str
