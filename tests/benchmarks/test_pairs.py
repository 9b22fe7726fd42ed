"""Measures over pairs of statements, and the curve that zones are read from."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks import pairs
from benchmarks.calibrate_command import curve, recommend
from memoryapp.inference.embedding import load_encoder
from tests.benchmarks.conftest import lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    updates = [
        ("Ana lives in Rome.", "Ana lives in Oslo.", "supersedes", "update"),
        ("Ana lives in Rome.", "Ben lives in Oslo.", "compatible", "same_relation"),
    ]
    rows = [
        {"a": a, "b": b, "label": label, "kind": kind, "lang": "en", "split": "dev"} for a, b, label, kind in updates
    ]
    lines(tmp_path / "conflict/fact_updates.jsonl", rows)
    scenes = [("A man wears a red hat.", "A man wears a blue hat.", "contradiction", "colors")]
    lines(
        tmp_path / "conflict/pairs.jsonl",
        [{"a": a, "b": b, "label": label, "kind": kind, "lang": "en", "split": "dev"} for a, b, label, kind in scenes],
    )
    return tmp_path


def test_scores_are_counted_as_they_are_defined() -> None:
    scored = pairs.score([(True, True), (True, False), (False, True), (False, False), (False, False)])
    assert scored == {"F1": 0.5, "precision": 0.5, "recall": 0.5, "false alarms": pytest.approx(1 / 3)}
    assert pairs.score([])["F1"] == 0


def test_each_set_is_measured_and_an_absent_one_named(folder: Path) -> None:
    said: list[str] = []
    figures = pairs.measure(
        folder,
        ["conflict", "updates", "duplicates"],
        encoder=load_encoder("hashing"),
        split="dev",
        limit=0,
        say=said.append,
    )
    assert figures["updates"]["shown F1"] == 1 and figures["updates"]["alarms: same_relation"] == 0
    assert figures["conflict en"]["sure F1"] == 1
    assert said == ["duplicates: not in the folder, skipped"]
    table = "\n".join(pairs.pairs_table(figures))
    assert "updates" in table and "1.000*" in table


def test_the_exact_rules_alone_are_right_in_the_project_s_own_pairs() -> None:
    """What is told freely is left to the judge, which also takes back what look-alikes raise; the hashing encoder goes
    without it."""
    own = pairs.measure(None, ["blind"], encoder=load_encoder("hashing"), split="dev", limit=0, say=print)
    blind = {f"blind {name}" for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")}
    learned = {f"learned {name}" for name in ("people", "teams", "affairs", "household", "assistant", "talk")}
    learned |= {f"learned {name}" for name in ("twelfth", "thirteenth", "fourteenth", "fifteenth")}
    learned |= {"learned sixteenth", "learned seventeenth", "learned near"}
    # Nothing is asked of these: they tell how far there is to go.
    unseen = {f"unseen {name}" for name in ("ninth", "eleventh", "eighteenth", "nineteenth", "twentieth")}
    unseen |= {"unseen twentyfirst", "unseen twentysecond", "unseen twentythird", "unseen twentyfourth"}
    unseen |= {"unseen twentyfifth", "unseen twentysixth", "unseen twentyseventh", "unseen twentyeighth"}
    unseen |= {"unseen twentyninth", "unseen thirtieth", "unseen thirtyfirst", "unseen thirtysecond"}
    assert set(own) == blind | learned | unseen
    for name, figures in ((name, own[name]) for name in sorted(blind | learned)):
        assert figures["shown precision"] >= (0.7 if name in learned else 0.95), name
        assert figures["sure false alarms"] <= (0.06 if name in learned else 0), name
        assert figures["shown false alarms"] <= (0.15 if name in learned else 0.04), name


def test_nothing_of_the_project_s_duplicates_is_merged_across_numbers() -> None:
    held = [pair for pair in pairs.duplicate_pairs(None, "all") if pair.group == "duplicates en"]
    figures = pairs.duplicates(held, load_encoder("hashing"))
    assert figures["merged, numbers differ"] == 0


def test_the_curve_falls_in_recall_and_recommends_zones_in_order() -> None:
    held = [pair for pair in pairs.duplicate_pairs(None, "all") if pair.group == "duplicates en"]
    points = curve(held, load_encoder("hashing"))
    assert [p.recall for p in points] == sorted((p.recall for p in points), reverse=True)
    zones = recommend(points)
    assert 0 < zones.near < zones.same < 1


def test_the_command_prints_the_curve_of_a_file_and_refuses_another(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [("Ana lives in Rome.", "Ana's home is in Rome.", 1), ("Ana lives in Rome.", "Ben likes tea.", 0)]
    file.write_text("".join(json.dumps({"a": a, "b": b, "label": y}) + "\n" for a, b, y in rows), encoding="utf-8")
    out = StringIO()
    call_command("calibrate", "--model", "hashing", "--pairs", str(file), "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["languages"]["en"]["pairs"] == 2 and "recommended" in told["languages"]["en"]
    file.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        call_command("calibrate", "--model", "hashing", "--pairs", str(file), stderr=StringIO())
    assert left.value.code == 1


def test_without_a_file_or_a_folder_the_project_s_own_pairs_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_BENCH_DIR", raising=False)
    out = StringIO()
    call_command("calibrate", "--model", "hashing", stdout=out)
    assert "of the project" in out.getvalue() and "recommended" in out.getvalue()


def test_the_blind_set_is_measured_by_the_command_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_BENCH_DIR", raising=False)
    out = StringIO()
    call_command(
        "bench", "--sets", "blind", "--limit", "9", "--encoder", "hashing", "--json", stdout=out, stderr=StringIO()
    )
    assert "blind fifth" in json.loads(out.getvalue())["pairs"]


def test_the_project_s_own_pairs_name_each_pair_once_and_are_half_contradictions() -> None:
    own = pairs.own_pairs()
    assert len(own) == 3066 and len({(pair.one, pair.other) for pair in own}) == 3066
    for name in ("people", "teams", "affairs", "household"):
        assert sum(pair.positive for pair in own if pair.group == f"learned {name}") == 80
    assert all(pair.topic for pair in own if pair.group == "learned assistant"), "it is left out by topic"
