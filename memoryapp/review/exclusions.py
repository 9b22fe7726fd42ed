"""Never like this again: a fact is deleted, and whatever is like it is not learned any more."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.exclusion import excluding, likeness_of, not_excluding, usual_likeness
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.review.state import turns_of
from memoryapp.spaces import Space
from memoryapp.spaces.space import zones_in
from memoryapp.store import exclusions, memories
from memoryapp.store.retry import retry_write

ACT = "exclude"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """`kept_out`: how many candidates it has kept from being learned. `fact.ended_at` is since when."""

    fact: Memory
    likeness: float
    kept_out: int


def exclude(space: Space, key: str, *, actor: Actor, likeness: float | None = None, reason: str = "") -> ReviewResult:
    """Delete a fact as `delete` does, and let nothing like it be learned. `likeness`: the cosine from which something
    is like it, by default `usual_likeness` in the space's zones. Raises NotFound, Clash where it excludes already,
    BadInput for what is no fact."""
    zones = zones_in(space)
    line = usual_likeness(same=zones.same, near=zones.near) if likeness is None else likeness

    def excluded() -> ReviewResult:
        fact = memories.get(space.db, key)
        if fact.kind is not Kind.FACT:
            raise BadInput(f"Memory {fact.id} is a {fact.kind.value}: only facts are learned.", field="/id")
        if likeness_of(fact) is not None:
            raise Clash("Facts like this one are not learned already. Change or remove that.")
        along = [turn for turn in turns_of(space, [fact]) if turn.state is State.HELD]
        pairs = [(fact, excluding(fact, line)), *((turn, replace(turn, state=State.DELETED)) for turn in along)]
        return rewrite(space, pairs, act=ACT, actor=actor, reason=reason).only([fact.id])

    return retry_write(excluded)


def all_exclusions(space: Space) -> tuple[Exclusion, ...]:
    """Return what is not learned any more, the newest first."""
    found = exclusions.standing(space.db)
    counts = exclusions.kept_out(space.db, [fact.id for fact in found])
    return tuple(Exclusion(fact, likeness_of(fact) or 1.0, counts[fact.id]) for fact in found)


def exclusion_of(space: Space, key: str) -> Exclusion:
    """Return one of them. Raises NotFound."""
    fact = memories.find(space.db, key)
    likeness = likeness_of(fact) if fact is not None else None
    if fact is None or likeness is None:
        raise NotFound(f"Memory {key[:40]} excludes nothing in space “{space.name}”. It may have been removed.")
    return Exclusion(fact, likeness, exclusions.kept_out(space.db, [key])[key])


def set_likeness(space: Space, key: str, likeness: float, *, actor: Actor) -> ReviewResult:
    """Change from which cosine something is like the fact. Raises NotFound, BadInput."""

    def changed() -> ReviewResult:
        fact = exclusion_of(space, key).fact
        return rewrite(space, [(fact, excluding(fact, likeness))], act=ACT, actor=actor)

    return retry_write(changed)


def allow(space: Space, key: str, *, actor: Actor) -> ReviewResult:
    """Let facts like this one be learned again. The fact itself stays deleted, and can be restored. Raises NotFound."""

    def allowed() -> ReviewResult:
        fact = exclusion_of(space, key).fact
        return rewrite(space, [(fact, not_excluding(fact))], act="allow", actor=actor)

    return retry_write(allowed)
