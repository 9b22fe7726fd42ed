"""The calls that a working agent makes, and the part of the OpenAPI document that tells of them.

The whole document has some two hundred operations; a client made of it, or a model that reads it, needs a dozen.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from memoryapp.interfaces.api.assembly import document

Doc = dict[str, Any]

# In the order in which an agent comes to need them.
CALLS = (
    ("post", "/context"),
    ("post", "/search"),
    ("post", "/memories"),
    ("post", "/memories/batch"),
    ("post", "/sessions"),
    ("post", "/sessions/{id}/turns"),
    ("post", "/sessions/{id}/end"),
    ("get", "/conflicts"),
    ("post", "/conflicts/{id}/resolve"),
    ("post", "/memories/{id}/feedback"),
)
# What the MCP tools do besides: read, correct and forget one memory.
ONE_MEMORY = (("get", "/memories/{id}"), ("patch", "/memories/{id}"), ("delete", "/memories/{id}"))
_REFERENCE = re.compile(r'"#/components/(\w+)/([^"/]+)"')


@lru_cache(maxsize=1)
def agent_document() -> Doc:
    """Return the OpenAPI document of these calls alone, with the components that they refer to."""
    doc = document()
    paths: dict[str, Doc] = {}
    for method, path in (*CALLS, *ONE_MEMORY):
        whole = doc["paths"][f"/api/v1{path}"]
        shared = {key: value for key, value in whole.items() if key in ("parameters", "summary", "description")}
        paths.setdefault(f"/api/v1{path}", shared)[method] = whole[method]
    used = {tag for operations in paths.values() for one in operations.values() for tag in one.get("tags", ())}
    return {
        **{key: value for key, value in doc.items() if key not in ("paths", "components", "tags", "webhooks")},
        "info": {**doc["info"], "title": f"{doc['info']['title']} for agents"},
        "tags": [tag for tag in doc["tags"] if tag["name"] in used],
        "paths": paths,
        "components": _components(paths, doc["components"]),
    }


def _components(paths: Doc, every: Doc) -> Doc:
    """Those that the paths refer to, directly or by one another, and every way to sign in."""
    found: Doc = {"securitySchemes": every["securitySchemes"]}
    waiting = _REFERENCE.findall(json.dumps(paths, default=str))
    while waiting:
        kind, name = waiting.pop()
        if name not in found.setdefault(kind, {}):
            found[kind][name] = every[kind][name]
            waiting += _REFERENCE.findall(json.dumps(every[kind][name], default=str))
    return {kind: dict(sorted(parts.items())) for kind, parts in found.items()}
