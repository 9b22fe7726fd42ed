"""The acts of review: what a person, or an agent that may, does to a memory or a conflict, and how each is undone."""

from __future__ import annotations

from memoryapp.review.case import case, cases
from memoryapp.review.decide import decide, decide_many
from memoryapp.review.edit import edit
from memoryapp.review.exclusions import all_exclusions, allow, exclude, exclusion_of, set_likeness
from memoryapp.review.feedback import feedback
from memoryapp.review.history import history, restore_revision
from memoryapp.review.impact import impact, suggest_merge
from memoryapp.review.inbox import accept, count_waiting, drop, see, waiting, waiting_ids, waits
from memoryapp.review.purge import preview_purge, purge
from memoryapp.review.queue import propose, queue, snooze, tallies
from memoryapp.review.state import archive, categorise, confirm, delete, hold, pin, tag
from memoryapp.review.undo import undo_decision, undo_revision, undo_run

__all__ = [
    "accept",
    "all_exclusions",
    "allow",
    "archive",
    "case",
    "cases",
    "categorise",
    "confirm",
    "count_waiting",
    "decide",
    "decide_many",
    "delete",
    "drop",
    "edit",
    "exclude",
    "exclusion_of",
    "feedback",
    "history",
    "hold",
    "impact",
    "pin",
    "preview_purge",
    "propose",
    "purge",
    "queue",
    "restore_revision",
    "see",
    "set_likeness",
    "snooze",
    "suggest_merge",
    "tag",
    "tallies",
    "undo_decision",
    "undo_revision",
    "undo_run",
    "waiting",
    "waiting_ids",
    "waits",
]
