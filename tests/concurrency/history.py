"""What many callers did at once, as they saw it: every request with when it began and ended and what it was told, and
how everything stood when all were done. `judged.py` says whether the one can have led to the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory as an answer showed it. `version` is None where the answer names none."""

    memory: str
    text: str
    version: int | None = None
    state: str = "held"


@dataclass(frozen=True, slots=True)
class Op:
    """One request. `began` and `ended` in seconds of one monotonic clock; `ended` is None where no answer came.

    `memory` or `conflict`: what it is about; `run`: under which its change is kept; `given`: the version it was sent
    with; `current`: the version a refusal named; `outcome`: what became of words that were sent; `key`: its
    Idempotency-Key; `made`: the memory that the answer names; `asked`: the memory whose own word was searched for."""

    who: str
    act: str
    began: float
    ended: float | None
    status: int = 200
    memory: str = ""
    conflict: str = ""
    run: str = ""
    given: int | None = None
    current: int | None = None
    outcome: str = ""
    key: str = ""
    made: str = ""
    asked: str = ""
    sent: str = ""
    used: int | None = None
    seen: tuple[Seen, ...] = ()
    documented: bool = True

    @property
    def done(self) -> bool:
        """It was acknowledged."""
        return self.ended is not None and self.status < 400

    @property
    def end(self) -> float:
        return float("inf") if self.ended is None else self.ended


@dataclass(frozen=True, slots=True)
class Layer:
    """One version of a memory as its history has it, and what the memory said then."""

    version: int
    act: str
    run: str
    text: str
    state: str = "held"


@dataclass(frozen=True, slots=True)
class End:
    """How it stood when all were done. `layers`: by memory, in the order of the history read backwards, which must be
    that of the versions; `reinforced`: by memory, how often it counts as said again; `used`: likewise, how often it
    was told to be of use; `conflicts`: the status of each; `said`: by sentence, the memories that say it; `texts`: the
    sentences of which only one memory may come."""

    layers: Mapping[str, Sequence[Layer]] = field(default_factory=dict)
    reinforced: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    conflicts: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, Sequence[str]] = field(default_factory=dict)
    once: frozenset[str] = frozenset()


def by_memory(ops: Iterable[Op]) -> dict[str, list[Op]]:
    """The acknowledged changes of each memory."""
    found: dict[str, list[Op]] = defaultdict(list)
    for op in ops:
        if op.done and op.memory and op.run:
            found[op.memory].append(op)
    return found
