"""Korean word order for an atom with a Korean predicate: each participant with its particle, the predicate last."""

from __future__ import annotations

from collections.abc import Callable

from memoryapp.domain.atom import Atom, Role, Tense
from memoryapp.domain.memory import Mood
from memoryapp.extraction.atoms.predicate import words_of
from memoryapp.extraction.facts.hangul import ends_in_consonant, with_topic

_ORDER = (
    Role.SUBJECT,
    Role.LOCUS,
    Role.SOURCE,
    Role.ORIGIN,
    Role.RECIPIENT,
    Role.INSTRUMENT,
    Role.OBJECT,
    Role.ATTRIBUTE,
    Role.VALUE,
)
MOODS = {Mood.PLANNED: "계획", Mood.UNCERTAIN: "불확실", Mood.NORMATIVE: "당위", Mood.CONDITIONAL: "조건부"}
TENSES = {Tense.PAST: "과거", Tense.FUTURE: "미래"}
_FIXED = {Role.LOCUS: "에서", Role.SOURCE: "에서", Role.ORIGIN: "에서", Role.RECIPIENT: "에게"}
_LIEUL = 8  # the final consonant ㄹ, after which it is “로” as after a vowel
_FIRST, _LAST, _FINALS = 0xAC00, 0xD7A3, 28


def clause(atom: Atom, phrase: Callable[[str | Atom], str]) -> str:
    """`phrase`: how a participant is read. `민수는 지훈에게 책을 주다`"""
    parts = []
    for role in _ORDER:
        names = [phrase(value) for each, value in atom.participants if each is role]
        if names:
            parts.append(_with_particle(", ".join(names), role))
    return " ".join([*parts, words_of(atom.predicate)])


def _with_particle(name: str, role: Role) -> str:
    heard = name.rstrip("”\"')")
    if role is Role.SUBJECT:
        return name + with_topic(heard).removeprefix(heard)
    if role is Role.OBJECT:
        return name + ("을" if ends_in_consonant(heard) else "를")
    if role is Role.INSTRUMENT:
        return name + ("으로" if ends_in_consonant(heard) and not _ends_in_lieul(heard) else "로")
    return name + _FIXED.get(role, "")


def _ends_in_lieul(name: str) -> bool:
    last = name[-1:]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _FINALS == _LIEUL
    return last.lower() in "lr178"
