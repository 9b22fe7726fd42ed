"""The data sets as pools: what one space remembers, and what is asked of it. Read where they lie, never copied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memoryapp.domain.remembering import NewMemory


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """`gold`: refs of the memories that answer it."""

    text: str
    gold: tuple[str, ...]
    category: str


@dataclass(frozen=True, slots=True)
class Pool:
    """One space's worth: a conversation, a collection of passages."""

    name: str
    items: tuple[NewMemory, ...]
    questions: tuple[GoldQuestion, ...]


def locomo(folder: Path, split: str) -> Iterator[Pool]:
    """Conversations: turns with speaker, session and the session's date; gold are turns."""
    turns = [row for row in _rows(folder / "locomo/turns.jsonl") if _is_in_split(row, split)]
    asked = [row for row in _rows(folder / "locomo/queries.jsonl") if _is_in_split(row, split)]
    for conversation in dict.fromkeys(row["conv"] for row in turns):
        yield Pool(
            conversation,
            tuple(_turn(row) for row in turns if row["conv"] == conversation),
            tuple(
                GoldQuestion(row["question"], tuple(dict.fromkeys(row["evidence"])), row["category"])
                for row in asked
                if row["conv"] == conversation and row["evidence"]
            ),
        )


def _turn(row: dict[str, Any]) -> NewMemory:
    """`indexed` is “Speaker: words [image: caption]”; the speaker is a field of a memory, the rest its text."""
    return NewMemory(
        row["indexed"].removeprefix(f"{row['speaker']}: "),
        ref=row["dia_id"],
        speaker=row["speaker"],
        session=row["session"],
        occurred_at=datetime.strptime(row["date"], "%I:%M %p on %d %B, %Y"),
    )


def markdown(folder: Path, split: str) -> Iterator[Pool]:
    """Notes without their title; the author's title is the question, the note the one answer."""
    notes = _rows(folder / "markdown/files_no_h1.jsonl")
    items = tuple(NewMemory(row["text"], ref=row["pid"]) for row in notes if row["text"].strip())
    yield Pool("notes", items, _read_questions(folder / "markdown/queries.jsonl", split))


def korean(folder: Path, split: str) -> Iterator[Pool]:
    """Sentences of Korean articles, a paragraph a session; gold is the sentence that holds the answer."""
    items = tuple(
        NewMemory(row["text"], ref=row["pid"], session=row["pid"].rpartition("_")[0])
        for row in _rows(folder / "korean/sentences.jsonl")
    )
    yield Pool("sentences", items, _read_questions(folder / "korean/queries_sent.jsonl", split))


def multihop(name: str) -> Callable[[Path, str], Iterator[Pool]]:
    def read(folder: Path, split: str) -> Iterator[Pool]:
        """Passages with titles; gold are the passages that must be joined to answer."""
        items = tuple(
            NewMemory(row["text"], title=row["title"], ref=row["pid"])
            for row in _rows(folder / f"multihop/{name}_passages.jsonl")
        )
        yield Pool(name, items, _read_questions(folder / f"multihop/{name}_queries.jsonl", split))

    return read


def meetings(folder: Path, split: str) -> Iterator[Pool]:
    """Meeting turns; gold are the turns that people marked as the span that answers."""
    turns = _rows(folder / "summarisation/qmsum_turns.jsonl")
    asked = [row for row in _rows(folder / "summarisation/qmsum_spans.jsonl") if _is_in_split(row, split)]
    for meeting in dict.fromkeys(row["meeting"] for row in asked):
        items = tuple(
            NewMemory(row["text"], ref=str(row["turn"]), speaker=row["speaker"], session=meeting)
            for row in turns
            if row["meeting"] == meeting and row["text"].strip()
        )
        questions = (row for row in asked if row["meeting"] == meeting)
        yield Pool(
            meeting,
            items,
            tuple(GoldQuestion(row["question"], tuple(map(str, row["gold"])), "span") for row in questions),
        )


SETS: dict[str, tuple[tuple[str, Callable[[Path, str], Iterator[Pool]]], ...]] = {
    "locomo": (("locomo", locomo),),
    "markdown": (("markdown", markdown),),
    "korean": (("korean", korean),),
    "multihop": (("musique", multihop("musique")), ("hotpotqa", multihop("hotpotqa"))),
    "meetings": (("meetings", meetings),),
}


def pools_of(name: str, folder: Path, split: str) -> list[tuple[str, list[Pool]]]:
    """(set, its pools) of one of SETS; a set whose files are not in the folder has none."""
    found = []
    for part, read in SETS.get(name, ()):
        try:
            found.append((part, list(read(folder, split))))
        except FileNotFoundError:
            found.append((part, []))
    return found


def _read_questions(path: Path, split: str) -> tuple[GoldQuestion, ...]:
    return tuple(
        GoldQuestion(row["question"], tuple(row["gold"]), row.get("category", "all"))
        for row in _rows(path)
        if _is_in_split(row, split)
    )


def _is_in_split(row: dict[str, Any], split: str) -> bool:
    return split == "all" or row.get("split", split) == split


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
