"""A scene put together: the nodes with their numbers and places, and the edges between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.domain.scene import Node, Scene
from memoryapp.graph.edges import drawn
from memoryapp.graph.ground import Codes, Ground
from memoryapp.graph.lines import Line
from memoryapp.graph.places import places
from memoryapp.graph.reach import bonds, related, with_together
from memoryapp.graph.spots import spots_of
from memoryapp.graph.together import Together

MOST = 500  # nodes of one scene


def scene_of(
    ground: Ground,
    codes: Codes,
    lines: Sequence[Line],
    *,
    depth: NDArray[np.int64] | None = None,
    starts: Sequence[int] = (),
    types: Collection[str] = (),
    relations: Collection[str] = (),
    others: Codes | None = None,
    notes: tuple[str, ...] = (),
    texts: bool = True,
) -> Scene:
    """`others`: entities that would be there but for the filter of types: the legend counts them. `texts`: whether the
    edges come with the words they were found in, which are read from the store one by one."""
    spots = spots_of(ground.space)
    at = places(ground, codes, lines, spots=spots, start=starts[0] if len(starts) == 1 else None)
    hidden = left_out(ground, codes, types=types, relations=relations)
    trust = ground.mean_trust(codes)
    nodes = []
    for place, code in enumerate(codes.tolist()):
        entity = ground.entity(code)
        spot = spots.get(entity.id)
        nodes.append(
            Node(
                id=entity.id,
                name=entity.name,
                type=str(entity.type),
                state=entity.state.value,
                memories=int(ground.memories[code]),
                links=int(ground.links[code]),
                hidden=int(hidden[place]),
                x=round(float(at[place, 0]), 4),
                y=round(float(at[place, 1]), 4),
                trust=None if np.isnan(trust[place]) else round(float(trust[place]), 4),
                community=None if spot is None else spot.community,
                depth=0 if depth is None else int(depth[place]),
            )
        )
    everybody = codes if others is None else np.concatenate([codes, others])
    return Scene(
        nodes=tuple(nodes),
        edges=drawn(ground, lines, texts=texts),
        total=int(ground.there.sum()),
        types=counted(ground, everybody),
        starts=tuple(ground.entity(code).id for code in starts),
        notes=notes,
    )


def counted(ground: Ground, codes: Codes) -> dict[str, int]:
    """How many of each type, the most first."""
    return in_order(Counter(str(ground.entity(code).type) for code in codes.tolist()))


def in_order(counts: Counter[str]) -> dict[str, int]:
    """The most first."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def left_out(
    ground: Ground, codes: Codes, *, types: Collection[str] = (), relations: Collection[str] = ()
) -> NDArray[np.int64]:
    """How many neighbours of each of these entities are not among them, (len(codes),)."""
    joined = (bonds(ground, related(ground, relations))[codes] > 0).astype(np.int32)
    if with_together(relations):
        joined = joined + (Together(ground).of(codes) > 0).astype(np.int32)
    joined = csr_matrix(joined)
    outside = ground.typed(types).copy()
    outside[codes] = False
    rows = np.repeat(np.arange(len(codes)), np.diff(joined.indptr))
    counts: NDArray[np.int64] = np.bincount(rows[outside[joined.indices]], minlength=len(codes))
    return counts
