"""What is read comes into a space: as memories, sessions and relations that are found; twice is once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.entity import EntityType, normal_form
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Category, Kind, Memory
from memoryapp.domain.results import Query
from memoryapp.domain.turn import Role
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations, sessions, turns
from memoryapp.store.write import new_run
from memoryapp.transfer.bring_in import bring_in
from memoryapp.transfer.foreign import read, recognise
from memoryapp.transfer.report import Report
from tests.live import Live, manage
from tests.samples import PERSON, HandClock, a_space
from tests.transfer.foreign.conftest import SAMPLES


@pytest.fixture
def space(clock: HandClock) -> Iterator[Space]:
    """Empty."""
    with a_space(clock=clock) as opened:
        yield opened


class Quiet:
    """A progress that nobody looks at."""

    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...

    def line(self, path: str, outcome: str, *, note: str = "") -> None: ...

    def cancelled(self) -> bool:
        return False


def moved(space: Space, path: Path) -> Report:
    form = recognise(path)
    assert form is not None
    run = new_run("import", PERSON, now=space.clock())
    return bring_in(space, read(path, form), form=form, run=run, actor=PERSON, progress=Quiet())


def held(space: Space, ref: str) -> Memory:
    (found,) = memories.by_refs(space.db, [ref]).values()
    return found


@pytest.mark.parametrize(
    "sample", ["mem0.json", "memory.jsonl", "basic-memory", "openai", "claude"], ids=lambda name: name.split(".")[0]
)
def test_a_second_import_of_the_same_changes_nothing(space: Space, sample: str) -> None:
    once = moved(space, SAMPLES / sample)
    assert once.written + once.turns > 0
    again = moved(space, SAMPLES / sample)
    assert (again.written, again.reinforced, again.conflict, again.turns) == (0, 0, 0, 0)
    assert (again.entities, again.relations, again.sessions) == (0, 0, 0)
    assert again.skipped == once.skipped


def test_memories_of_mem0_are_found_by_their_words_with_ref_category_and_date(space: Space) -> None:
    moved(space, SAMPLES / "mem0.json")
    best = search(space, Query("hazelnuts")).hits[0].memory
    assert (best.kind, best.category) == (Kind.FACT, Category.PERSONAL)
    assert best.ref == "mem0:5b1f0a1e-7d0c-4b7e-9a53-0a8e8f2c11d1"
    assert best.occurred_at is not None
    assert best.occurred_at.year == 2025
    assert search(space, Query("녹차")).hits[0].memory.ref == "mem0:9d3c"


def test_what_was_rewritten_under_its_id_is_rewritten_here(space: Space, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps([{"id": "a", "memory": "Mara rows on Sundays"}]), "utf-8")
    moved(space, path)
    path.write_text(json.dumps([{"id": "a", "memory": "Mara rows on Saturdays"}]), "utf-8")
    moved(space, path)
    assert held(space, "mem0:a").text == "Mara rows on Saturdays"


def test_a_fact_that_contradicts_what_is_held_becomes_a_conflict(space: Space, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps([{"id": "a", "memory": "Mara lives in Busan"}]), "utf-8")
    moved(space, path)
    graph = tmp_path / "memory.json"
    graph.write_text(json.dumps({"type": "entity", "name": "Mara", "observations": ["Lives in Lisbon"]}), "utf-8")
    assert moved(space, graph).conflict == 1


def test_the_graph_of_the_mcp_server_stands_in_the_graph_here(space: Space) -> None:
    moved(space, SAMPLES / "memory.jsonl")
    names = ["Ines Okafor", "Tide Gauge", "harbour_service"]
    found = entities.by_normals(space.db, [normal_form(name) for name in names])
    assert [found[normal_form(name)].name for name in names] == names
    assert found["ines okafor"].type == EntityType.PERSON
    drawn = relations.of_entities(space.db, [found["tide gauge"].id])
    ends = {(one.subject, one.object) for one in drawn}
    assert (found["ines okafor"].id, found["tide gauge"].id) in ends
    assert (found["tide gauge"].id, found["harbour_service"].id) in ends


def test_notes_of_basic_memory_speak_of_their_entity(space: Space) -> None:
    moved(space, SAMPLES / "basic-memory")
    best = search(space, Query("gooseneck kettle steady")).hits[0].memory
    assert best.title.startswith("Pour Over")
    assert "coffee" in best.tags


@pytest.mark.parametrize(("sample", "count"), [("openai", 2), ("claude", 2)])
def test_conversations_become_ended_sessions_with_their_turns(space: Space, sample: str, count: int) -> None:
    report = moved(space, SAMPLES / sample)
    assert report.sessions == count
    name = {"openai": "openai-chat:c0ffee00-0001", "claude": "claude-chat:8f3a2b1c-0001"}[sample]
    session = sessions.get(space.db, name)
    assert session.ended_at is not None, "silent for longer than a day"
    said = turns.of_session(space.db, name)
    assert [turn.role for turn in said][:2] == [Role.USER, Role.ASSISTANT]


@pytest.fixture
def pond(live: Live) -> str:
    """A new space of the running app."""
    name = f"pond-{new_id()[:8]}"
    with live.client() as client:
        assert client.post("/spaces", json={"name": name}).status_code == 201
    return name


def test_the_command_rehearses_imports_and_finds_the_same_again(live: Live, pond: str, notes: Path) -> None:
    def imported(*more: str) -> dict[str, Any]:
        words = ("import", str(notes), "--space", pond, "--json", *more)
        report: dict[str, Any] = json.loads(manage(*words, data=live.data).stdout)["report"]
        return report

    rehearsed, first, again = imported("--dry-run"), imported(), imported()
    assert rehearsed["form"] == first["form"] == "basic-memory"
    assert rehearsed["written"] == first["written"] == 7
    assert (again["written"], again["unchanged"] > 0) == (0, True)
    assert {one["where"]: one["why"] for one in first["told"]} == {"Broken.md": "It is no text: not UTF-8 at byte 26."}
    asked = manage("recall", "ground coffee in a paper filter", "--space", pond, "--json", data=live.data)
    assert json.loads(asked.stdout)["items"][0]["title"] == "Pour Over"


def test_the_command_says_in_a_sentence_what_it_cannot_read(live: Live, tmp_path: Path) -> None:
    path = tmp_path / "shopping.json"
    path.write_text('[{"apples": 3}]', "utf-8")
    refused = manage("import", str(path), data=live.data)
    assert refused.returncode == 1
    assert "shopping.json is in none of the forms that can be read" in refused.stderr
