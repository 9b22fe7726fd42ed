"""What a search made of the words of its query, told: terms, words dropped, who and when it names, the vector."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from memoryapp.domain.strategies import Arm, Fusion
from memoryapp.index import spans, tokens
from memoryapp.search.dates import Span, dates_in
from memoryapp.search.runs import Run
from memoryapp.search.stages import Step, day, join_words
from memoryapp.search.state import Question

_WORD = re.compile(r"[^\W_]+(?:['’ʼ]+[^\W_]+)*")


def question_step(run: Run) -> Step:
    """The step "question": it decides nothing by itself."""
    question, words = run.question, run.arms.words
    terms = [
        {"term": term, "idf": round(words.idf.get(term, 0.0), 4), "df": words.df.get(term, 0)}
        for term in question.terms
    ]
    dropped = list(dict.fromkeys(word for word in _WORD.findall(question.query.text) if not tokens(word)))
    detail: dict[str, Any] = {"terms": terms, "dropped": dropped, "vector": question.vector is not None}
    said = words_of(question)
    told = [f"It looks for {join_words(said.values())}." if terms else "It holds no word that is searched for."]
    if dropped:
        told.append(f"{join_words(dropped)} {'is' if len(dropped) == 1 else 'are'} not searched for.")
    if question.strategy.fusion in (Fusion.SCORES, Fusion.MASS):
        told += _who_and_when(run, detail)
    if seeds := _seeds(run):
        detail["seeds"] = seeds
        told.append(f"A walk begins at {join_words(one['name'] for one in seeds)}.")
    if question.strategy.arms != run.plan.arms:
        told.append(f"So {run.plan.name} is answered by {join_words(question.strategy.arms)}.")
    return Step("question", None, " ".join([*told[:1], *question.notes, *told[1:]]), detail)


def words_of(question: Question) -> dict[str, str]:
    """The query's terms, each as it was first written there."""
    text = question.query.text
    written: dict[str, str] = {}
    for term, start, end in spans(text):
        written.setdefault(term, text[start:end])
    return {term: written.get(term, term) for term in question.terms}


def _who_and_when(run: Run, detail: dict[str, Any]) -> list[str]:
    question, told = run.question, []
    if question.speaker is not None:
        spelled = (
            name for name in question.view.roster.speakers if " ".join(name.casefold().split()) == question.speaker
        )
        detail["speaker"] = next(spelled, question.speaker)
        told.append(f"It names the speaker {detail['speaker']}.")
    if spans := dates_in(question.query.text, now=question.now):
        detail["dates"] = [_span_text(span) for span in spans]
        nothing = "" if question.dated is not None else ", near which no memory has a date"
        told.append(f"It names {join_words(detail['dates'])}{nothing}.")
    return told


def _span_text(span: Span) -> str:
    """7 May 2023 · 7 May of any year · May 2023 · 16 Nov 2026 to 22 Nov 2026."""
    month, year = calendar.month_name[span.month], str(span.year) if span.year else "of any year"
    if span.year and span.days > 1:
        first = datetime(span.year, span.month, span.day, tzinfo=UTC)
        return f"{day(first)} to {day(first + timedelta(days=span.days - 1))}"
    return f"{month} {year}" if span.whole else f"{span.day} {month} {year}"


def _seeds(run: Run) -> list[dict[str, Any]]:
    entities, walks = run.question.view.graph.entities, {Arm.STRUCTURAL, Arm.RECALL}
    used = {seed.code: seed for arm, found in run.arms.found.items() if arm in walks and found.detail is not None
            for seed in found.detail.seeds}  # fmt: skip
    return [
        {"name": one.name, "by": seed.by, "weight": round(seed.weight, 4)}
        for code, seed in used.items()
        if (one := entities[code]) is not None
    ]
