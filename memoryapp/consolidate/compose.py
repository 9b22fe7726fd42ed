"""A group with its chosen sentences becomes a digest that can be read: a title, and under each day what it told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memoryapp.consolidate.group import Group
from memoryapp.domain.digest import BULLET, Sentence
from memoryapp.domain.entity import Reference
from memoryapp.domain.memory import Memory

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
