"""Whether two statements can both hold, and if not, in what they differ and what is proposed."""

from __future__ import annotations

from memoryapp.contradictions.pair_judge import Reads, as_read, can_be_read
from memoryapp.contradictions.pipeline import FAR, Judge, judge
from memoryapp.contradictions.remainder import standing
from memoryapp.contradictions.same import says_same
from memoryapp.contradictions.slots import slots

__all__ = ["FAR", "Judge", "Reads", "as_read", "can_be_read", "judge", "says_same", "slots", "standing"]
