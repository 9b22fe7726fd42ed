"""What an import did, or would do: counted by what became of each thing, and why the others were left."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from memoryapp.domain.remembering import Became
from memoryapp.transfer.entries import SkippedEntry

PALIMPSEST = "palimpsest"  # the form of our own exports
MOST_TOLD = 20  # skipped things that the report itself names; the job's lines name all


@dataclass(slots=True)
class Report:
    """Of an export that filled a space: `records` by file, `settings` that go with it, `embedded`. Of everything else:
    memories by what became of them, `sessions` opened and `turns` kept, `entities` and `relations` made. `skipped` is a
    number, `told` what some of them were; `run` is the id of the run by which all can be undone. A dry run of what
    cannot be done as things stand is not `possible`; a note says why. `fresh`: what was skipped since
    somebody last looked, for the lines of the job's log."""

    form: str
    dry_run: bool = False
    written: int = 0
    reinforced: int = 0
    conflict: int = 0
    unchanged: int = 0
    sessions: int = 0
    turns: int = 0
    entities: int = 0
    relations: int = 0
    embedded: int = 0
    skipped: int = 0
    told: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    run: str | None = None
    possible: bool = True
    fresh: list[SkippedEntry] = field(default_factory=list)

    def became(self, outcome: Became) -> None:
        setattr(self, outcome.value, getattr(self, outcome.value) + 1)

    def skip(self, one: SkippedEntry) -> None:
        self.skipped += one.count
        self.fresh.append(one)
        if len(self.told) < MOST_TOLD:
            self.told.append({"where": one.where[:300], "why": one.why[:500], "count": one.count})

    @property
    def counts(self) -> dict[str, int]:
        """The numbers alone, for a job that is under way."""
        return {name: value for name, value in asdict(self).items() if type(value) is int}

    def as_json(self) -> dict[str, Any]:
        told = asdict(self)
        del told["fresh"]
        return told
