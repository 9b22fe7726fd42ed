"""Talks of our own: each filled into a space, asked and scored; told by half, people's talks apart from notes.

Half A was looked into while the rules were mended, half B was not: to stay a measure, it must not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality import Say
from benchmarks.table import aligned
from benchmarks.talk_answers import (
    CONTEXT,
    TEN,
    Pair,
    Scored,
    ask,
    by_kind,
    conflicts_scored,
    disputes,
    known_apart,
    means,
    scored,
)
from benchmarks.talk_fill import filled
from benchmarks.talk_read import TALKS, UNANSWERED, Talk, read_talks
from memoryapp.inference.embedding import Encoder

KNOWN = "known against unknown, AUC"


@dataclass(frozen=True, slots=True)
class Asked:
    """A talk with what each of its questions scored, and the conflicts that were found."""

    talk: Talk
    kinds: tuple[str, ...]
    relevance: tuple[float, ...]
    scored: tuple[Scored, ...]
    disputes: tuple[Pair, ...]


def measure(*, encoder: Encoder, limit: int, say: Say, folder: Path = TALKS) -> dict[str, Any]:
    """Figures by part (“A talks”, “A notes”, …): how many questions have an answer, the means by measure, the same by
    kind, and of talks how many updates were found as conflicts. `limit`: questions a talk, 0 for all."""
    asked = []
    for talk in read_talks(folder):
        say(f"talks {talk.name}: {len(talk.turns)} turns, {len(talk.questions)} questions")
        asked.append(_asked(talk, encoder, limit=limit))
    parts = sorted({_part(one.talk) for one in asked}, key=lambda part: (part.endswith("notes"), part))
    return {part: _figures([one for one in asked if _part(one.talk) == part]) for part in parts}


def _asked(talk: Talk, encoder: Encoder, *, limit: int) -> Asked:
    with filled(talk, encoder) as space:
        got = list(ask(talk, space, encoder=encoder, limit=limit))
        found = tuple(disputes(space))
    kinds, relevance = tuple(one.question.kind for one in got), tuple(one.relevance for one in got)
    return Asked(talk, kinds, relevance, tuple(scored(one) for one in got), found)


def _part(talk: Talk) -> str:
    return f"{talk.half} {'talks' if talk.folder is None else 'notes'}"


def _figures(asked: Sequence[Asked]) -> dict[str, Any]:
    kinds = [kind for one in asked for kind in one.kinds]
    every = [each for one in asked for each in one.scored]
    figures: dict[str, Any] = {
        "questions": sum(kind != UNANSWERED for kind in kinds),
        "all": means(every),
        "kinds": {kind: {"questions": count} | told for kind, count, told in by_kind(kinds, every)},
    }
    told = list(zip(kinds, (value for one in asked for value in one.relevance), strict=True))
    apart = known_apart(
        [value for kind, value in told if kind != UNANSWERED], [value for kind, value in told if kind == UNANSWERED]
    )
    if apart is not None:
        figures["all"][KNOWN] = apart
    if any(one.talk.turns for one in asked):
        counted = [conflicts_scored(one.talk.updates, one.disputes) for one in asked]
        figures["conflicts"] = {name: sum(one[name] for one in counted) for name in counted[0]}
    return figures


def talks_table(told: Mapping[str, Any]) -> Iterator[str]:
    """A column a part; below it two of the measures by kind of question."""
    parts = list(told)
    rows = [["", *parts], ["questions with an answer", *(str(told[part]["questions"]) for part in parts)]]
    for name in dict.fromkeys(name for part in parts for name in told[part]["all"]):
        rows.append([name, *(_number(told[part]["all"].get(name)) for part in parts)])
    for name, one, of in (("updates found as conflicts", "found", "updates"), ("conflicts right", "right", "shown")):
        rows.append([name, *(_of(told[part].get("conflicts"), one, of) for part in parts)])
    yield "\ntalks of our own (plain: FTS5, exact cosine and RRF over the turns or sections)"
    yield from aligned(rows)
    yield f"\nby kind: questions, {TEN}, {CONTEXT}"
    kinds = sorted({kind for part in parts for kind in told[part]["kinds"]})
    yield from aligned(
        [["", *parts], *([kind, *(_kind(told[part]["kinds"].get(kind)) for part in parts)] for kind in kinds)]
    )


def _kind(told: Mapping[str, float] | None) -> str:
    return f"{told['questions']:.0f}  {told[TEN]:.3f}  {told[CONTEXT]:.3f}" if told else ""


def _of(told: Mapping[str, int] | None, one: str, of: str) -> str:
    return f"{told[one]}/{told[of]}" if told else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
