"""Two readings in, out whether their times are of two events: yoga on Mondays and swimming on Thursdays.

A time is of what happens then: where the two share no more than who does it, both may be. Next: `parted`.
"""

from __future__ import annotations

from memoryapp.detect.alike import FOUND, compared
from memoryapp.detect.amounts import differing
from memoryapp.detect.attributes import KIN
from memoryapp.detect.measures import measured_otherwise
from memoryapp.detect.reading import Reading, Word
from memoryapp.detect.wordlist import wordset

_TIMES = frozenset(("clock", "date", "weekday", "rate"))
_ALIVE = (
    wordset(  # who does many things at many times; the times of a contract are those of one thing
        "user team class group family kids kid children child boys girls dog cat puppy kitten rabbit horse students "
        "pupils staff everyone parents couple neighbours"
    )
    | KIN
)
_BEGINS = wordset(  # what only says that there is something, that it takes place, or has begun
    "have has had go goes went going do does did doing take takes took taking start started starts begin began begun "
    "begins get gets got give gives gave be is are attend attends keep keeps make makes made see sees saw join joined "
    "catch catches meet meets happen happens hold holds held come comes came place time day week work"
)


def of_two_events(one: Reading, other: Reading) -> bool:
    """Whether each names a doing of its own and both share nothing but the subject. Nothing is said of what changed."""
    sorts = differing(one.amounts, other.amounts)
    if not sorts or not _TIMES.issuperset(sorts) or one.denied or other.denied:
        return False
    if any(reading.only_is and not _of_the_living(reading, known) for reading, known in ((one, other), (other, one))):
        return False  # “the anniversary is on …”: the subject is the event, and may have another name
    sides = [_doings(reading, known) for reading, known in ((one, other), (other, one))]
    if not all(sides) or measured_otherwise(one, other):
        return False
    alike = compared(*sides)
    return all(mark < FOUND for mark in (*alike.ones, *alike.others))


def _doings(reading: Reading, known: Reading) -> list[Word]:
    """What it tells beside times, and beside those who do both."""
    owners, alive = _owners(reading, known), _of_the_living(reading, known)
    return [
        word
        for word in reading.words
        if not (
            word.amount
            or word.text in _BEGINS
            or word.text in reading.when
            or word.text in owners
            or word.text in reading.aside
            or (word.subject and alive)
        )
    ]


def _owners(reading: Reading, known: Reading) -> frozenset[str]:
    return (reading.whose.owners | known.whose.owners) & (reading.proper | known.proper | _ALIVE)


def _of_the_living(reading: Reading, known: Reading) -> bool:
    """Whether the subject does things, and is not itself what takes place."""
    able = _ALIVE | _owners(reading, known)
    return all(word.text in able for word in reading.words if word.subject)
