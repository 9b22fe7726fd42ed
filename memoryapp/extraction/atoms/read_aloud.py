"""An atom as one plain sentence, by which its memory is searched and recalled."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryapp.domain.atom import Atom, Role, Tense
from memoryapp.domain.memory import Mood
from memoryapp.extraction.atoms import korean
from memoryapp.extraction.atoms.predicate import agreeing, words_of
from memoryapp.extraction.facts.hangul import is_korean

_PREPOSITIONS: dict[Role, tuple[str, ...]] = {
    Role.RECIPIENT: ("to", "for"),
    Role.INSTRUMENT: ("with", "by", "using"),
    Role.SOURCE: ("from",),
    Role.ORIGIN: ("from",),
    Role.LOCUS: ("in", "at", "on"),
}
_MOODS = {
    Mood.PLANNED: "planned",
    Mood.UNCERTAIN: "not certain",
    Mood.NORMATIVE: "as it should be",
    Mood.CONDITIONAL: "on a condition",
}
_TENSES = {Tense.PAST: "past", Tense.FUTURE: "future"}
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ENDS = (".", "!", "?", "…")


def read_aloud(atom: Atom) -> str:
    """`Alice prefers Python.`, `Alice plans: Alice visits Busan.`, `Alice owns car (red).`; with a predicate in Korean
    in the order of Korean: `민수는 파이썬을 좋아하다.` Mood and tense stand in brackets where they are other than
    actual and present. One line; never empty."""
    text = _clause(atom)
    if not _phrases(atom, Role.SUBJECT):
        text = text[:1].upper() + text[1:]
    return text if text.endswith(_ENDS) else text + "."


def _clause(atom: Atom) -> str:
    told: list[str] = []
    if is_korean(words_of(atom.predicate)):
        head = korean.clause(atom, _phrase)
        aside = (korean.MOODS.get(atom.mood or Mood.ACTUAL), korean.TENSES.get(atom.tense or Tense.PRESENT))
    else:
        head, told = _english_phrase(atom)
        aside = (_MOODS.get(atom.mood or Mood.ACTUAL), _TENSES.get(atom.tense or Tense.PRESENT))
    if said := ", ".join(word for word in aside if word):
        head = f"{head} ({said})"
    return f"{head}: {'; '.join(told)}" if told else head


def _english_phrase(atom: Atom) -> tuple[str, list[str]]:
    """The words around the predicate, and the atoms that it tells, which stand after a colon."""
    subjects = _phrases(atom, Role.SUBJECT)
    objects = [_phrase(value) for role, value in atom.participants if role is Role.OBJECT and isinstance(value, str)]
    told = [_clause(value) for role, value in atom.participants if role is Role.OBJECT and isinstance(value, Atom)]
    details = _details(_phrases(atom, Role.ATTRIBUTE), _phrases(atom, Role.VALUE))
    predicate = agreeing(words_of(atom.predicate), subjects)
    parts = [_join_names(subjects), predicate]
    ready = ""  # the preposition that the predicate ends in: “works at” says the “at” of its place itself
    if objects or told:
        parts.append(_join_names(objects))
        if details:
            parts.append(f"({', '.join(details)})")
    elif details:
        parts.append(_join_names(details))
    else:
        ready = predicate.split(" ")[-1]
    ordered = sorted(_PREPOSITIONS, key=lambda role: ready not in _PREPOSITIONS[role])
    for role in ordered:
        if names := _phrases(atom, role):
            said = ready in _PREPOSITIONS[role]
            parts.append(_join_names(names) if said else f"{_preposition(role, names[0])} {_join_names(names)}")
            ready = ""
    return " ".join(part for part in parts if part), told


def _preposition(role: Role, name: str) -> str:
    if role is Role.LOCUS and _CLOCK.match(name):
        return "at"
    if role is Role.LOCUS and _DAY.match(name):
        return "on"
    return _PREPOSITIONS[role][0]


def _details(attributes: Sequence[str], values: Sequence[str]) -> list[str]:
    """“version 3.11” where each attribute has its value, else all of them as they come."""
    if len(attributes) == len(values):
        return [f"{attribute} {value}" for attribute, value in zip(attributes, values, strict=True)]
    return [*attributes, *values]


def _phrases(atom: Atom, wanted: Role) -> list[str]:
    return [_phrase(value) for role, value in atom.participants if role is wanted]


def _phrase(value: str | Atom) -> str:
    return f"“{_clause(value)}”" if isinstance(value, Atom) else " ".join(value.split())


def _join_names(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
