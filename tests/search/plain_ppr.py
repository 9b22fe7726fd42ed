"""The structural walk as its definition reads: one loop a sum, no matrix. Slow, and what the arm is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Edges = Sequence[Mapping[int, float]]  # memory → {entity: role weight}


def gamma(edges: Edges) -> list[dict[int, float]]:
    """γ_e(v) = role · (1/deg v) / Σ_{u∈e} 1/deg u."""
    degree: dict[int, int] = {}
    for edge in edges:
        for entity in edge:
            degree[entity] = degree.get(entity, 0) + 1
    found = []
    for edge in edges:
        whole = sum(1 / degree[entity] for entity in edge)
        found.append({entity: role * (1 / degree[entity]) / whole for entity, role in edge.items()})
    return found


def plain_walk(
    edges: Edges, start: Mapping[int, float], near: Sequence[float], *, alpha: float, rounds: int
) -> tuple[dict[int, float], list[float]]:
    """(mass by entity, Σ PR(v)·γ_e(v) by memory)."""
    choice = gamma(edges)
    whole = sum(start.values())
    begin = {entity: worth / whole for entity, worth in start.items()}
    entities = {entity for edge in edges for entity in edge} | set(begin)
    mass = {entity: begin.get(entity, 0.0) for entity in entities}
    for _ in range(rounds):
        arrived = dict.fromkeys(entities, 0.0)
        lost = 1.0
        for entity in entities:
            mine = [number for number, edge in enumerate(edges) if entity in edge]
            around = sum(near[number] for number in mine)
            if around == 0:
                continue
            for number in mine:
                taken = mass[entity] * near[number] / around
                for other, share in choice[number].items():
                    arrived[other] += taken * share
                    lost -= taken * share
        mass = {
            entity: alpha * begin.get(entity, 0.0) + (1 - alpha) * (arrived[entity] + lost * begin.get(entity, 0.0))
            for entity in entities
        }
    return mass, [sum(mass[entity] * share for entity, share in edge.items()) for edge in choice]
