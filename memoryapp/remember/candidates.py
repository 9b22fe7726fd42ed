"""Which facts each new one has to be compared with, by meaning and by slot: those of the same owner (domain.apart),
however near another's are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.contradictions import slots
from memoryapp.domain.atom import Atom, Tense
from memoryapp.domain.memory import BELIEFS, Kind, Memory, Mood, State, owner_of_session
from memoryapp.domain.statement import Slot, Statement
from memoryapp.extraction.atoms import parse
from memoryapp.index.engine import View
from memoryapp.index.roster import KINDS, Roster
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.memories import filling

# Facts as the detectors see them: what they state, about whom, from when to when.

_SLOTS = 8  # of one fact; a text that fills more is a list, not a statement


def is_stated(atom: Atom | None) -> bool:
    """Whether it says that something is so now: no plan, no wish, nothing past, nothing that somebody says. True where
    there is no atom: words are judged by the detectors."""
    if atom is None:
        return True
    plain = atom.mood in (None, Mood.ACTUAL) and atom.tense in (None, Tense.PRESENT)
    return plain and not any(isinstance(value, Atom) for _, value in atom.participants)


def is_comparable(memory: Memory) -> bool:
    """Whether a new fact is to be held against it."""
    if memory.kind not in BELIEFS or (memory.kind is Kind.ATOM and memory.mood not in (None, Mood.ACTUAL)):
        return False
    told = memory.detail.get("atom") if memory.kind is Kind.ATOM else None
    return told is None or is_stated(parse(told)[0])


def slots_of(memory: Memory) -> tuple[Slot, ...]:
    """The first slots that its text fills."""
    return slots(memory.text, speaker=memory.speaker)[:_SLOTS]


def slot_keys(text: str, *, speaker: str | None) -> tuple[str, ...]:
    """What a fact is looked up by when another one fills the same slot."""
    return tuple(dict.fromkeys(slot.key for slot in slots(text, speaker=speaker)[:_SLOTS]))


def statement_of(memory: Memory) -> Statement:
    """`at` is when it was last said: of two that differ, the one said later is the newer."""
    return Statement(
        quote=str(memory.detail.get("quote") or ""),
        text=memory.text,
        at=memory.last_confirmed,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        speaker=memory.speaker,
    )


def successive(one: Memory, other: Memory) -> bool:
    """Whether it is known of both when they held, and one had ended when the other began: both are true, in turn."""
    return _ended_before(one, other) or _ended_before(other, one)


def _ended_before(one: Memory, other: Memory) -> bool:
    return one.valid_to is not None and other.valid_from is not None and one.valid_to <= other.valid_from


def another_occasion(one: Memory, other: Memory) -> bool:
    """Whether both tell of something dated, at different dates: “saw the dentist yesterday”, in March, in May."""
    days = [memory.occurred_at.date() if memory.occurred_at else None for memory in (one, other)]
    return all(memory.detail.get("when") for memory in (one, other)) and None not in days and days[0] != days[1]


def of_others(one: Memory, other: Memory) -> bool:
    """Whether they speak of different subjects, however alike the rest: Maria's dog is not Jon's."""
    first, second = ({slot.subject for slot in slots_of(memory)} for memory in (one, other))
    if first and second:
        return first.isdisjoint(second)
    opening, against = _opening(one), _opening(other)
    return opening != against and opening not in _words(other) and against not in _words(one)


_DETERMINER = re.compile(r"(?:the|a|an|my|our|his|her|their|its|this|that)\s+", re.IGNORECASE)
_FIRST_PERSON = frozenset({"i", "i'm", "i've", "i'd", "i'll", "my", "me"})


def _opening(memory: Memory) -> str:
    """The word that a statement opens with, which names its subject: the speaker's name for “I”."""
    opening = _DETERMINER.sub("", memory.text.lstrip(), count=1).split(maxsplit=1)
    word = opening[0].strip(".,:;!?\"'()").removesuffix("'s").removesuffix("’s").casefold() if opening else ""
    said_by = memory.speaker.split()[0].casefold() if memory.speaker and memory.speaker.split() else "user"
    return said_by if word in _FIRST_PERSON or memory.text.lstrip()[:3].casefold() == "my " else word


def _words(memory: Memory) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", f"{memory.speaker or 'user'} {memory.text}".casefold()))


NEAREST = 5  # facts that a new one is compared with by meaning, and as many by slot
_READ_AT_ONCE = 500

_KINDS = [KINDS.index(kind) for kind in BELIEFS]
_Slot = tuple[str, str | None]  # its key, and whose it is

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A fact to compare with. `cosine` is None where one of the two has no embedding."""

    memory: Memory
    cosine: float | None


class Around:
    """What stands around the new facts of one batch: held facts, and those of the batch that came before."""

    def __init__(self, space: Space, facts: Sequence[Memory], vectors: dict[str, Vector], *, least: float) -> None:
        """`vectors` by fact; without one a fact is compared by its slots alone. `least`: no lower cosine is near."""
        self._vectors = vectors
        self._least = least
        self._slots = {fact.id: _lookup_slots(fact, embedded=fact.id in vectors) for fact in facts}
        mates = _facts_by_slot(space, set().union(*self._slots.values()) if facts else set())
        near = _near_facts(space, self._slots, {fact.id: _owner(fact) for fact in facts}, vectors, mates, least)
        held = _read(space, {key for found in near.values() for key in found})
        self._held = {
            fact: [Neighbour(held[key], cosine) for key, cosine in found.items() if key in held]
            for fact, found in near.items()
        }
        self._earlier: dict[str, Memory] = {}
        self._rows = np.empty((len(facts), len(next(iter(vectors.values()), ()))), dtype=np.float32)
        self._keys: list[str] = []  # by row
        self._owners: list[str | None] = []  # likewise
        self._by_slot: dict[_Slot, list[str]] = {}

    def of(self, fact: Memory) -> list[Neighbour]:
        """The nearest first; those that are only slot-mates last."""
        found: dict[str, float | None] = {}
        if (vector := self._vectors.get(fact.id)) is not None and self._keys:
            cosines = self._rows[: len(self._keys)] @ vector
            others = [owner != _owner(fact) for owner in self._owners]
            found |= {
                self._keys[row]: float(cosines[row]) for row in _best_slots(np.where(others, 0, cosines), self._least)
            }
        mates = [key for slot in self._slots[fact.id] for key in self._by_slot.get(slot, ())]
        found |= {key: None for key in mates if key not in found}
        beside = [Neighbour(self._earlier[key], cosine) for key, cosine in found.items()]
        return sorted([*self._held.get(fact.id, ()), *beside], key=lambda one: -(one.cosine or 0.0))[: 2 * NEAREST]

    def add(self, fact: Memory) -> None:
        """It is written: those that come after it in the batch are compared with it, too."""
        self._earlier[fact.id] = fact
        if (vector := self._vectors.get(fact.id)) is not None:
            self._rows[len(self._keys)] = vector
            self._keys.append(fact.id)
            self._owners.append(_owner(fact))
        for slot in self._slots[fact.id]:
            self._by_slot.setdefault(slot, []).append(fact.id)


def _owner(memory: Memory) -> str | None:
    return owner_of_session(memory.origin.session)


def _lookup_slots(fact: Memory, *, embedded: bool) -> frozenset[_Slot]:
    """The slots by which its slot-mates are found: those of which there can be but one value. Of others a thousand
    facts may fill the same, and the ones that matter are near in meaning."""
    return frozenset((slot.key, _owner(fact)) for slot in slots_of(fact) if slot.functional or not embedded)


def _facts_by_slot(space: Space, slots: Iterable[_Slot]) -> dict[_Slot, list[str]]:
    """Held facts by the slot they fill."""
    asked = frozenset(slots)
    keys, owners = sorted({key for key, _ in asked}), list({owner for _, owner in asked})
    found: dict[_Slot, list[str]] = {}
    for start in range(0, len(keys), _READ_AT_ONCE):
        for one in filling(space.db, keys[start : start + _READ_AT_ONCE], owners, limit=2 * _READ_AT_ONCE):
            if one.kind in BELIEFS:
                for key in one.slots:
                    found.setdefault((key, one.owner), []).append(one.memory)
    return found


def _near_facts(
    space: Space,
    asked: dict[str, frozenset[_Slot]],
    owners: dict[str, str | None],
    vectors: dict[str, Vector],
    by_slot: dict[_Slot, list[str]],
    least: float,
) -> dict[str, dict[str, float | None]]:
    """By fact, the ids and cosines of the held facts to compare it with."""
    view, masks = None, {}
    if vectors:
        space.index.refresh()
        view = space.index.view()
        held = view.roster.held & np.isin(view.roster.kind, _KINDS)
        masks = {owner: held & _owner_mask(view.roster, owner) for owner in set(owners.values())}
    near: dict[str, dict[str, float | None]] = {}
    for fact, own in asked.items():
        mates = [key for slot in sorted(own, key=lambda slot: slot[0]) for key in by_slot.get(slot, ())]
        found: dict[str, float | None] = dict.fromkeys(dict.fromkeys(mates, None), None)
        if view is not None and fact in vectors:
            found = _compared(view, vectors[fact], masks[owners[fact]], least, mates)
        found.pop(fact, None)
        near[fact] = dict(list(found.items())[: 2 * NEAREST])
    return near


def _owner_mask(roster: Roster, owner: str | None) -> NDArray[np.bool_]:
    """Asked once a place, not once a memory; the last of `same` is for −1, memories without a place."""
    places = roster.names["place"].names
    same = np.array([*(owner_of_session(session) == owner for _, _, session in places), owner is None])
    found: NDArray[np.bool_] = same[roster.place]
    return found


def _compared(
    view: View, vector: Vector, mask: NDArray[np.bool_], least: float, mates: Sequence[str]
) -> dict[str, float | None]:
    scores = view.vector(vector, mask=mask, limit=NEAREST + 1)
    # One more than are wanted: a fact whose words are new finds its old self.
    found: dict[str, float | None] = {
        view.roster.ids[slot]: float(scores.cosines[slot]) for slot in _best_slots(scores.cosines, least, NEAREST + 1)
    }
    for key in dict.fromkeys(mates):
        slot = view.roster.slot(key)
        known = slot is not None and bool(scores.has[slot])
        found.setdefault(key, float(scores.cosines[slot]) if known else None)
    return found


def _best_slots(cosines: NDArray[np.float32], least: float, count: int = NEAREST) -> list[int]:
    rows = np.flatnonzero(cosines >= max(least, 1e-6))
    best: list[int] = rows[np.argsort(-cosines[rows], kind="stable")][:count].tolist()
    return best


def _read(space: Space, keys: Iterable[str]) -> dict[str, Memory]:
    """Those that are still held, as the store has them now."""
    wanted = sorted(keys)
    found: dict[str, Memory] = {}
    for start in range(0, len(wanted), _READ_AT_ONCE):
        found |= memories.get_many(space.db, wanted[start : start + _READ_AT_ONCE])
    return {key: memory for key, memory in found.items() if memory.state is State.HELD and is_comparable(memory)}
