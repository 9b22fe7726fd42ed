"""Two statements in, out whether they plainly tell of two things, so that whatever else differs is no contradiction:
the second attempt beside the first, the bill of May beside that of June, one more beside what there is.

Where one thing differs, it may be the value; where a label differs too, the label says that these are two.
"""

from __future__ import annotations

import re

from memoryapp.detect.absent import denied_alike
from memoryapp.detect.alike import excluding
from memoryapp.detect.amounts import differing
from memoryapp.detect.attitude import able_and_inclined
from memoryapp.detect.bearers import of_two_bearers
from memoryapp.detect.clause import LONGEST, Clause
from memoryapp.detect.conditions import of_two_conditions
from memoryapp.detect.events import of_two_events
from memoryapp.detect.korean import is_korean
from memoryapp.detect.labels import labelled, named_apart, years
from memoryapp.detect.meanings import CONTRASTS
from memoryapp.detect.narrower import siblings
from memoryapp.detect.periods import of_two_times
from memoryapp.detect.reading import Reading, read
from memoryapp.detect.related import one_word
from memoryapp.detect.stances import opposed
from memoryapp.detect.topic import main_verb
from memoryapp.detect.verbs import AUXILIARY, PAST
from memoryapp.detect.wholes import of_part_and_whole
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_ADDED = re.compile(
    r"\b(?:as well(?! as)|too(?=[.,;!]|$)|also|additionally|in addition|"
    r"(?:has|have|had|got|bought|adopted) (?:another|a 2nd|an? extra))\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:(?:everyone|everybody|all|anyone|anybody|those|people|users|others|\w+s) (?:who are )?(?:outside|except|"
    r"other than|apart from)|all but|everyone else)\b",
    re.IGNORECASE,
)
_TIMES = frozenset(("clock", "date", "weekday"))
_ONCE = wordset("be have do get become go")


def parted(one: str, other: str) -> bool:
    """Whether they tell of two things. False of Korean, of which too little is read."""
    if is_korean(one) or is_korean(other):
        return False
    a, b = read(one[:LONGEST]), read(other[:LONGEST])
    return (
        _added(a, b)
        or _of_two_ends(a, b)
        or _but_for(a, b)
        or _then_and_now(a, b)
        or _of_two_subjects(a, b)
        or _two_events(a, b)
        or of_two_bearers(a, b)
        or of_two_events(a, b)
        or of_two_conditions(a, b)
        or of_two_times(a, b)
        or of_part_and_whole(a, b)
        or able_and_inclined(a.text, b.text)
        or denied_alike(a, b)
        or named_apart(a, b)
        or (_tells_apart(a, b) and labelled(a, b))
    )


def _added(one: Reading, other: Reading) -> bool:
    """Whether one says of itself that it comes on top: “on Saturdays as well”, “another dog”."""
    told = [bool(_ADDED.search(reading.text)) for reading in (one, other)]
    return any(told) and not (
        one.denies or other.denies or one.turns or other.turns or one.stances and _opposed(one, other)
    )


def _opposed(one: Reading, other: Reading) -> bool:
    return bool(opposed(one.stances, other.stances))


def _of_two_ends(one: Reading, other: Reading) -> bool:
    """“Leaves at 8:12”, “gets there at 12:47”: two times of one thing."""
    sorts = differing(one.amounts, other.amounts)
    if not sorts or not _TIMES.issuperset(sorts):
        return False
    a, b = frozenset(words(one.text)), frozenset(words(other.text))
    for left, right in CONTRASTS:
        ends = (bool(a & left) - bool(a & right), bool(b & left) - bool(b & right))
        if ends[0] and ends[0] == -ends[1]:
            return True
    return False


def _but_for(one: Reading, other: Reading) -> bool:
    """“For everyone outside the beta”: of all the rest."""
    told = [bool(_REST.search(reading.text)) for reading in (one, other)]
    return told[0] != told[1] and not (one.turns or other.turns or one.never or other.never or _nobody(one, other))


def _nobody(one: Reading, other: Reading) -> bool:
    return bool({"nobody", "none", "no"} & (one.all_words | other.all_words))


def _then_and_now(one: Reading, other: Reading) -> bool:
    """Whether the same was done then and is done now: “earned 3,900 in her first job”, “earns 5,400”."""
    if len(one.clauses) != 1 or len(other.clauses) != 1 or one.denied or other.denied:
        return False
    a, b = one.clauses[0], other.clauses[0]
    verb = main_verb(a)
    if verb != main_verb(b) or verb in _ONCE or a.subject_words != b.subject_words:
        return False
    return _was(a) != _was(b)


def _was(clause: Clause) -> bool:
    first = next((word for word in words(clause.predicate) if word not in _BETWEEN), "")
    return first == "got" or (first in PAST and first not in AUXILIARY and PAST[first] != first)


_BETWEEN = wordset("never always also only now still once already")


def _of_two_subjects(one: Reading, other: Reading) -> bool:
    """Whether the same is told of two of one kind: “the dog weighs …”, “the cat weighs …”; of an ear, of a tooth."""
    if not one.clauses or not other.clauses:
        return False
    subjects = [[word.text for word in reading.words if word.subject] for reading in (one, other)]
    return any(
        siblings(a, b) and a not in other.all_words and b not in one.all_words for a in subjects[0] for b in subjects[1]
    )


def _two_events(one: Reading, other: Reading) -> bool:
    """“Got engaged in 2020”, “got married in 2022”: each with a verb and a year of its own."""
    when = [years(reading.text) for reading in (one, other)]
    if not all(when) or when[0] & when[1] or one.turns or other.turns or one.never or other.never:
        return False
    if not all(any(clause.event or _was(clause) for clause in reading.clauses) for reading in (one, other)):
        return False
    return _done_alone(one, other) and _done_alone(other, one)


def _done_alone(one: Reading, other: Reading) -> bool:
    """Whether it tells of a doing that the other does not speak of."""
    return any(
        word.verb and not word.light and not any(one_word(word.text, known.text) for known in other.words)
        for word in one.words
    )


def _tells_apart(one: Reading, other: Reading) -> bool:
    """Whether something else than a label differs, so that the label need not be the value."""
    return bool(excluding(one, other) or _opposed(one, other) or one.denies != other.denies or _others(one, other))


def _others(one: Reading, other: Reading) -> list[str]:
    return [
        sort
        for sort in differing(one.amounts, other.amounts)
        if not sort.startswith("kind ") and sort not in ("date", "version", "number")
    ]
