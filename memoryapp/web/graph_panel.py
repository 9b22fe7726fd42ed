"""One entity beside the drawing: what it is called, what is known of it, and what may be done to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from memoryapp import graph
from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.scene import Card, Scene
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs
from memoryapp.web.graph_table import Line, lines_of
from memoryapp.web.rows import Row, rows_of

_MEMORIES = 3
_EDGES = 8
_SPARK = 40
_HEIGHT = 20.0
_PAIRS = 3


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Spark:
    """Memories that name it over time; `told` says the same in words."""

    ticks: list[Tick]
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Pair:
    """Two that may be one. `one` would stay."""

    alike: Alike
    one: Entity
    other: Entity


def panel_of(space: Space, key: str, *, as_of: datetime | None) -> dict[str, Any]:
    """Raises NotFound."""
    card = graph.card(space, key, as_of=as_of)
    rows: list[Row] = rows_of(space, [memory for memory, _ in card.memories[:_MEMORIES]])
    return {
        "card": card,
        "entity": card.entity,
        "called": _called(card),
        "rows": rows,
        "relations": _relations(space, card),
        "relations_more": max(len(card.edges) - _EDGES, 0),
        "spark": spark(card.days),
        "asof": as_of,
    }


def _called(card: Card) -> list[str]:
    """Its other names, those of what was merged into it among them."""
    names = [*card.entity.aliases]
    for one in card.merged:
        names += [one.name, *one.aliases]
    told = {name.casefold(): name for name in reversed(names)}  # of two spellings the first
    told.pop(card.entity.name.casefold(), None)
    return list(reversed(told.values()))


def _relations(space: Space, card: Card) -> list[Line]:
    names = {key: node.name for key, node in card.neighbours.items()} | {card.entity.id: card.entity.name}
    scene = Scene(nodes=(), edges=card.edges, total=0)
    return lines_of(space, scene, names=names, limit=_EDGES)


def spark(days: tuple[tuple[datetime, int], ...]) -> Spark | None:
    """Bars of the memories that name it, from the first day to the last. None where all came on one day."""
    if len(days) < 2:
        return None
    first, last = days[0][0], days[-1][0]
    span = max((last - first) / timedelta(days=1), 1e-9)
    counts = [0] * _SPARK
    for day, count in days:
        counts[min(int((day - first) / timedelta(days=1) / span * _SPARK), _SPARK - 1)] += count
    most = max(counts)
    tall = [round(max(_HEIGHT * count / most, 2.0), 1) if count else 0.0 for count in counts]
    return Spark([Tick(n * 5, _HEIGHT - h, h) for n, h in enumerate(tall) if h], first.date(), last.date())


def pairs_of(space: Space, near: frozenset[str]) -> tuple[list[Pair], int]:
    """The pairs that wait, those of the scene first, at most three; and how many there are."""
    waiting = entity_pairs.waiting(space.db)
    ranked = sorted(waiting, key=lambda one: not (one.one in near or one.other in near))[:_PAIRS]
    found = entities.get_many(space.db, [key for one in ranked for key in (one.one, one.other)])
    pairs = [Pair(one, found[one.one], found[one.other]) for one in ranked if one.one in found and one.other in found]
    return pairs, len(waiting)
