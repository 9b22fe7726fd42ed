"""“Expected something else?”, ready for the page: memories to choose from, or where the chosen one stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memoryapp import lab
from memoryapp.spaces import Space
from memoryapp.web.lab_asked import Asked
from memoryapp.web.lab_columns import Lane
from memoryapp.web.lab_find import Meant, meant, suggested
from memoryapp.web.lab_why import ShownWhy, why_shown


@dataclass(frozen=True, slots=True)
class Expected:
    """`whys`: one for each column that answers, in their order. `choices`: where words may mean several."""

    memory: Meant | None = None
    whys: list[ShownWhy] = field(default_factory=list)
    choices: list[Meant] = field(default_factory=list)


def expected_of(space: Space, asked: Asked, lanes: Sequence[Lane]) -> Expected | None:
    """None where nothing was expected. Raises NotFound for an id that the space does not hold."""
    if not asked.expected or not asked.text:
        return None
    memory = meant(space, asked.expected)
    if memory is None:
        return Expected(choices=suggested(space, asked.expected))
    sound = [lane for lane in lanes if not lane.wrong]
    told = (
        lab.why_not(space, replace(asked.query, top_k=asked.top), [lane.plan for lane in sound], memory.id)
        if sound
        else ()
    )
    return Expected(memory, why_shown(told, heads=[(lane.letter, lane.name) for lane in sound]))
