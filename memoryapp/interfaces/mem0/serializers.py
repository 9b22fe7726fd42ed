"""Memories, revisions and owners in the shapes that mem0's client hands to its caller."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memoryapp.domain.memory import Memory, State
from memoryapp.domain.results import Hit
from memoryapp.interfaces.mem0.metadata import label_of, last_day
from memoryapp.interfaces.mem0.owners import TYPES, Holding, owner_of
from memoryapp.review.history import Layer

_ALWAYS = frozenset({"id", "memory", "score"})


def serialize_memory(memory: Memory) -> dict[str, Any]:
    """`state` and `confidence` are ours; mem0's client passes on what it does not know."""
    label = label_of(memory)
    return {
        "id": memory.id,
        "memory": memory.text,
        **asdict(owner_of(memory.origin.session)),
        "metadata": label.metadata or None,
        "categories": [memory.category.value] if memory.category else [],
        "immutable": label.immutable,
        "expiration_date": last_day(memory),
        "created_at": label.at or memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "state": memory.state.value,
        "confidence": memory.confidence,
    }


def serialize_hit(hit: Hit) -> dict[str, Any]:
    """`score` is the hit's relevance, which a threshold can be held against; the order is that of the search.
    `conflicts` are the ids of those that wait for a decision about it, `outdated_by` is a later hit that says
    otherwise."""
    return serialize_memory(hit.memory) | {
        "score": round(hit.relevance, 4),
        "conflicts": list(hit.conflicts),
        "outdated_by": hit.outdated_by,
    }


def select_fields(told: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    """With the fields that were asked for alone."""
    return told if not fields else {name: value for name, value in told.items() if name in _ALWAYS | set(fields)}


def serialize_history(memory: Memory, layers: tuple[Layer, ...]) -> list[dict[str, Any]]:
    """The layers that changed the words, or took the memory away or brought it back, the first one first. mem0 knows
    nothing of the others: reinforcements, tags, trust."""
    told: list[dict[str, Any]] = []
    there = False
    for layer in reversed(layers):
        gone = layer.state == State.DELETED
        event = _event(layer, there=there, gone=gone)
        there = not gone
        if event is None:
            continue
        told.append(
            {
                "id": layer.revision.id,
                "memory_id": memory.id,
                "old_memory": None if event == "ADD" else layer.was,
                "new_memory": None if gone else layer.text,
                "event": event,
                "metadata": label_of(memory).metadata or None,
                "user_id": owner_of(memory.origin.session).user_id,
                "actor_id": layer.revision.actor.name,
                "reason": layer.revision.reason,
                "created_at": memory.created_at.isoformat(),
                "updated_at": layer.revision.at.isoformat(),
            }
        )
    return told


def _event(layer: Layer, *, there: bool, gone: bool) -> str | None:
    if there and gone:
        return "DELETE"
    if not there:
        return None if gone else "ADD"
    return "UPDATE" if layer.was != layer.text else None


def serialize_entities(holdings: list[Holding]) -> list[dict[str, Any]]:
    """Users, agents, apps and runs of whom something is held; one that shares memories with another counts them too."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for held in holdings:
        for name, value in held.owner.named.items():
            first, last = held.first.isoformat(), held.last.isoformat()
            told = found.setdefault(
                (TYPES[name], value),
                {"id": value, "name": value, "type": TYPES[name], "total_memories": 0, "created_at": first,
                 "updated_at": last, "metadata": None},
            )  # fmt: skip
            told["total_memories"] += held.memories
            told["created_at"], told["updated_at"] = min(told["created_at"], first), max(told["updated_at"], last)
    return [found[key] for key in sorted(found)]
