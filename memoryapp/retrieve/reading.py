"""Reading: in the first hits the sentence that answers is marked, by the packaged cross-encoder, which reads each
sentence beside the question. Places, scores and relevance stay as they are.

It was taught in English: a question or a text in another language is left as it is. So is a query of a word or two:
that asks for what speaks of something, and the matched words show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.results import Hit
from memoryapp.domain.sentences import Span, sentence_spans
from memoryapp.encoders.rerank import passage_text, reader_slot
from memoryapp.extract.language import language_of

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
