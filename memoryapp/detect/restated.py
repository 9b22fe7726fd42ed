"""Two readings in, out whether they say the same in other words, so that nothing stands between them: “in charge of
hiring”, “responsible for hiring”; “failed the test”, “did not pass”; “ten miles”, “about 16 km”. Next: `pipeline`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared, excluding
from memoryapp.detect.amounts import differing
from memoryapp.detect.clause import LONGEST
from memoryapp.detect.korean import is_korean
from memoryapp.detect.reading import Reading, Word, read
from memoryapp.detect.related import EXCLUDING
from memoryapp.detect.required import required_alike
from memoryapp.detect.roles import ROLES
from memoryapp.detect.rounded import rounded
from memoryapp.detect.stances import opposed
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem, words

_NOT = re.compile(
    r"\b(?:not|never|cannot|no|nobody|none|nothing|neither|lacks?|unable|no longer|refuses?|off limits|"
    r"forbidden|prohibited|banned)\b",
    re.IGNORECASE,
)
_WANTING = re.compile(  # by themselves as good as a denial: who failed has not passed
    r"\b(?:(?:is|are|am|was|were|been|be|has|have|got|gets|it's) (?:all |already |still |now )?(?:broken|"
    r"closed|shut|down|"
    r"dead|missing|expired|lost|gone)|failed|fails|failing|broke (?:up|down)|split up|separated|stopped|quit|"
    r"gave up|given up|turned down|declined|rejected|(?:am|is|are|been|being|stays?|stayed|went) off|dropped|"
    r"cancell?ed|called off|unemployed|out of work|moved (?:out|away)|left|retired|"
    r"resigned|sold|removed|deleted|discontinued|revoked|ended|died|widowed|abolished|childless|teetotal|sober|smoke-free|car-free|hates?|dislikes?|"
    r"avoids?|(?:can not|cannot) stand|loathes?|detests?|too bad|out of order|absent)\b",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\b(?:never|nobody ever|not ever)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b")  # these are compared elsewhere
_WHY = re.compile(r",? (?:because|since|as|now that|due to)\b.*$", re.IGNORECASE)
_DENYING = wordset("not never no nobody none nothing neither cannot")
_REACH = 3  # words before one, in which a denial is of it
_ENDED = re.compile(r"\b(?:no longer|any ?more|stopped|quit|gave up)\b", re.IGNORECASE)
_AILMENT = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|colou?r[- ]blind\w*|co?eliac|diabet\w+|asthma\w*|vegan|vegetarian)\b", re.IGNORECASE
)
_NO_AILMENT = re.compile(
    r"\b(?:not|no|never|no longer|without|outgrew|grew out of|over) (?:\w+ ){0,4}(?:allerg|intoleran|colou?r|"
    r"co?eliac|diabet|asthma|"
    r"vegan|vegetarian)",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:every\w*|all|any\w*)(?: \w+){0,2}? (?:except|but|apart from|other than|besides) (?:for )?(?P<what>[\w-]+)",
    re.I,
)
_ONLY = re.compile(r"\b(?:only|one) (?:thing|one|person|food|\w+)\b", re.IGNORECASE)
_PERSON = wordset("person people one guy man woman somebody someone user member")
_HEDGES = wordset("about around roughly approximately almost nearly mb gb kb tb kg km ml cm mm")
_LEAST = 0.5  # of the words of either side, that the other says too
_MOSTLY = 0.6  # where both deny


def in_other_words(one: str, other: str) -> bool:
    """Whether two texts say the same. False of Korean, of which too little is read."""
    if is_korean(one) or is_korean(other):
        return False
    return restated(read(one[:LONGEST]), read(other[:LONGEST]))


def restated(one: Reading, other: Reading) -> bool:
    """Whether neither says anything the other could contradict."""
    return (
        rounded(one, other)
        or required_alike(one, other)
        or _one_amount(one, other)
        or _one_role(one, other)
        or _denied_twice(one, other)
        or _opposite_denied(one, other)
        or _of_one_ailment(one, other)
        or _all_but(one, other)
        or _all_but(other, one)
    )


def _opposite_denied(one: Reading, other: Reading) -> bool:
    """“Prefers short meetings”, “does not like long ones”; “is a vegetarian”, “does not eat meat”."""
    if one.denied == other.denied or differing(one.amounts, other.amounts) or _ENDED.search(one.text + other.text):
        return False
    a, b = _sides(one.text), _sides(other.text)
    shared = a.keys() & b.keys()
    if not any(a[scale][0] != b[scale][0] for scale in shared):
        return False
    return all(len(a[scale][1]) == len(b[scale][1]) == 1 and a[scale][1] == b[scale][1] for scale in shared)


def _sides(text: str) -> dict[int, tuple[frozenset[int], frozenset[int]]]:
    """Scale → the sides its words are on, and the sides they mean: “not long” is on the side of “short”."""
    said = words(text)
    found: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
    for n, word in enumerate(said):
        if word in _DENYING or word == "always":
            continue
        for scale, side in EXCLUDING.get(stem(word), ()):
            denied = any(before in _DENYING for before in said[max(0, n - _REACH) : n])
            on, meant = found.get(scale, (frozenset(), frozenset()))
            found[scale] = on | {side}, meant | {1 - side if denied else side}
    return found


def _of_one_ailment(one: Reading, other: Reading) -> bool:
    """“Is allergic to nuts”, “cannot eat nuts because of the allergy”."""
    found = [_AILMENT.search(reading.text) for reading in (one, other)]
    if not (found[0] and found[1]) or stem(found[0].group())[:5] != stem(found[1].group())[:5]:
        return False
    if any(_NO_AILMENT.search(reading.text) for reading in (one, other)):
        return False
    marks = compared(one.words, other.words)
    return (
        max(sum(mark >= FOUND for mark in side) / max(1, len(side)) for side in (marks.ones, marks.others)) >= _MOSTLY
    )


def _all_but(exception: Reading, only: Reading) -> bool:
    """“Eats everything except mushrooms”, “mushrooms are the only thing he does not eat”."""
    found = _EXCEPT.search(exception.text)
    if found is None or not _ONLY.search(only.text) or not only.denied:
        return False
    return any(word in only.all_words for word in words(found["what"]))


def _one_amount(one: Reading, other: Reading) -> bool:
    """“Is 1.5 GB”, “is about 1,500 MB”: nothing but the writing of an amount tells them apart."""
    if not one.amounts or one.denies != other.denies or one.turns or other.turns or one.wholly != other.wholly:
        return False
    if _ORDINAL.search(one.text) or _ORDINAL.search(other.text):
        return False
    if one.amounts.keys() != other.amounts.keys() or differing(one.amounts, other.amounts):
        return False
    alike = compared(one.words, other.words)
    return all(
        mark >= FOUND or word.text[0].isdigit() or word.light or word.text in _HEDGES
        for side, marks in ((one.words, alike.ones), (other.words, alike.others))
        for word, mark in zip(side, marks, strict=True)
    )


def _one_role(one: Reading, other: Reading) -> bool:
    """“Is in charge of hiring”, “is the person responsible for hiring”: what is left of both tells one role."""
    if one.denies or other.denies or one.turns or other.turns or differing(one.amounts, other.amounts):
        return False
    alike = compared(one.words, other.words)
    left = [
        [word for word, mark in zip(side, marks, strict=True) if mark < FOUND and word.text not in _PERSON]
        for side, marks in ((one.words, alike.ones), (other.words, alike.others))
    ]
    if not all(left) or any(word.name or word.amount for side in left for word in side):
        return False
    roles = [frozenset[int]().union(*map(_roles, side)) for side in left]
    return all(_roles(word) for side in left for word in side) and bool(roles[0] & roles[1])


def _roles(word: Word) -> frozenset[int]:
    return ROLES.get(stem(word.text), frozenset())


def _denied_twice(one: Reading, other: Reading) -> bool:
    """“I failed my driving test”, “I didn't pass my driving test”: one is denied, the other wanting."""
    sides = [_WHY.sub("", reading.text) for reading in (one, other)]
    denied = [len(_NOT.findall(side)) for side in sides]
    wanting = [len(_WANTING.findall(_NOT.sub("", side))) for side in sides]
    if [denied[n] + wanting[n] for n in (0, 1)] != [1, 1] or not any(denied):
        return False
    if _NEVER.search(one.text + other.text) and not all(denied):
        return False
    if differing(one.amounts, other.amounts) or max(len(one.clauses), len(other.clauses)) > 2:
        return False
    if all(denied) and (
        excluding(one, other) or opposed(one.stances, other.stances)
    ):  # “nobody is happy”, “nobody is sad”
        return False
    marks = compared(one.words, other.words)
    least = _MOSTLY if all(denied) else _LEAST
    return all(sum(mark >= FOUND for mark in side) >= least * len(side) for side in (marks.ones, marks.others) if side)
