"""Facts that can be learned from turns by rules alone: this package's table of contents.

filter (cut, clean, drop) → parse → weigh (points, third person) → units (one sentence, or several that hang together)
→ candidate (category, confidence, mood, flags, names, times). Korean goes its own, shorter way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.fact import INFERRED, Candidate, Extraction, PassedOver, SpokenTurn
from memoryapp.domain.memory import Category, Mood
from memoryapp.extraction.facts.classification import category, confidence, decides, imagines, mood, moves
from memoryapp.extraction.facts.filter import Heard, Talk, heard, talks
from memoryapp.extraction.facts.korean import korean
from memoryapp.extraction.facts.names import entities, names_in, subject_name
from memoryapp.extraction.facts.parse import ParsedSentence, parse_sentences
from memoryapp.extraction.facts.rewrite import attribute_to_speaker, is_generic
from memoryapp.extraction.facts.sentences import TURN_CHARS
from memoryapp.extraction.facts.validity import Times, times
from memoryapp.extraction.facts.weigh import SENTENCES, WeighedSentence, follows, hangs, weigh_sentence
from memoryapp.extraction.facts.words import FIRST

LEAST_ADDED = -2.0  # points of a sentence that is joined to another


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences in a row that make one fact, and its text. `points`: of the sentence that earned it its place."""

    sentences: tuple[WeighedSentence, ...]
    text: str
    points: float

    @property
    def start(self) -> int:
        return self.sentences[0].heard.piece.start

    @property
    def end(self) -> int:
        return self.sentences[-1].heard.piece.end


def units(sentences: Sequence[WeighedSentence], *, speaker: str, worth: float) -> tuple[list[Unit], list[PassedOver]]:
    """The facts of one turn in order, and what was passed over."""
    made: list[Unit] = []
    weak: list[WeighedSentence] = []
    dropped = [PassedOver(one.heard.piece.text, one.reason) for one in sentences if one.reason]
    for one in sentences:
        if one.reason:
            continue
        if made and _is_continuation(made[-1], one):
            made[-1] = Unit((*made[-1].sentences, one), f"{made[-1].text} {one.told.text}", made[-1].points)
        elif one.points < worth:
            weak.append(one)
        elif weak and _is_dependent(one, weak[-1]):
            made.append(_pair(weak.pop(), one, speaker=speaker))
        else:
            made.append(Unit((one,), attribute_to_speaker(one.told, speaker=speaker), one.points))
    return list(_unique_units(made)), dropped + [_pass_over_weak(one, worth) for one in weak]


def _is_continuation(unit: Unit, one: WeighedSentence) -> bool:
    """Whether a sentence belongs to the fact before it."""
    last = unit.sentences[-1]
    if one.heard.number != last.heard.number + 1 or len(unit.sentences) == SENTENCES or one.points < LEAST_ADDED:
        return False
    if one.instructed or last.instructed or one.suggested or last.suggested:
        return False
    length = len(unit.text.split()) + len(one.told.text.split())
    return follows(one.parsed, names=one.told.names, length=length)


def _is_dependent(one: WeighedSentence, before: WeighedSentence) -> bool:
    """A sentence that hangs on one that says too little by itself: “The event made me think. It …”."""
    if one.heard.number != before.heard.number + 1 or before.points < LEAST_ADDED:
        return False
    return hangs(one.parsed) and not hangs(before.parsed)


def _pair(before: WeighedSentence, one: WeighedSentence, *, speaker: str) -> Unit:
    text = f"{attribute_to_speaker(before.told, speaker=speaker)} {one.told.text}"
    return Unit((before, one), text, one.points)


def _pass_over_weak(one: WeighedSentence, worth: float) -> PassedOver:
    return PassedOver(one.heard.piece.text, f"says little by itself ({one.points:g} points of {worth:g})")


def _unique_units(made: Sequence[Unit]) -> Iterator[Unit]:
    seen: set[str] = set()
    for unit in made:
        if unit.text not in seen:
            seen.add(unit.text)
            yield unit


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
        else mood(first.heard.text, own=_is_about_speaker(first), instructed=first.instructed),
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


def _is_about_speaker(one: WeighedSentence) -> bool:
    return any(word.lower in FIRST for word in one.parsed.words)


WORTH = 2.5


def extract_facts(
    said: Sequence[SpokenTurn], *, before: Sequence[SpokenTurn] = (), worth: float = WORTH
) -> list[Extraction]:
    """One Extracted for each turn, in order. `before`: the turns that went before these, for whom “you” is. `worth`:
    the points a sentence must reach (4 for few and sure facts, 1 for many). Every quote is part of its turn's text.
    Raises ModelMissing where there is English to read and the model is not installed."""
    turns = [(talk, heard(talk)) for talk in talks(said, before=before)]
    parses = parse_sentences([one.text for _, sentences in turns for one in sentences if _is_english(one)])
    return [_extract_turn(talk, sentences, parses, worth=worth) for talk, sentences in turns]


def _is_english(one: Heard) -> bool:
    return not one.reason and not one.korean


def _extract_turn(
    talk: Talk, sentences: Sequence[Heard], parses: Iterator[ParsedSentence], *, worth: float
) -> Extraction:
    """One turn. Takes as many parses as it has sentences that were parsed."""
    passed = [PassedOver(one.piece.text, one.reason) for one in sentences if one.reason]
    # What answers a question does so at once: the first sentence that says anything.
    first = next((one for one in sentences if not one.reason), None)
    english = [
        weigh_sentence(one, next(parses), talk=talk, asked=talk.asked if one is first else "")
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
    return Extraction(tuple(fact for _, fact in found), passed_over=_in_order(passed + weak, talk.said.text))


def _in_order(passed: Sequence[PassedOver], text: str) -> tuple[PassedOver, ...]:
    return tuple(sorted(passed, key=lambda one: text.find(one.quote)))
