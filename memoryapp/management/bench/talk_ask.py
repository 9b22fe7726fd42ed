"""Each question of a talk asked twice: of the search, and for the context of a prompt; and of a plain search over what
was said, which is what a memory has to be better than."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memoryapp.context import prompt_context
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Memory
from memoryapp.domain.results import Hit, Query
from memoryapp.encoders import Encoder
from memoryapp.management.bench.baseline import Plain
from memoryapp.management.bench.talk_fill import Filled
from memoryapp.management.bench.talk_read import Question, Talk, passages
from memoryapp.retrieve import search
from memoryapp.store import conflicts

BEST = 10  # results asked for
TOKENS = 1_000  # of a prompt's context
_PAGE = 200

Pair = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Got:
    """What came back: `texts` of the best results, dates included, with the `refs` that each comes from; the same of
    the plain search, in no order; the context; and the relevance of the best result."""

    question: Question
    texts: tuple[str, ...]
    refs: tuple[frozenset[str], ...]
    context: str
    plain_texts: tuple[str, ...] = ()
    plain_refs: tuple[frozenset[str], ...] = ()
    relevance: float = 0.0


def ask(talk: Talk, filled: Filled, *, encoder: Encoder, limit: int) -> Iterator[Got]:
    """Every question, or the first `limit` where that is not 0."""
    there = list(passages(talk))
    plain = Plain(encoder.dimension)
    try:
        plain.add([text for _, text in there], encoder.encode_documents([text for _, text in there]))
        for question in talk.questions[: limit or None]:
            query = Query(question.text, top_k=BEST, filters=Filters(as_of=question.as_of))
            hits = search(filled.space, query).hits
            context = prompt_context(filled.space, question.text, budget=TOKENS, as_of=question.as_of)
            found = plain.search(question.text, encoder.encode_query(question.text), top_k=BEST)
            yield Got(
                question,
                tuple(" ".join(map(_told, evidence(hit))) for hit in hits),
                tuple(frozenset[str]().union(*map(filled.refs, evidence(hit))) for hit in hits),
                context.text,
                tuple(text for _, text in found),
                tuple(frozenset({there[row][0]}) for row, _ in found),
                max((hit.relevance for hit in hits), default=0.0),
            )
    finally:
        plain.close()


def evidence(hit: Hit) -> tuple[Memory, ...]:
    """All that a reader of a hit sees: the memory, what stands beside it, what it answers and what replies to it."""
    return (hit.memory, *hit.beside, *(one for one in (hit.answers, hit.reply) if one is not None))


def disputes(filled: Filled) -> list[Pair]:
    """Of every conflict that was found, decided or not, the refs of both its sides."""
    found: list[Pair] = []
    after = None
    while page := conflicts.page(filled.space.db, after=after, limit=_PAGE):
        found += [
            (filled.learned.get(one.existing, frozenset()), filled.learned.get(one.incoming or "", frozenset()))
            for one in page
        ]
        after = page[-1].id
    return found


def _told(memory: Memory) -> str:
    """As a reader of the result sees it."""
    days = [f"{at:%Y-%m-%d}" for at in (memory.occurred_at, memory.valid_from) if at]
    return " ".join([memory.text, memory.title, *days])
