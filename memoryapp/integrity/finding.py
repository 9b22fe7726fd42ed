"""An invariant, and what breaks one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from memoryapp.domain.entity import Entity
from memoryapp.index.engine import View
from memoryapp.spaces import Space
from memoryapp.store import entities, integrity
from memoryapp.store.integrity import MemoryRecord

MOST = 100  # of what breaks one invariant is told; more would tell nothing new


@dataclass(frozen=True, slots=True)
class Violation:
    """`record` is what breaks the invariant, as table:id; `told` says how, in a plain sentence."""

    invariant: str
    record: str
    told: str


class CheckedSpace:
    """A space as it is checked: read once, whatever number of invariants ask for it."""

    def __init__(self, space: Space) -> None:
        self.space = space

    @cached_property
    def held(self) -> dict[str, MemoryRecord]:
        return integrity.memory_records(self.space.db)

    @cached_property
    def entities(self) -> dict[str, Entity]:
        return {entity.id: entity for entity in entities.scan(self.space.db)}

    @cached_property
    def view(self) -> View:
        """The derived index, brought up to date."""
        self.space.index.refresh()
        return self.space.index.view()


@dataclass(frozen=True, slots=True)
class Invariant:
    """`sentence` states what is true; `broken` gives (record, told) of whatever breaks it."""

    name: str
    sentence: str
    broken: Callable[[CheckedSpace], Iterable[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Report:
    """`checked`: names of the invariants; `broken`: at most MOST of each. `memories` and `seconds` are of the check."""

    checked: tuple[str, ...]
    broken: tuple[Violation, ...]
    memories: int
    seconds: float

    @property
    def sound(self) -> bool:
        return not self.broken
