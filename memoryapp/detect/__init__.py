"""Two statements in, a verdict out: whether both can hold, and if not, in what they differ and what is proposed."""

from __future__ import annotations

from memoryapp.detect.pair_judge import Reads, as_read, can_be_read
from memoryapp.detect.pipeline import FAR, Judge, judge
from memoryapp.detect.remainder import standing
from memoryapp.detect.same import says_same
from memoryapp.detect.slots import slots

__all__ = ["FAR", "Judge", "Reads", "as_read", "can_be_read", "judge", "says_same", "slots", "standing"]
