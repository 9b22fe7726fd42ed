"""Episodes and summaries as they are shown: the memory, and what only its kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memoryapp.api.schemas.episode import EpisodeOut, SummaryOut
from memoryapp.api.showing import show_memories
from memoryapp.domain.memory import Memory
from memoryapp.spaces import Space
from memoryapp.store import lineage


def show_episodes(space: Space, found: Sequence[Memory], inherited_from: str | None = None) -> list[EpisodeOut]:
    """`space` is the one that holds them."""
    shown = show_memories(space, found, inherited_from=inherited_from)
    sources = lineage.sources(space.db, [memory.id for memory in found])
    return [
        EpisodeOut(
            **one.model_dump(),
            decision=memory.detail.get("decision"),
            participants=[str(name) for name in memory.detail.get("participants") or ()],
            began_at=_moment(memory.detail.get("from")),
            ended_at=_moment(memory.detail.get("to")),
            turns=int(memory.detail.get("turns") or 0),
            **_by(memory, sources),
        )
        for one, memory in zip(shown, found, strict=True)
    ]


def show_episode(space: Space, memory: Memory, inherited_from: str | None = None) -> EpisodeOut:
    return show_episodes(space, [memory], inherited_from)[0]


def show_summaries(space: Space, found: Sequence[Memory]) -> list[SummaryOut]:
    shown = show_memories(space, found)
    sources = lineage.sources(space.db, [memory.id for memory in found])
    return [SummaryOut(**one.model_dump(), **_by(memory, sources)) for one, memory in zip(shown, found, strict=True)]


def _by(memory: Memory, sources: Mapping[str, set[str]]) -> dict[str, Any]:
    return {
        "by": str(memory.detail.get("by") or ""),
        "problem": str(memory.detail.get("problem") or ""),
        "facts": sorted(sources.get(memory.id, ())),
    }


def _moment(told: object) -> datetime | None:
    return datetime.fromisoformat(told) if isinstance(told, str) and told else None
