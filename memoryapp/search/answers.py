"""The sentence of a hit that answers the question.

A sentence scores by its cosine with the question; by whether it has a date where the question asks when, a number where
it asks how many, a name where it asks who; and by its length. `training/answers.py` fits the five weights on questions
written for that. Places, scores and relevance of the hits stay as they are.

A query of a word or two is no question: it asks for what speaks of something, and the matched words show that.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.results import Hit
from memoryapp.domain.sentences import Span, sentence_spans
from memoryapp.index.tokens import UNSPACED
from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.inference.embedding.text_cache import VectorCache
from memoryapp.inference.reranking.reranker import passage_text
from memoryapp.spaces import Space
from memoryapp.text.language import language_of

FIRST = 3  # hits that are marked
WEIGHTS = Path(__file__).with_name("answers.json")
_SENTENCES = 8  # of a hit, those with most of the question's words
_WORDS = 3  # of a question
_LETTERS = 6  # of a question in a script without spaces
_UNSPACED = re.compile(f"[{UNSPACED}]")

# English, as are the texts that the weights were fitted on. In another language cosine and length decide.
_WHEN = re.compile(r"\b(?:when|what time|(?:what|which) (?:day|date|month|year)|date|how long|until|since)\b", re.I)
_HOW_MANY = re.compile(
    r"\b(?:how (?:many|much|far|old|big|often|long)|cost|price|number|amount|percent|total|rate|salary|rent|size"
    r"|score)\b",
    re.I,
)
_WHO = re.compile(r"\b(?:who|whose|whom|name|called)\b", re.I)
_DATE = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|week|month|year|morning|evening|night|tomorrow|tonight|noon|spring|summer|autumn|winter"
    r"|easter|christmas|o.clock)",
    re.I,
)
_NUMBER = re.compile(
    r"\d|[€$£%]|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|hundred|thousand|half|dozen|twice|double)\b",
    re.I,
)
_NAME = re.compile(r"(?<=[\w,;:’'\"(] )[A-Z][a-z]+")

sentence_vectors = VectorCache(most=8_192)


def mark_answers(space: Space, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits, the first ones with the sentence that answers: the only one of a text, or the likeliest. Without
    an encoder that reads the question's language nothing is marked."""
    if not _asks(question) or not space.encoder.ready:
        return tuple(hits)
    encoder = space.encoder.get(0)
    if language_of(question) not in (*encoder.languages, ""):
        return tuple(hits)
    spans = {rank: sentence_spans(hit.memory.text) for rank, hit in enumerate(hits[:FIRST])}
    answers = {rank: found[0] for rank, found in spans.items() if len(found) == 1}
    read = {
        rank: _likely(hits[rank], found)
        for rank, found in spans.items()
        if len(found) > 1 and language_of(hits[rank].memory.text) in (*encoder.languages, "")
    }
    texts = {(rank, span): _sentence(hits[rank], span) for rank, found in read.items() for span in found}
    try:
        cosines = cosines_of(encoder, question, [passage for _, passage in texts.values()])
    except EncoderError:  # an encoder behind an address may fail at any time
        return tuple(hits)
    scores = {
        place: score(question, sentence, cosine)
        for (place, (sentence, _)), cosine in zip(texts.items(), cosines, strict=True)
    }
    for rank, span in sorted(scores, key=scores.__getitem__, reverse=True):
        answers.setdefault(rank, span)
    return tuple(replace(hit, answer=answers[rank]) if rank in answers else hit for rank, hit in enumerate(hits))


def cosines_of(encoder: Encoder, question: str, passages: Sequence[str]) -> list[float]:
    """Of each passage with the question. Raises EncoderError."""
    if not passages:
        return []
    cosines: list[float] = (sentence_vectors.vectors(encoder, passages) @ encoder.encode_query(question)).tolist()
    return cosines


def score(question: str, sentence: str, cosine: float) -> float:
    """How well the sentence answers, beside the others of its text: only the order means something."""
    return math.fsum(weight * one for weight, one in zip(_weights(), signals(question, sentence, cosine), strict=True))


def signals(question: str, sentence: str, cosine: float) -> tuple[float, ...]:
    """What the weights are for: cosine; date, number and name where they are asked for, 0 or 1; ln(1 + characters)."""
    return (
        cosine,
        float(_WHEN.search(question) is not None and _DATE.search(sentence) is not None),
        float(_HOW_MANY.search(question) is not None and _NUMBER.search(sentence) is not None),
        float(_WHO.search(question) is not None and _NAME.search(sentence) is not None),
        math.log1p(len(sentence)),
    )


def _asks(question: str) -> bool:
    return len(question.split()) >= _WORDS or len(_UNSPACED.findall(question)) >= _LETTERS


def _likely(hit: Hit, spans: Sequence[Span]) -> Sequence[Span]:
    """The sentences to compare, in their order."""
    text = hit.memory.text
    words = [str(word).casefold() for word in hit.evidence.get("matched", ())]

    def matches(span: Span) -> int:
        return -sum(word in text[span.start : span.end].casefold() for word in words)

    return sorted(sorted(spans, key=matches)[:_SENTENCES], key=lambda span: span.start)


def _sentence(hit: Hit, span: Span) -> tuple[str, str]:
    """The sentence, and what the encoder reads: with who said it."""
    sentence = hit.memory.text[span.start : span.end]
    return sentence, passage_text(sentence, speaker=hit.memory.speaker)


@cache
def _weights() -> tuple[float, ...]:
    return tuple(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"])
