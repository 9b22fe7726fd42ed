"""The lab: one question by several plans side by side, plans with names, and questions whose answers are known."""

from __future__ import annotations

from memoryapp.lab.agreement import Agreement, Overlap, agreement
from memoryapp.lab.compare import Column, Comparison, compare, why_not

__all__ = [
    "Agreement",
    "Column",
    "Comparison",
    "Overlap",
    "agreement",
    "compare",
    "why_not",
]
