"""What bringing a bank would write, and tell; in pieces where it is more than one block holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from memoryapp.domain.change import Run
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.memory import Memory
from memoryapp.tree.brought import Brought
from memoryapp.tree.entry import Problem
from memoryapp.tree.leaves import Bank
from memoryapp.tree.suggest import Elsewhere
from memoryapp.tree.weigh import Fate

_TOGETHER = 500  # nodes of one block
_BYTES_TOGETHER = 8 * 1024 * 1024


@dataclass(slots=True)
class _Part:
    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What bringing the bank would write, and tell. `index`: the node above all with the index that came."""

    bank: Bank
    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    index: tuple[Memory | None, Memory] | None = None
    fates: dict[Fate, list[str]] = field(default_factory=lambda: {fate: [] for fate in Fate})
    gone: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    disputed: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    elsewhere: Elsewhere | None = None

    @property
    def writes(self) -> bool:
        return bool(self.created or self.updated or self.conflicts or self.index)

    def parts(self) -> Iterator[_Part]:
        """In pieces that are written one by one; the index comes last, when what it tells of is there."""
        part, size, count = _Part(), 0, 0
        changes: list[tuple[Memory | None, Memory]] = [(None, one) for one in self.created]
        changes += [*self.updated, *([self.index] if self.index else [])]
        for before, after in changes:
            if count == _TOGETHER or size > _BYTES_TOGETHER:
                yield part
                part, size, count = _Part(), 0, 0
            if before is None:
                part.created.append(after)
            else:
                part.updated.append((before, after))
            size, count = size + len(after.text), count + 1
        part.conflicts = self.conflicts
        yield part

    def report(self, run: Run | None, *, dry_run: bool) -> Brought:
        def told(fate: Fate) -> tuple[str, ...]:
            return tuple(sorted(self.fates[fate]))

        return Brought(
            run=run,
            dry_run=dry_run,
            added=told(Fate.ADDED),
            changed=told(Fate.CHANGED),
            unchanged=told(Fate.UNCHANGED),
            kept=told(Fate.KEPT),
            gone=tuple(sorted(self.gone)),
            removed=tuple(sorted(self.removed)),
            conflicts=tuple(sorted(self.disputed)),
            ignored=self.bank.ignored,
            problems=(*self.bank.problems, *self.problems),
        )
