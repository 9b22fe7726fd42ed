"""Facts as the detectors see them: what they state, about whom, from when to when."""

from __future__ import annotations

import re

from memoryapp.detect import slots
from memoryapp.domain.atom import Atom, Tense
from memoryapp.domain.memory import BELIEFS, Kind, Memory, Mood
from memoryapp.domain.statement import Slot, Statement
from memoryapp.extract.atoms import parse

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
