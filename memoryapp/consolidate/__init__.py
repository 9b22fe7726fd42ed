"""Forgetting gracefully: old daily logs are folded into digests, facts whose trust fell under the floor are put
aside. Nothing is erased, and every run can be taken back."""

from __future__ import annotations

from memoryapp.consolidate.digests import originals_of, runs, told_in
from memoryapp.consolidate.draft import with_sentences
from memoryapp.consolidate.due import old_enough, slots_due
from memoryapp.consolidate.expire import ExpiryResult, expire, over, under_the_floor
from memoryapp.consolidate.write import consolidate, preview
from memoryapp.domain.digest import (
    Choice,
    ConsolidationResult,
    Digest,
    LeftOut,
    Original,
    Past,
    Preview,
    Ranker,
    Sentence,
    Staying,
    Topic,
)

__all__ = [
    "Choice",
    "ConsolidationResult",
    "Digest",
    "ExpiryResult",
    "LeftOut",
    "Original",
    "Past",
    "Preview",
    "Ranker",
    "Sentence",
    "Staying",
    "Topic",
    "consolidate",
    "expire",
    "old_enough",
    "originals_of",
    "over",
    "preview",
    "runs",
    "slots_due",
    "told_in",
    "under_the_floor",
    "with_sentences",
]
