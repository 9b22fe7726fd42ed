"""Two readings in, out whether what only one fills at a time is filled by another: “Osprey is led by Miriam”, “Felix
runs Osprey”; “born in Ljubljana”, “her birthplace is Trieste”; and whether somebody passed it on.

What is filled is told by a word of one role on both sides (`roles`), and by the thing it is filled of. Loosely: what it
finds is never sure. Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, compared
from memoryapp.detect.kinds import KIND_OF, SEVERAL
from memoryapp.detect.labels import labelled
from memoryapp.detect.narrower import siblings, under
from memoryapp.detect.places import country_of
from memoryapp.detect.reading import Reading, Word
from memoryapp.detect.related import one_word
from memoryapp.detect.roles import BRANDS, ROLES
from memoryapp.detect.whose import SPEAKER
from memoryapp.detect.words import stem

_ONE_OF = re.compile(
    r"\b(?:has|have|had|got|owns?|adopted|bought|knows?|there (?:is|are)) (?:an?|\d+|some|two|three) |"
    r"\b(?:an?|one) of\b|\bformer\b|"
    r"\b(?:2nd|3rd|second|third|deputy|co-|assistant|interim|acting) ?\w*",
    re.IGNORECASE,
)
_WORKING = ROLES[stem("employer")]
_WORKS_IN = re.compile(r"\bworks? (?:in|from|near) ")
_IS_THE = re.compile(r"^(?:I am|(?:The )?user is) (?:the|our) ", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:is|are|was|were|gets?|be|been) \w+(?:ed|en|t|n|ne)? (?:by|with|in|through|via) (?:the |an? )?[A-Z]"
)
_STREETS = frozenset(("street", "road", "lane", "avenue", "square", "close", "court", "drive", "row", "way"))
_FEWEST = 2  # words that tell what it is, beside the names
_NAME = r"(?P<{}>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
_WAS, _NOW = _NAME.format("was"), _NAME.format("now")
_HAS = "(?:has |have )?(?:just )?"
_PASSED = (  # from whom, to whom
    re.compile(rf"{_WAS} {_HAS}(?:handed|passed|gave|given|left|turned)\b.* to {_NOW}"),
    re.compile(rf"{_NOW} {_HAS}(?:took|taken|takes|inherited)\b.* from {_WAS}"),
    re.compile(rf"{_NOW} {_HAS}(?:replaced|succeeded|replaces) {_WAS}"),
    re.compile(rf"{_WAS} (?:was|has been|got|is) (?:replaced|succeeded) by {_NOW}"),
)


def filled_otherwise(one: Reading, other: Reading) -> bool:
    """Whether both tell who or what fills one role of one thing, by two names."""
    roles = one.roles & other.roles
    if _by_another(one, other):
        return True
    if not roles or any(_ONE_OF.search(reading.text) for reading in (one, other)) or one.denied or other.denied:
        return False
    if labelled(one, other):
        return False
    only = one.proper - other.known or _speaker(one, other), other.proper - one.known or _speaker(other, one)
    if (
        not all(only)
        or any(_within(a, b) for a in only[0] for b in only[1])
        or _of_several(*only)
        or of_two_sorts(*only)
    ):
        return False
    if roles == _WORKING and [bool(_WORKS_IN.search(reading.text)) for reading in (one, other)] in (
        [True, False],
        [False, True],
    ):
        return False  # “works at Norlund”, “works in Brussels”
    rest = [_rest(reading, roles) for reading in (one, other)]
    if any(siblings(a.text, b.text) for a in rest[0] for b in rest[1]):
        return False
    alike = compared(*rest)
    left = [
        [word for word, mark in zip(side, marks, strict=True) if mark < FOUND]
        for side, marks in zip(rest, (alike.ones, alike.others), strict=True)
    ]
    if all(left) or any(word.subject for side in left for word in side):
        return False
    named = bool((one.proper & other.known) | (other.proper & one.known))
    speaker = SPEAKER in one.whose.owners and SPEAKER in other.whose.owners
    return named or speaker or bool(all(rest)) or _one_role(one, other, roles)


def _by_another(one: Reading, other: Reading) -> bool:
    """Whether the same is told with all the same words, but of or with another name behind “by”, “with” or “in”:
    “Fatima approves the reports”, “the reports are approved by Gregor”."""
    if one.denied or other.denied or labelled(one, other) or not (_BY.search(one.text) or _BY.search(other.text)):
        return False
    only = one.proper - other.known, other.proper - one.known
    if not all(only) or any(_within(a, b) for a in only[0] for b in only[1]) or _of_several(*only):
        return False
    rest = [_said(reading) for reading in (one, other)]
    if min(map(len, rest)) < _FEWEST or any(clause.planned or clause.past for clause in (*one.clauses, *other.clauses)):
        return False
    alike = compared(*rest)
    return all(mark >= FOUND for mark in (*alike.ones, *alike.others))


def _said(reading: Reading) -> list[Word]:
    return [word for word in reading.words if not (word.text in reading.proper or word.text in reading.aside)]


def _speaker(one: Reading, other: Reading) -> frozenset[str]:
    """The user, where `one` says that it is they (“the user is the drummer of …”) and `other` says nothing of them."""
    told = _IS_THE.match(one.text)
    return frozenset((SPEAKER,)) if told and not other.first_person else frozenset()


def _one_role(one: Reading, other: Reading, roles: frozenset[int]) -> bool:
    """Whether one word tells the role on both sides: “the electricity comes from …”, “changed to … for electricity”."""
    told = [{stem(word.text) for word in reading.words if not word.verb} for reading in (one, other)]
    return any(roles & ROLES.get(word, frozenset()) for word in told[0] & told[1])


def passed_on(one: Reading, other: Reading) -> bool:
    """Whether `other` says that whoever fills a role in `one` passed it on: “Miriam handed Osprey over to Felix”."""
    if one.denied or not one.roles:
        return False
    for pattern in _PASSED:
        if told := pattern.search(other.text):
            was, now = (_parts(told[side]) for side in ("was", "now"))
            if was & one.known and not now & one.known and was & one.proper:
                of = [word for word in _rest(one, one.roles) if word.text not in was]
                names = one.proper - was
                return any(one_word(word.text, known.text) for word in of for known in other.words) or bool(
                    names & other.known
                )
    return False


def _parts(name: str) -> frozenset[str]:
    return frozenset(part.strip(".").casefold() for part in name.split() if len(part) > 2)


def _rest(reading: Reading, roles: frozenset[int]) -> list[Word]:
    return [
        word
        for word in reading.words
        if not (
            word.amount
            or word.light
            or (word.verb and not word.subject and not word.text.endswith("ing"))
            or word.text in reading.proper
            or word.text in reading.when
            or word.text in reading.aside
            or roles & ROLES.get(stem(word.text), frozenset())
        )
    ]


def _within(one: str, other: str) -> bool:
    return under(one, other) or under(other, one)


def of_two_sorts(ones: frozenset[str], others: frozenset[str]) -> bool:
    """Whether they are known to be names of other things: a city and a language, a language and a framework, a street
    and a town."""
    sorts = [frozenset[str]().union(*map(_sorts, names)) for names in (ones, others)]
    if ("street" in sorts[0]) != ("street" in sorts[1]):
        return True
    return sorts[0].isdisjoint(sorts[1]) and (all(sorts) or "people" in sorts[0] | sorts[1])


def _sorts(name: str) -> frozenset[str]:
    kinds = frozenset(KIND_OF.get(name, ())) | BRANDS.get(name, frozenset())
    if kinds & {"nationality", "language"} and "programming" not in kinds:
        return frozenset(("people",))
    if country_of(name) or "country" in kinds:
        return frozenset(("place",))
    return frozenset(("street",)) if name in _STREETS else kinds


def _of_several(ones: frozenset[str], others: frozenset[str]) -> bool:
    """Whether they are of a kind of which one may have several: two languages, two drinks."""
    kinds = [{kind for name in names for kind in KIND_OF.get(name, ())} for names in (ones, others)]
    return bool(kinds[0] & kinds[1] & SEVERAL)
