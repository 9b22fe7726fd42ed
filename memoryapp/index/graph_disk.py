"""The part of the file that the graph is kept in: what `disk` writes of it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState, EntityType
from memoryapp.index.draft import GraphDraft
from memoryapp.index.links import EDGE, LINK, RELATION, Chain, Edges, Links, Seats
from memoryapp.index.namings import Namings
from memoryapp.index.register import Register

_TYPES = {kind.value: kind for kind in EntityType}  # a space's own types are plain strings


def header(draft: GraphDraft) -> dict[str, Any]:
    """All that is no array."""
    entities = zip(draft.register.codes.names, draft.register.entities, strict=True)
    return {
        "linked": list(draft.seats.memories.names),
        "roles": list(draft.links.roles.names),
        "entities": [_entity_out(key, one) for key, one in entities],
        "relations": list(draft.edges.ids),
        "types": list(draft.edges.types.names),
        "labels": list(draft.edges.labels.names),
    }


def arrays(draft: GraphDraft) -> dict[str, NDArray[Any]]:
    """Never changed afterwards."""
    codes, vectors = draft.namings.everything()
    found: dict[str, NDArray[Any]] = {"seats": draft.seats.publish(), "named": codes, "names": vectors}
    found |= {f"edge.{name}": column for name, column in draft.links.edges.publish().items()}
    found |= {f"relation.{name}": column for name, column in draft.edges.columns.publish().items()}
    found |= {f"follow.{name}": column for name, column in draft.chain.columns.publish().items()}
    return found


def restore(draft: GraphDraft, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Fills a new draft; False where the parts contradict each other. Raises KeyError or ValueError where some are
    missing or are something else."""
    if len(header["linked"]) != len(arrays["seats"]) or len(header["relations"]) != len(arrays["relation.alive"]):
        return False
    draft.register = register = Register.of([_entity_in(row) for row in header["entities"]])
    draft.seats = seats = Seats(header["linked"], arrays["seats"])
    references = {name: arrays[f"edge.{name}"] for name in EDGE}
    draft.links = Links(register, seats, edges=references, roles=header["roles"])
    columns = {name: arrays[f"relation.{name}"] for name in RELATION}
    kept: dict[str, list[str]] = {"ids": header["relations"], "types": header["types"], "labels": header["labels"]}
    draft.edges = Edges(register, seats, columns=columns, **kept)
    draft.chain = Chain(seats, columns={name: arrays[f"follow.{name}"] for name in LINK})
    draft.namings = Namings(register, (arrays["named"], arrays["names"]))
    return True


def _entity_out(key: str, entity: Entity | None) -> list[Any]:
    if entity is None:
        return [key]
    rest = [list(entity.aliases), entity.sightings, entity.version, entity.merged_into]
    return [key, entity.name, entity.normal, entity.type, entity.state, entity.created_at.isoformat(), *rest]


def _entity_in(row: list[Any]) -> tuple[str, Entity | None]:
    if len(row) == 1:
        return row[0], None
    key, name, normal, kind, state, created, aliases, sightings, version, merged = row
    learned = datetime.fromisoformat(created)
    return key, Entity(
        key,
        name,
        normal,
        _TYPES.get(kind, kind),
        EntityState(state),
        learned,
        tuple(aliases),
        sightings,
        version,
        merged,
    )
