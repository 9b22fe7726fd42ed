"""Trust of memories with its ceiling: nothing is trusted more than the least trusted of what it was made from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memoryapp.domain.memory import Memory
from memoryapp.domain.trust import Trust, trust
from memoryapp.spaces.space import Space
from memoryapp.store import lineage
from memoryapp.store.lineage import Standing


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
