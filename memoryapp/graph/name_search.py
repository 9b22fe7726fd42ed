"""Search by name: all names of a space's entities in one text, so that a part of a name is found in one pass; and the
entities that a search text is about, from which the scene that is shown for it starts.
"""

from __future__ import annotations

import threading
import unicodedata
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.graph.snapshot import Snapshot, snapshot_of
from memoryapp.spaces import Space

# How a name holds the text, the best first.
PLACES = ("the whole name", "its beginning", "the beginning of a word", "anywhere")
_TEXT_CHARS = 200
_END = "\x1f"  # around each name
_WORD, _GAP, _EDGE = 0, 1, 2  # a character of a word, one between words, _END
_KEPT = 4  # spaces
_books: OrderedDict[str, tuple[tuple[Entity | None, ...], Book]] = OrderedDict()
_lock = threading.Lock()
MOST = 5
_SHORTEST = 3  # characters: a shorter word is part of too many names


def fold(text: str) -> str:
    """Names are compared without capitals and in one form of Hangul and accents."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@dataclass(frozen=True, slots=True)
class Book:
    """`names`: of all entities, one entity after the other; `borders`: what each of its characters is; `starts`: where
    each entity's begin; `whose`: the entity that stands for it. `by_name`, `by_id`: the place of each among `spelled`
    and `ids`, which are in order."""

    names: str
    borders: NDArray[np.int8]
    starts: NDArray[np.int64]
    whose: NDArray[np.int64]
    spelled: list[str]
    ids: list[str]
    by_name: NDArray[np.int64]
    by_id: NDArray[np.int64]

    def match(self, text: str) -> NDArray[np.int64] | None:
        """The best place of PLACES by entity, len(PLACES) where there is none; None where nothing is asked."""
        wanted = fold(text[:_TEXT_CHARS])
        if not wanted:
            return None
        found = np.full(len(self.by_id), len(PLACES), dtype=np.int64)
        hits = []
        at = self.names.find(wanted)
        while at >= 0:
            hits.append(at)
            at = self.names.find(wanted, at + 1)
        begin = np.array(hits, dtype=np.int64)
        before, behind = self.borders[begin - 1], self.borders[begin + len(wanted)]
        place = np.select([(before == _EDGE) & (behind == _EDGE), before == _EDGE, before != _WORD], [0, 1, 2], 3)
        whose = self.whose[np.searchsorted(self.starts, begin, side="right") - 1]
        standing = whose >= 0
        np.minimum.at(found, whose[standing], place[standing])
        return found


def book_of(ground: Snapshot) -> Book:
    """The names of this state of the graph, kept until it changes."""
    entities = ground.graph.entities
    name = ground.space.name
    with _lock:
        kept = _books.get(name)
        if kept is not None and kept[0] is entities:
            _books.move_to_end(name)
            return kept[1]
    book = _write_book(ground)
    with _lock:
        _books[name] = (entities, book)
        while len(_books) > _KEPT:
            _books.popitem(last=False)
    return book


def _write_book(ground: Snapshot) -> Book:
    whose = np.where(ground.graph.canonical >= 0, ground.graph.canonical, np.arange(ground.size)).astype(np.int64)
    pages, folds, ids = [], [], []
    for entity in ground.entities:
        spelled = [fold(name) for name in (entity.name, *entity.aliases)] if entity else []
        pages.append(_END + _END.join(spelled) + _END)
        folds.append(spelled[0] if spelled else "")
        ids.append(entity.id if entity else "")
    lengths = np.fromiter(map(len, pages), np.int64, len(pages))
    (spelled, by_name), (ordered, by_id) = _rank_texts(folds), _rank_texts(ids)
    names = "".join(pages)
    return Book(names, _borders(names), np.cumsum(lengths) - lengths, whose, spelled, ordered, by_name, by_id)


def _borders(names: str) -> NDArray[np.int8]:
    characters, place = np.unique(
        np.frombuffer(names.encode("utf-32-le", "surrogatepass"), dtype="<u4"), return_inverse=True
    )
    kinds = [_EDGE if chr(one) == _END else _WORD if chr(one).isalnum() else _GAP for one in characters]
    return np.array(kinds, dtype=np.int8)[place]


def _rank_texts(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """(all in order, the place of each among them); equal ones have one place."""
    ordered = sorted(set(texts))
    place = {text: rank for rank, text in enumerate(ordered)}
    return ordered, np.fromiter((place[text] for text in texts), np.int64, len(texts))


def rank(ordered: Sequence[str], text: str) -> float:
    """The place of a text among those in order; between two where it is not one of them."""
    at = bisect_left(ordered, text)
    return at if at < len(ordered) and ordered[at] == text else at - 0.5


# ── entities of a search text


def around_query(space: Space, text: str, *, hits: Sequence[str] = (), limit: int = MOST) -> tuple[str, ...]:
    """Entity ids, at most `limit`: those the text names, then those whose name begins like it, then those that the best
    hits of a search refer to (`hits`: memory ids, the best first), rare ones before those that everything refers to."""
    ground = snapshot_of(space)
    found: dict[int, None] = {}
    for code in (*_entities_named_in(ground, text), *_entities_spelled(ground, text), *_of_hits(ground, hits)):
        found.setdefault(code)
    return tuple(ground.entity(code).id for code in list(found)[:limit])


def _entities_named_in(ground: Snapshot, text: str) -> list[int]:
    """Named in the text, in the order of the text."""
    keys = lexicon_of(ground.space.db).names.entities(text)
    codes = (ground.graph.code_of.get(key, -1) for key in keys)
    standing = (int(ground.graph.canonical[code]) for code in codes if code >= 0)
    return [code for code in standing if code >= 0]


def _entities_spelled(ground: Snapshot, text: str) -> list[int]:
    """Whose name holds the text as it begins a word: the whole name first, then the one that most memories name;
    proposed names too, which no text is searched for."""
    if len(fold(text)) < _SHORTEST and fold(text).isascii():
        return []
    match = book_of(ground).match(text)
    if match is None:
        return []
    codes = np.flatnonzero(ground.standing & (match < len(PLACES) - 1))
    return [int(code) for code in codes[np.lexsort((codes, -ground.memories[codes], match[codes]))][:MOST]]


def _of_hits(ground: Snapshot, hits: Sequence[str]) -> list[int]:
    """Of the entities that the hits refer to, those that say most: in many and in good hits, and in little else."""
    slots = ground.view.roster.slots(hits)
    if not len(slots):
        return []
    share = 1.0 / (1.0 + np.arange(len(slots)))
    weight = np.asarray(ground.pattern[slots].T @ share).ravel() / np.sqrt(np.maximum(ground.memories, 1))
    codes = np.flatnonzero((weight > 0) & ground.standing)
    return [int(code) for code in codes[np.lexsort((codes, -weight[codes]))][:MOST]]
