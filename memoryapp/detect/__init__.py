"""Two statements in, a verdict out: whether both can hold, and if not, in what they differ and what is proposed."""

from __future__ import annotations

from memoryapp.detect.halves import standing
from memoryapp.detect.learned import Reads, as_read, can_be_read
from memoryapp.detect.pipeline import FAR, Judge, judge, judge_many
from memoryapp.detect.same import says_same
from memoryapp.detect.slots import slots

__all__ = ["FAR", "Judge", "Reads", "as_read", "can_be_read", "judge", "judge_many", "says_same", "slots", "standing"]
