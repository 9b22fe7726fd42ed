"""The OpenAPI document, made whole: what every operation shares is added once, here, to what ninja reads off each."""

from __future__ import annotations

import re
from copy import deepcopy
from http import HTTPStatus
from typing import Any

from ninja.schema import NinjaGenerateJsonSchema

from memoryapp.interfaces.api.problems import MEDIA_TYPE
from memoryapp.interfaces.api.schemas import Problem
from memoryapp.interfaces.ingest.api import IngestIn
from memoryapp.interfaces.tree.bank_api import TreeImportIn

Doc = dict[str, Any]

TAGS = {
    "Memories": "Written, read, corrected, put aside, brought back, erased.",
    "Facts": "What would be learned from some words, tried out. Facts are memories: written and listed as these.",
    "Search": "Questions, and the whole reason for every answer.",
    "Search lab": "Plans with names, and questions whose answers are known.",
    "Context": "What an agent is given for a message.",
    "Sessions": "An agent comes, says something, and goes.",
    "Episodes": "What happened in a session, and what is known in a category.",
    "Inbox": "What was learned and waits to be looked at, and what is not learned again.",
    "Conflicts": "Pairs that cannot both hold: proposed, decided, undone.",
    "Entities": "People, tools, places and concepts that memories refer to, and which of them are one.",
    "Graph": "What joins entities: relations, the hierarchy, and the whole of it to look at and to walk along.",
    "Context Tree": "Curated markdown in nodes of a few kilobytes, reached by keywords: arranged, fed, asked.",
    "Past": "Who changed what, when and why; and taking it back.",
    "Ingest": "Folders, files and uploads that are read into the memory.",
    "Consolidation": "Old daily logs folded into digests: shown, written, taken back.",
    "Jobs": "Long work: how far it is, what it reported.",
    "Spaces": "One space is one memory, apart from all others.",
    "People": "Who may enter a space, and what they may do there.",
    "Keys": "What agents come in with.",
    "Backup": "A space in one file, and back.",
    "Moving": "Everything out, for any program to read; exports and other programs' files in.",
    "Embeddings": "The space's model for other local tools, in OpenAI's shape.",
    "Health": "Is it alive, is it ready, what does it count?",
}
SECURITY_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key: `Authorization: Bearer pal_…`."},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key in its own header."},
    "browser": {
        "type": "apiKey",
        "in": "cookie",
        "name": "session",
        "description": "A browser that is logged in. What changes something also takes the header X-CSRFToken.",
    },
}
HEADERS = {
    "X-Space": {
        "name": "X-Space",
        "in": "header",
        "description": "Which space is meant, where the key may use several.",
        "schema": {"type": "string", "pattern": "^[a-z0-9-]{1,40}$"},
        "example": "default",
    },
    "X-Agent-ID": {
        "name": "X-Agent-ID",
        "in": "header",
        "description": "Tells the agents of one key apart in the history.",
        "schema": {"type": "string", "maxLength": 80},
        "example": "planner-2",
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "The same write sent again within a day is not done twice: its answer is given again.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        "example": "8f14e45f-ceea-467f-a0e6-1d2c3b4a5968",
    },
    "If-Match": {
        "name": "If-Match",
        "in": "header",
        "description": "The version that you read (its ETag). If it was changed since: 412, with the present one.",
        "schema": {"type": "string"},
        "example": '"3"',
    },
    "If-None-Match": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag of the answer that you have. If it still stands: 304, without a body.",
        "schema": {"type": "string"},
        "example": '"3"',
    },
}
RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer"}, "example": 2}
# In every answer to a caller who is known; written out where they matter.
RATE_LIMITS = {
    "RateLimit-Limit": {
        "description": "How many requests this caller may send at once.",
        "schema": {"type": "integer"},
        "example": 1200,
    },
    "RateLimit-Remaining": {"description": "How many are left.", "schema": {"type": "integer"}, "example": 0},
    "RateLimit-Reset": {
        "description": "Seconds until all are there again, if none is sent.",
        "schema": {"type": "integer"},
        "example": 4,
    },
}
ETAG = {"schema": {"type": "string"}, "example": '"1"'}
LOCATION = {
    "description": "Where the job can be followed.",
    "schema": {"type": "string"},
    "example": "/api/v1/jobs/8c7b6a5948372615",
}
SAID_OF = {
    400: "The body cannot be read as JSON.",
    401: "No key, or one that is not valid.",
    403: "The role is not enough, or the path is outside the folders that may be read.",
    404: "It is not there, or not yours to see.",
    409: "Not possible in the current state.",
    412: "It was changed since you read it.",
    413: "Over a stated limit.",
    415: "Not a kind of body that this takes.",
    422: "A field is missing, of the wrong type, or out of range.",
    429: "Too many requests. Retry-After says when to come back.",
    500: "An error that was not expected. The log has it under the number that is told.",
    503: "The store or the model does not answer now. Try again.",
}
WITH_ETAG = frozenset({"get_memory", "get_entity", "get_relation", "get_node", "get_profile", "get_golden"})
ALWAYS = (401, 403, 404, 422, 429, 500, 503)


def complete(found: Doc) -> Doc:
    """ninja's document with problems, headers, security, tags and an example of everything."""
    doc = deepcopy(dict(found))
    schemas = doc["components"]["schemas"]
    for shape in (Problem, IngestIn, TreeImportIn):  # named by hand in operations, so that ninja does not meet them
        schemas[shape.__name__] = shape.model_json_schema(by_alias=True, schema_generator=NinjaGenerateJsonSchema)
    for path in doc["paths"].values():
        for method, operation in path.items():
            _complete_operation(operation, method, schemas)
    doc["components"]["responses"] = {str(status): _problem(status) for status in SAID_OF}
    doc["components"]["securitySchemes"] = SECURITY_SCHEMES
    doc["security"] = [{name: []} for name in SECURITY_SCHEMES]
    doc["tags"] = [{"name": name, "description": said} for name, said in TAGS.items()]
    return doc


def _complete_operation(operation: Doc, method: str, schemas: Doc) -> None:
    role, scope = operation.pop("x-role"), operation.pop("x-scope")
    idempotent, if_match = operation.pop("x-idempotent"), operation.pop("x-if-match")
    errors = {*(ALWAYS if role != "none" else (404, 422, 500)), *operation.pop("x-errors")}
    if "requestBody" in operation:
        errors |= {400, 413, 415}
    if idempotent:
        errors |= {409, 422}
    revalidated = method == "get" and operation.get("operationId", "") in WITH_ETAG
    operation["x-role"], operation["x-scope"] = role, scope
    if role == "none":
        operation["security"] = []
    else:
        where = " in every space" if scope == "app" else ""
        operation["description"] = f"{operation.get('description', '')}\n\nRole: {role}{where}.".strip()
    headers = {
        "X-Space": role != "none",
        "X-Agent-ID": role != "none",
        "Idempotency-Key": idempotent,
        "If-Match": if_match,
        "If-None-Match": revalidated,
    }
    parameters = [*operation["parameters"], *(HEADERS[name] for name, taken in headers.items() if taken)]
    operation["parameters"] = [_parameter_with_example(parameter, schemas) for parameter in parameters]
    _add_examples(operation.get("requestBody", {}), schemas)
    operation["responses"] = _responses(
        operation["responses"], schemas, errors=errors, tagged=if_match or revalidated, revalidated=revalidated
    )


def _responses(responses: Doc, schemas: Doc, *, errors: set[int], tagged: bool, revalidated: bool) -> Doc:
    """By status, as text: the operation's own with examples and headers, 304 where it is `revalidated`, and a
    reference for each of the `errors`. `tagged`: they carry an ETag."""
    for status, response in responses.items():
        response["description"] = _response_description(int(status), response["description"])
        _add_examples(response, schemas)
        if tagged:
            response["headers"] = {"ETag": ETAG}
        if _begins_a_job(response):
            response["headers"] = {"Location": LOCATION}
    more: dict[Any, Doc] = {status: {"$ref": f"#/components/responses/{status}"} for status in sorted(errors)}
    if revalidated:
        more = {304: {"description": "It is as you have it.", "headers": {"ETag": ETAG}}} | more
    return {str(status): said for status, said in {**responses, **more, **responses}.items()}


def _add_examples(part: Doc, schemas: Doc) -> None:
    for content in part.get("content", {}).values():
        content.setdefault("example", example_of(content["schema"], schemas))


def _begins_a_job(response: Doc) -> bool:
    shapes = [content["schema"].get("$ref", "") for content in response.get("content", {}).values()]
    return any(shape.endswith(("/JobStarted", "/ImportStarted")) for shape in shapes)


def _response_description(status: int, said: str) -> str:
    return (
        {200: "Done.", 201: "Made.", 202: "Begun: a job."}.get(status, said)
        if said in ("OK", "Created", "Accepted")
        else said
    )


def _problem(status: int) -> Doc:
    example = {
        "type": "/api/docs#problem",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": SAID_OF[status],
    }
    found: Doc = {
        "description": SAID_OF[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}},
    }
    if status in (429, 503):
        found["headers"] = {"Retry-After": RETRY_AFTER}
    if status == 429:
        found["headers"] |= RATE_LIMITS
    return found


def _parameter_with_example(parameter: Doc, schemas: Doc) -> Doc:
    """A parameter with an example of its own: `examples` of a JSON schema is a list, that of a parameter a map."""
    given = dict(parameter)
    listed = given.pop("examples", None)
    if "example" not in given:
        given["example"] = listed[0] if isinstance(listed, list) and listed else example_of(given["schema"], schemas)
    return given


def example_of(schema: Doc, schemas: Doc) -> Any:  # noqa: C901 - a case a kind of schema
    """A value that the schema describes: its own example where it has one, else made of its parts'."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rsplit("/", 1)[-1]], schemas)
    for own in ("examples", "enum"):
        if schema.get(own):
            return _in_order(schema[own][0], schema)
    for own in ("example", "const", "default"):
        if own in schema:
            return schema[own]
    for choice in ("allOf", "anyOf", "oneOf"):
        if choice in schema:
            return example_of(schema[choice][0], schemas)
    match schema.get("type"):
        case "object":
            return {name: example_of(part, schemas) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [example_of(schema["items"], schemas)] if "items" in schema else []
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return "text"


def _in_order(example: Any, schema: Doc) -> Any:
    """An object's fields as the shape declares them: pydantic gives examples sorted by name."""
    if not isinstance(example, dict):
        return example
    return {name: example[name] for name in schema.get("properties", {}) if name in example} | example


def anchor(method: str, path: str) -> str:
    """A name for an operation within the docs' page."""
    return re.sub(r"[^a-z0-9]+", "-", f"{method} {path.removeprefix('/api/v1')}".lower()).strip("-")
