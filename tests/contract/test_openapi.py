"""The OpenAPI document: valid, whole, true to what is answered, and no request of any shape that breaks the server."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import hypothesis
import jsonschema_rs
import pytest
import requests
import schemathesis
from django.conf import settings
from django.test import Client
from pydantic import BaseModel
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.definitions import OPENAPI_31

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.identity import new_id
from memoryapp.domain.remembering import NewMemory
from memoryapp.interfaces.api.assembly import api, document
from memoryapp.interfaces.api.throttle import buckets
from memoryapp.interfaces.ingest.api import IngestIn
from memoryapp.interfaces.tree.bank_api import TreeImportIn
from memoryapp.remember import remember
from memoryapp.spaces import close_space
from tests.sampling import every

SPEC_43 = """
POST /memories; POST /memories/batch; GET /memories; GET /memories/{id}; PATCH /memories/{id}; DELETE /memories/{id};
GET /memories/{id}/history; POST /memories/{id}/restore; POST /memories/{id}/archive; POST /memories/{id}/confirm;
POST /memories/{id}/feedback; GET /memories/{id}/neighbours; POST /sessions; POST /sessions/{id}/end; POST /search;
POST /search/compare; POST /search/explain; GET /entities; GET /entities/{id}; GET /conflicts; POST /ingest; GET /jobs;
GET /jobs/{id}; POST /jobs/{id}/cancel; POST /jobs/{id}/retry; GET /jobs/{id}/events; GET /runs/{id};
POST /runs/{id}/undo; GET /audit; GET /stats; GET /health/live; GET /health/ready; GET /metrics; GET /version;
POST /facts/preview; GET /sessions; GET /sessions/{id}; POST /sessions/{id}/turns;
GET /sessions/{id}/turns; POST /sessions/{id}/read; POST /sessions/{id}/episode; GET /episodes; GET /episodes/{id};
GET /summaries; POST /summaries/refresh; GET /conflicts/{id}; POST /conflicts/{id}/resolve; POST /conflicts/{id}/undo;
POST /conflicts/{id}/snooze; POST /conflicts/resolve; POST /context; GET /runs; GET /spaces; POST /spaces;
POST /embeddings; GET /models; POST /atoms/preview; PATCH /entities/{id}; POST /entities/merge; POST /entities/unmerge;
POST /entities/alike; GET /entities/alike; GET /relations; POST /relations; PATCH /relations/{id};
DELETE /relations/{id}; PUT /entities/{id}/parents/{parent}; DELETE /entities/{id}/parents/{parent}; GET /graph;
GET /graph/path; GET /graph/export.graphml; POST /heartbeat/{act}/run;
GET /strategies; GET /profiles; PUT /profiles/{name}; DELETE /profiles/{name}; GET /golden; POST /golden;
PATCH /golden/{id}; DELETE /golden/{id}; POST /golden/import; GET /golden/export; POST /golden/runs; GET /golden/runs;
GET /golden/runs/{id}
"""


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path.removeprefix("/api/v1"), operation


def resolved(found: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in found:
        return found
    _, section, name = found["$ref"].removeprefix("#").strip("/").split("/")
    return document()["components"][section][name]  # type: ignore[no-any-return]


@pytest.mark.django_db
def test_the_document_is_what_the_address_serves_and_is_openapi_3_1() -> None:
    served = Client().get("/api/v1/openapi.json").json()
    assert served["openapi"].startswith("3.1")
    assert set(served["paths"]) == set(document()["paths"])
    jsonschema_rs.validator_for(OPENAPI_31).validate(served)


@pytest.mark.django_db
def test_the_document_for_agents_is_a_small_part_that_stands_by_itself() -> None:
    served = Client().get("/api/v1/openapi-agent.json").json()
    jsonschema_rs.validator_for(OPENAPI_31).validate(served)
    for path, operations_there in served["paths"].items():
        assert operations_there.items() <= document()["paths"][path].items()
    references = set(re.findall(r"#/components/(\w+)/([\w-]+)", json.dumps(served)))
    kept = {(kind, name) for kind, parts in served["components"].items() for name in parts}
    assert references <= kept
    assert {(kind, name) for kind, name in kept if kind != "securitySchemes"} <= references, (
        "nothing that is not needed"
    )
    assert len(json.dumps(served)) < len(json.dumps(document())) / 4


def test_every_schema_is_a_json_schema_and_every_reference_leads_somewhere() -> None:
    for name, schema in document()["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert schema, name
    for ref in re.findall(r"'\$ref': '([^']+)'", str(document())):
        assert resolved({"$ref": ref})


def test_what_the_interface_promises_is_there() -> None:
    there = {f"{method} {path}" for method, path, _ in operations()}
    promised = {one.strip() for one in SPEC_43.replace("\n", " ").split(";") if one.strip()}
    assert promised <= there, promised - there


def test_every_operation_is_described_once_and_has_a_role() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    for method, path, operation in operations():
        assert operation["summary"] and operation["description"] and operation["tags"], path
        assert operation["x-role"] in (*Role, "none"), f"{method} {path}"
        assert (operation["x-role"] == "none") == path.startswith("/health/")


REFERENCE = re.compile(r'"\$ref": "#/components/schemas/([^"]+)"')


def validated(schema: dict[str, Any], value: Any) -> None:
    """Against the schema and what it refers to: a validator takes in all it is given, and most need little of it."""
    there, needed = document()["components"]["schemas"], dict[str, Any]()
    left = [schema]
    while left:
        for name in REFERENCE.findall(json.dumps(left.pop())):
            if name not in needed:
                needed[name] = there[name]
                left.append(there[name])
    jsonschema_rs.validator_for({**schema, "components": {"schemas": needed}}).validate(value)


def test_whatever_begins_a_job_says_where_it_can_be_followed() -> None:
    begun = [(path, one["responses"].get("202", {})) for _, path, one in operations()]
    begun = [(path, answer) for path, answer in begun if "Started" in str(answer.get("content"))]
    assert len(begun) > 10 and all("Location" in answer["headers"] for _, answer in begun)


def test_every_body_and_answer_has_an_example_that_fits_its_schema() -> None:
    for method, path, operation in operations():
        contents = list(operation.get("requestBody", {}).get("content", {}).items())
        for status, answer in operation["responses"].items():
            answer = resolved(answer)
            assert answer["description"], path
            contents += answer.get("content", {}).items()
            assert "content" in answer or status == "304", f"{method} {path} {status}"
        for media, content in contents:
            assert "example" in content, f"{method} {path} {media}"
            if "json" in media:
                validated(content["schema"], content["example"])


def test_every_parameter_has_an_example_that_fits() -> None:
    for method, path, operation in operations():
        for parameter in operation["parameters"]:
            assert "example" in parameter, f"{method} {path} {parameter['name']}"
            assert parameter.get("description") or parameter["in"] in ("path", "query")
            validated(parameter["schema"], parameter["example"])


def test_every_example_of_a_body_is_accepted_by_what_reads_it() -> None:
    """The schema and the code could differ: the code is asked as well."""
    seen = 0
    shapes: dict[str, type[BaseModel]] = {"ingest_notes": IngestIn, "import_tree": TreeImportIn}
    for router in api._get_bound_routers():
        for view in router.path_operations.values():
            for operation in view.operations:
                for model in operation.models:
                    if model.__ninja_param_source__ == "body":
                        (field,) = model.model_fields.values()
                        shapes[operation.view_func.__name__] = field.annotation  # type: ignore[assignment]
    for _, _, operation in operations():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            shapes[operation["operationId"]].model_validate(content["example"])
            seen += 1
    assert seen >= 20


def test_every_write_takes_an_idempotency_key_and_everything_that_destroys_a_dry_run() -> None:
    asks = {
        "/search", "/search/compare", "/search/explain", "/context",
        "/facts/preview", "/embeddings", "/backups/export", "/export",
        "/keys", "/keys/{id}/rotate", "/people/{name}/login-link",
        "/atoms/preview", "/tree/export", "/tree/reach", "/tree/route",
    }  # fmt: skip
    destroys = {
        ("DELETE", "/memories/{id}"), ("POST", "/memories/{id}/archive"), ("POST", "/memories/{id}/purge"),
        ("POST", "/memories/bulk"), ("POST", "/runs/{id}/undo"), ("DELETE", "/sources/{id}"), ("DELETE", "/keys/{id}"),
        ("POST", "/ingest"), ("POST", "/backups/restore"), ("POST", "/import"),
        ("POST", "/conflicts/resolve"), ("POST", "/entities/merge"),
        ("DELETE", "/relations/{id}"), ("DELETE", "/entities/{id}/parents/{parent}"), ("POST", "/tree/import"),
        ("DELETE", "/profiles/{name}"), ("DELETE", "/golden/{id}"), ("POST", "/golden/import"),
        ("DELETE", "/backups/{name}"), ("POST", "/backups/remove-purged"),
    }  # fmt: skip
    for method, path, operation in operations():
        headers = {one["name"] for one in operation["parameters"] if one["in"] == "header"}
        assert ("Idempotency-Key" in headers) == (method != "GET" and not (method == "POST" and path in asks)), path
        if (method, path) in destroys:
            destroys.discard((method, path))
            assert "dry_run" in str(operation["parameters"]) + str(_bodies(operation)), path
    assert not destroys


def _bodies(operation: dict[str, Any]) -> list[dict[str, Any]]:
    contents = operation.get("requestBody", {}).get("content", {}).values()
    schemas = [resolved(one) for c in contents for one in (c["schema"], *c["schema"].get("allOf", []))]
    return schemas


# --- Every operation, with whatever fits its schema and whatever does not -------------------------------------------

SHARED = ("X-Agent-ID", "Idempotency-Key")  # read by one piece of code, before any operation begins
METHODS = {"PUT", "DELETE", "TRACE"}  # of those that an address does not have: one function refuses them all


def asked() -> dict[str, Any]:
    """The document as the requests are drawn from it. Left out is what `sent` says anyway, the key and the space; and
    what every operation shares is asked of the first of each method, not of all."""
    drawn = copy.deepcopy(document())
    del drawn["security"]
    met = set[tuple[str, str]]()
    for methods in drawn["paths"].values():
        for method, operation in methods.items():
            named = {one["name"] for one in operation["parameters"] if one["in"] == "header"}
            again = {name for name in SHARED if (method, name) in met}
            operation["parameters"] = [
                one
                for one in operation["parameters"]
                if one["in"] != "header" or one["name"] not in {"X-Space", *again}
            ]
            met |= {(method, name) for name in named}
    return drawn


fuzzed = schemathesis.openapi.from_dict(asked())
fuzzed.config.phases.coverage.unexpected_methods = METHODS
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


EXAMPLE_ID = "9f2c1b7a40d3e685"  # the document's own; requests that carry it get that of a memory that is there


@dataclass(frozen=True)
class Ground:
    """Where the requests go: an administrator's key for everything, and a space of its own."""

    key: str
    space: Space
    client: Client  # one for all requests: each new one would load the middleware anew

    def a_memory(self) -> str:
        item = NewMemory("The queue moved to Redis.", ref="there")
        (done,) = remember(open_row(self.space), [item], actor=Actor(ActorKind.PERSON, "tester"))
        return done.id


@pytest.fixture(scope="module")
def ground(django_db_setup: None, django_db_blocker: Any) -> Iterator[Ground]:
    with django_db_blocker.unblock():
        space = create_space(f"fuzz-{new_id()}")
        key, text = create_key("fuzz", role=Role.ADMIN)
        yield Ground(text, space, Client(raise_request_exception=False))
        close_space(space.name)
        key.delete()
        space.delete()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
@pytest.mark.parametrize("label", every(8, [f"{method} /api/v1{path}" for method, path, _ in operations()]))
def test_no_request_breaks_the_server(label: str, ground: Ground) -> None:
    @hypothesis.settings(max_examples=8, database=None, suppress_health_check=list(hypothesis.HealthCheck))
    def answered(case: Any) -> None:
        if refused_elsewhere(case):
            return
        buckets.clear()
        answer = sent(case.as_transport_kwargs(base_url="http://localhost"), ground)
        case.validate_response(answer, checks=CHECKS)
        answers.append(answer.status_code)

    # Not by `fuzzed.parametrize()`: it draws its requests while tests are collected, in every process that collects.
    operation = fuzzed.find_operation_by_label(label)
    ways = HypothesisTestConfig(project=fuzzed.config, modes=list(HypothesisTestMode))
    answers: list[int] = []
    create_test(operation=operation, test_func=answered, config=ways)()
    assert len(answers) > 2


def refused_elsewhere(case: Any) -> bool:
    """Whether the mistake of a request lies within the filters: they are one shape, whose mistakes POST /search is told
    of; what fits them is asked everywhere."""
    place = getattr(case.meta.phase.data, "location", None) if case.meta else None
    return "/properties/filters/" in (place or "") and case.operation.label != "POST /api/v1/search"


def sent(said: dict[str, Any], ground: Ground) -> Response:
    """The request as it would go over the wire, through Django's client: no socket, but every byte of it."""
    said.pop("cookies", None)
    wire = requests.Request(**said).prepare()
    assert wire.url and wire.method
    body = wire.body.encode() if isinstance(wire.body, str) else wire.body or b""
    if EXAMPLE_ID in wire.url or EXAMPLE_ID.encode() in body:
        there = ground.a_memory()
        wire.url, body = wire.url.replace(EXAMPLE_ID, there), body.replace(EXAMPLE_ID.encode(), there.encode())
    headers = {k: v for k, v in wire.headers.items() if k not in ("Content-Length", "X-API-Key", "Accept-Encoding")}
    ground.client.cookies.clear()
    found = ground.client.generic(
        wire.method,
        wire.url.removeprefix("http://localhost"),
        body,
        content_type=headers.pop("Content-Type", ""),
        headers={**headers, "Authorization": f"Bearer {ground.key}", "X-Space": ground.space.name},
    )
    return Response(
        status_code=found.status_code,
        headers={name.lower(): [value] for name, value in found.items()},
        content=b"".join(found) if found.streaming else found.content,
        request=wire,
        elapsed=0.0,
        verify=False,
    )


def test_the_limits_of_a_body_are_wider_than_a_full_batch() -> None:
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE >= 16 * 1024 * 1024


def test_no_two_shapes_share_a_name() -> None:
    """The document keeps one shape a name: of two, one would stand where the other is meant."""

    def below(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    tools = ("memoryapp.interfaces.mcp.", "tools")
    doors = {one for one in below(BaseModel) if one.__module__.startswith("memoryapp.interfaces.")}
    ours = {one for one in doors if not (one.__module__.startswith(tools[0]) or one.__module__.endswith(tools[1]))}
    named = [one.__name__ for one in ours if "[" not in one.__name__]
    assert len(named) > 50
    assert sorted({name for name in named if named.count(name) > 1}) == []
