"""What the tests of explanations ask about, and how they read one."""

from __future__ import annotations

from memoryapp.domain.results import Answer
from memoryapp.search import Explanation
from memoryapp.search.lifts import Lift
from memoryapp.search.stages import Step
from tests.search.conftest import memory

NOTES = [
    memory(f"The queue of worker {n} holds {n} messages.", tags=("even",) if n % 2 == 0 else ()) for n in range(30)
]
FAR = memory("가을 하늘")


def stages(told: Explanation) -> list[tuple[str, bool | None]]:
    """Each stage, arms and filters by their names, and whether it was passed."""
    return [(str(one.detail.get("arm") or one.detail.get("filter") or one.stage), one.passed) for one in told.steps]


def step(told: Explanation, name: str) -> Step:
    return next(one for one in told.steps if name in (one.detail.get("arm"), one.detail.get("filter"), one.stage))


def lift(told: Explanation, change: str) -> Lift:
    return next(one for one in told.lifts if one.change == change)


def ids(answer: Answer) -> list[str]:
    return [hit.memory.id for hit in answer.hits]
