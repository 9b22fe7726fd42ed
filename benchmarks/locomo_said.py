"""LoCoMo as an agent would bring it: session by session posted as turns, read by the rules, told as episodes; then each
question is asked, and a result counts for the turns it was said in. Beside it a plain search over the same turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality import Say
from benchmarks.sets import Pool, locomo
from benchmarks.table import align_columns
from benchmarks.talk import ask, recall
from benchmarks.talks import Question, Said, Talk, filled
from memoryapp.domain.turn import Role
from memoryapp.inference.embedding import Encoder

_DEPTHS = (5, 10)
_BETWEEN = timedelta(seconds=20)  # two turns of one session, which LoCoMo dates as a whole


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """Of one question, by name of the measure."""

    category: str
    scored: Mapping[str, float]


def measure(folder: Path, *, encoder: Encoder, split: str, limit: int, say: Say) -> dict[str, Any]:
    """Means over all questions by measure, {} where LoCoMo is not in the folder. `limit`: questions a conversation."""
    try:
        pools = list(locomo(folder, split))
    except FileNotFoundError:
        say("LoCoMo is not in the folder, skipped")
        return {}
    counted = []
    for pool in pools:
        say(f"sessions {pool.name}: {len(pool.items)} turns, {len(pool.questions)} questions")
        counted += list(_score_questions(pool, encoder, limit=limit))
    names = dict.fromkeys(name for one in counted for name in one.scored)
    means = {name: sum(one.scored[name] for one in counted) / len(counted) for name in names}
    return {"questions": len(counted), "all": means}


def _score_questions(pool: Pool, encoder: Encoder, *, limit: int) -> Iterator[QuestionScore]:
    talk = talk_of(pool)
    with filled(talk, encoder) as space:
        for got in ask(talk, space, encoder=encoder, limit=limit):
            scored = {f"R@{depth}": recall(got.refs[:depth], got.question.gold) for depth in _DEPTHS}
            plain = {f"plain R@{depth}": recall(got.plain_refs[:depth], got.question.gold) for depth in _DEPTHS}
            yield QuestionScore(got.question.kind, scored | plain)


def talk_of(pool: Pool) -> Talk:
    """A conversation of LoCoMo as a talk: its speakers are both users, its turns follow one another in a session."""
    said: list[Said] = []
    for item in pool.items:
        session, when = item.session or "", item.occurred_at
        assert when is not None and item.ref is not None
        at = when.replace(tzinfo=UTC)
        if said and said[-1].session == session:
            at = said[-1].at + _BETWEEN
        said.append(Said(item.ref, session, Role.USER, item.speaker, at, item.text))
    questions = tuple(Question(asked.category, asked.text, tuple(asked.gold)) for asked in pool.questions)
    return Talk(pool.name, "", tuple(said), None, questions, ())


def sessions_table(told: Mapping[str, Any]) -> Iterator[str]:
    if not told:
        return
    yield f"\nLoCoMo through sessions: {told['questions']} questions (plain: FTS5, exact cosine and RRF over the turns)"
    names = list(told["all"])
    yield from align_columns([["", *names], ["all", *(f"{told['all'][name]:.3f}" for name in names)]])
