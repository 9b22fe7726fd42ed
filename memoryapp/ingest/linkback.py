"""Names that became known in this ingest in; references from the memories that named them before they were known."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from memoryapp.domain.entity import Entity, EntityType, Reference
from memoryapp.domain.memory import Memory, State
from memoryapp.extract.link import MENTION, entities_named, words_of_memory
from memoryapp.extract.mentions import Names, names_of
from memoryapp.index import tokens
from memoryapp.ingest.work import Work
from memoryapp.store import memories
from memoryapp.store.write import Batch, commit

_MEMORIES_A_WRITE = 200
_TRIED = 2_000  # memories looked at for one name: a name that stands in more says little about each


def link_back(work: Work) -> None:
    """Adds what is missing; finding nothing to add, writes nothing. Raises Cancelled between two groups."""
    learned = {entity.id: entity for entity in work.learned}
    if not learned:
        return
    names = names_of((entity.id, (entity.name, *entity.aliases)) for entity in learned.values())
    kinds = frozenset(entity.id for entity in learned.values() if entity.type == EntityType.CONCEPT)
    _link(work, names, kinds, list(work.written.values()))
    older = [key for key in _holders(work, list(learned.values())) if key not in work.written]
    for start in range(0, len(older), _MEMORIES_A_WRITE):
        found = memories.get_many(work.space.db, older[start : start + _MEMORIES_A_WRITE])
        _link(work, names, kinds, [memory for memory in found.values() if memory.state is not State.DELETED])


def _link(work: Work, names: Names, kinds: Collection[str], group: Sequence[Memory]) -> None:
    found = ((m.id, entities_named(words_of_memory(m), (names,), is_kind=kinds.__contains__)) for m in group)
    named = [(memory, keys) for memory, keys in found if keys]
    for start in range(0, len(named), _MEMORIES_A_WRITE):
        work.tally.stop_if_asked()
        piece = named[start : start + _MEMORIES_A_WRITE]
        standing = work.linker.standing([memory for memory, _ in piece])
        batch = Batch()
        for memory, keys in piece:
            batch.references_added.extend(
                Reference(memory, key, MENTION) for key in keys if key not in standing[memory]
            )
        work.tally.linked += len(batch.references_added)
        if not work.dry_run:
            commit(work.space.db, work.run, batch, now=work.space.clock())


def _holders(work: Work, learned: Sequence[Entity]) -> list[str]:
    """Memories in which all terms of a name stand, by the search index."""
    index = work.space.index
    index.refresh()
    view = index.view()
    found: dict[str, None] = {}
    for entity in learned:
        for name in (entity.name, *entity.aliases):
            terms = list(dict.fromkeys(tokens(name)))
            if not terms:
                continue
            tuning = work.space.tuning
            everywhere = np.ones(view.n, dtype=np.bool_)
            for term in terms:
                everywhere &= view.keyword([term], k1=tuning.bm25_k1, b=tuning.bm25_b).own > 0
            for slot in np.flatnonzero(everywhere)[:_TRIED]:
                found[view.roster.ids[int(slot)]] = None
    return list(found)
