"""Tiny sets in the real sets' formats, written here: nothing of the real ones is in the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def turn(number: int, speaker: str, text: str, *, session: str = "D1") -> dict[str, Any]:
    said = {"speaker": speaker, "text": text, "indexed": f"{speaker}: {text}", "date": "1:56 pm on 8 May, 2023"}
    return {"conv": "c1", "dia_id": f"{session}:{number}", "session": session, "split": "dev", **said}


def asked(qid: str, question: str, gold: list[str], **more: Any) -> dict[str, Any]:
    return {"qid": qid, "question": question, "gold": gold, "evidence": gold, "category": "all", "split": "dev", **more}


@pytest.fixture
def bench_dir(tmp_path: Path) -> Path:
    turns = [turn(1, "Ann", "I painted a sunrise."), turn(2, "Ben", "Lovely."), turn(3, "Ann", "Now I want a kiln.")]
    other = [turn(1, "Ben", "My dog ran off.", session="D2"), turn(2, "Ann", "Oh no!", session="D2")]
    lines(tmp_path / "locomo/turns.jsonl", turns + other)
    questions = [
        asked("1", "What did Ann paint?", ["D1:1"], conv="c1", category="single_hop"),
        asked("2", "Whose dog did Ann lose?", ["D2:1"], conv="c1", category="adversarial"),
        asked("3", "Held out?", ["D1:1"], conv="c1", split="heldout"),
        asked("4", "Nothing to find?", [], conv="c1"),
    ]
    lines(tmp_path / "locomo/queries.jsonl", questions)
    notes = [
        {"pid": f"n{n}", "title": name, "text": f"How to {name} quickly."} for n, name in enumerate(["rebase", "fold"])
    ]
    lines(tmp_path / "markdown/files_no_h1.jsonl", notes)
    lines(tmp_path / "markdown/queries.jsonl", [asked("1", "rebase", ["n0"]), asked("2", "fold", ["n1"])])
    return tmp_path
