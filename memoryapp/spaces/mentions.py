"""References that memories lack to names that have just become known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.memory import Memory, State
from memoryapp.extraction.entities.link import MENTION, entities_named, is_found_in_small_letters, words_of_memory
from memoryapp.extraction.entities.mentions import names_of
from memoryapp.index import tokens
from memoryapp.spaces.space import Space
from memoryapp.store import entities, memories

_TRIED = 2_000  # memories looked at for one name: a name that stands in more says little about each
_READ_AT_ONCE = 200


def holders_of(space: Space, learned: Iterable[Entity]) -> list[str]:
    """Ids of memories in which all terms of a name stand, by the search index."""
    space.index.refresh()
    view = space.index.view()
    found: dict[str, None] = {}
    for name in dict.fromkeys(name for entity in learned for name in (entity.name, *entity.aliases)):
        terms = list(dict.fromkeys(tokens(name)))
        if not terms:
            continue
        everywhere = np.ones(view.n, dtype=np.bool_)
        for term in terms:
            everywhere &= view.keyword([term], k1=space.tuning.bm25_k1, b=space.tuning.bm25_b).own > 0
        for slot in np.flatnonzero(everywhere)[:_TRIED]:
            found[view.roster.ids[int(slot)]] = None
    return list(found)


def named_in(learned: Sequence[Entity], group: Iterable[Memory]) -> Iterator[tuple[Memory, tuple[str, ...]]]:
    """The memories that name some of these entities, with the ids of those."""
    names = names_of((entity.id, (entity.name, *entity.aliases)) for entity in learned)
    small = frozenset(entity.id for entity in learned if is_found_in_small_letters(entity))
    for memory in group:
        if keys := entities_named(words_of_memory(memory), (names,), is_kind=small.__contains__):
            yield memory, keys


def missing_references(space: Space, learned: Sequence[Entity]) -> list[Reference]:
    """References to these entities from every memory that names one and does not refer to it in any role."""
    missing: list[Reference] = []
    keys = holders_of(space, learned)
    for start in range(0, len(keys), _READ_AT_ONCE):
        found = memories.get_many(space.db, keys[start : start + _READ_AT_ONCE])
        standing = entities.references_of(space.db, list(found))
        for memory, named in named_in(learned, found.values()):
            if memory.state is State.DELETED:
                continue
            referred = {edge.entity for edge in standing.get(memory.id, ())}
            missing.extend(Reference(memory.id, key, MENTION) for key in named if key not in referred)
    return missing
