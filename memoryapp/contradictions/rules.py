"""The exact rules: what slots, typed values, denials and diets say of two statements, the cheapest rule first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryapp.contradictions import diet, exchanges, korean, topic
from memoryapp.contradictions.clause import clauses
from memoryapp.contradictions.slot_clashes import agrees, clashes
from memoryapp.contradictions.slots import slots
from memoryapp.contradictions.verdicts import Finding
from memoryapp.domain.statement import Statement
from memoryapp.text.wording import word_set

_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|must|runs?|ran|starts?|ends?|begins?|takes?|took|costs?|uses?|listens?|"
    r"lives?|expires?|holds?|stops?|fails?|failed|needs?|owns?|belongs?|goes|went|moved?|moves|closed?|closes|opens?|passed|passes|broke|crashed|succeeded|shipped|landed|finished|arrived|came|was|became|contains?|fixes|fixed|"
    r"changes|changed|covers?|covered|brings|brought|adds|added)\b"
)
_NUMBERED = re.compile(r"\b([A-Za-z]{3,}) (?:no\. ?|#)?(\d+)\b(?![.:,]\d)")
_THINGS = word_set(
    "invoice ticket order room service server issue task gate flight line step chapter node host user customer project "
    "phase module sprint floor apartment unit team group channel batch case bug item account machine level lesson class"
)
# Before these a number is a value, or counts what follows.
_VALUES = word_set(
    "port version top last first next about over under than least most within until from the and for only"
)


def findings(existing: Statement, incoming: Statement, cosine: float | None) -> Iterator[Finding]:
    """What each detector finds, in order of their cost; the slots' findings before those of the wording."""
    held = slots(existing.text, speaker=existing.speaker), slots(incoming.text, speaker=incoming.speaker)
    yield from clashes(*held)
    if agrees(*held):
        return
    if korean.is_korean(existing.text) or korean.is_korean(incoming.text):
        yield from korean.compare(existing.text, incoming.text)
        return
    ones, others = clauses(existing.text, existing.speaker), clauses(incoming.text, incoming.speaker)
    if len(ones) == len(others) == 1 and exchanges.in_scenes(ones[0], others[0]):
        yield from topic.compare(ones[0], others[0], framed=True)
        yield from exchanges.compare(ones[0], others[0], cosine=cosine)
        return
    for one in ones:
        for other in others:
            yield from topic.compare(one, other)
            yield from diet.compare(one, other)


def has_change(incoming: Statement) -> bool:
    """Whether what comes in says itself that it was otherwise before."""
    if korean.is_korean(incoming.text):
        return korean.has_change(incoming.text)
    return any(clause.change for clause in clauses(incoming.text, incoming.speaker))


def other_thing(one: str, other: str) -> bool:
    """Whether the openings of both name a thing of one kind by another number: what holds of invoice 1001 says nothing
    of invoice 1002."""
    a, b = _subject_numbers(one), _subject_numbers(other)
    return any(a[kind] != b[kind] for kind in a.keys() & b.keys())


def _subject_numbers(text: str) -> dict[str, str]:
    """Numbers by the kind of thing they name, in what stands before the first verb."""
    verb = _VERB.search(text)
    if verb is None:
        return {}
    found = {}
    for kind, number in _NUMBERED.findall(text[: verb.start()]):
        known = kind.casefold() in _THINGS
        # A capital may open a product's name, whose number is its version: “Postgres 16”.
        if known or (kind.islower() and kind not in _VALUES):
            found[kind.casefold()] = number
    return found
