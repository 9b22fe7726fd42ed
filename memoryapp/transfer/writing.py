"""Memories of an import on their way into remember, so many at a time; what one of them lacks keeps no other out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memoryapp.domain.change import Run
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import BELIEFS, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.remember import Judges
from memoryapp.remember.check import check
from memoryapp.remember.judging import settle
from memoryapp.remember.match import Matched, match
from memoryapp.remember.pipeline import write
from memoryapp.spaces import Space, embed
from memoryapp.transfer.brought import Item, Skipped
from memoryapp.transfer.report import Report


@dataclass(slots=True)
class Writing:
    space: Space
    run: Run
    judges: Judges
    report: Report
    dry_run: bool
    wrote: bool = False
    stayed_out: int = 0  # known by their ref, and not held any more
    _waiting: dict[str, NewMemory] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, thing: Item | NewMemory) -> None:
        """Checks it now, so that a bad one is named by where it stood. Of two with one ref the later counts."""
        item = thing if isinstance(thing, NewMemory) else _as_new(thing)
        where = (thing.source if isinstance(thing, Item) else "") or item.ref or "a memory"
        try:
            (checked,) = check([item])
        except BadInput as error:
            self.report.skip(Skipped(where, error.detail))
            return
        if checked.ref is None:
            self.report.skip(Skipped(where, "It has no id of its own, by which it could be known again."))
            return
        self._waiting[checked.ref] = checked

    def flush(self) -> None:
        items = list(self._waiting.values())
        self._waiting.clear()
        if not items:
            return
        matched = self._rehearsed(items) if self.dry_run else write(self.space, items, run=self.run, judges=self.judges)
        for one in matched:
            self.report.became(one.outcome)
            self.wrote = self.wrote or (not self.dry_run and one.outcome is not Became.UNCHANGED)
            self.stayed_out += one.outcome is Became.UNCHANGED and one.after.state is not State.HELD

    def _rehearsed(self, items: Sequence[NewMemory]) -> list[Matched]:
        """What would become of them. Each is compared with what is held, not with what comes in before it."""
        now = self.space.clock()
        matched = match(self.space.db, items, now=now)
        compared = [one.after for one in matched if one.rewritten and one.item.kind in BELIEFS]
        vectors = {one.memory: one.vector for one in embed(self.space, compared)}
        return settle(self.space, matched, vectors=vectors, now=now, judges=self.judges)


def _as_new(item: Item) -> NewMemory:
    return NewMemory(
        text=item.text,
        title=item.title,
        kind=item.kind,
        ref=item.ref or None,
        occurred_at=item.occurred_at,
        tags=item.tags,
        category=item.category,
        confidence=item.confidence,
        entities=(item.subject,) if item.subject else (),
    )
