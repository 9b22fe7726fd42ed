"""The acts of review, one a file: what a person may do to a memory or a conflict, and how each is taken back."""

from __future__ import annotations

from memoryapp.review.case import case, cases
from memoryapp.review.decide import decide, decide_many
from memoryapp.review.edit import edit
from memoryapp.review.feedback import feedback
from memoryapp.review.history import history
from memoryapp.review.impact import impact, suggest_merge
from memoryapp.review.inbox import accept, chosen, count_waiting, drop, see, waiting, waits
from memoryapp.review.never import all_exclusions, allow, never, set_likeness, the_exclusion
from memoryapp.review.purge import preview_purge, purge
from memoryapp.review.queue import queue, tallies
from memoryapp.review.restore import restore_revision
from memoryapp.review.state import archive, categorise, confirm, delete, hold, pin, tag
from memoryapp.review.undo import undo_decision, undo_revision, undo_run
from memoryapp.review.waiting import propose, snooze

__all__ = [
    "accept",
    "all_exclusions",
    "allow",
    "archive",
    "case",
    "cases",
    "categorise",
    "chosen",
    "confirm",
    "count_waiting",
    "decide",
    "decide_many",
    "delete",
    "drop",
    "edit",
    "feedback",
    "history",
    "hold",
    "impact",
    "never",
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
    "the_exclusion",
    "undo_decision",
    "undo_revision",
    "undo_run",
    "waiting",
    "waits",
]
