"""Talks of our own: the shipped files hold together, a small talk goes the whole way, and each measure is as told."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmarks import talk
from benchmarks.talk import Got, conflicts_scored, evidence, has, known_apart, means, scored
from benchmarks.talks import Question, passages, read_talks
from memoryapp.domain.results import Hit
from memoryapp.inference.embedding import load_encoder
from tests.samples import a_memory

HOME = {"kind": "update", "text": "Where does Mara live?", "gold": ["s2-1"], "answer": [["Oslo"]], "stale": ["Rome"]}
SISTER = {"kind": "single", "text": "What is the trade of Mara's sister Ana?", "gold": ["s1-2"], "answer": [["nurse"]]}
NOBODY = {"kind": "abstain", "text": "What car does Mara drive?"}


def _turn(ref: str, day: str, text: str) -> dict[str, Any]:
    at = f"{day}T09:00:00+00:00"
    return {"ref": ref, "session": ref[:2], "role": "user", "speaker": "Mara", "at": at, "text": text}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    said = [
        _turn("s1-1", "2025-01-12", "I live in Rome."),
        _turn("s1-2", "2025-01-12", "My sister Ana is a nurse."),
        _turn("s2-1", "2025-06-02", "I live in Oslo now."),
    ]
    asked = [HOME, SISTER, NOBODY]
    row = {"name": "small", "half": "A", "turns": said, "questions": asked, "updates": [["s1-1", "s2-1"]]}
    (tmp_path / "small.json").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/march.md").write_text("# March\n\n## Hosting\nOn a server in Bergen.\n", encoding="utf-8")
    where = {"kind": "single", "text": "Where is the hosting?", "gold": ["march.md#Hosting"], "answer": [["Bergen"]]}
    notes = {"name": "logs", "half": "B", "folder": "logs", "questions": [where], "updates": []}
    (tmp_path / "logs.json").write_text(json.dumps(notes), encoding="utf-8")
    return tmp_path


def test_the_shipped_talks_are_all_there_and_point_at_what_exists() -> None:
    talks = read_talks()
    assert Counter((one.half, one.folder is None) for one in talks) == {
        ("A", True): 4, ("B", True): 4, ("A", False): 1, ("B", False): 1,
    }  # fmt: skip
    assert sum(len(one.questions) for one in talks) == 258
    assert sum(len(one.updates) for one in talks) == 49
    for one in talks:
        there = dict(passages(one))
        assert len(there) == len(list(passages(one))), f"{one.name} has a ref twice"
        for question in one.questions:
            assert set(question.gold) <= there.keys(), f"{one.name}: {question.text}"
            assert (question.kind == "abstain") is not bool(question.answer)
        assert {ref for pair in one.updates for ref in pair} <= there.keys()


def test_every_shipped_answer_stands_in_what_answers_it() -> None:
    for one in read_talks():
        there = dict(passages(one))
        for question in one.questions:
            if question.answer:
                assert has(" ".join(there[ref] for ref in question.gold), question.answer), question.text


def test_turns_come_in_the_order_in_which_they_were_said() -> None:
    for one in read_talks():
        assert [turn.at for turn in one.turns] == sorted(turn.at for turn in one.turns)
        held = [turn.session for turn in one.turns]
        assert held == sorted(held, key=one.sessions.index), f"{one.name} goes back to a session"


def test_a_small_talk_goes_the_whole_way(small: Path) -> None:
    said: list[str] = []
    told = talk.measure(encoder=load_encoder("hashing"), limit=0, say=said.append, folder=small)
    assert list(told) == ["A talks", "B notes"]
    part = told["A talks"]
    assert part["questions"] == 2  # the third has no answer
    assert part["all"]["turn R@5"] == part["all"]["answer in the ten best"] == part["all"]["answer in the context"] == 1
    assert part["all"]["plain turn R@10"] == part["all"]["plain answer in the ten best"] == 1
    assert part["conflicts"] == {"updates": 1, "found": 1, "shown": 1, "right": 1}
    assert set(part["kinds"]) == {"single", "update"} and "stale absent" not in part["kinds"]["single"]
    assert told["B notes"]["all"]["turn R@5"] == 1 and "conflicts" not in told["B notes"]
    assert said == ["talks logs: 0 turns, 1 questions", "talks small: 3 turns, 3 questions"]
    table = "\n".join(talk.talks_table(told))
    assert "answer in the ten best" in table and "/1" in table


def test_the_limit_is_so_many_questions_a_talk(small: Path) -> None:
    told = talk.measure(encoder=load_encoder("hashing"), limit=1, say=lambda _: None, folder=small)
    assert [part["questions"] for part in told.values()] == [1, 1]


def test_each_measure_is_what_it_says() -> None:
    question = Question("single", "?", gold=("a", "b"), answer=(("Oslo",), ("May 3", "2025-05-03")))
    refs = tuple(frozenset({one}) if one else frozenset() for one in ("a", "", "", "", "", "b"))
    got = Got(question, ("In OSLO", "since 2025-05-03"), refs, "in Oslo", ("Oslo",), (frozenset("b"),))
    assert scored(got) == {
        "turn R@5": 0.5,
        "turn R@10": 1,
        "answer in the ten best": 1,
        "answer in the context": 0,
        "plain turn R@10": 0.5,
        "plain answer in the ten best": 0,
    }


@pytest.mark.parametrize(
    ("line", "absent", "marked"),
    [
        ("[2] Ann likes tea.", 1, 1),
        ("[2] Mara lives in Rome. (trust 0.80; until 2025-06-02)", 0, 1),
        ("[2] Mara lives in Rome. (trust 0.80; disputed: “Mara lives in Oslo.”)", 0, 1),
        ("[2] Mara (2025-03-01): I live in Rome. (no longer so: Mara lives in Rome.)", 0, 1),
        ("[2] Mara waits in Rome until Friday. (trust 0.80)", 0, 0),
    ],
)
def test_what_held_before_counts_where_it_is_absent_or_marked(line: str, absent: float, marked: float) -> None:
    question = Question("update", "?", gold=("a",), answer=(("Oslo",),), stale=("rome",))
    context = f"[1] Mara lives in Oslo. (trust 0.90)\n{line}"
    found = scored(Got(question, (), (), context))
    assert found["newest in the context"] == 1
    assert (found["stale absent"], found["stale absent or marked"]) == (absent, marked)


def test_known_and_unknown_are_told_apart_by_pairs() -> None:
    assert known_apart([0.9, 0.5], [0.5, 0.1]) == 0.875
    assert known_apart([0.9], []) is None


def test_a_question_that_nothing_answers_counts_for_no_measure() -> None:
    assert scored(Got(Question("abstain", "?"), ("x",), (frozenset(),), "x")) == {}
    assert means([{}, {"m": 1.0}, {"m": 0.0, "n": 1.0}]) == {"m": 0.5, "n": 1.0}


def test_an_update_is_found_where_a_conflict_lies_between_its_two_turns() -> None:
    found = [
        (frozenset({"b"}), frozenset({"a", "x"})),  # the other way round: right
        (frozenset({"a"}), frozenset({"x"})),
        (frozenset({"a", "b"}), frozenset()),
    ]
    told = conflicts_scored([("a", "b"), ("c", "d")], found)
    assert told == {"updates": 2, "found": 1, "shown": 3, "right": 1}


def test_the_command_needs_no_folder_for_them(monkeypatch: pytest.MonkeyPatch, small: Path, tmp_path: Path) -> None:
    monkeypatch.delenv("MEMORY_BENCH_DIR", raising=False)
    own = read_talks(small)
    monkeypatch.setattr(talk, "read_talks", lambda folder: own)
    out = StringIO()
    words = ("--sets", "talks", "--encoder", "hashing-384", "--cache", str(tmp_path / "cache"), "--json")
    call_command("bench", *words, stdout=out, stderr=StringIO())
    assert set(json.loads(out.getvalue())["talks"]) == {"A talks", "B notes"}


def test_a_hit_counts_for_all_that_a_reader_of_it_sees() -> None:
    memory, fact, before, reply = (a_memory(text) for text in ("And you?", "Ana has a cat.", "I have a cat.", "A dog."))
    hit = Hit(memory, 1.0, 1.0, 1.0, {}, {}, {}, beside=(fact,), answers=before, reply=reply)
    assert evidence(hit) == (memory, fact, before, reply)
    assert evidence(replace(hit, answers=None, reply=None, beside=())) == (memory,)
