"""What is disputed or outdated, and by what: the other side of each open conflict, and the later hit that says
otherwise, in words that fit behind a fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.memory import Memory
from memoryapp.domain.results import Hit
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories

_QUOTED = 200  # characters of the other side


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a hit may no longer hold: in a word, and with what speaks against it."""

    word: str
    against: str

    def __str__(self) -> str:
        return f"{self.word}: {self.against}"


def doubts(space: Space, hits: Sequence[Hit]) -> dict[str, Doubt]:
    """By memory id: what speaks against the hits of which a conflict waits, or that a later one makes untrue."""
    return _outdated_doubts(hits) | _disputes(space, hits)


def _disputes(space: Space, hits: Sequence[Hit]) -> dict[str, Doubt]:
    found: dict[str, Doubt] = {}
    for owner in _owners(space):
        mine = [hit for hit in hits if hit.conflicts and (hit.inherited_from or space.name) == owner.name]
        open_ones = conflicts.get_many(owner.db, [key for hit in mine for key in hit.conflicts])
        others = memories.get_many(owner.db, [key for one in open_ones.values() for key in _sides(one)])
        for hit in mine:
            said = [
                text
                for key in hit.conflicts
                if key in open_ones and (text := _other_side_text(open_ones[key], hit.memory.id, others))
            ]
            if said:
                found[hit.memory.id] = Doubt("disputed", "; ".join(f"“{text}”" for text in dict.fromkeys(said)))
    return found


def _outdated_doubts(hits: Sequence[Hit]) -> dict[str, Doubt]:
    texts = {hit.memory.id: hit.memory.text for hit in hits}
    return {
        hit.memory.id: Doubt("probably outdated", f"“{_shorten(texts[hit.outdated_by])}”")
        for hit in hits
        if hit.outdated_by in texts
    }


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def _owners(space: Space) -> list[Space]:
    found, at = [], space
    while at is not None:
        found.append(at)
        at = at.parent  # type: ignore[assignment]
    return found


def _sides(conflict: Conflict) -> list[str]:
    return [key for key in (conflict.existing, conflict.incoming) if key]


def _other_side_text(conflict: Conflict, one: str, sides: Mapping[str, Memory]) -> str:
    """What the other side says than the memory `one`, or than what was learned from it."""
    existing = sides.get(conflict.existing)
    own = conflict.existing == one or (existing is not None and existing.origin.turn == one)
    other = sides.get((conflict.incoming if own else conflict.existing) or "")
    return _shorten((other.text if other else conflict.incoming_text) or "")
