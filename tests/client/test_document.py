"""Every call of the client against the OpenAPI document: its address, what it sends, and what it reads. So neither can
change without the other."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import jsonschema_rs
import pytest
from palimpsest_client import AsyncPalimpsest, Palimpsest, ways
from palimpsest_client.call import Call
from palimpsest_client.calls import judging, keeping, remembering, searching, talking
from palimpsest_client.calls.searching import Filters

from memoryapp.interfaces.api.assembly import document

MODULES: tuple[ModuleType, ...] = (remembering, searching, talking, judging, keeping)
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ID = "9f2c1b7a40d3e685"
NARROWED = {
    "kinds": ["fact"],
    "states": ["held"],
    **{name: ["ops"] for name in ("tags", "sources", "speakers", "entities")},
    **dict.fromkeys(("min_trust", "min_strength"), 0.5),
    **dict.fromkeys(("since", "until"), AT),
    "categories": ["work"],
    "memory_types": ["semantic"],
    "moods": ["actual"],
}
# One value for each parameter's name; a name that means different things is said with its function.
VALUES: dict[str, Any] = {
    **NARROWED,
    **dict.fromkeys(("text", "title", "query", "message", "reason", "contains", "detector", "parent"), "words"),
    "inherited_from": "words",
    **dict.fromkeys(("id", "run", "cursor", "session", "revision"), ID),
    **dict.fromkeys(
        (
            "occurred_at",
            "valid_from",
            "valid_to",
            "expires_at",
            "review_at",
            "review_before",
            "as_of",
            "started_at",
            "ended_at",
            "at",
        ),
        AT,
    ),
    **dict.fromkeys(("limit", "top_k", "version", "budget", "facts", "after"), 3),
    **dict.fromkeys(
        ("dry_run", "merge", "private", "trace", "read", "used", "decision_point", "emotional_signal"), True
    ),
    **dict.fromkeys(("confidence", "weight", "floor"), 0.5),
    **dict.fromkeys(("name", "agent", "speaker", "ref", "path"), "ops"),
    "atoms": "(prefers :subject Alice :object Python)",
    "as_of_by": "valid",
    "kind": "fact",
    "category": "work",
    "memory_type": "semantic",
    "mood": "actual",
    "keywords": ["ops"],
    "filters": NARROWED,
    "strategy": "hybrid",
    "strategies": ["hybrid", "keyword"],
    "layers": ["facts"],
    "metadata": {"room": "4"},
    "role": "user",
    "outcome": "both",
    "scope": {"existing": "at home", "incoming": "at work"},
    "content": b"# Notes",
    "file": Path("all.zip"),
    "vectors": True,
    "act": "consolidate",
    "form": "mem0",
    "turns": [{"text": "words", "speaker": "ops", "role": "user", "at": AT, "ref": "t-1"}],
    "items": [{"text": "words", "kind": "fact", "tags": ["ops"], "occurred_at": AT}],
    "memories.sort": "learned",
    "conflicts.sort": "newest",
    "entities.sort": "name",
    "add_entity.type": "tool",
    "add_entity.aliases": ["zpool"],
    "conflicts.status": "waiting",
    "jobs.status": "done",
    "entities.type": ["person"],
    "entities.state": "known",
}


def builders() -> Iterator[Any]:
    for module in MODULES:
        for name, made in inspect.getmembers(module, inspect.isfunction):
            if made.__module__ == module.__name__ and not name.startswith("_"):
                yield made


def filled(build: Any) -> Call[Any]:
    """The call with every parameter said."""
    names = inspect.signature(build).parameters
    return build(**{name: VALUES.get(f"{build.__name__}.{name}", VALUES.get(name, MISSING)) for name in names})


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


def operation_of(call: Call[Any]) -> dict[str, Any]:
    return document()["paths"][f"/api/v1{call.path}"][call.method.lower()]


@pytest.mark.parametrize("build", list(builders()), ids=lambda build: build.__name__)
class TestEveryCall:
    def test_goes_to_an_address_of_the_document_with_its_names(self, build: Any) -> None:
        call = filled(build)
        placed = {one["name"] for one in operation_of(call)["parameters"] if one["in"] == "path"}
        assert set(call.names) == placed

    def test_asks_only_what_the_operation_takes(self, build: Any) -> None:
        call = filled(build)
        taken = {one["name"]: one["schema"] for one in operation_of(call)["parameters"] if one["in"] == "query"}
        assert set(call.query) <= set(taken)
        for name, value in call.query.items():
            check(taken[name], value)

    def test_sends_a_body_that_the_schema_allows(self, build: Any) -> None:
        call = filled(build)
        content = operation_of(call).get("requestBody", {}).get("content", {})
        if call.upload is not None:
            schema = content["multipart/form-data"]["schema"]
            assert {"upload", *(call.json or {})} <= set(schema["properties"])
        elif call.json is not None:
            check(content["application/json"]["schema"], call.json)
        else:
            assert not content, "the operation wants a body"

    def test_carries_the_headers_that_the_operation_takes(self, build: Any) -> None:
        call = filled(build)
        taken = {one["name"] for one in operation_of(call)["parameters"] if one["in"] == "header"}
        assert call.writes == ("Idempotency-Key" in taken)
        assert set(call.headers) <= taken

    def test_reads_what_is_answered(self, build: Any) -> None:
        call = filled(build)
        answers = operation_of(call)["responses"]
        if call.into is not None:
            assert "application/json" not in answers["200"]["content"]
            return
        shapes = [answers[status]["content"]["application/json"]["schema"] for status in answers if status < "300"]
        assert shapes
        for schema in shapes:
            assert list(misfits(call.gives, schema, call.gives.__name__)) == []


def check(schema: dict[str, Any], value: Any) -> None:
    """Against the document's own schema, where a field that it does not name is one too many."""
    whole = {**schema, "components": document()["components"]}
    jsonschema_rs.validator_for(whole).validate(value)
    if isinstance(value, dict) and "properties" in resolved(schema):
        assert set(value) <= set(resolved(schema)["properties"])


def misfits(kind: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """Where what the client reads is not what the document promises."""
    schema, origin, inner = resolved(schema), get_origin(kind) or kind, get_args(kind)
    branches = [resolved(one) for one in schema.get("anyOf", [schema])]
    optional = origin in (Union, UnionType)
    if any(one.get("type") == "null" for one in branches) and not optional and kind is not Any:
        yield f"{where} may be null"
    kind = next((one for one in inner if one is not type(None)), kind) if optional else kind
    schema = next(one for one in branches if one.get("type") != "null")
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if is_dataclass(origin):
        yield from misfits_of_fields(origin, inner, schema, where)
    elif origin is list:
        yield from misfits(inner[0], schema["items"], f"{where}[]") if schema.get("type") == "array" else [where]
    elif said(schema) != {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}.get(
        origin, "date-time" if origin is datetime else said(schema)
    ) and not (origin is float and said(schema) == "integer"):
        yield f"{where} is {said(schema)}"


def misfits_of_fields(kind: Any, inner: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.name == "raw":
            continue
        hint = hints[field.name]
        hint = hint[inner] if inner and getattr(hint, "__parameters__", ()) else hint
        if field.name not in schema.get("properties", {}):
            yield f"{where}.{field.name} is not there"
        elif field.default is MISSING and field.name not in schema["required"]:
            yield f"{where}.{field.name} is not always there"
        else:
            yield from misfits(hint, schema["properties"][field.name], f"{where}.{field.name}")


def said(schema: dict[str, Any]) -> str:
    kind = schema.get("type") or ("object" if "properties" in schema else "string" if "enum" in schema else "anything")
    return "date-time" if schema.get("format") == "date-time" else kind


def test_filters_name_every_field_that_a_search_is_narrowed_by() -> None:
    assert set(get_type_hints(Filters)) == set(document()["components"]["schemas"]["FiltersIn"]["properties"])


def test_remember_takes_every_field_of_a_memory_that_is_sent() -> None:
    taken = set(inspect.signature(remembering.remember).parameters)
    assert taken == set(document()["components"]["schemas"]["NewMemoryIn"]["properties"])


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    blocking, awaited = (
        {name: str(inspect.signature(made)).partition(" ->")[0] for name, made in vars(kind).items() if callable(made)}
        for kind in (Palimpsest, AsyncPalimpsest)
    )
    public = {name for name in blocking if not name.startswith("_")}
    assert public == {name for name in awaited if not name.startswith("_")}
    assert {name: blocking[name] for name in public - {"every"}} == {name: awaited[name] for name in public - {"every"}}


def test_a_method_shows_the_words_and_parameters_of_its_call() -> None:
    assert str(inspect.signature(Palimpsest.get)).startswith("(self, /, id: 'str')")
    assert "link" not in inspect.signature(Palimpsest.ingest).parameters
    assert Palimpsest.ingest.__doc__ == ways.ingest.__doc__


def test_an_empty_id_is_refused_before_it_becomes_another_address() -> None:
    with pytest.raises(ValueError, match="is empty"):
        _ = remembering.purge("").address
    assert keeping.node("identity/가치 관?").address == "/api/v1/tree/nodes/identity/%EA%B0%80%EC%B9%98%20%EA%B4%80%3F"
    assert remembering.get("../keys").address == "/api/v1/memories/..%2Fkeys"
