"""Two readings in, the facets out on which they face each other, of one person or of one topic: who smokes and who has
quit, what passes and what fails. Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, Alike, compared
from memoryapp.detect.diet import for_others
from memoryapp.detect.frame import tokens
from memoryapp.detect.reading import Reading, Word
from memoryapp.detect.stances import FACETS, OF_A_PART, opposed
from memoryapp.detect.verbs import BASES, PAST
from memoryapp.detect.whose import Whose, others
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem

_WRITINGS = frozenset(
    stem(word)
    for word in wordset(
        "message description email letter report note summary comment documentation docs title headline code essay "
        "presentation slide post article review caption"
    )
)
_PERFECT = re.compile(r"\b(?:has|have|had) (?:not )?(?:been )?\w+(?:ed|en|ne|pt|ught|ft)\b")
_FOR_DOING = re.compile(r"\b(?:for|when) (?:reading|driving|distance|computer|screen|close)", re.IGNORECASE)
_EATEN = frozenset(("diet", "dairy", "gluten", "alcohol"))
_MOSTLY = 0.6  # of what is left beside a facet: that both speak of it


def told_apart(one: Reading, other: Reading) -> list[int]:
    """The facets on which they exclude each other: of one person, or of one topic."""
    found = opposed(one.stances, other.stances)
    asked, two = one.asks and other.asks, two_people(one, other)
    return [
        facet
        for facet in found
        if (FACETS[facet].of_somebody and not of_two_people(one, other, facet) and not served(one, other, facet))
        or (
            not FACETS[facet].of_somebody
            and not two
            and ((FACETS[facet].of_writing and asked) or of_one_topic(one, other, facet))
        )
    ]


def of_two_people(one: Reading, other: Reading, facet: int) -> bool:
    """Whether the two stances are of two people. A phrase in the subject is of its owner: “Rosa's son” is one
    Rosa has."""
    return others(_holder(one, facet), _holder(other, facet), in_one=one.all_words, in_other=other.all_words)


def served(one: Reading, other: Reading, facet: int) -> bool:
    """Whether what is eaten or drunk is somebody else's, or two things are: “grills steaks for his guests”."""
    if FACETS[facet].name in _EATEN and (for_others(one.text) or for_others(other.text)):
        return True
    if FACETS[facet].name == "eyesight" and any(_FOR_DOING.search(reading.text) for reading in (one, other)):
        return True
    return _in_two_cups(one, other, facet)


def _in_two_cups(one: Reading, other: Reading, facet: int) -> bool:
    """Whether it is told how each of two drinks is taken: coffee black, and tea with milk."""
    return FACETS[facet].name.endswith("taken") and any(
        a in one.all_words and b in other.all_words and a not in other.all_words and b not in one.all_words
        for a, b in (("coffee", "tea"), ("tea", "coffee"))
    )


def _holder(reading: Reading, facet: int) -> Whose:
    said = reading.stances[facet].said
    in_subject = said in " ".join(tokens(reading.subject))
    return Whose(reading.whose.owners, frozenset()) if in_subject and reading.whose.owners else reading.whose


def two_people(one: Reading, other: Reading) -> bool:
    return others(one.whose, other.whose, in_one=one.all_words, in_other=other.all_words)


def of_two_writings(alike: Alike, one: Reading, other: Reading) -> bool:
    """Whether each names something of its own to be written: “commit messages”, “descriptions of pull requests”."""
    return all(
        any(_is_writing(word) and mark < FOUND for word, mark in zip(reading.words, marks, strict=True))
        for reading, marks in ((one, alike.ones), (other, alike.others))
    )


def _is_writing(word: Word) -> bool:
    return stem(word.text) in _WRITINGS


def of_one_topic(one: Reading, other: Reading, facet: int) -> bool:
    """Whether what is left beside the phrases and the people speaks of one thing: “hates weights”, “enjoys a swim”."""
    said = {word for reading in (one, other) for word in reading.stances[facet].said.split()}
    people = one.whose.owners | other.whose.owners | one.whose.kin | other.whose.kin
    left = [
        [
            word
            for word in reading.words
            if word.text not in said and word.text not in people and not word.text[0].isdigit()
        ]
        for reading in (one, other)
    ]
    alike = compared(*left)
    if _then_and_today(one, other) or served(one, other, facet):
        return False
    if FACETS[facet].name in OF_A_PART and len({_was_felt(reading, facet) for reading in (one, other)}) == 2:
        return False  # “does not like surprises”, “loved that one”
    if FACETS[facet].name in OF_A_PART:  # “dislikes goat cheese” leaves other cheese to be liked
        denied = alike.ones if one.stances[facet].side else alike.others
        return bool(denied) and min(denied) >= FOUND
    least = min((alike.ones, alike.others), key=len)
    if not least:  # nothing is said beside: “there's a hiring freeze”
        return any(
            not marks and re.search(r"[ -]", reading.stances[facet].said)
            for reading, marks in ((one, alike.ones), (other, alike.others))
        )
    return sum(mark >= FOUND for mark in least) >= _MOSTLY * len(least)


def _then_and_today(one: Reading, other: Reading) -> bool:
    """Whether the one tells what once happened, the other what is so, and neither that something has changed."""
    if any(reading.turns or reading.ends or reading.never or reading.wholly for reading in (one, other)):
        return False
    once = [[clause.event or clause.past for clause in reading.clauses] for reading in (one, other)]
    return any(
        all(once[n]) and not any(once[1 - n]) and not _PERFECT.search(side.text) for n, side in ((0, other), (1, one))
    )


def _was_felt(reading: Reading, facet: int) -> bool:
    first = reading.stances[facet].said.partition(" ")[0]
    return first in PAST and first not in BASES
