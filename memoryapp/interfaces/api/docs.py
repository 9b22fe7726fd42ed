"""The API's own pages, made of the OpenAPI document: nothing from elsewhere, readable with the net unplugged."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from ninja.responses import NinjaJSONEncoder

from memoryapp.domain.errors import PalimpsestError
from memoryapp.interfaces.api import openapi, problems
from memoryapp.interfaces.api.agent_calls import agent_document
from memoryapp.interfaces.api.assembly import document
from memoryapp.interfaces.api.caller import count_visitor
from memoryapp.interfaces.api.reply import not_modified

Doc = dict[str, Any]
_making = threading.Lock()


@require_safe
def openapi_json(request: HttpRequest, *, for_agents: bool = False) -> HttpResponseBase:
    """The OpenAPI document, or the part for agents: the same bytes for everybody, made once a process, compressed where
    the caller takes it. Who comes without a key is let in a few times a second. Raises NotKnown and TooOften, told as
    problems."""
    try:
        count_visitor(request)
    except PalimpsestError as error:
        return problems.problem(error)
    with _making:  # of many who come first, one makes it
        plain, packed, etag = _document_bytes(for_agents)
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(packed if zipped else plain, content_type="application/json")
    if zipped:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"  # kept, and asked for again: an update changes it
    patch_vary_headers(response, ("Accept-Encoding",))
    return not_modified(request, response)


@lru_cache(maxsize=2)
def _document_bytes(for_agents: bool) -> tuple[bytes, bytes, str]:
    """As it is, with gzip, and the ETag of both: weak, since they are one document in two forms."""
    doc = agent_document() if for_agents else document()
    plain = json.dumps(doc, ensure_ascii=False, separators=(",", ":"), cls=NinjaJSONEncoder).encode()
    return plain, gzip.compress(plain, mtime=0), f'W/"{hashlib.sha256(plain).hexdigest()[:32]}"'


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """How to come in, every operation in a line, every kind of problem."""
    about = _paragraphs(document()["info"]["description"])
    context = {"subjects": _subjects(), "about": about, "problems": _problems()}
    return render(request, "api/docs.html", context)


@require_safe
def subject(request: HttpRequest, name: str) -> HttpResponse:
    """The operations of one subject, with their parameters, an example to copy, and what comes back."""
    for one in _subjects():
        if one["slug"] == name:
            return render(request, "api/subject.html", {"subjects": _subjects(), "subject": one})
    raise Http404(f"The API has no subject called {name}.")


@lru_cache(maxsize=1)
def _subjects() -> list[Doc]:
    doc = document()
    found = {tag["name"]: {**tag, "slug": slugify(tag["name"]), "operations": []} for tag in doc["tags"]}
    for path, methods in doc["paths"].items():
        for method, operation in methods.items():
            found[operation["tags"][0]]["operations"].append(_operation(path, method, operation, doc))
    return list(found.values())


def _operation(path: str, method: str, operation: Doc, doc: Doc) -> Doc:
    said = operation.get("description", "").split("\n\nRole: ")[0]
    body = operation.get("requestBody", {}).get("content", {})
    answers = [(status, answer) for status, answer in operation["responses"].items() if status < "300"]
    return {
        "anchor": openapi.anchor(method, path),
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "said": _paragraphs(said),
        "role": operation["x-role"],
        "parameters": [_parameter(one, doc) for one in operation["parameters"] if one["in"] in ("path", "query")],
        "headers": [one["name"] for one in operation["parameters"] if one["in"] == "header"],
        "curl": _curl(path, method, body, operation["x-role"]),
        "body": _fields(body.get("application/json", {}).get("schema", {}), doc),
        "answers": [_answer(status, answer) for status, answer in answers],
        "errors": [(status, openapi.SAID_OF[int(status)]) for status in operation["responses"] if status >= "400"],
    }


Pieces = list[tuple[bool, str]]


def _pieces(text: str) -> Pieces:
    """Words and what stands in backticks, in turn: (is it code, the text)."""
    return [(n % 2 == 1, piece) for n, piece in enumerate(" ".join(text.split()).split("`")) if piece]


def _paragraphs(text: str) -> list[Pieces]:
    return [_pieces(part) for part in text.split("\n\n") if part.strip()]


def _parameter(one: Doc, doc: Doc) -> Doc:
    return {
        "name": one["name"],
        "place": one["in"],
        "type": _type(one["schema"], doc),
        "required": one.get("required", False),
        "said": one.get("description") or one["schema"].get("description", ""),
    }


def _fields(schema: Doc, doc: Doc, *, above: str = "") -> list[Doc]:
    """The fields of a body and of the objects in it: name, type, whether it must be there."""
    shape, found = _resolve_schema(schema, doc), []
    for name, part in shape.get("properties", {}).items():
        required = name in shape.get("required", [])
        said = part.get("description", "")
        found.append({"name": above + name, "type": _type(part, doc), "required": required, "said": said})
        inner = part.get("items", part)
        if "properties" in _resolve_schema(inner, doc):
            found += _fields(inner, doc, above=f"{above}{name}{'[].' if inner is not part else '.'}")
    return found


def _resolve_schema(schema: Doc, doc: Doc) -> Doc:
    for one in (schema, *schema.get("allOf", [])):
        if "$ref" in one:
            return doc["components"]["schemas"][one["$ref"].rsplit("/", 1)[-1]]  # type: ignore[no-any-return]
    return schema


def _type(schema: Doc, doc: Doc) -> str:
    """A schema in a few words: "text", "number ≥ 0", "list of text", "one of held, archived"."""
    schema = _resolve_schema(schema, doc)
    for choice in ("anyOf", "allOf", "oneOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(_type(one, doc) for one in schema[choice]))
    if "enum" in schema:
        return "one of " + ", ".join(str(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), doc)}"
    names = {"string": "text", "boolean": "true or false", "integer": "whole number"}
    kind = str(schema.get("type", "anything"))
    word = "time" if schema.get("format") == "date-time" else names.get(kind, kind)
    bounds = [f"{sign} {schema[key]:,}" for sign, key in (("≥", "minimum"), ("≤", "maximum")) if key in schema]
    if "maxLength" in schema:
        bounds.append(f"≤ {schema['maxLength']:,} characters")
    return " ".join([word, *bounds])


def _answer(status: str, answer: Doc) -> Doc:
    content = answer.get("content", {})
    media, shown = next(iter(content.items()), ("", dict[str, Any]()))
    example = shown.get("example")
    text = example if isinstance(example, str) else json.dumps(example, indent=1, ensure_ascii=False)
    return {"status": status, "media": media, "example": text if content else ""}


def _curl(path: str, method: str, body: Doc, role: str) -> str:
    lines = ["curl"]
    if method != "get":
        lines.append(f"-X {method.upper()}")
    lines.append(f"$PALIMPSEST{path}")
    parts = [" ".join(lines)]
    if role != "none":
        parts.append('-H "Authorization: Bearer $KEY"')
    if "application/json" in body:
        parts.append("-H 'Content-Type: application/json'")
        text = json.dumps(body["application/json"]["example"], ensure_ascii=False).replace("'", "’")
        parts.append(f"-d '{text}'")
    elif "multipart/form-data" in body:
        parts += [
            f"-F {name}={'@' if name == 'upload' else ''}{value}"
            for name, value in body["multipart/form-data"]["example"].items()
        ]
    return " \\\n  ".join(parts)


@lru_cache(maxsize=1)
def _problems() -> list[Doc]:
    """Every kind of problem: the anchors that `type` points at."""
    waiting, found = [PalimpsestError], []
    while waiting:
        kind = waiting.pop(0)
        waiting.extend(kind.__subclasses__())
        said = " ".join((kind.__doc__ or "").split())
        if (not kind.__name__.startswith("_") and kind.status < 500) or kind.status == 503:
            found.append({"slug": problems.slug(kind), "status": kind.status, "title": kind.title, "said": said})
    return sorted({one["slug"]: one for one in found}.values(), key=lambda one: (one["status"], one["slug"]))
