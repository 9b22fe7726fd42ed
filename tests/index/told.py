"""All that a view tells of the graph, by id, so that two can be compared whatever numbers things have in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.index import View
from memoryapp.index.graph import Graph
from tests.index.world import NOW


def the_graph(view: View) -> dict[str, Any]:
    graph, roster, incidence = view.graph, view.roster, view.incidence
    assert graph.incidence is incidence
    width = len(graph.entities)
    assert incidence.matrix.shape == incidence.by_entity.shape == (view.n, width)
    assert (incidence.matrix != incidence.by_entity.tocsr()).nnz == 0
    ids = [one.id if one else None for one in graph.entities]
    codes, vectors = graph.names
    assert len(codes) == len(vectors) and vectors.dtype == np.float32
    stands = {ids[code]: ids[to] if to >= 0 else None for code, to in enumerate(graph.canonical) if ids[code]}
    held = roster.held
    joined, children = graph.neighbours(held, now=NOW), graph.children_held(held, now=NOW)
    assert joined.shape == children.shape == graph.children.shape == (width, width)
    assert (joined != joined.T).nnz == 0
    coo = incidence.matrix.tocoo()
    return {
        "entities": {one.id: one for one in graph.entities if one is not None},
        "codes": {key: ids[code] for key, code in graph.code_of.items()},
        "stands": stands,
        "names": {ids[code]: rounded(row) for code, row in zip(codes.tolist(), vectors, strict=True)},
        "relations": relations(graph, roster.ids),
        "follows": {(roster.ids[later], roster.ids[earlier]) for later, earlier in graph.follows.tolist()},
        "weights": {
            (roster.ids[slot], ids[code]): round(float(weight), 6)
            for slot, code, weight in zip(coo.row, coo.col, coo.data, strict=True)
        },
        "degree": {ids[code]: int(degree) for code, degree in enumerate(incidence.degree) if degree},
        "of": {
            roster.ids[slot]: sorted((one.id, role, round(weight, 6)) for one, role, weight in incidence.of(slot))
            for slot in np.flatnonzero(roster.alive).tolist()
        },
        "neighbours": places(joined, ids),
        "children": places(children, ids),
        "ever children": places(graph.children, ids),
    }


def rounded(vector: NDArray[np.float32]) -> list[float]:
    """Bringing a vector to unit length again may change its last bit."""
    return [round(float(value), 4) + 0.0 for value in vector]


def relations(graph: Graph, memories: list[str]) -> dict[tuple[str, bool], tuple[Any, ...]]:
    """By id and whether it is of the hierarchy; each with its ends, its fact, and everything else."""
    of = graph.relations
    return {
        (of.ids[at], bool(of.is_a[at])): (
            *(graph.entities[int(ends[at])].id for ends in (of.subject, of.object)),  # type: ignore[union-attr]
            of.types[of.type[at]],
            memories[of.fact[at]] if of.fact[at] >= 0 else None,
            bool(of.has_fact[at]),
            round(float(of.confidence[at]), 6),
            bool(of.planned[at]),
            *(None if np.isnan(moment[at]) else float(moment[at]) for moment in (of.created, of.at, of.valid_to)),
            int(of.made_by[at]),
            of.label[at],
        )
        for at in range(len(of))
    }


def related(graph: Graph) -> set[tuple[str, str, str]]:
    """(subject, type, object) of all relations that count."""
    told = relations(graph, [""] * 10_000)
    return {(subject, type, object) for subject, object, type, *_ in told.values()}


def places(matrix: Any, ids: list[str | None]) -> dict[tuple[str | None, str | None], float]:
    coo = matrix.tocoo()
    return {
        (ids[row], ids[column]): round(float(weight), 6)
        for row, column, weight in zip(coo.row, coo.col, coo.data, strict=True)
    }
