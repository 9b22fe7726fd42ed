"""Pairs of entities that may be one, side by side: what each is called, what names it, and what names both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.http import QueryDict

from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.errors import BadInput
from memoryapp.graph.snapshot import Snapshot, snapshot_of
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs
from memoryapp.web import human, wording
from memoryapp.web.access import Desk
from memoryapp.web.chips import address
from memoryapp.web.entity_list import MOST_PAIRS, around_list, tags_of
from memoryapp.web.entity_words import Words, slots_of, words_for
from memoryapp.web.pager import Pager
from memoryapp.web.rows import Tag

PAGE = 12
KEYS = [
    ("m", "Merge into the first"),
    ("o", "Merge into the second"),
    ("n", "Not the same"),
    ("j k", "Next pair, previous"),
    ("↵", "Open the entity"),
    ("u", "Undo the last action"),
]


@dataclass(frozen=True, slots=True)
class Side:
    entity: Entity
    lang: str
    memories: int
    links: int
    tags: list[Tag]
    words: Words | None


@dataclass(frozen=True, slots=True)
class PairLine:
    """`shared`: memories that name both."""

    alike: Alike
    one: Side
    other: Side
    shared: int


def pairs_of(desk: Desk, asked: QueryDict) -> dict[str, Any]:
    """The tab of pairs, most likely first. Raises BadInput for a damaged address."""
    space = desk.memory
    waiting = entity_pairs.waiting(space.db, limit=MOST_PAIRS)
    begin = _begin(waiting, asked.get("after", ""))
    shown = waiting[begin : begin + PAGE]
    more = begin + len(shown) < len(waiting)
    told = human.counted(len(waiting), "pair")
    return {
        **around_list(space, "alike", pairs=len(waiting)),
        "pairs": lines_of(space, shown),
        "page_keys": KEYS,
        "pager": Pager(
            newer=address(asked) if begin else "",
            older=address(asked, after=_cursor(shown[-1])) if more else "",
            shown=f"{human.number(len(shown))} of {told}, most likely first" if len(waiting) > len(shown) else told,
            size=PAGE,
            back="First",
            on="Next",
        ),
    }


def lines_of(space: Space, pairs: tuple[Alike, ...]) -> list[PairLine]:
    """In the order given; a pair of which one side is gone is left out."""
    ground = snapshot_of(space)
    found = entities.get_many(space.db, [key for one in pairs for key in (one.one, one.other)])
    words = words_for(ground, found.values())
    sides = {key: _side(ground, one, words.get(key)) for key, one in found.items()}
    return [
        PairLine(one, sides[one.one], sides[one.other], _shared(ground, one.one, one.other))
        for one in pairs
        if one.one in sides and one.other in sides
    ]


def _side(ground: Snapshot, one: Entity, words: Words | None) -> Side:
    code = ground.graph.code_of.get(one.id, -1)
    counts = (int(ground.memories[code]), int(ground.links[code])) if code >= 0 else (0, 0)
    return Side(one, wording.language(one.name), *counts, tags_of(one), words)


def _shared(ground: Snapshot, one: str, other: str) -> int:
    return len(np.intersect1d(slots_of(ground, one), slots_of(ground, other), assume_unique=True))


def _cursor(pair: Alike) -> str:
    return f"{pair.score!r}~{pair.id}"


def _begin(waiting: tuple[Alike, ...], cursor: str) -> int:
    """Where the page after a cursor begins: the pair it names may have been decided since."""
    if not cursor:
        return 0
    score, _, key = cursor.partition("~")
    try:
        place = (-float(score), key)
    except ValueError:
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None
    return sum((-one.score, one.id) <= place for one in waiting)
