"""Filters: numbers, sizes, ages and dates as memoryapp/interfaces/pages/human.py words them."""

from __future__ import annotations

from django import template

from memoryapp.interfaces.pages import human, wording

register = template.Library()

for _filter in (
    human.number,
    human.in_words,
    human.size,
    human.millis,
    human.seconds,
    human.day,
    human.short_day,
    human.moment,
    human.signed,
    wording.plain,
):
    register.filter(_filter.__name__, _filter)

register.filter("clock", lambda value: human.clock(value))
register.filter("age", lambda value: human.age(value))
register.filter("ago", lambda value: human.ago(value))
register.filter("when", lambda value: human.near_moment(value))


@register.filter
def whole(value: float) -> int:
    """Full days, full steps: 3.9 → 3."""
    return int(value)


@register.filter
def two(value: float) -> str:
    """Trust, strength, factors: two decimals."""
    return f"{value:.2f}"


@register.filter
def five(value: float) -> str:
    """Scores: five decimals."""
    return f"{value:.5f}"


@register.filter
def counted(value: int, words: str) -> str:
    """{{ n|counted:"memory,memories" }}"""
    one, _, many = words.partition(",")
    return human.count_text(value, one, many)


@register.filter
def excerpt(value: str, limit: int = 240) -> str:
    return wording.excerpt(value, limit=limit)


@register.filter
def language(value: str) -> str:
    return wording.language(value)
