"""What agents are shown of the tools, by the rules that the protocol's inspector goes by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from memoryapp.interfaces.mcp.server import EXTRA, PINNED
from memoryapp.interfaces.mcp.tool import AgentTool

NAMES = [
    *("remember", "recall", "get_memory", "update_memory", "forget", "context"),
    *("list_conflicts", "resolve_conflict", "give_feedback"),
]
every_tool = pytest.mark.parametrize("tool", PINNED + EXTRA, ids=lambda tool: tool.name)


def test_the_nine_tools_keep_their_names_and_order() -> None:
    assert [tool.name for tool in PINNED] == NAMES


def test_no_name_stands_for_two_tools() -> None:
    names = [tool.name for tool in PINNED + EXTRA]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z_]{2,40}", name) for name in names)


@every_tool
def test_a_tool_has_a_title_and_at_most_two_short_sentences(tool: AgentTool) -> None:
    listed = tool.listed()
    assert listed.title and listed.description
    assert len(re.findall(r"[.!?](?: |$)", listed.description)) <= 2, listed.description
    assert len(listed.description) <= 260


@every_tool
def test_a_tool_says_what_it_may_do_to_the_memory(tool: AgentTool) -> None:
    hints = tool.listed().annotations
    assert hints is not None and hints.title == tool.title
    assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
    assert not (hints.read_only_hint and hints.destructive_hint)
    assert hints.open_world_hint is False


def test_only_tools_that_take_something_away_are_called_destructive() -> None:
    destroying = {tool.name for tool in PINNED + EXTRA if tool.listed().annotations.destructive_hint}  # type: ignore[union-attr]
    assert destroying == {"update_memory", "forget", "resolve_conflict", "undo_run"}


@every_tool
def test_both_schemas_of_a_tool_are_sound_and_need_no_reference(tool: AgentTool) -> None:
    listed = tool.listed()
    for schema in (listed.input_schema, listed.output_schema):
        assert schema is not None and schema["type"] == "object"
        jsonschema.Draft202012Validator.check_schema(schema)
        assert "$ref" not in str(schema) and "$defs" not in schema
        for part in _objects(schema):
            assert set(part.get("required", [])) <= set(part["properties"])


@every_tool
def test_every_property_of_a_tool_is_described(tool: AgentTool) -> None:
    listed = tool.listed()
    for schema in (listed.input_schema, listed.output_schema):
        for part in _objects(schema):
            assert [name for name, one in part["properties"].items() if not one.get("description")] == []


@every_tool
def test_every_argument_has_a_bound(tool: AgentTool) -> None:
    for name, one in tool.listed().input_schema["properties"].items():
        match one.get("type"):
            case "string":
                assert {"maxLength", "enum", "pattern"} & set(one), name
            case "array":
                assert "maxItems" in one, name
            case "integer" | "number":
                assert {"minimum", "exclusiveMinimum"} & set(one), name
            case kind:
                assert kind == "boolean", (name, kind)


@every_tool
def test_examples_of_arguments_are_valid(tool: AgentTool) -> None:
    for one in tool.listed().input_schema["properties"].values():
        for example in one.get("examples", []):
            jsonschema.validate(example, one)


def test_recall_takes_every_filter_of_the_api() -> None:
    from memoryapp.interfaces.search.schemas import FiltersIn, SearchIn
    from memoryapp.interfaces.search.tools import Question

    asked = set(SearchIn.model_fields) - {"filters", "read", "trace"}
    assert set(Question.model_fields) == asked | set(FiltersIn.model_fields)


def test_an_argument_that_may_be_left_out_is_of_one_type() -> None:
    """Some clients cannot tell a model that something is text or null."""
    for tool in PINNED + EXTRA:
        assert "anyOf" not in str(tool.listed().input_schema), tool.name


def test_the_nine_cost_an_agent_fewer_than_four_thousand_tokens() -> None:
    letters = sum(len(str(tool.listed().input_schema)) + len(tool.description) for tool in PINNED)
    assert letters / 4 < 4_000


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every part that has properties, the whole one first."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)
