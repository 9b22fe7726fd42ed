"""Notes, facts and turns in: checked, matched against what is held, embedded, linked, written."""

from __future__ import annotations

from memoryapp.remember.atoms import WouldBe, atoms_of, preview_atoms
from memoryapp.remember.judging import RULES, Judges
from memoryapp.remember.learn import Preview, Would, preview
from memoryapp.remember.pipeline import remember
from memoryapp.remember.reading import ReadReport, read_turns
from memoryapp.remember.turns import any_unread, append_turns, read_again, remember_turns

__all__ = [
    "RULES",
    "Judges",
    "Preview",
    "ReadReport",
    "Would",
    "WouldBe",
    "any_unread",
    "append_turns",
    "atoms_of",
    "preview",
    "preview_atoms",
    "read_again",
    "read_turns",
    "remember",
    "remember_turns",
]
