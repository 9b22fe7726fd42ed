"""`manage.py compare`, `explain`, `profiles` and `golden`: the lab from a terminal, and how it is told there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from memoryapp.management.show_search import change_lines, compare_lines, golden_lines, run_lines, runs_lines, why_lines
from tests.live import Live

A, B, C = (letter * 16 for letter in "abc")


def a_hit(key: str, text: str, score: float) -> dict[str, Any]:
    return {"id": key, "title": "", "text": text, "score": score}


def a_column(name: str, *items: dict[str, Any], notes: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"strategy": name, "took_ms": 1.24, "items": list(items), "notes": list(notes)}


def test_columns_stand_side_by_side_with_marks_and_agreement() -> None:
    korean = "가치관은 정직이다. " * 9
    made = {
        "columns": [
            a_column("hybrid", a_hit(A, "The queue\nmoved.", 1.5), a_hit(B, korean, 0.25)),
            a_column("keyword", a_hit(A, "The queue\nmoved.", 2.0), notes=("The model is loading.",)),
        ],
        "agreement": {
            "ids": {A: [1, 1], B: [2, None]},
            "overlap": [{"a": "hybrid", "b": "keyword", "common": 1, "jaccard": 0.5, "rbo": 0.95}],
            "in_all": [A],
        },
    }
    lines = list(compare_lines(made, width=80))
    assert [part.strip() for part in lines[0].split("│")] == ["hybrid", "keyword"]
    assert [part.strip() for part in lines[1].split("│")] == ["2 found, 1.2 ms", "1 found, 1.2 ms"]
    assert lines[2] == "keyword: The model is loading."
    assert [part.strip() for part in lines[3].split("│")] == [f"1. 1.50000  {A} =", f"1. 2.00000  {A} ="]
    assert [part.strip() for part in lines[4].split("│")] == ["The queue moved.", "The queue moved."]
    assert lines[5].strip() == f"2. 0.25000  {B} *"
    assert lines[6].strip().startswith("가치관은") and lines[6].endswith("…") and cell_len(lines[6]) <= 38
    assert lines[7] == "hybrid and keyword: 1 in both, Jaccard 0.50, rank-biased overlap 0.95"
    assert len(lines) == 8


def test_a_single_column_has_no_marks_and_a_narrow_terminal_still_shows_ids() -> None:
    told = {"ids": {A: [1]}, "overlap": [], "in_all": [A]}
    lines = list(compare_lines({"columns": [a_column("rrf", a_hit(A, "x", 0.5))], "agreement": told}, width=10))
    assert lines[2] == f" 1. 0.50000  {A}"


def test_every_stage_of_an_explanation_is_marked() -> None:
    steps = [
        {"stage": "state", "passed": True, "told": "Held.", "detail": {}},
        {"stage": "filter", "passed": False, "told": "It is a note.", "detail": {"filter": "min_trust"}},
        {"stage": "arm", "passed": None, "told": "Not reached.", "detail": {"arm": "keyword"}},
    ]
    found = {"strategy": "hybrid", "reason": "A filter takes it out.", "steps": steps, "notes": ["Loading."]}
    lifts = [{"told": "Without the filter it would be 2nd."}]
    assert list(why_lines(found | {"lifts": lifts})) == [
        "hybrid: A filter takes it out.",
        "  ✓ state: Held.",
        "  ✗ filter min trust: It is a note.",
        "  · arm keyword: Not reached.",
        "  → Without the filter it would be 2nd.",
        "  note: Loading.",
    ]


RUN: dict[str, Any] = {
    "id": C, "at": "2026-11-21T09:30:00Z", "plan": "hybrid", "k": 10,
    "measures": {"recall": 0.5, "mrr": 0.25, "ndcg": 0.4, "precision": 0.05},
    "outcomes": [{"query": "Why?", "ranks": {A: 4, B: None}, "measures": {"ndcg": 0.4}}],
    "change": None,
}  # fmt: skip


def test_a_run_is_told_with_what_changed_since_the_one_before() -> None:
    change = {
        "shared": 1,
        "worse": True,
        "deltas": {"recall": 0.0, "mrr": -0.75},
        "conditions": ["vector 1.1 → 1.4"],
        "worse_queries": [{"query": "Why?", "ranks": {A: [1, 4], B: [3, None]}}],
        "better_queries": [],
    }
    head, told, changed, worse, outcome = run_lines(RUN | {"change": change})
    assert head == f"hybrid  recall@10 0.500  mrr 0.250  ndcg@10 0.400  precision@10 0.050  [{C}]"
    assert told == "  worse than the run before (1 query in both): recall +0.000, mrr -0.750"
    assert changed == "  changed: vector 1.1 → 1.4"
    assert worse == "  worse: Why?  (1 → 4, 3 → not found)"
    assert outcome == "  0.400  Why?  (at 4, not found)"
    assert len(list(run_lines(RUN))) == 2
    nothing = change | {"shared": 0, "deltas": {}, "worse": False, "conditions": [], "worse_queries": []}
    assert list(change_lines(nothing)) == ["  beside the run before (0 queries in both): nothing to compare"]


def test_lists_say_when_they_are_empty_or_go_on() -> None:
    assert "golden run" in next(runs_lines({"items": [], "next_cursor": None}))
    assert "golden add" in next(golden_lines({"items": [], "next_cursor": None, "total": 0}))
    line, more = runs_lines({"items": [RUN], "next_cursor": "x"})
    assert line.startswith("2026-11-21 09:30  recall@10 0.500") and line.endswith(f"hybrid  [{C}]")
    assert more.startswith("… more")
    means = [{"id": A, "state": "held", "text": "Held."}, {"id": B, "state": None, "text": ""}]
    golden = {"id": C, "query": "Why?", "filters": {"tags": ["x", "y"]}, "as_of": None, "relevant": means}
    assert list(golden_lines({"items": [golden], "next_cursor": None, "total": 1})) == [
        f"Why?  tags: x, y  [{C}]",
        f"    {A}  Held.",
        f"    {B} (purged)",
    ]


@pytest.fixture(scope="module")
def app(live: Live) -> Live:
    running = live.in_new_space()
    notes = [
        {"text": "We moved the queue to Redis because RabbitMQ lost messages.", "ref": "a"},
        {"text": "RabbitMQ needs Erlang.", "ref": "b"},
        {"text": "The cat sleeps on the keyboard.", "ref": "c"},
    ]
    with running.client() as api:
        assert api.post("/memories/batch", json={"items": notes}).status_code == 200
    return running


def did(app: Live, *words: str, stdin: str = "") -> str:
    done = app.command(*words, stdin=stdin)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def refused(app: Live, *words: str) -> str:
    """The one line beside that which says where the command went."""
    done = app.command(*words)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr, (words, done)
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("Using ")]
    return line


@pytest.mark.slow
def test_one_question_is_asked_by_several_strategies_and_an_absence_explained(app: Live) -> None:
    shown = did(app, "compare", "RabbitMQ Erlang", "--strategy", "keyword", "--strategy", "rrf;k=30", "--top-k", "2")
    head, counts, *_ = shown.splitlines()
    assert "keyword" in head and "rrf;k=30" in head and counts.count("found") == 2
    assert "Jaccard" in shown and "RabbitMQ needs Erlang." in shown
    told = json.loads(did(app, "compare", "RabbitMQ", "--json"))
    assert [column["plan"]["name"] for column in told["columns"]] == ["hybrid", "rrf"]
    why = did(app, "explain", "RabbitMQ Erlang", "a", "--strategy", "keyword", "--strategy", "hybrid", "--top-k", "1")
    assert "keyword: It came 2nd; the first 1 were asked for." in why
    assert "  ✓ arm keyword: " in why and "  ✗ cut: " in why and "\nhybrid: " in why
    assert "zzz" in refused(app, "explain", "RabbitMQ", "zzz")
    assert "magic" in refused(app, "compare", "RabbitMQ", "--strategy", "magic")
    assert "empty" in refused(app, "compare", " ")


@pytest.mark.slow
def test_a_plan_gets_a_name_is_asked_by_it_and_loses_it(app: Live) -> None:
    assert "careful  hybrid;vector=1.4  Slowly." in did(
        app, "profiles", "save", "careful", "hybrid;vector=1.4", "--note", "Slowly."
    )
    assert did(app, "profiles").startswith("careful") and did(app, "profiles", "list") == did(app, "profiles")
    assert "RabbitMQ" in did(app, "recall", "RabbitMQ", "--strategy", "careful")
    assert json.loads(did(app, "profiles", "save", "careful", "rrf", "--json"))["version"] == 2
    assert "magic" in refused(app, "profiles", "save", "other", "magic")
    assert 'save careful "rrf"' in did(app, "profiles", "delete", "careful")
    assert "careful" in refused(app, "profiles", "delete", "careful")


@pytest.mark.slow
def test_golden_queries_go_in_and_out_and_are_asked(app: Live, tmp_path: Path) -> None:
    assert "no golden queries" in refused(app, "golden", "run")
    assert did(app, "golden", "add", "RabbitMQ Erlang", "b", "--note", "x").startswith("added: RabbitMQ Erlang")
    assert "zzz" in refused(app, "golden", "add", "What?", "zzz")
    lines = did(app, "golden", "export")
    (line,) = map(json.loads, lines.splitlines())
    assert line["refs"] == ["b"]
    key = json.loads(did(app, "golden", "list", "--json"))["items"][0]["id"]
    assert did(app, "golden", "delete", key).startswith("deleted: RabbitMQ Erlang")
    file = tmp_path / "golden.jsonl"
    file.write_text(lines)
    assert did(app, "golden", "import", str(file), "--dry-run") == ("1 added, 0 joined, 0 the same, 0 bad (dry run)\n")
    assert did(app, "golden", "import", "-", stdin=lines) == "1 added, 0 joined, 0 the same, 0 bad\n"
    assert f"[{key}]" in did(app, "golden")
    assert "1 golden query in" in did(app, "golden", "export", str(file)) and file.read_text() == lines
    bad = app.command("golden", "import", "-", stdin="no json\n")
    assert bad.returncode == 1 and bad.stdout.startswith("line 1: bad: ") and "Traceback" not in bad.stderr
    assert "cannot be read" in refused(app, "golden", "import", str(tmp_path / "nowhere"))

    shown = did(app, "golden", "run", "--strategy", "keyword", "--strategy", "rrf", "--k", "5")
    assert "keyword  recall@5 1.000  mrr 1.000" in shown and "rrf  recall@5" in shown and "(at 1)" in shown
    did(app, "golden", "run", "--strategy", "keyword", "--k", "5")
    runs = json.loads(did(app, "golden", "runs", "--plan", "keyword", "--json"))["items"]
    assert len(runs) == 2 and len(did(app, "golden", "runs").splitlines()) == 3
    assert "beside the run before (1 query in both): recall +0.000" in did(app, "golden", "runs", runs[0]["id"])
    assert "magic" in refused(app, "golden", "run", "--strategy", "magic")
