"""Digests that stand while one of their sections has other words now: to be written anew, in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoryapp.consolidate.due import in_order
from memoryapp.consolidate.group import Group
from memoryapp.consolidate.told import Standing, told_in
from memoryapp.domain.digest import Topic
from memoryapp.domain.memory import Memory, State
from memoryapp.spaces import Space
from memoryapp.store import memories


@dataclass(frozen=True, slots=True)
class Again:
    """`digest`: the id under which it stands."""

    digest: str
    group: Group


def told_again(
    space: Space, sections: Sequence[Memory], standing: Mapping[str, Standing]
) -> tuple[list[Again], list[Memory]]:
    """The digests to be written anew, and the sections that no digest tells. A digest keeps its other sections, which
    are archived, as long as they still belong to it."""
    changed: dict[str, list[Memory]] = {}
    rest = []
    for memory in sections:
        key = told_in(memory) or ""
        if key in standing:
            changed.setdefault(key, []).append(memory)
        else:
            rest.append(memory)
    return [Again(key, _group(space, standing[key], key, changed[key])) for key in sorted(changed)], rest


def _group(space: Space, digest: Standing, key: str, changed: Sequence[Memory]) -> Group:
    others = sorted(set(digest.originals) - {memory.id for memory in changed})
    kept = [
        memory
        for memory in memories.get_many(space.db, others).values()
        if memory.state is State.ARCHIVED and told_in(memory) == key
    ]
    detail = digest.memory.detail
    topic = Topic(str(detail.get("topic") or ""), "digest", detail.get("entity"))
    return Group(topic, tuple(sorted([*changed, *kept], key=in_order)))
