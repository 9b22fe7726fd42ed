"""A space's life as a machine of states: whatever order its acts come in, the store says what a simple model of them
says, the last act can be taken back, what was purged is gone, and every invariant holds.

MEMORY_TEST_LIFE=examples:500 lives 500 lives instead of a few, other ones each time, and minutes:15 as many as there is
time for; MEMORY_TEST_SEED=S lives those of an earlier run. With `-s` it says how many there were.
"""

from __future__ import annotations

import time
from collections import Counter

import hypothesis
from hypothesis import HealthCheck
from hypothesis.stateful import invariant, run_state_machine_as_test

from memoryapp.domain.memory import Kind
from tests.integrity.model import Act, Standing
from tests.integrity.wider_life import WiderLife
from tests.rounds import asked

LONG = asked("MEMORY_TEST_LIFE")
FEW, MANY = 6, 20  # lives of a round


class Counted(WiderLife):
    """Says how much was lived in all."""

    told: Counter[str] = Counter()

    def does(self, act: Act, then: dict[str, Standing] | None = None) -> bool:
        done = super().does(act, then)
        self.told["done" if done else "refused"] += 1
        return done

    def tell(self, text: str, kind: Kind) -> None:
        super().tell(text, kind)
        self.told["said"] += 1

    @invariant()
    def is_counted(self) -> None:
        self.told["steps"] += 1

    def teardown(self) -> None:
        self.told["lives"] += 1
        super().teardown()


def test_whatever_happens_in_a_life_it_holds_together(in_full: bool) -> None:
    Counted.told.clear()
    began = time.monotonic()
    settings = hypothesis.settings(
        deadline=None, database=None, derandomize=False, suppress_health_check=list(HealthCheck)
    )
    for seed, lives in LONG.rounds(MANY if LONG.what else FEW if in_full else FEW // 2):
        hypothesis.seed(seed)(Counted)
        steps = 30 if LONG.what else 18
        run_state_machine_as_test(
            Counted, settings=hypothesis.settings(settings, max_examples=lives, stateful_step_count=steps)
        )
    met = Counted.told
    print(
        f"\nLives, seed {LONG.seed}: {met['lives']:,} lives of {met['steps']:,} steps in "
        f"{(time.monotonic() - began) / 60:.1f} minutes; {met['said']:,} memories told, {met['done']:,} other acts "
        f"done, {met['refused']:,} refused; every invariant held after each."
    )
    assert met["done"] > met["lives"], met
