"""Answers about the graph as lines of a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.management.show import path_line
from memoryapp.management.show_graph import edge_line, graph_job_lines, scene_lines

EDGE: dict[str, Any] = {
    "source": "a", "target": "b", "kind": "relation", "type": "runs_on", "label": "", "state": "held", "hint": False,
}  # fmt: skip
KNOWN = {"a": "API", "b": "Kubernetes"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "API —runs on→ Kubernetes"),
        ({"label": "is deployed to", "hint": True}, "API —is deployed to→ Kubernetes (hint)"),
        ({"state": "superseded"}, "API —runs on→ Kubernetes (no longer)"),
        ({"state": "planned", "hint": True}, "API —runs on→ Kubernetes (planned, hint)"),
        ({"kind": "together", "type": "together"}, "API — together with — Kubernetes"),
        ({"target": "z"}, "API —runs on→ ?"),
    ],
)
def test_an_edge_is_one_line_with_what_is_to_be_known_of_it(more: dict[str, Any], expected: str) -> None:
    assert edge_line(EDGE | more, KNOWN) == expected


def test_a_path_shows_which_way_each_relation_reads() -> None:
    way = [
        {"entity": "1", "name": "deployment pipeline", "by": "named"},
        {"entity": "2", "name": "Terraform", "by": "runs_on"},
        {"entity": "3", "name": "Adam", "by": "uses", "back": True},
        {"memory": "4", "text": "Adam is on leave until March.", "by": "mentions"},
    ]
    assert path_line(way) == "deployment pipeline —runs on→ Terraform ←uses— Adam → this"
    nearest = [{"memory": "1", "text": "x" * 100, "by": "nearest"}, {"memory": "2", "text": "y", "by": "follows"}]
    assert path_line(nearest) == f"“{'x' * 39}…” —follows→ this"


def test_an_empty_graph_says_so() -> None:
    scene: dict[str, Any] = {"nodes": [], "edges": [], "communities": [], "notes": [], "total": 0}
    assert list(scene_lines(scene)) == ["0 of 0 entities."]
    assert list(scene_lines(scene | {"notes": ["Nothing is known of “x”."]})) == ["Nothing is known of “x”."]


def test_a_large_graph_shows_its_communities() -> None:
    part = {"number": 0, "size": 1200, "names": ["Redis", "queue"], "types": {}, "x": 0.5, "y": 0.5}
    other = EDGE | {"source": "0", "target": "1", "kind": "together"}
    lines = list(
        scene_lines({"nodes": [], "edges": [other], "communities": [part], "notes": ["From far."], "total": 5_000})
    )
    assert lines == ["  1200  Redis, queue  (community 0)", "From far."]


def test_a_job_is_told_with_why_the_model_did_not_read() -> None:
    report = {"read": 1, "relations": 2, "entities": 0, "names": 1, "proposals": 0, "reader": "rules", "problem": "No."}
    lines = list(graph_job_lines({"kind": "graph", "report": report}))
    assert lines[0].startswith("1 memory read, 2 relations, 0 new entities, 1 name embedded") and lines[1] == "No."
