"""What rose and fell: memories that agents said something of, with the factor that came of it and when it was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from memoryapp.domain.feedback import Said, Weighed
from memoryapp.domain.memory import Memory, State
from memoryapp.interfaces.pages import human, wording
from memoryapp.spaces import Space
from memoryapp.store import memories, usage

WEEKS = 12
_HALF = 10.0  # units of the spark above and below its line
_FULL = 3  # words in a week that fill the half at least: one alone must not look like a flood
_LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A week of a spark: `up` and `down` are heights, `y` where the upper bar begins."""

    x: int
    y: float
    up: float
    down: float


@dataclass(frozen=True, slots=True)
class FeedbackLine:
    """`query` is the last question it was given for; `spark` is empty where nothing is known word by word. `low` and
    `width`: the factor on a bar from `1 − reach` to `1 + reach`, 100 units wide."""

    one: Weighed
    memory: Memory
    text: str
    lang: str
    query: str
    last_at: datetime | None
    spark: list[Bar]
    told: str
    low: float
    width: float

    @property
    def rose(self) -> bool:
        return self.one.factor > 1

    @property
    def held(self) -> bool:
        return self.memory.state is State.HELD


def lines_of(space: Space, items: Sequence[Weighed]) -> list[FeedbackLine]:
    keys = [one.memory for one in items]
    found, said = memories.get_many(space.db, keys), usage.feedback_of(space.db, keys)
    now, reach = timezone.now(), space.tuning.feedback_reach
    return [_line(one, found[one.memory], said.get(one.memory, ()), now, reach) for one in items if one.memory in found]


def _line(one: Weighed, memory: Memory, said: Sequence[Said], now: datetime, reach: float) -> FeedbackLine:
    words = [word for word in said if word.reset is None]
    moved = 50 * min(abs(one.factor - 1) / reach, 1.0) if reach else 0.0
    return FeedbackLine(
        one=one,
        memory=memory,
        text=wording.excerpt(memory.text, limit=200),
        lang=wording.language(memory.text),
        query=next((word.query for word in words if word.query), ""),
        last_at=words[0].at if words else None,
        spark=spark(words, now=now),
        told=f"{human.number(one.used)} times used, {human.number(one.not_useful)} times not useful",
        low=round(50 - moved, 1) if one.factor < 1 else 50.0,
        width=round(moved, 1),
    )


def spark(said: Sequence[Said], *, now: datetime) -> list[Bar]:
    """The last weeks, the oldest first: used above the line, not useful below it."""
    up, down = [0] * WEEKS, [0] * WEEKS
    for word in said:
        week = WEEKS - 1 - int((now - word.at) / timedelta(weeks=1))
        if 0 <= week < WEEKS:
            up[week] += word.used
            down[week] += word.not_useful
    top = max(*up, *down, _FULL)
    if not any(up) and not any(down):
        return []
    tall = [(_tall(up[n], top), _tall(down[n], top)) for n in range(WEEKS)]
    return [Bar(n * 5, round(_HALF - high, 1), high, low) for n, (high, low) in enumerate(tall)]


def _tall(count: int, top: int) -> float:
    return round(max(_HALF * count / top, _LEAST), 1) if count > 0 else 0.0
