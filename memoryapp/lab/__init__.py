"""The lab: one question by several plans side by side, plans with names, and questions whose answers are known."""

from __future__ import annotations

from memoryapp.lab.compare import Agreement, Column, Comparison, Overlap, agreement, compare, why_not
from memoryapp.lab.evaluate import MOST_PLANS, askable_queries, check_plans, evaluate
from memoryapp.lab.exchange import ImportResult, Line, export_golden, import_golden
from memoryapp.lab.golden import (
    AddResult,
    Standing,
    add_golden,
    change_golden,
    delete_golden,
    golden_named,
    golden_of,
    put_back_golden,
)
from memoryapp.lab.profiles import delete_profile, profile_named, profiles_of, put_back_profile, save_profile
from memoryapp.lab.regress import Latest, MovedQuery, RunChange, change_since, changes_of, is_outdated, latest

__all__ = [
    "MOST_PLANS",
    "AddResult",
    "Agreement",
    "Column",
    "Comparison",
    "ImportResult",
    "Latest",
    "Line",
    "MovedQuery",
    "Overlap",
    "RunChange",
    "Standing",
    "add_golden",
    "agreement",
    "askable_queries",
    "change_golden",
    "change_since",
    "changes_of",
    "check_plans",
    "compare",
    "delete_golden",
    "delete_profile",
    "evaluate",
    "export_golden",
    "golden_named",
    "golden_of",
    "import_golden",
    "is_outdated",
    "latest",
    "profile_named",
    "profiles_of",
    "put_back_golden",
    "put_back_profile",
    "save_profile",
    "why_not",
]
