"""Talks of our own: each filled into a space, asked and scored, and reported by half, people's talks apart from notes.
Half A was looked into while the rules were mended, half B was not: to stay a measure, it must not be.

Each question is asked twice: of the search, and for the context of a prompt; and of a plain search over what was said,
which is what a memory has to be better than. An answer counts as found where its words stand in what came back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.baseline import Plain
from benchmarks.quality import Say
from benchmarks.table import align_columns
from benchmarks.talks import TALKS, UNANSWERED, UPDATE, Filled, Question, Talk, filled, passages, read_talks
from memoryapp.context import prompt_context
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Memory
from memoryapp.domain.results import Hit, Query
from memoryapp.inference.embedding import Encoder
from memoryapp.search import search
from memoryapp.store import conflicts

BEST = 10  # results asked for
TOKENS = 1_000  # of a prompt's context
_PAGE = 200

Pair = tuple[frozenset[str], frozenset[str]]
FEW = 5
TEN = "answer in the ten best"
CONTEXT = "answer in the context"
_MARKED = re.compile(
    r"\b(?:disputed:|probably outdated:|no longer so:|until \d{4}-)"
)  # how a context says that something may no longer hold
Scored = Mapping[str, float]
KNOWN = "known against unknown, AUC"


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
                tuple(" ".join(map(_memory_text, evidence(hit))) for hit in hits),
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


def _memory_text(memory: Memory) -> str:
    """As a reader of the result sees it."""
    days = [f"{at:%Y-%m-%d}" for at in (memory.occurred_at, memory.valid_from) if at]
    return " ".join([memory.text, memory.title, *days])


def has(text: str, answer: Sequence[Sequence[str]]) -> bool:
    """Whether every part of the answer stands in the text in one of its wordings; case and line breaks do not count."""
    plain = _plain_text(text)
    return bool(answer) and all(any(_plain_text(one) in plain for one in wordings) for wordings in answer)


def scored(got: Got) -> Scored:
    """What one question scored, 0 to 1 by measure; nothing where nothing answers it."""
    asked = got.question
    if asked.kind == UNANSWERED:
        return {}
    found = {
        f"turn R@{FEW}": recall(got.refs[:FEW], asked.gold),
        f"turn R@{BEST}": recall(got.refs[:BEST], asked.gold),
        TEN: float(has(" ".join(got.texts), asked.answer)),
        CONTEXT: float(has(got.context, asked.answer)),
        f"plain turn R@{BEST}": recall(got.plain_refs[:BEST], asked.gold),
        f"plain {TEN}": float(has(" ".join(got.plain_texts), asked.answer)),
    }
    if asked.kind == UPDATE:
        found["newest in the context"] = found[CONTEXT]
        if asked.stale:
            old = [line for line in got.context.splitlines() if _has_wording(line, asked.stale)]
            found["stale absent"] = float(not old)
            found["stale absent or marked"] = float(all(_MARKED.search(line) for line in old))
    return found


def known_apart(known: Sequence[float], unknown: Sequence[float]) -> float | None:
    """AUC: in how many pairs of a question that is answered and one that is not the first has the greater relevance;
    a tie is half of one. None where there are none of either."""
    pairs = len(known) * len(unknown)
    return sum((one > other) + 0.5 * (one == other) for one in known for other in unknown) / pairs if pairs else None


def means(all_scored: Iterable[Scored]) -> dict[str, float]:
    """Each measure's mean over the questions that it counts for."""
    values: dict[str, list[float]] = defaultdict(list)
    for one in all_scored:
        for measure, value in one.items():
            values[measure].append(value)
    return {measure: sum(those) / len(those) for measure, those in values.items()}


def by_kind(kinds: Sequence[str], all_scored: Sequence[Scored]) -> Iterator[tuple[str, int, dict[str, float]]]:
    """(kind, questions, means) of the kinds that have an answer, in order of name."""
    for kind in sorted(set(kinds) - {UNANSWERED}):
        those = [one for name, one in zip(kinds, all_scored, strict=True) if name == kind]
        yield kind, len(those), means(those)


def conflicts_scored(updates: Sequence[tuple[str, str]], found: Sequence[Pair]) -> dict[str, int]:
    """`found` of the `updates` as a conflict between what its two turns gave; `right` of the conflicts `shown`."""
    return {
        "updates": len(updates),
        "found": sum(any(_is_same_pair(pair, update) for pair in found) for update in updates),
        "shown": len(found),
        "right": sum(any(_is_same_pair(pair, update) for update in updates) for pair in found),
    }


def _is_same_pair(pair: Pair, update: tuple[str, str]) -> bool:
    (one, other), (before, after) = pair, update
    return (before in one and after in other) or (after in one and before in other)


def recall(refs: Sequence[frozenset[str]], gold: Sequence[str]) -> float:
    """The share of `gold` that one of the results comes from."""
    return sum(any(ref in those for those in refs) for ref in gold) / len(gold)


def _has_wording(line: str, wordings: Sequence[str]) -> bool:
    return any(one.casefold() in line.casefold() for one in wordings)


def _plain_text(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class TalkResult:
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
        asked.append(_ask_talk(talk, encoder, limit=limit))
    parts = sorted({_part(one.talk) for one in asked}, key=lambda part: (part.endswith("notes"), part))
    return {part: _figures([one for one in asked if _part(one.talk) == part]) for part in parts}


def _ask_talk(talk: Talk, encoder: Encoder, *, limit: int) -> TalkResult:
    with filled(talk, encoder) as space:
        got = list(ask(talk, space, encoder=encoder, limit=limit))
        found = tuple(disputes(space))
    kinds, relevance = tuple(one.question.kind for one in got), tuple(one.relevance for one in got)
    return TalkResult(talk, kinds, relevance, tuple(scored(one) for one in got), found)


def _part(talk: Talk) -> str:
    return f"{talk.half} {'talks' if talk.folder is None else 'notes'}"


def _figures(asked: Sequence[TalkResult]) -> dict[str, Any]:
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
    measures = dict.fromkeys(name for part in parts for name in told[part]["all"])
    rows += [[name, *(_number(told[part]["all"].get(name)) for part in parts)] for name in measures]
    rows += [
        [name, *(_ratio_text(told[part].get("conflicts"), one, of) for part in parts)]
        for name, one, of in (("updates found as conflicts", "found", "updates"), ("conflicts right", "right", "shown"))
    ]
    yield "\ntalks of our own (plain: FTS5, exact cosine and RRF over the turns or sections)"
    yield from align_columns(rows)
    yield f"\nby kind: questions, {TEN}, {CONTEXT}"
    kinds = sorted({kind for part in parts for kind in told[part]["kinds"]})
    yield from align_columns(
        [["", *parts], *([kind, *(_kind(told[part]["kinds"].get(kind)) for part in parts)] for kind in kinds)]
    )


def _kind(told: Mapping[str, float] | None) -> str:
    return f"{told['questions']:.0f}  {told[TEN]:.3f}  {told[CONTEXT]:.3f}" if told else ""


def _ratio_text(told: Mapping[str, int] | None, one: str, of: str) -> str:
    return f"{told[one]}/{told[of]}" if told else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
