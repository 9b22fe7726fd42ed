"""What must always be true of a space, stated once: after a crash, a restore or a bug, each statement is checked
against the whole store and against what was derived from it."""

from __future__ import annotations

from memoryapp.integrity.finding import Invariant, Report, Violation
from memoryapp.integrity.invariants import INVARIANTS, check

__all__ = ["INVARIANTS", "Invariant", "Report", "Violation", "check"]
