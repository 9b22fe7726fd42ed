"""A small, self-written example: three weeks of one team's notes and talks, dated back from today, and what became of
them, made by the same machinery that any space is kept by (`fill`)."""

from memoryapp.demo.fill import fill
from memoryapp.demo.notes import write_notes

__all__ = ["fill", "write_notes"]
