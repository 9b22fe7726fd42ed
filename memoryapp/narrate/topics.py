"""What a session was about: the names that most of its sentences speak of, those who speak left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from memoryapp.domain.entity import Entity, Reference
from memoryapp.narrate.heard import Heard
from memoryapp.narrate.sentences import Sentence
from memoryapp.spaces import Space
from memoryapp.store import entities, references

MOST_TOPICS = 3


def named_in(space: Space, heard: Heard) -> dict[str, tuple[Entity, ...]]:
    """Known names by the memory (a fact of the session, or a note of it) that speaks of them."""
    keys = [fact.id for fact in heard.facts] + ([line.key for line in heard.lines] if heard.noted else [])
    edges = references.of_memories(space.db, keys)
    known = entities.get_many(space.db, sorted({edge.entity for group in edges.values() for edge in group}))
    return {
        key: tuple(known[edge.entity] for edge in group if edge.entity in known) for key, group in sorted(edges.items())
    }


def topics(heard: Heard, pool: Sequence[Sentence], named: Mapping[str, Sequence[Entity]]) -> tuple[str, ...]:
    """At most `MOST` names: those in most sentences first, then in the order in which they came up."""
    speakers = {word for speaker in heard.speakers for word in (speaker.casefold(), *speaker.casefold().split()[:1])}
    spelled: dict[str, str] = {}
    counted: defaultdict[str, set[int]] = defaultdict(set)
    for n, sentence in enumerate(pool):
        known = [entity.name for key in (sentence.fact, sentence.source) if key for entity in named.get(key, ())]
        for name in dict.fromkeys([*known, *sentence.entities]):
            if name.casefold() not in speakers and name.casefold() in sentence.text.casefold():
                spelled.setdefault(name.casefold(), name)
                counted[name.casefold()].add(n)
    ranked = sorted(counted, key=lambda name: (-len(counted[name]), min(counted[name]), name))
    chosen: list[str] = []
    for name in ranked:
        if len(chosen) < MOST_TOPICS and not any(
            name in other.casefold() or other.casefold() in name for other in chosen
        ):
            chosen.append(spelled[name])
    return tuple(chosen)


def edges(key: str, named: Mapping[str, Sequence[Entity]]) -> tuple[Reference, ...]:
    """References from an episode to every name that what it was made from refers to."""
    found = sorted({entity.id for group in named.values() for entity in group})
    return tuple(Reference(key, entity, "mention", 1.0) for entity in found)
