"""The facts of a category as they are believed now: from the index which, from the store what they say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind, Memory
from memoryapp.index.roster import CATEGORIES, NONE
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories
from memoryapp.summaries.sentences import repeats, terms

# What is known in one category, told by rules: the most trusted facts, by whom they are about, nothing said twice.

SENTENCES = 12
DISPUTED = "(disputed)"
_ENDED = re.compile(r"[.!?…。！？]['\"”’)\]]*$")
# Whom a sentence is about, where nothing says so: the capitalised words it begins with.
_NAMED = re.compile(r"^((?i:the user|the assistant)|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})(?=[ :])")
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact with how far it is trusted now, and whether a conflict about it waits for a decision."""

    memory: Memory
    trust: float
    disputed: bool = False

    @property
    def sentence(self) -> str:
        said = " ".join(self.memory.text.split())
        said = said if _ENDED.search(said) else f"{said}."
        return f"{said} {DISPUTED}" if self.disputed else said


def choose(facts: Sequence[Stated], *, limit: int = SENTENCES) -> tuple[Stated, ...]:
    """The most trusted facts that each say something new; ties go to what was confirmed last, then by id."""
    ranked = sorted(facts, key=lambda s: (-round(s.trust, 6), -s.memory.last_confirmed.timestamp(), s.memory.id))
    chosen: list[Stated] = []
    said: list[frozenset[str]] = []
    for stated in ranked:
        words = terms(stated.memory.text)
        if len(chosen) == limit:
            break
        # What two facts dispute differs in a word or two: both sides are told, or neither would be marked.
        if stated.disputed or not repeats(words, said):
            chosen.append(stated)
            said.append(words)
    return tuple(chosen)


def compose(chosen: Sequence[Stated]) -> str:
    """A paragraph for each subject, the best known one first; within it what belongs together stands together."""
    return "\n".join(" ".join(stated.sentence for stated in group) for group in _by_subject(chosen))


def in_order(chosen: Sequence[Stated]) -> tuple[Stated, ...]:
    """The chosen facts as `compose` tells them."""
    return tuple(stated for group in _by_subject(chosen) for stated in group)


def subject_of(memory: Memory) -> str:
    """The normal form of whom or what a fact is about; "" where that cannot be told."""
    for slot in memory.slots:
        subject, bar, _ = slot.partition("|")
        if bar and subject:
            return subject.casefold()
    named = _NAMED.match(memory.text)
    return _POSSESSIVE.sub("", named.group(1)).casefold() if named else ""


def _by_subject(chosen: Sequence[Stated]) -> Iterator[list[Stated]]:
    subjects: dict[str, list[Stated]] = {}
    for stated in chosen:
        subjects.setdefault(subject_of(stated.memory), []).append(stated)
    # Facts of nobody in particular come last.
    weight = {subject: sum(s.trust for s in group) for subject, group in subjects.items()}
    for subject in sorted(subjects, key=lambda one: (not one, -round(weight[one], 6), one)):
        yield _by_attribute(subjects[subject])


def _by_attribute(group: Sequence[Stated]) -> list[Stated]:
    """What fills one slot stands together, in the place of the best trusted of it."""
    first: dict[str, int] = {}
    keys = [stated.memory.slots[0] if stated.memory.slots else stated.memory.id for stated in group]
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    order = sorted(range(len(group)), key=lambda n: (first[keys[n]], n))
    return [group[n] for n in order]


def stated(facts: Sequence[Memory], *, trusts: Mapping[str, float], disputed: Collection[str]) -> tuple[Stated, ...]:
    """The facts with what is known of each. `trusts`: by id."""
    return tuple(Stated(fact, trusts.get(fact.id, 0.0), fact.id in disputed) for fact in facts)


READ = 60  # facts of one category that are read: what is trusted less is not told anyway


@dataclass(frozen=True, slots=True)
class Held:
    """Held facts of one category: their ids, the most trusted first, how far each is trusted now, and when it was
    learned (epoch seconds)."""

    ids: tuple[str, ...]
    trusts: dict[str, float]
    learned: dict[str, float]


def held_facts(space: Space) -> dict[Category, Held]:
    """By category, those of a category without any facts too. A fact without a category counts as “other”."""
    space.index.refresh()
    roster, now = space.index.view().roster, space.clock()
    half_life = space.tuning.trust_half_life_days
    mask = roster.mask(Filters(kinds=(Kind.FACT,)), now=now, half_life=half_life)
    values = roster.trust(now, half_life=half_life)
    category = np.where(roster.category == NONE, CATEGORIES.index(Category.OTHER), roster.category)
    found: dict[Category, Held] = {}
    for code, name in enumerate(CATEGORIES):
        slots = np.flatnonzero(mask & (category == code))
        slots = slots[np.lexsort((roster.order[slots], -values[slots]))]
        ids = tuple(roster.ids[slot] for slot in slots.tolist())
        trusts = dict(zip(ids, values[slots].tolist(), strict=True))
        found[name] = Held(ids, trusts, dict(zip(ids, roster.created[slots].tolist(), strict=True)))
    return found


def read(space: Space, held: Held, *, keys: Sequence[str] = ()) -> tuple[Stated, ...]:
    """The most trusted of them, or those of `keys`, with their words."""
    wanted = list(keys or held.ids[:READ])
    found = memories.get_many(space.db, wanted)
    disputed = conflicts.waiting_for(space.db, wanted)
    return stated([found[key] for key in wanted if key in found], trusts=held.trusts, disputed=disputed)
