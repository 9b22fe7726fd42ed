"""Atoms in PENMAN notation: text to atoms and back, an atom as a sentence, who takes part in it, and what it joins."""

from __future__ import annotations

from memoryapp.extraction.atoms.joined import UNSURE, AtomRelation, atom_relations
from memoryapp.extraction.atoms.parse import parse
from memoryapp.extraction.atoms.participants import is_self, participants, whom
from memoryapp.extraction.atoms.read_aloud import read_aloud
from memoryapp.extraction.atoms.write import format_atom

__all__ = [
    "UNSURE",
    "AtomRelation",
    "atom_relations",
    "format_atom",
    "is_self",
    "parse",
    "participants",
    "read_aloud",
    "whom",
]
