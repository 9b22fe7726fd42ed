"""Purge: for good. What it would remove, the removal, and a receipt that was checked and not assumed."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from datetime import datetime

from memoryapp.domain.change import Actor
from memoryapp.domain.memory import Memory
from memoryapp.domain.redaction import redact_phrases, without_sentences_like
from memoryapp.spaces import Space, embed
from memoryapp.store import entities, memories
from memoryapp.store import purge as purging
from memoryapp.store.quotations import Quotations, quotations_of
from memoryapp.store.write import new_run

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """`removed` by place; `left` by place, all zeros when `complete`. `also`: (id, kind) of the episodes, summaries and
    digests that tell it, which go along and are written anew from what is left. `said_by`: ids of memories that say the
    same in their own right, and stay. Holds none of the purged words."""

    memory: str
    removed: dict[str, int]
    left: dict[str, int]
    by: str
    at: datetime
    dry_run: bool = False
    also: tuple[tuple[str, str], ...] = ()
    said_by: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not any(self.left.values())


def preview_purge(space: Space, key: str, *, actor: Actor) -> Receipt:
    """What a purge would remove; nothing is changed. Raises NotFound."""
    memory = memories.get(space.db, key)
    told = quotations_of(space.db, memory)
    keys = [key, *(one.id for one in told.retold)]
    removed = {
        "memory": 1,
        "references": sum(map(len, entities.references_of(space.db, keys).values())),
        "revisions": purging.revisions_of(space.db, keys),
        "document lines": _lines(memory),
        "tree lines": told.pages.lines,
        "turns": len(told.turns),
        "retold": len(told.retold),
        "digests": len(told.digests),
    }
    return Receipt(
        key, removed, {}, actor.name, space.clock(), dry_run=True, also=_retold_memories(told), said_by=told.said_by
    )


def purge(space: Space, key: str, *, actor: Actor, reason: str = "") -> Receipt:
    """Erases a memory from every table, index and cache, its lines from the document kept of its source and from the
    nodes of the Context Tree, its words from the turns it was said in, and the episodes and summaries that tell it.

    The file it came from is not ours to change: the purged id is remembered, so that reading the file again leaves
    the section out. Raises NotFound.
    """
    memory = memories.get(space.db, key)
    told = quotations_of(space.db, memory)
    now = space.clock()
    why = without_sentences_like(redact_phrases(reason, told.phrases), memory.text)
    run = new_run("purge", actor, now=now, reason=why, detail={"memory": key})
    vectors = embed(space, purging.rewritten_memories(space.db, told))
    counts = asdict(purging.purge(space.db, memory, run=run, quotations=told, embeddings=vectors))
    removed = {name.replace("_", " "): n for name, n in counts.items() if name != "memory"}
    space.index.refresh()
    gone = {key, *(one.id for one in told.retold)}
    left = purging.leftovers(space.db, memory, quotations=told)
    left["search index"] = len(gone & space.index.roster.slot_of.keys())
    try:
        space.index.save()  # what is kept on disk must not outlive the memory either
    except OSError as error:  # the memory is gone all the same, and so is the file that held it
        _log.warning("After a purge the search index could not be kept on disk: %s. It will be made again.", error)
        left["index file"] = int(space.index.status().saved_version is not None)
    return Receipt(
        key, {"memory": 1} | removed, left, actor.name, now, also=_retold_memories(told), said_by=told.said_by
    )


def _retold_memories(told: Quotations) -> tuple[tuple[str, str], ...]:
    return tuple((one.id, one.kind.value) for one in told.retold)


def _lines(memory: Memory) -> int:
    origin = memory.origin
    if origin.document is None or origin.first_line is None or origin.last_line is None:
        return 0
    return origin.last_line - origin.first_line + 1
