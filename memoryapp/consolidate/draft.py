"""A group with its ranked sentences becomes a digest as it would be written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.consolidate.group import Group
from memoryapp.consolidate.ranking import RankedSentence, Ranking
from memoryapp.domain.digest import BULLET, Digest, Original, Ranker, Sentence
from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import content_hash
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State

# Which sentences a digest takes: the best of each section, the best of those, none twice; and why each other one
# stays behind.

OF_SECTION, OF_GROUP = 3, 10
_FEW_WORDS, _SLIGHT = 2, 0.1  # “Coffee.”: so few words, with so little that speaks for them, are no news
_MANY = {3: ("three", "셋"), 10: ("ten", "열")}


def choose(ranking: Ranking, *, by_hand: Collection[str] | None = None) -> tuple[Sentence, ...]:
    """All sentences of a group in reading order, those that are taken without a reason in `left`.

    At most `OF_SECTION` of a section and `OF_GROUP` in all. `by_hand`: ids of those that a person wants, and no others.
    """
    left = _skip_reasons(ranking)
    chosen = tuple(_sentence(one, left=left.get(n, "")) for n, one in enumerate(ranking.ranked))
    return chosen if by_hand is None else as_wanted(chosen, by_hand)


def as_wanted(chosen: Sequence[Sentence], by_hand: Collection[str]) -> tuple[Sentence, ...]:
    """The machine's choice with what a person changed of it."""
    return tuple(_as_wanted(one, one.id in by_hand) for one in chosen)


def _skip_reasons(ranking: Ranking) -> dict[int, str]:
    """Why each sentence that is not taken is left."""
    open_, taken, left = dict.fromkeys(range(len(ranking.ranked))), list[int](), dict[int, str]()
    of_section: Counter[str] = Counter()
    while open_:
        best = ranking.next(open_, taken)
        if best is None:
            break
        del open_[best]
        one = ranking.ranked[best]
        korean = one.piece.korean
        if like := ranking.likeness(best, taken):
            left[best] = (
                f"고른 문장과 같은 말, {like:.2f}" if korean else f"says the same as a taken sentence, {like:.2f}"
            )
        elif of_section[one.piece.section] == OF_SECTION:
            left[best] = _rank_reason("section", OF_SECTION, korean=korean)
        elif len(taken) == OF_GROUP:
            left[best] = _rank_reason("group", OF_GROUP, korean=korean)
        else:
            taken.append(best)
            of_section[one.piece.section] += 1
    slight = [n for n in taken if _is_slight(ranking.ranked[n])]
    if len(slight) < len(taken):  # a digest needs some words
        left |= {n: "너무 짧다" if ranking.ranked[n].piece.korean else "says too little" for n in slight}
    for n in open_:
        left[n] = "새로 말하는 것이 적다" if ranking.ranked[n].piece.korean else "says little that is new"
    return left


def _is_slight(one: RankedSentence) -> bool:
    return one.score < _SLIGHT and len(one.piece.text.split()) <= _FEW_WORDS


def _rank_reason(where: str, many: int, *, korean: bool) -> str:
    english, hangul = _MANY[many]
    if korean:
        return f"같은 {'절' if where == 'section' else '묶음'}에 더 나은 문장이 {hangul}"
    return f"ranked below the top {english} of its {where}"


def _as_wanted(one: Sentence, wanted: bool) -> Sentence:
    if wanted == one.taken:
        return one
    return replace(one, left="" if wanted else "손으로 뺐다" if one.korean else "dropped by hand", by_hand=True)


def _sentence(one: RankedSentence, *, left: str) -> Sentence:
    piece = one.piece
    return Sentence(piece.id, piece.section, piece.text, one.score, one.why, piece.korean, left)


# A group with its chosen sentences becomes a digest that can be read: a title, and under each day what it told.

TITLE = 120  # characters


def title(group: Group, *, korean: bool) -> str:
    """“H100, 11 to 17 November”."""
    name = group.topic.name if len(group.topic.name) <= TITLE else f"{group.topic.name[: TITLE - 1]}…"
    began, ended = span(group.sections)
    days = _span_ko(began, ended) if korean else _span_en(began, ended)
    return f"{name}, {days}" if name else days


def text(sections: Sequence[Memory], sentences: Sequence[Sentence], *, korean: bool) -> str:
    """The sentences that are taken, a line each, under the day of their section."""
    return lines_of({memory.id: _day(memory) for memory in sections}, sentences, korean=korean)


def lines_of(days: Mapping[str, datetime], sentences: Sequence[Sentence], *, korean: bool) -> str:
    """`text` from the day of each section."""
    lines: list[str] = []
    last = None
    for one in sentences:
        if not one.taken:
            continue
        day = days[one.section].date()
        if day != last:
            lines += ([""] if lines else []) + [_day_ko(days[one.section]) if korean else _day_en(days[one.section])]
            last = day
        lines.append(f"{BULLET}{one.text}")
    return "\n".join(lines)


def is_korean(sentences: Sequence[Sentence]) -> bool:
    """Whether more than half of the sentences are Korean."""
    return 2 * sum(one.korean for one in sentences) > len(sentences)


def span(sections: Sequence[Memory]) -> tuple[datetime, datetime]:
    """The first and the last day of the sections."""
    days = [_day(memory) for memory in sections]
    return min(days), max(days)


def tags_of(sections: Sequence[Memory], *, most: int) -> tuple[str, ...]:
    """All tags of the sections, each once."""
    return tuple(dict.fromkeys(tag for memory in sections for tag in memory.tags))[:most]


def links_of(digest: str, edges: Iterable[Reference]) -> tuple[Reference, ...]:
    """The digest's own references: everything its sections refer to, each once, with the most weight it has there."""
    most: dict[tuple[str, str], float] = {}
    for edge in edges:
        most[edge.entity, edge.role] = max(edge.weight, most.get((edge.entity, edge.role), 0.0))
    return tuple(Reference(digest, entity, role, weight) for (entity, role), weight in sorted(most.items()))


def _day(memory: Memory) -> datetime:
    return memory.occurred_at or memory.created_at


def _day_en(at: datetime) -> str:
    return f"{at.day} {at:%B}"


def _day_ko(at: datetime) -> str:
    return f"{at.month}월 {at.day}일"


def _span_en(began: datetime, ended: datetime) -> str:
    if began.date() == ended.date():
        return _day_en(ended)
    if began.year != ended.year:
        return f"{_day_en(began)} {began.year} to {_day_en(ended)} {ended.year}"
    return f"{began.day if began.month == ended.month else _day_en(began)} to {_day_en(ended)}"


def _span_ko(began: datetime, ended: datetime) -> str:
    if began.date() == ended.date():
        return _day_ko(ended)
    if began.year != ended.year:
        return f"{began.year}년 {_day_ko(began)}부터 {ended.year}년 {_day_ko(ended)}까지"
    return f"{_day_ko(began)}부터 {f'{ended.day}일' if began.month == ended.month else _day_ko(ended)}까지"


@dataclass(frozen=True, slots=True)
class DigestDraft:
    """A digest with the sections it is made from and the references it gets. `before`: what there is at its id now."""

    digest: Digest
    sections: tuple[Memory, ...]
    links: tuple[Reference, ...]
    before: Memory | None = None


def draft_digest(
    key: str,
    group: Group,
    ranking: Ranking,
    *,
    by: Ranker,
    by_hand: Sequence[str] | None,
    edges: Iterable[Reference],
    entities: Iterable[Entity],
    before: Memory | None,
) -> DigestDraft:
    """`by_hand`: ids of the sentences that a person picked; `edges`: the references of the sections."""
    sections = group.sections
    machine = choose(ranking)
    told = machine if by_hand is None else choose(ranking, by_hand=by_hand)
    korean = is_korean(machine)
    links = links_of(key, edges)
    began, ended = span(sections)
    digest = Digest(
        id=key,
        print="",
        title=title(group, korean=korean),
        text=text(sections, told, korean=korean),
        topic=group.topic,
        ranker=by,
        sentences=told,
        originals=tuple(map(_digest_original, sections)),
        tags=tags_of(sections, most=LIMITS.tags),
        entities=tuple((one.id, one.name) for one in sorted(entities, key=lambda one: (one.normal, one.id))),
        began=began,
        ended=ended,
        links=len(links),
        confidence=min(memory.confidence for memory in sections),
        rolled_back=before is not None and before.state is not State.HELD,
        rewrites=before is not None and before.state is State.HELD,
    )
    mark = _print(digest, machine, text(sections, machine, korean=korean), before)
    return DigestDraft(replace(digest, print=mark), sections, links, before)


def _digest_original(memory: Memory) -> Original:
    size = len(memory.text.encode("utf-8", "surrogatepass"))
    day = memory.occurred_at or memory.created_at
    return Original(memory.id, memory.title, day, memory.origin.path, size, memory.edited, memory.version)


def _print(digest: Digest, sentences: Sequence[Sentence], text: str, before: Memory | None) -> str:
    """Of what the machine would write, whatever a person picks of it, and of all that it is made from."""
    made = [
        digest.title,
        text,
        digest.tags,
        digest.entities,
        digest.links,
        [one.id for one in sentences],
        [(one.id, one.version) for one in digest.originals],
        before.version if before else 0,
    ]
    return content_hash(json.dumps(made, ensure_ascii=False))[:16]


# A digest of a preview with other sentences, without working the preview out again.


def with_sentences(digest: Digest, sentences: Collection[str]) -> Digest:
    """The digest with these sentences taken and no others, exactly as `preview` shows it for such a choice. `digest`:
    with the ranker's own choice. Raises BadInput where one of them is none of its sentences, or none is left."""
    strange = sorted(set(sentences) - {one.id for one in digest.sentences})
    if strange:
        raise BadInput(f"“{strange[0][:40]}” is no sentence of “{digest.title}”.", field="/sentences")
    if not sentences:
        raise BadInput("A digest takes one sentence at least. Leave the whole digest out instead.", field="/sentences")
    days = {one.id: one.at for one in digest.originals}
    told = as_wanted(digest.sentences, sentences)
    return replace(digest, sentences=told, text=lines_of(days, told, korean=is_korean(told)))
