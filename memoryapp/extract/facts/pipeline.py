"""Turns in, the facts that could be learned from them out, by rules alone: the table of contents of this room.

hear (cut, clean, drop) → parse → weigh (points, retell) → units (join) → judge. Korean goes its own, shorter way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoryapp.domain.fact import Candidate, Extracted, PassedOver, Said
from memoryapp.extract.facts.hear import Heard, Talk, heard, talks
from memoryapp.extract.facts.judge import candidate
from memoryapp.extract.facts.korean import korean
from memoryapp.extract.facts.names import names_in
from memoryapp.extract.facts.parse import Parsed, parsed
from memoryapp.extract.facts.sentences import TURN_CHARS
from memoryapp.extract.facts.units import units
from memoryapp.extract.facts.weigh import weighed

WORTH = 2.5


def extract_facts(said: Sequence[Said], *, before: Sequence[Said] = (), worth: float = WORTH) -> list[Extracted]:
    """One Extracted for each turn, in order. `before`: the turns that went before these, for whom “you” is. `worth`:
    the points a sentence must reach (4 for few and sure facts, 1 for many). Every quote is part of its turn's text.
    Raises ModelMissing where there is English to read and the model is not installed."""
    turns = [(talk, heard(talk)) for talk in talks(said, before=before)]
    parses = parsed([one.text for _, sentences in turns for one in sentences if _is_english(one)])
    return [_extracted(talk, sentences, parses, worth=worth) for talk, sentences in turns]


def _is_english(one: Heard) -> bool:
    return not one.reason and not one.korean


def _extracted(talk: Talk, sentences: Sequence[Heard], parses: Iterator[Parsed], *, worth: float) -> Extracted:
    """One turn. Takes as many parses as it has sentences that were parsed."""
    passed = [PassedOver(one.piece.text, one.reason) for one in sentences if one.reason]
    # What answers a question does so at once: the first sentence that says anything.
    first = next((one for one in sentences if not one.reason), None)
    english = [
        weighed(one, next(parses), talk=talk, asked=talk.asked if one is first else "")
        for one in sentences
        if _is_english(one)
    ]
    made, weak = units(english, speaker=talk.said.speaker, worth=worth)
    names = names_in(talk.said.text[:TURN_CHARS]) if made else ()
    found = [(unit.start, candidate(unit, talk=talk, names=names)) for unit in made]
    for one in sentences:
        if one.korean:
            told = korean(one, talk=talk, asked=talk.asked if one is first else "")
            if isinstance(told, Candidate):
                found.append((one.piece.start, told))
            else:
                passed.append(PassedOver(one.piece.text, told))
    found.sort(key=lambda pair: pair[0])
    return Extracted(tuple(fact for _, fact in found), passed_over=_in_order(passed + weak, talk.said.text))


def _in_order(passed: Sequence[PassedOver], text: str) -> tuple[PassedOver, ...]:
    return tuple(sorted(passed, key=lambda one: text.find(one.quote)))
