"""Every long act is killed (SIGKILL) and done again. What was acknowledged is there, nothing is half done, derived
indexes agree with the store, and it ends as if nobody had killed it.

By default every third act is killed once, at a fixed write; with --long each of them is. MEMORY_TEST_FAULTS=full:
before, while and after every write of every act (14 drawn ones of those that have more), then MEMORY_TEST_CHAINS times
a chain of kills, in which the process that goes on is killed as well. What is drawn hangs on MEMORY_TEST_SEED, which is
printed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from tests.faults.acts import ACTS
from tests.faults.kills import Kill, Killer
from tests.faults.told import FULL, SEED
from tests.sampling import every

CHAINS = int(os.environ.get("MEMORY_TEST_CHAINS") or 60)  # of kills, in the full form
WHEN = ("before", "during", "after")
MOST_STEPS = 14  # of one act in the full form
SPAN = 0.012  # seconds in which a write under way is killed


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    made = Killer(tmp_path_factory.mktemp("faults"))
    yield made
    made.close()


@pytest.mark.parametrize("act", every(3, ACTS))
def test_an_act_that_is_killed_in_the_middle_loses_nothing_and_is_done_again(killer: Killer, act: str) -> None:
    number = list(ACTS).index(act)
    at = max(1, (killer.steps(act) * (1 + number % 3) + 2) // 4)  # a quarter, half or three quarters of the way
    assert killer.judge(Kill(act, at, "before" if number % 2 else "after"))


@pytest.mark.skipif(not FULL, reason="MEMORY_TEST_FAULTS=full kills at every write")
@pytest.mark.parametrize("act", ACTS)
def test_an_act_may_be_killed_at_any_of_its_writes(killer: Killer, act: str) -> None:
    draw = random.Random(f"{SEED} {act}")
    steps = killer.steps(act)
    chosen = range(1, steps + 1) if steps <= MOST_STEPS else sorted(draw.sample(range(1, steps + 1), MOST_STEPS))
    kills = [Kill(act, at, when, draw.uniform(0, SPAN) if when == "during" else 0) for at in chosen for when in WHEN]
    reached = sum(killer.judge(kill) for kill in kills)
    print(f"\nseed {SEED}: {act} killed {reached} times at {len(chosen)} of {steps} writes", flush=True)
    assert reached >= 2 * len(chosen)


@pytest.mark.skipif(not FULL, reason="MEMORY_TEST_FAULTS=full kills at every write")
def test_whoever_goes_on_may_be_killed_too(killer: Killer) -> None:
    """Two or three kills in a row, each at a random moment of a random write: what the engine recovers from is then
    itself what it recovered."""
    draw = random.Random(SEED)
    for _ in range(CHAINS):
        act = draw.choice(list(ACTS))
        chain = [
            Kill(act, draw.randint(1, killer.steps(act)), draw.choice(WHEN), draw.uniform(0, SPAN))
            for _ in range(draw.choice((2, 2, 3)))
        ]
        killer.judge(*chain)
    print(f"\nseed {SEED}: {CHAINS} chains of two or three kills")
