"""What is around one or more entities: the scene the explorer starts with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoryapp.domain.errors import BadInput
from memoryapp.domain.scene import Scene
from memoryapp.graph.ground import Codes, Ground, ground_of
from memoryapp.graph.lines import Line, pairs_of, related_lines, together_lines
from memoryapp.graph.reach import reach, related
from memoryapp.graph.scene import MOST, scene_of
from memoryapp.spaces import Space

STEPS = (1, 3)


def neighbourhood(
    space: Space,
    starts: Sequence[str],
    *,
    steps: int = 2,
    limit: int = 150,
    as_of: datetime | None = None,
    types: Sequence[str] = (),
    relations: Sequence[str] = (),
    min_trust: float = 0.0,
    texts: bool = True,
) -> Scene:
    """Breadth-first from `starts` (entity ids) by strength, `steps` 1–3, at most `limit` nodes, 1–500.

    `relations` may name “together” and “is_a” beside the types of relations. A start is always there, whatever the
    filters say. `texts`: see scene_of. Raises NotFound for an unknown start, BadInput for a number out of bounds.
    """
    _check(starts, steps, limit, min_trust)
    ground = ground_of(space, as_of=as_of, min_trust=min_trust)
    begun = list(dict.fromkeys(ground.code(key) for key in starts))[:limit]
    reached = reach(ground, begun, steps=steps, limit=limit, types=types, relations=relations)
    lines = lines_among(ground, reached.codes, by=reached.by, relations=relations)
    return scene_of(
        ground,
        reached.codes,
        lines,
        depth=reached.depth,
        starts=begun,
        types=types,
        relations=relations,
        others=reached.filtered,
        texts=texts,
    )


def lines_among(ground: Ground, codes: Codes, *, by: Codes | None = None, relations: Sequence[str] = ()) -> list[Line]:
    """All that joins these entities to one another: relations, and the strongest of what is named together."""
    lines = related_lines(ground, related(ground, relations), codes)
    return lines + together_lines(ground, codes, by=by, joined=pairs_of(lines), relations=relations)


def _check(starts: Sequence[str], steps: int, limit: int, min_trust: float) -> None:
    if not starts:
        raise BadInput("Name at least one entity to start from.", field="/starts")
    if not STEPS[0] <= steps <= STEPS[1]:
        raise BadInput(f"Steps go from {STEPS[0]} to {STEPS[1]}.", field="/steps")
    if not 1 <= limit <= MOST:
        raise BadInput(f"A scene has 1 to {MOST} entities.", field="/limit")
    if not min_trust >= 0:  # neither is NaN
        raise BadInput("Trust is a number from 0 up.", field="/min_trust")
