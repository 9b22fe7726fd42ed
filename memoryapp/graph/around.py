"""Which entities a search text is about: the starts of the scene that is shown for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memoryapp.extract.lexicon import lexicon_of
from memoryapp.graph.ground import Ground, ground_of
from memoryapp.graph.namebook import PLACES, book_of, folded
from memoryapp.spaces import Space

MOST = 5
_WORD = 3  # characters: a shorter word is part of too many names


def around_query(space: Space, text: str, *, hits: Sequence[str] = (), limit: int = MOST) -> tuple[str, ...]:
    """Entity ids, at most `limit`: those the text names, then those whose name begins like it, then those that the best
    hits of a search refer to (`hits`: memory ids, the best first), rare ones before those that everything refers to."""
    ground = ground_of(space)
    found: dict[int, None] = {}
    for code in (*_named(ground, text), *_spelled(ground, text), *_of_hits(ground, hits)):
        found.setdefault(code)
    return tuple(ground.entity(code).id for code in list(found)[:limit])


def _named(ground: Ground, text: str) -> list[int]:
    """Named in the text, in the order of the text."""
    keys = lexicon_of(ground.space.db).names.entities(text)
    codes = (ground.graph.code_of.get(key, -1) for key in keys)
    standing = (int(ground.graph.canonical[code]) for code in codes if code >= 0)
    return [code for code in standing if code >= 0]


def _spelled(ground: Ground, text: str) -> list[int]:
    """Whose name holds the text as it begins a word: the whole name first, then the one that most memories name;
    proposed names too, which no text is searched for."""
    if len(folded(text)) < _WORD and folded(text).isascii():
        return []
    match = book_of(ground).match(text)
    if match is None:
        return []
    codes = np.flatnonzero(ground.standing & (match < len(PLACES) - 1))
    return [int(code) for code in codes[np.lexsort((codes, -ground.memories[codes], match[codes]))][:MOST]]


def _of_hits(ground: Ground, hits: Sequence[str]) -> list[int]:
    """Of the entities that the hits refer to, those that say most: in many and in good hits, and in little else."""
    slots = ground.view.roster.slots(hits)
    if not len(slots):
        return []
    share = 1.0 / (1.0 + np.arange(len(slots)))
    weight = np.asarray(ground.pattern[slots].T @ share).ravel() / np.sqrt(np.maximum(ground.memories, 1))
    codes = np.flatnonzero((weight > 0) & ground.standing)
    return [int(code) for code in codes[np.lexsort((codes, -weight[codes]))][:MOST]]
