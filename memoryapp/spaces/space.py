"""What a room needs to work on one space, handed over as one thing.

Borders between “says the same”, “about the same” and “simply new”, as a space has them.

Trust of memories with its ceiling: nothing is trusted more than the least trusted of what it was made from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import NotFound
from memoryapp.domain.filters import AsOfBy
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Memory
from memoryapp.domain.trust import Trust, trust
from memoryapp.index import SearchIndex
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.inference.embedding.zones import Zones, zones_of
from memoryapp.store import lineage
from memoryapp.store.database import Credentials, Database
from memoryapp.store.lineage import Standing


@dataclass(frozen=True, slots=True)
class Setup:
    """How spaces are opened in this process.

    `store_url`: surrealkv:///folder, mem:// or ws://…; `index_dir`: where derived indexes are kept, None for nowhere;
    `engine`: local or surreal; `encoder`: the model of spaces that name none.
    """

    store_url: str
    index_dir: Path | None
    engine: str = "local"
    encoder: str = "all-MiniLM-L6-v2"
    models_dir: Path | None = None
    credentials: Credentials | None = None
    clock: Clock = utc_now


@dataclass(frozen=True, slots=True)
class Space:
    """`parent` is read along with the space and never written. `at`: the instant as of which it is read, None for now,
    and `by` which time (see spaces.past). `reads_deleted`: whether its reader may see words that were deleted. `lease`:
    while it, and so any copy of this handle, is referred to, the space is not closed for being idle: hold the handle,
    not only its `db`, for as long as you work."""

    name: str
    db: Database
    index: SearchIndex
    encoder: EncoderSlot
    tuning: Tuning = field(default_factory=Tuning)
    clock: Clock = utc_now
    parent: Space | None = None
    at: datetime | None = None
    by: AsOfBy = AsOfBy.RECORDED
    reads_deleted: bool = False
    lease: object = field(default=None, compare=False, repr=False)


def space_read(space: Space, inherited_from: str = "") -> Space:
    """The parent of this name, near or far, or without one the space itself. Raises NotFound for one it does not
    read."""
    above: Space | None = space
    while above is not None:
        if not inherited_from or (above.name == inherited_from and above is not space):
            return above
        above = above.parent
    raise NotFound(f"“{space.name}” reads no space called “{inherited_from[:80]}”.")


def zones_in(space: Space) -> Zones:
    """The space's own borders, where it sets them, else those its model is calibrated to."""
    calibrated, own = zones_of(space.encoder.name), space.tuning
    return Zones(same=own.zone_same or calibrated.same, near=own.zone_near or calibrated.near)


def trust_of(space: Space, held: Sequence[Memory]) -> dict[str, Trust]:
    """Trust at this moment by id; `ceiling` is set where a memory was made from others, however many generations
    back. The same as `index.roster.trust` gives for all at once."""
    now, half_life = space.clock(), space.tuning.trust_half_life_days
    if space.at is not None:
        return _trust_then(space, held)

    def own(standing: Standing, ceiling: Sequence[float] = ()) -> Trust:
        return trust(
            standing.confidence,
            confirmed_at=standing.confirmed_at,
            reinforcements=standing.reinforcements,
            now=now,
            derived_from=ceiling,
            half_life=half_life,
        )

    above = lineage.ancestors(space.db, [memory.id for memory in held])
    wanted = {key for keys in above.values() for key in keys}
    levels = {key: own(one).value for key, one in lineage.standings(space.db, wanted).items()}
    return {
        memory.id: own(
            Standing(memory.confidence, memory.reinforcements, memory.last_confirmed),
            [levels[key] for key in above.get(memory.id, ()) if key in levels],
        )
        for memory in held
    }


def _trust_then(space: Space, held: Sequence[Memory]) -> dict[str, Trust]:
    """At the space's instant: what they were made from is as it stood then, which its index tells."""
    roster, half_life = space.index.roster, space.tuning.trust_half_life_days
    ceilings = roster.ceilings(space.clock(), half_life=half_life)
    slots = {memory.id: roster.slot(memory.id) for memory in held}
    above = {key: float(ceilings[slot]) for key, slot in slots.items() if slot is not None}
    return {
        memory.id: trust(
            memory.confidence,
            confirmed_at=memory.last_confirmed,
            reinforcements=memory.reinforcements,
            now=space.clock(),
            derived_from=[above[memory.id]] if math.isfinite(above.get(memory.id, math.inf)) else (),
            half_life=half_life,
        )
        for memory in held
    }
