"""A space's life as a machine of states: whatever order its acts come in, the store says what a simple model of them
says, the last act can be taken back, what was purged is gone, and every invariant holds.

MEMORY_TEST_LIFE=examples:N lives N lives instead of a few, MEMORY_TEST_RANDOM=1 others each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.integrity.wider_life import WiderLife

_, _, WANTED = os.environ.get("MEMORY_TEST_LIFE", "").partition("examples:")

TestLife = WiderLife.TestCase
TestLife.settings = settings(
    max_examples=int(WANTED or 10),
    stateful_step_count=30 if WANTED else 18,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
