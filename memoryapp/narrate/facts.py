"""The facts of a category as they are believed now: from the index which, from the store what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind
from memoryapp.index.roster import CATEGORIES, NONE
from memoryapp.narrate.known import Stated, stated
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories

READ = 60  # facts of one category that are read: what is trusted less is not told anyway


@dataclass(frozen=True, slots=True)
class Held:
    """Held facts of one category: their ids, the most trusted first, how far each is trusted now, and when it was
    learned (epoch seconds)."""

    ids: tuple[str, ...]
    trusts: dict[str, float]
    learned: dict[str, float]


def held_facts(space: Space) -> dict[Category, Held]:
    """By category, those of a category without any facts too. A fact without a category counts as “other”."""
    space.index.refresh()
    roster, now = space.index.view().roster, space.clock()
    half_life = space.tuning.trust_half_life_days
    mask = roster.mask(Filters(kinds=(Kind.FACT,)), now=now, half_life=half_life)
    values = roster.trust(now, half_life=half_life)
    category = np.where(roster.category == NONE, CATEGORIES.index(Category.OTHER), roster.category)
    found: dict[Category, Held] = {}
    for code, name in enumerate(CATEGORIES):
        slots = np.flatnonzero(mask & (category == code))
        slots = slots[np.lexsort((roster.order[slots], -values[slots]))]
        ids = tuple(roster.ids[slot] for slot in slots.tolist())
        trusts = dict(zip(ids, values[slots].tolist(), strict=True))
        found[name] = Held(ids, trusts, dict(zip(ids, roster.created[slots].tolist(), strict=True)))
    return found


def read(space: Space, held: Held, *, keys: Sequence[str] = ()) -> tuple[Stated, ...]:
    """The most trusted of them, or those of `keys`, with their words."""
    wanted = list(keys or held.ids[:READ])
    found = memories.get_many(space.db, wanted)
    disputed = conflicts.waiting_for(space.db, wanted)
    return stated([found[key] for key in wanted if key in found], trusts=held.trusts, disputed=disputed)
