"""What bringing a bank did, or would do, node by node."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.domain.change import Run
from memoryapp.tree.entry import Problem


@dataclass(frozen=True, slots=True)
class Brought:
    """Paths of nodes by what became of them. `unchanged`: the bank says what is held. `kept`: changed here since, and
    not in the bank. `gone`: no longer in the bank, left as they are; `removed`: those of them that were pruned.
    `conflicts`: (path, conflict) where both changed; the node stays as it is until that is decided.

    `run` is None where nothing was written. `ignored`: files that are no part of the tree. `problems`: what could not
    be taken as it was."""

    run: Run | None = None
    dry_run: bool = False
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many of each, as a run's detail tells it."""
        named = ("added", "changed", "unchanged", "kept", "gone", "removed", "conflicts", "problems")
        return {name: len(getattr(self, name)) for name in named}
