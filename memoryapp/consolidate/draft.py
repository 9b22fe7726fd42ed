"""A group with its ranked sentences becomes a digest as it would be written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memoryapp.consolidate import compose
from memoryapp.consolidate.choose import choose
from memoryapp.consolidate.group import Group
from memoryapp.consolidate.ranking import Ranking
from memoryapp.domain.digest import Digest, Original, Ranker, Sentence
from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.identity import content_hash
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State


@dataclass(frozen=True, slots=True)
class Planned:
    """A digest with the sections it is made from and the references it gets. `before`: what there is at its id now."""

    digest: Digest
    sections: tuple[Memory, ...]
    links: tuple[Reference, ...]
    before: Memory | None = None


def planned(
    key: str,
    group: Group,
    ranking: Ranking,
    *,
    by: Ranker,
    by_hand: Sequence[str] | None,
    edges: Iterable[Reference],
    entities: Iterable[Entity],
    before: Memory | None,
) -> Planned:
    """`by_hand`: ids of the sentences that a person picked; `edges`: the references of the sections."""
    sections = group.sections
    machine = choose(ranking)
    told = machine if by_hand is None else choose(ranking, by_hand=by_hand)
    korean = compose.is_korean(machine)
    links = compose.links_of(key, edges)
    began, ended = compose.span(sections)
    digest = Digest(
        id=key,
        print="",
        title=compose.title(group, korean=korean),
        text=compose.text(sections, told, korean=korean),
        topic=group.topic,
        ranker=by,
        sentences=told,
        originals=tuple(map(_original, sections)),
        tags=compose.tags_of(sections, most=LIMITS.tags),
        entities=tuple((one.id, one.name) for one in sorted(entities, key=lambda one: (one.normal, one.id))),
        began=began,
        ended=ended,
        links=len(links),
        confidence=min(memory.confidence for memory in sections),
        rolled_back=before is not None and before.state is not State.HELD,
        rewrites=before is not None and before.state is State.HELD,
    )
    mark = _print(digest, machine, compose.text(sections, machine, korean=korean), before)
    return Planned(replace(digest, print=mark), sections, links, before)


def _original(memory: Memory) -> Original:
    size = len(memory.text.encode("utf-8", "surrogatepass"))
    day = memory.occurred_at or memory.created_at
    return Original(memory.id, memory.title, day, memory.origin.path, size, memory.edited, memory.version)


def _print(digest: Digest, sentences: Sequence[Sentence], text: str, before: Memory | None) -> str:
    """Of what the machine would write, whatever a person picks of it, and of all that it is made from."""
    made = [
        digest.title,
        text,
        digest.tags,
        digest.entities,
        digest.links,
        [one.id for one in sentences],
        [(one.id, one.version) for one in digest.originals],
        before.version if before else 0,
    ]
    return content_hash(json.dumps(made, ensure_ascii=False))[:16]
