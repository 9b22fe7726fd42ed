"""Questions about a few rows go by the index of those rows, however many others the space holds: left to itself the
engine's planner takes the index of the state, or goes through all in their order, and each such question would cost
more with every memory written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.domain.memory import State
from memoryapp.store import audit, conflicts, memories, nodes, sessions, turns, usage
from memoryapp.store.database import Database
from tests.samples import NOON

ASKED: list[tuple[str, Callable[[Database], Any], str]] = [
    ("the nodes of the tree", lambda db: nodes.outline(db), "memory_kind"),
    ("its nodes in several states", lambda db: nodes.outline(db, states=(State.HELD, State.ARCHIVED)), "memory_kind"),
    ("its nodes with their markdown", nodes.every, "memory_kind"),
    ("facts of a slot", lambda db: memories.filling(db, ["ana|lives in"], [None], limit=9), "memory_slots"),
    ("words about memories", lambda db: usage.feedback_of(db, ["a", "b"]), "feedback_memory"),
    ("runs of one act", lambda db: audit.acts(db, act="consolidate"), "run_act"),
    ("runs of one actor", lambda db: audit.acts(db, actor="heron"), "run_actor"),
    ("sessions that go on", lambda db: sessions.page(db, under_way=True), "session_ended"),
    ("unread turns of sessions", lambda db: turns.waiting_by_session(db, ["monday"]), "reading_status"),
]


def plans(db: Database, ask: Callable[[Database], Any], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the engine says of how it goes about each statement that `ask` sends."""
    told: list[str] = []
    sent = Database.query

    def query(self: Database, statements: str, **bound: Any) -> Any:
        for one in statements.split(";"):
            told.append(str(sent(self, f"{one} EXPLAIN", **bound)[0]))
        return sent(self, statements, **bound)

    with monkeypatch.context() as patched:
        patched.setattr(Database, "query", query)
        ask(db)
    return told


@pytest.mark.parametrize(("ask", "index"), [one[1:] for one in ASKED], ids=[one[0] for one in ASKED])
def test_it_goes_by_the_index_of_what_it_asks_for(
    db: Database, ask: Callable[[Database], Any], index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [plan] = plans(db, ask, monkeypatch)
    assert f"'index': '{index}'" in plan
    assert "TableScan" not in plan


def test_conflicts_are_counted_without_reading_them(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    *counts, snoozed = plans(db, lambda db: conflicts.tally(db, now=NOON), monkeypatch)
    assert len(counts) == 4
    assert all("IndexCountScan" in plan for plan in counts)
    assert "'index': 'conflict_snoozed'" in snoozed


@pytest.mark.parametrize("subjects", [{"ana"}, set()], ids=["with subjects", "with none"])
@pytest.mark.parametrize("attributes", [{"lives in"}, set()], ids=["with attributes", "with none"])
def test_precedents_are_found_by_what_they_are_about(
    db: Database, attributes: set[str], subjects: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = plans(db, lambda db: conflicts.earlier(db, attributes=attributes, subjects=subjects), monkeypatch)
    assert len(told) == bool(attributes) + bool(subjects)
    assert not any("TableScan" in plan or "conflict_status" in plan for plan in told)
