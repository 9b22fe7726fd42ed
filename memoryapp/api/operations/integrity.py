"""Whether a space is whole: every invariant, checked against all that is held."""

from __future__ import annotations

from pydantic import Field

from memoryapp import integrity
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Name, Shown
from memoryapp.domain.errors import BadInput

# What a check of the whole space found.


class InvariantOut(Shown):
    name: str = Field(examples=["both-ends"])
    sentence: str = Field(examples=["Every edge leads from something that is there to something that is."])
    holds: bool = Field(examples=[True])


class BrokenOut(Shown):
    invariant: str = Field(examples=["vectors"])
    record: str = Field(examples=["memory:3f1c9a2b7d5e8046"])
    told: str = Field(examples=["has no vector of all-MiniLM-L6-v2"])


class IntegrityOut(Shown):
    """`broken` names at most 100 records of each invariant."""

    sound: bool = Field(examples=[True])
    memories: int = Field(examples=[3447])
    seconds: float = Field(examples=[2.1])
    invariants: list[InvariantOut]
    broken: list[BrokenOut]


router = Routes("Health")


@router.get("/integrity", needs=Role.ADMIN, response=IntegrityOut, summary="Is it whole?")
def check(request: ApiRequest, only: Name = "") -> IntegrityOut:
    """Checks what must always be true of a space against everything that is held, and the indexes against the store:
    some seconds for ten thousand memories. Nothing is written. `only`: names of invariants, with commas between. What
    is written meanwhile may be told as broken: check a space at rest."""
    known = {one.name for one in integrity.INVARIANTS}
    chosen = [name.strip() for name in only.split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            raise BadInput(f"“{name[:40]}” is no invariant. Known: {', '.join(sorted(known))}.", field="only")
    report = integrity.check(the_space(request), only=chosen)
    failed = {one.invariant for one in report.broken}
    return IntegrityOut(
        sound=report.sound,
        memories=report.memories,
        seconds=round(report.seconds, 3),
        invariants=[
            InvariantOut(name=one.name, sentence=one.sentence, holds=one.name not in failed)
            for one in integrity.INVARIANTS
            if one.name in report.checked
        ],
        broken=[BrokenOut(invariant=one.invariant, record=one.record, told=one.told) for one in report.broken],
    )
