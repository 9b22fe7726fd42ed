"""Reading again: a cross-encoder reads the query beside each of the best memories, and what it says is a factor.

Off unless a plan asks for it (`hybrid;rerank=1`) and MEMORY_RERANK_MODEL names a model. It comes last, after
diversity:

    score = Σ shares · Π factors · (1 + rerank·p)      p: how well the memory answers the query, by the model, 0–1

for the first `rerank_top` of what stands before it, and times 1 for all others, so that none of those overtakes.

Reading: in the first hits the sentence that answers is marked, by the packaged cross-encoder, which reads each
sentence beside the question. Places, scores and relevance stay as they are.

It was taught in English: a question or a text in another language is left as it is. So is a query of a word or two:
that asks for what speaks of something, and the matched words show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from memoryapp.domain.plan import plan_number
from memoryapp.domain.results import Hit
from memoryapp.domain.sentences import Span, sentence_spans
from memoryapp.inference.reranking.reranker import VARIABLE, passage_text, reader_slot, reranker_slot
from memoryapp.search.rank import best_slots
from memoryapp.search.state import FusionResult, Question, Reread
from memoryapp.text.language import language_of

NO_MODEL = f"No model is set up that could read the results again ({VARIABLE}), so they stay in their order."
LOADING = "The model that reads the results again is still loading; they stay in their order."


def reread_of(numbers: Mapping[str, float]) -> tuple[Reread | None, str]:
    """(what a plan with these numbers asks for, None where it asks for nothing or there is no model; the sentence that
    says why there is none, where it was asked for)."""
    weight = plan_number("rerank", numbers)
    if weight <= 0:
        return None, ""
    slot = reranker_slot()
    if slot is None:
        return None, NO_MODEL
    if slot.ready is None:
        return None, LOADING if slot.error is None else f"{slot.error} The results stay in their order."
    return Reread(slot.ready, weight, int(plan_number("rerank_top", numbers))), ""


def reweigh_reread(asked: Reread | None, numbers: Mapping[str, float]) -> Reread | None:
    """The same with the numbers of another plan."""
    if asked is None:
        return None
    return replace(asked, weight=plan_number("rerank", numbers), top=int(plan_number("rerank_top", numbers)))


def reread(question: Question, fused: FusionResult) -> FusionResult:
    """The same with the factor "rerank", where the question has it read again."""
    asked = question.reread
    if asked is None or asked.weight <= 0:
        return fused
    view = question.view
    slots = best_slots(fused.total, asked.top, order=view.roster.order)
    factor = np.ones(view.n)
    factor[slots] += asked.weight * asked.model.worth(question.query.text, question.texts(slots)).astype(np.float64)
    trace = {**fused.trace, "reread": len(slots)}
    return replace(fused, factors={**fused.factors, "rerank": factor}, total=fused.total * factor, trace=trace)


def rerank_text(question: Question, fused: FusionResult, slot: int) -> str:
    """One sentence for a reader of the sum; "" where nothing was read again."""
    asked = question.reread
    if asked is None or "rerank" not in fused.factors:
        return ""
    factor = float(fused.factors["rerank"][slot])
    if factor == 1.0:
        return f"{asked.model.name} read the first {asked.top} again; this one was not among them."
    worth = (factor - 1) / asked.weight
    return f"{asked.model.name} read it again and gives it {worth:.3f} of 1, times {asked.weight:g}."


FIRST = 3  # hits that are read
_PATIENCE = 3.0  # seconds that the first question after a start waits for the model
_SENTENCES = 8  # of a hit, those with most of the question's words
_LANGUAGES = ("en", "")
_LEAST = 3  # words of a question


def mark_answers(question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, the first with the sentence that answers. A text of one sentence needs no reader: that is it. Without
    the model nothing is marked."""
    if len(question.split()) < _LEAST or language_of(question) not in _LANGUAGES:
        return tuple(hits)
    spans = {n: sentence_spans(hit.memory.text) for n, hit in enumerate(hits[:FIRST])}
    marked = {n: found[0] for n, found in spans.items() if len(found) == 1}
    asked = [(n, span) for n, found in spans.items() if len(found) > 1 for span in _likely(hits[n], found)]
    if asked:
        slot = reader_slot()
        slot.wait(_PATIENCE)
        if slot.ready is None:
            return tuple(hits)
        logits = slot.ready.logits(question, [_passage(hits[n], span) for n, span in asked]).tolist()
        best: dict[int, float] = {}
        for (n, span), logit in zip(asked, logits, strict=True):
            if logit > best.get(n, float("-inf")):
                best[n], marked[n] = logit, span
    return tuple(replace(hit, answer=marked[n]) if n in marked else hit for n, hit in enumerate(hits))


def _likely(hit: Hit, spans: Sequence[Span]) -> Sequence[Span]:
    """Of a text that the reader knows the language of, the sentences to read."""
    text = hit.memory.text
    if language_of(text) not in _LANGUAGES:
        return ()
    words = [str(word).casefold() for word in hit.evidence.get("matched", ())]

    def matches(span: Span) -> int:
        return -sum(word in text[span.start : span.end].casefold() for word in words)

    return sorted(sorted(spans, key=matches)[:_SENTENCES], key=lambda span: span.start)


def _passage(hit: Hit, span: Span) -> str:
    return passage_text(hit.memory.text[span.start : span.end], speaker=hit.memory.speaker)
