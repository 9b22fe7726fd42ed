"""Sections that belong together: those that share a name which tells them from the others, else those whose words are
about the same; else, week by week, those that share a name which stands everywhere. What shares nothing with any other
stays as it is: a digest of one section would only lose something."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.digest import Topic
from memoryapp.domain.entity import Entity
from memoryapp.domain.memory import Memory
from memoryapp.extraction.facts.hangul import is_korean
from memoryapp.inference.embedding.zones import zones_of
from memoryapp.spaces import Space

SPAN = timedelta(days=31)  # from the first section of a digest to its last
MOST = 16  # sections of one digest: of ten sentences, more would have to go without
_FEW = 12  # sections among which a name may stand in more than half and still be what they are about
_HUB = 0.5


@dataclass(frozen=True, slots=True)
class Group:
    """Two sections or more, in order of their day."""

    topic: Topic
    sections: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class SectionEntities:
    """The entities that each section names, by id, those that are merged as the one they are."""

    of: Mapping[str, frozenset[str]]
    entities: Mapping[str, Entity]


def section_entities(space: Space, sections: Sequence[Memory]) -> SectionEntities:
    """From the index, which the caller has refreshed."""
    view = space.index.view()
    of: dict[str, frozenset[str]] = {}
    entities: dict[str, Entity] = {}
    matrix, known = view.incidence.matrix, view.incidence.entities
    for memory in sections:
        slot = view.roster.slot(memory.id)
        codes = [] if slot is None else matrix.indices[matrix.indptr[slot] : matrix.indptr[slot + 1]].tolist()
        found = [entity for code in codes if (entity := known[code]) is not None]
        of[memory.id] = frozenset(entity.id for entity in found)
        entities |= {entity.id: entity for entity in found}
    return SectionEntities(of, entities)


def group_sections(
    space: Space, sections: Sequence[Memory], names: SectionEntities
) -> tuple[list[Group], list[Memory]]:
    """The groups, and the sections that stay alone. `sections` in order of their day; the same ones give the same
    groups. Nothing is grouped over more than `SPAN`."""
    groups: list[Group] = []
    alone: list[Memory] = []
    for stretch in _stretches(sections):
        by_name, rest = _by_name(stretch, names)
        by_words, left = _by_words(space, rest)
        by_week, lonely = _by_week(left, names)
        groups += by_name + by_words + by_week
        alone += lonely
    return groups, alone


def _stretches(sections: Sequence[Memory]) -> list[list[Memory]]:
    stretches: list[list[Memory]] = []
    for memory in sections:
        day = memory.occurred_at or memory.created_at
        first = (stretches[-1][0].occurred_at or stretches[-1][0].created_at) if stretches else None
        if first is None or day - first > SPAN:
            stretches.append([])
        stretches[-1].append(memory)
    return stretches


def _by_name(sections: Sequence[Memory], names: SectionEntities) -> tuple[list[Group], list[Memory]]:
    """One name after the other, the one first that holds most sections together and says most of them:
    (k − 1) · ln((n + 1) / (d + 0.5)), where k of the sections that are still free name it, and d of all n do."""
    holders: dict[str, list[Memory]] = {}
    for memory in sections:
        for key in names.of[memory.id]:
            holders.setdefault(key, []).append(memory)
    n = len(sections)
    worth = {
        key: math.log((n + 1) / (len(held) + 0.5))
        for key, held in holders.items()
        if len(held) > 1 and not (n > _FEW and len(held) > _HUB * n)
    }
    free = {memory.id: memory for memory in sections}
    count = {key: len(holders[key]) for key in worth}
    groups = []
    while worth:
        key = min(worth, key=lambda one: (-round((count[one] - 1) * worth[one], 9), names.entities[one].normal, one))
        members = [memory for memory in holders[key] if memory.id in free]
        del worth[key]
        if len(members) < 2:
            continue
        entity = names.entities[key]
        groups += [Group(Topic(entity.name, "entity", entity.id), tuple(part)) for part in _parts(members)]
        for memory in members:
            del free[memory.id]
            for other in names.of[memory.id] & worth.keys():
                count[other] -= 1
    return groups, list(free.values())


def _by_week(sections: Sequence[Memory], names: SectionEntities) -> tuple[list[Group], list[Memory]]:
    """What is left, by the names that stand everywhere: too common to be a topic, but a week of one is a story."""
    weeks: dict[tuple[int, int, str], list[Memory]] = {}
    for memory in sections:
        year, week, _ = (memory.occurred_at or memory.created_at).isocalendar()
        for key in names.of[memory.id]:
            weeks.setdefault((year, week, key), []).append(memory)
    free = {memory.id: memory for memory in sections}
    groups = []
    for (*_, key), held in sorted(weeks.items(), key=lambda one: (-len(one[1]), one[0])):
        members = [memory for memory in held if memory.id in free]
        if len(members) < 2:
            continue
        entity = names.entities[key]
        groups += [Group(Topic(entity.name, "entity", entity.id), tuple(part)) for part in _parts(members)]
        for memory in members:
            del free[memory.id]
    return groups, list(free.values())


def _parts(sections: Sequence[Memory]) -> list[list[Memory]]:
    """In runs of at most `MOST`, about equally long, by day."""
    many = math.ceil(len(sections) / MOST)
    bounds = [round(part * len(sections) / many) for part in range(many + 1)]
    return [list(sections[start:end]) for start, end in itertools.pairwise(bounds)]


def _by_words(space: Space, sections: Sequence[Memory]) -> tuple[list[Group], list[Memory]]:
    """Each section with those behind it whose vectors are near its own: from the cosine at which the model's texts
    begin to be about the same. Without vectors nothing is grouped, nor is Korean by a model that knows none: all of it
    looks alike there."""
    vectors, have = _vectors(space, sections)
    if len(have) < 2:
        return [], list(sections)
    near = zones_of(space.encoder.name)
    least = (near.near + near.same) / 2  # about the same, and not only of one world
    cosines = np.round(vectors @ vectors.T, 6)
    free = dict.fromkeys(range(len(have)))
    groups = []
    for n in range(len(have)):
        if n not in free:
            continue
        like = [n, *(other for other in free if other > n and cosines[n, other] >= least)][:MOST]
        if len(like) < 2:
            continue
        members = tuple(have[one] for one in like)
        groups.append(Group(Topic(_title_of(members), "likeness"), members))
        for one in like:
            del free[one]
    told = {memory.id for group in groups for memory in group.sections}
    return groups, [memory for memory in sections if memory.id not in told]


def _title_of(sections: Sequence[Memory]) -> str:
    """The title that most of them have, the first of those."""
    titles = [memory.title for memory in sections]
    return max(dict.fromkeys(titles), key=titles.count)


def _vectors(space: Space, sections: Sequence[Memory]) -> tuple[NDArray[np.float32], list[Memory]]:
    view = space.index.view()
    korean = space.encoder.ready and "ko" in space.encoder.get(0).languages
    readable = [memory for memory in sections if korean or not is_korean(memory.text)]
    have = [m for m in readable if (slot := view.roster.slot(m.id)) is not None and view.roster.has[slot]]
    return view.vectors_of(view.roster.slots([memory.id for memory in have])), have
