"""The MCP memory server's graph: entities, facts that read as sentences, links."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memoryapp.transfer.foreign import recognise
from memoryapp.transfer.foreign.records import said_of
from tests.transfer.foreign.conftest import SAMPLES, Found

GRAPH = SAMPLES / "memory.jsonl"


def test_entities_observations_and_relations_come_as_such() -> None:
    assert recognise(GRAPH) == "mcp-memory"
    found = Found(GRAPH, "mcp-memory")
    assert found.named == [("Ines Okafor", "person"), ("Tide Gauge", "project"), ("harbour_service", "software")]
    assert found.links == [
        ("Ines Okafor", "leads", "Tide Gauge"),
        ("Tide Gauge", "depends_on", "harbour_service"),
    ]
    assert found.texts == [
        "Ines Okafor speaks Portuguese and Korean",
        "Ines Okafor leads the tide-gauge project",
        "Ines Okafor: Birthday: 3 May",
        "Ines Okafor: May not be reached on Fridays",
        "Tide Gauge uses SurrealDB",
        "harbour_service: Go 1.22, 14,000 lines",
    ]


def test_a_bad_line_is_named_and_those_after_it_are_read() -> None:
    found = Found(GRAPH, "mcp-memory")
    assert found.skipped == {
        "It is no relation between two names.": 1,
        "It is not JSON.": 1,
        "It is neither an entity with observations nor a relation.": 1,
    }


def test_what_the_tool_read_graph_answers_is_read_as_the_file_is(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in GRAPH.read_text("utf-8").splitlines() if line.startswith("{")]
    graph = {
        "entities": [line for line in lines if line["type"] == "entity"],
        "relations": [line for line in lines if line["type"] == "relation"],
    }
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph, indent=2), "utf-8")
    assert recognise(path) == "mcp-memory"
    assert Found(path, "mcp-memory").refs == Found(GRAPH, "mcp-memory").refs


def test_the_ref_hangs_on_the_words_and_not_on_the_line(written: Callable[..., Path]) -> None:
    one = {"type": "entity", "name": "Ines", "entityType": "person", "observations": ["Sails"]}
    more = {**one, "observations": ["Rows", "Sails"]}
    before = Found(written([one], "a.json", lines=True), "mcp-memory").items[0].ref
    assert before == Found(written([more], "b.json", lines=True), "mcp-memory").items[1].ref


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("Ines", "Works at the harbour", "Ines works at the harbour"),
        ("Ines", "Doesn't eat fish", "Ines doesn't eat fish"),
        ("Ines", "The user prefers tea", "Ines: The user prefers tea"),
        ("Acme", "Founded in 2010", "Acme: Founded in 2010"),
        ("Ines", "Will Smith is her cousin", "Ines: Will Smith is her cousin"),
        ("이네스", "차를 좋아한다", "이네스: 차를 좋아한다"),
        ("Ines", "ines rows", "ines rows"),
    ],
)
def test_a_sentence_is_made_only_where_that_is_certain(name: str, text: str, sentence: str) -> None:
    assert said_of(name, text) == sentence
