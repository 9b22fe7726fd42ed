"""The commands of the graph: atoms in, what is around an entity, paths, merging and parting, the export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.live import Live, manage

pytestmark = pytest.mark.slow  # an app is started
ATOMS = """
(runs_on :subject "deployment pipeline" :object Terraform) (uses :subject Adam :object Terraform)
(is_on_leave :subject Adam :attribute "until March")
(uses :subject Adam :object nvim) (uses :subject Mina :object Helix)
"""


@pytest.fixture(scope="module")
def app(live: Live) -> Live:
    running = live.in_new_space()
    assert len(did(running, "remember", "--atoms", "-", stdin=ATOMS).split()) == 5
    return running


def did(app: Live, *words: str, stdin: str = "") -> str:
    done = app.command(*words, stdin=stdin)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def told(app: Live, *words: str) -> Any:
    return json.loads(did(app, *words, "--json"))


def refused(app: Live, *words: str) -> str:
    done = app.command(*words)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr, (words, done)
    return done.stderr


def test_an_atom_with_a_mistake_names_its_place(app: Live) -> None:
    said = refused(app, "remember", "--atoms", "(prefers :subject Alice")
    assert "Line 1, column 24" in said


def test_entities_are_listed_and_shown(app: Live) -> None:
    assert "Terraform  (tool)  2 memories, 2 links" in did(app, "entities")
    assert (
        "Helix" not in did(app, "entities", "list", "terra")
        and told(app, "entities", "list", "--limit", "2")["total"] >= 6
    )
    shown = did(app, "entities", "show", "adam")
    assert "Adam —uses→ Terraform" in shown and "Adam is on leave until March." in shown and "(subject)" in shown
    assert told(app, "entities", "show", "Adam")["name"] == "Adam"
    assert "No entity is called" in refused(app, "entities", "show", "zzz")


def test_what_is_around_an_entity_and_how_two_hang_together(app: Live) -> None:
    around = did(app, "graph", "around", "Terraform", "--steps", "1")
    assert "deployment pipeline —runs on→ Terraform" in around and "3 of" in around
    assert "Mina —uses→ Helix" in did(app, "graph", "around")
    path = did(app, "graph", "path", "deployment pipeline", "Adam").splitlines()
    assert path[0].startswith("deployment pipeline —runs on→ Terraform") and path[1].startswith("Adam —uses→ Terraform")
    assert len(told(app, "graph", "path", "deployment pipeline", "Adam")["steps"]) == 2
    assert "Nothing leads from Mina to Adam." in did(app, "graph", "path", "Mina", "Adam")


def test_recall_prints_the_path_it_came_by(app: Live) -> None:
    words = ("recall", "What do I know about the deployment pipeline?", "--strategy", "recall", "--explain")
    found = did(app, *words)
    assert "path: deployment pipeline —runs on→ Terraform ←uses— Adam → this" in found


def test_two_are_merged_and_parted_again(app: Live) -> None:
    rehearsed = did(app, "entities", "merge", "Helix", "nvim", "--dry-run")
    assert "would be one: Helix" in rehearsed and "Adam —uses→ nvim" in did(app, "graph", "around", "Adam")
    run = told(app, "entities", "merge", "Helix", "nvim")["run"]
    assert "merged into it: nvim" in did(app, "entities", "show", "nvim")
    assert "Nothing leads" not in did(app, "graph", "path", "Mina", "Adam")
    assert "taken back" in did(app, "undo", run)
    did(app, "entities", "merge", "Helix", "nvim")
    assert "nvim" in did(app, "entities", "part", "nvim")
    assert "not merged into anything" in refused(app, "entities", "part", "nvim")
    assert "No two names" in did(app, "entities", "alike")


def test_an_entity_is_renamed_and_may_be_called_by_its_old_name(app: Live) -> None:
    assert "Adam Nowak (person), also called Adam" in did(app, "entities", "rename", "Adam", "Adam Nowak")
    assert told(app, "entities", "show", "Adam")["name"] == "Adam Nowak"
    assert "Merge them instead" in refused(app, "entities", "rename", "Mina", "Adam")
    assert "Say what is to change" in refused(app, "entities", "rename", "Mina")


def test_the_graph_is_refreshed_drawn_and_exported(app: Live, tmp_path: Path) -> None:
    did(app, "remember", "Jihye works at Hangang Labs.", "--kind", "fact")
    done = did(app, "graph", "refresh", "--layout")
    assert " read, " in done and "entities drawn" in done  # the app itself may have read it a moment before
    assert "Jihye —works at→ Hangang Labs (hint)" in did(app, "graph", "around", "Jihye")
    assert {job["kind"] for job in told(app, "graph", "refresh", "--layout")["jobs"]} == {"graph", "layout"}
    file = tmp_path / "graph.graphml"
    assert str(file) in did(app, "graph", "export", str(file))
    assert ElementTree.parse(file).getroot().tag.endswith("graphml")
    assert "Terraform" in did(app, "graph", "export", "-", "--around", "Terraform", "--steps", "1")


def test_without_the_app_the_store_itself_is_asked(tmp_path: Path) -> None:
    done = manage("remember", "--atoms", "(uses :subject Alice :object Python)", data=tmp_path)
    assert done.returncode == 0, done.stderr
    found = manage("graph", "around", "Alice", data=tmp_path)
    assert "Alice —uses→ Python" in found.stdout, found.stderr


def test_an_entity_is_named_and_undone(app: Live) -> None:
    did(app, "remember", "the pool is on zfs now")
    made = told(app, "entities", "add", "ZFS", "--type", "tool", "--alias", "zpool")
    assert (made["entity"]["aliases"], made["linked"]) == (["zpool"], 1)
    assert "“zpool” is a name of another entity" in refused(app, "entities", "add", "zpool")
    did(app, "undo", made["run"])
    assert "No entity is called" in refused(app, "entities", "show", "zpool")
