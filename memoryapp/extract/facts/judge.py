"""A unit of sentences in, the candidate fact out: category, confidence, mood, flags, names, and times. For
`pipeline`."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.fact import INFERRED, Candidate
from memoryapp.domain.memory import Category, Mood
from memoryapp.extract.facts.category import category
from memoryapp.extract.facts.certainty import confidence, decides, imagines, mood, moves
from memoryapp.extract.facts.hear import Talk
from memoryapp.extract.facts.names import entities, subject_name
from memoryapp.extract.facts.rewrite import is_generic
from memoryapp.extract.facts.units import Unit
from memoryapp.extract.facts.validity import Times, times
from memoryapp.extract.facts.weigh import Weighed
from memoryapp.extract.facts.words import FIRST


def candidate(unit: Unit, *, talk: Talk, names: Sequence[str]) -> Candidate:
    """`names`: those of the whole turn. What several sentences differ in, the first that says anything decides."""
    first = unit.sentences[0]
    people = [name for name in (talk.said.speaker, *talk.others) if not is_generic(name)]
    opening = [name for one in unit.sentences if (name := subject_name(one.parsed))]
    known = entities(unit.text, (*names, *opening), people=people)
    when = _times(unit, talk)
    return Candidate(
        text=unit.text,
        quote=talk.said.text[unit.start : unit.end],
        category=_category(unit),
        confidence=INFERRED
        if first.suggested
        else confidence(
            first.heard.text, first.parsed, named_entity=bool(set(known) - set(people)), instructed=first.instructed
        ),
        decision_point=any(decides(one.heard.text) for one in unit.sentences),
        emotional_signal=any(moves(one.heard.text, one.parsed) for one in unit.sentences),
        entities=known,
        mood=Mood.UNCERTAIN
        if first.suggested
        else mood(first.heard.text, own=_own(first), instructed=first.instructed),
        occurred_at=when.occurred_at,
        when=when.when,
        valid_from=when.valid_from,
        valid_to=when.valid_to,
        worth=unit.points,
    )


def _times(unit: Unit, talk: Talk) -> Times:
    if unit.sentences[0].suggested:
        return Times()  # what is suggested has not happened
    found = (times(one.heard.text, one.parsed, said=talk.said.at) for one in unit.sentences)
    return next((one for one in found if one != Times()), Times())


def _category(unit: Unit) -> Category:
    if unit.sentences[0].instructed:
        return Category.PREFERENCES
    if unit.sentences[0].suggested or imagines(unit.sentences[0].heard.text):
        return Category.OTHER
    found = (category(one.heard.text, one.parsed) for one in unit.sentences)
    return next((one for one in found if one is not Category.OTHER), Category.OTHER)


def _own(one: Weighed) -> bool:
    return any(word.lower in FIRST for word in one.parsed.words)
