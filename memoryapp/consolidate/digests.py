"""Digests that are written: what each tells of which section, read from their own detail."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.change import Run
from memoryapp.domain.digest import Past
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.spaces import Space
from memoryapp.store import audit, memories, revisions

DIGEST = "digest"  # in the detail of an archived section: the id of the digest that tells it
WORDS = "words"  # in the detail of a digest: what was written, so that a person's edit is seen
ORIGINALS = "originals"  # … and the hash of each section's words when it was told


@dataclass(frozen=True, slots=True)
class Standing:
    """A digest that is held. `originals`: hash of the words by section; `edited`: a person changed it."""

    memory: Memory
    originals: Mapping[str, str]
    edited: bool


def told_in(memory: Memory) -> str | None:
    """The id of the digest that a section was folded into; None where it was not."""
    key = memory.detail.get(DIGEST) if memory.kind is Kind.SECTION else None
    return str(key) if key else None


def standing_digests(space: Space, keys: Collection[str]) -> dict[str, Standing]:
    """Those of these digests that are held, by id."""
    found = memories.get_many(space.db, sorted(keys))
    return {
        key: Standing(memory, dict(memory.detail.get(ORIGINALS) or {}), is_edited(memory))
        for key, memory in found.items()
        if memory.kind is Kind.DIGEST and memory.state is State.HELD
    }


def is_edited(digest: Memory) -> bool:
    """Whether somebody changed its text since it was written."""
    return digest.detail.get(WORDS) != content_hash(digest.text)


def originals_of(space: Space, digest: str) -> tuple[Memory, ...]:
    """The sections that a digest was made from, in order of their day, whatever their state."""
    found = memories.sources_of(space.db, digest)
    return tuple(sorted(found, key=lambda m: (m.occurred_at or m.created_at, m.origin.path or "", m.position, m.id)))


# The consolidations that were done, the last first, each with what it wrote and whether it was taken back.

ACT = "consolidate"


def runs(space: Space, *, before: tuple[datetime, str] | None = None, limit: int = 30) -> tuple[Past, ...]:
    """`before`: (started_at, id) of the last one shown."""
    acts = audit.acts(space.db, before=before, act=ACT, limit=limit, shown=0)
    if not acts:
        return ()
    undone = audit.undone(space.db, since=min(act.run.started_at for act in acts))
    return tuple(_past_consolidation(space, act.run, undone.get(act.run.id)) for act in acts)


_COUNTED = ("digests", "archived", "sentences_taken", "sentences", "links", "bytes_before", "bytes_after")


def _past_consolidation(space: Space, run: Run, rolled_back_by: str | None) -> Past:
    told = dict(run.detail or {})
    if run.ended_at is None:  # it was killed on its way, or is still at it: what it left behind is counted
        left = revisions.of_run(space.db, run.id)
        told["archived"] = sum(one.after.get("state") == State.ARCHIVED.value for one in left)
        told["digests"] = len(left) - told["archived"]
    counts = {name: int(told.get(name, 0)) for name in _COUNTED}
    return Past(run=run, ranker=str(told.get("ranker", "")), rolled_back_by=rolled_back_by, **counts)
