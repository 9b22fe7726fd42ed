"""Two readings in, out whether their amounts are of a part and of the whole, or of two things of one name: 40 people in
total and 12 on the design team, a commute and the train ride on it, rent and a parking space, a phone and a work phone.

Next: `parted`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryapp.detect.alike import FOUND, compared
from memoryapp.detect.amounts import differing
from memoryapp.detect.attributes import NOUNS
from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.verbs import AUXILIARY, PAST
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem, words

_MEASURED = ("count ", "money", "duration", "number", "size ", "percent")
_IN_ALL = re.compile(
    r"\b(?:in total|altogether|in all|all in all|all told|overall|combined|as a whole|total|entire|the whole|"
    r"everything included|in sum)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"^(?:the |an? |our |my |his |her |their )?(?P<part>[\w'-]+(?: [\w-]+){0,2}?) (?:of|at|in|for|on|from|to) "
    r"(?:the |an? |our |my |his |her |their |its )?(?P<whole>.+)$",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"\d[\d,]* (?:people|employees|developers|engineers|members|persons|staff|students|children|kids|guests|"
    r"volunteers|players|pupils|colleagues|workers|designers|users|customers) (?:on|in|at|for|from|who|with) "
    r"(?!total\b|all\b|sum\b)(?:its |the |our |my |his |her |their |an? )?(?P<where>[\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)
_PAID_FOR = re.compile(
    r"\d[\d,.]*(?: ?[€$£]| (?:euros?|dollars?|pounds?|francs?))?(?: (?:an?|per|each|every) (?:month|year|week|day))? "
    r"(?:for|in|on|towards|to|as) (?:an? |the |my |our |his |her |their )?(?P<what>[a-z][\w-]+(?: [a-z][\w-]+)?)"
)
_ATTRIBUTE = NOUNS.keys() | wordset(  # of which the amount is one: the price of a thing is not a part of it
    "number size amount total cost costs price fee rate limit length weight height width age salary budget rent "
    "duration distance capacity deadline count maximum minimum value level sum timeout interval term people guests "
    "period retention window quota threshold dose deposit bill trip journey way"
)
_EVERYTHING = wordset(
    "company firm business organisation organization office all total house us our family room team group"
)
_NEUTRAL = wordset(  # before a noun they tell nothing apart
    "monthly weekly daily yearly annual current whole total overall own regular usual official only entire normal "
    "average next upcoming new actual real full final exact favourite favorite dear good nice beloved late little"
)
_WHICH = wordset(
    "work company business private personal spare guest backup winter summer old former previous other emergency "
    "holiday weekend demo staging test secondary parking second unit integration end-to-end browser smoke"
)
_EVERY = wordset("every each all any no both")
_OLD, _NEW = wordset("old former previous"), wordset("new current")
_SIDE_OF = {
    word: n
    for n, line in enumerate(("front back rear", "left right", "upper lower", "upstairs downstairs", "inner outer"))
    for word in line.split()
}
_SIDED = re.compile(rf"\b(?P<side>{'|'.join(_SIDE_OF)}) (?P<noun>[a-z][\w-]+)", re.IGNORECASE)
_NEAR = re.compile(r"\b(?P<how>in front of|behind) (?:the |our |my |his |her |their )?(?P<noun>[\w-]+)", re.IGNORECASE)
_OWNER = re.compile(r"^(?:the|an?|our|my|your|his|her|their|its|this|that|[\w-]+(?:'s|s'))$", re.IGNORECASE)
_JOINS = wordset("of at in for on from to with by that which who")


def of_part_and_whole(one: Reading, other: Reading) -> bool:
    """Whether what differs is of two things, of which the one may be a part of the other."""
    if _of_two_of_a_name(one, other) or _on_two_sides(one, other):
        return True
    if one.turns or other.turns:
        return False
    sorts = [sort for sort in differing(one.amounts, other.amounts) if sort.startswith(_MEASURED)]
    if not sorts or (one.wholly and other.wholly and one.limits and other.limits):
        return False
    return (
        _in_all(one, other)
        or _in_all(other, one)
        or _part_in_subject(one, other)
        or _part_in_subject(other, one)
        or _among_them(one, other)
        or _among_them(other, one)
        or _for_two_things(one, other)
    )


def _in_all(whole: Reading, part: Reading) -> bool:
    """“Has 40 people in total”, “has 12 people on its design team”: the part names something more."""
    if not _IN_ALL.search(whole.text) or _IN_ALL.search(part.text):
        return False
    marks = compared(part.words, whole.words).ones
    return any(
        mark < FOUND and not (word.amount or word.light or word.verb)
        for word, mark in zip(part.words, marks, strict=True)
    )


def _part_in_subject(part: Reading, whole: Reading) -> bool:
    """“The support team at our company”, “our company”; “the flights for the trip”, “spent on the trip”."""
    found = _PART_OF.match(part.subject or part.text.partition(" cost")[0])
    if found is None:
        return False
    named, of = words(found["part"]), _content(found["whole"])
    if not of or named[-1] in _ATTRIBUTE or not {stem(word) for word in named}.isdisjoint(map(stem, whole.all_words)):
        return False
    where = set(words(whole.subject)) if not any(sort.startswith("money") for sort in part.amounts) else whole.all_words
    return all(word in where for word in of)


def _among_them(part: Reading, whole: Reading) -> bool:
    """“12 people on the design team”: of those of whom the other side tells without a place."""
    found = _AMONG.search(part.text)
    if found is None or _AMONG.search(whole.text):
        return False
    where = _content(found["where"])
    return (
        bool(where)
        and not _EVERYTHING.issuperset(where)
        and any(not any(one_word(word, known) for known in whole.all_words) for word in where)
    )


def _for_two_things(one: Reading, other: Reading) -> bool:
    """“1,200 a month in rent”, “90 a month for a parking space”."""
    a, b = (
        [_content(match["what"]) for match in _PAID_FOR.finditer(reading.text.casefold())] for reading in (one, other)
    )
    if len(a) != 1 or len(b) != 1 or not a[0] or not b[0]:
        return False
    return not any(one_word(x, y) for x in a[0] for y in b[0]) and not (
        set(a[0]) & other.all_words or set(b[0]) & one.all_words
    )


def _of_two_of_a_name(one: Reading, other: Reading) -> bool:
    """Whether both subjects are of one noun, and words before it tell them apart: “my phone”, “my work phone”; “the
    unit tests”, “the browser tests”."""
    sides = [_named(reading) for reading in (one, other)]
    if not (sides[0] and sides[1]):
        return False
    if stem(sides[0][-1]) != stem(sides[1][-1]):
        return _of_a_sort(sides[0], sides[1], other) or _of_a_sort(sides[1], sides[0], one)
    if one.clauses[0].predicate == other.clauses[0].predicate:
        return False  # nothing else differs: “the old man sells food”, “the young man sells food”
    own = [
        [word for word in side[:-1] if word not in _NEUTRAL and word not in known.all_words]
        for side, known in ((sides[0], other), (sides[1], one))
    ]
    before = [set(side[:-1]) for side in sides]
    if (before[0] & _OLD and before[1] & _NEW) or (before[0] & _NEW and before[1] & _OLD):
        return True
    if one.turns or other.turns or any(_EVERY.intersection(side) for side in before):
        return False
    if all(own):
        return not any(one_word(a, b) for a in own[0] for b in own[1])
    return any(_WHICH.intersection(side) for side in own) or (
        any(own) and bool(differing(one.amounts, other.amounts)) and _at_large(one) and _at_large(other)
    )


def _of_a_sort(named: Sequence[str], known: Sequence[str], other: Reading) -> bool:
    """“The integration tests”, “the test suite”: of the one a sort is told, by another noun of the same."""
    told = _WHICH.intersection(named[:-1]) - other.all_words
    return bool(told) and any(one_word(named[-1], word) for word in known)


def _at_large(reading: Reading) -> bool:
    """Whether the subject is of all there are: “logs”, “audit logs”; “the logs” may be those the other speaks of."""
    first = reading.text.partition(" ")[0]
    head = next(iter(_named(reading)[-1:]), "")
    return not _OWNER.match(first) and head.endswith("s") and not head.endswith("ss")


def _on_two_sides(one: Reading, other: Reading) -> bool:
    """“The back door”, “the front door”: wherever they stand, of one noun. Of what happened once it may be the one or
    the other (“broke his left arm”)."""
    if any(word in PAST and word not in AUXILIARY for reading in (one, other) for word in words(reading.text)):
        return False
    sides = [
        {(match["noun"].casefold(), match["side"].casefold()) for match in _SIDED.finditer(reading.text)}
        for reading in (one, other)
    ]
    near = [
        {match["noun"].casefold(): match["how"].casefold() for match in _NEAR.finditer(reading.text)}
        for reading in (one, other)
    ]
    if any(near[0][noun] != near[1][noun] for noun in near[0].keys() & near[1].keys()):
        return True
    return any(
        noun == known and _SIDE_OF[a] == _SIDE_OF[b] and a != b
        for noun, a in sides[0]
        for known, b in sides[1]
        if (noun, b) not in sides[0] and (known, a) not in sides[1]
    )


def _named(reading: Reading) -> list[str]:
    """The words of the noun the first clause is of, without whose it is: “work phone”. Empty where it is a pronoun, a
    name or longer than a noun with three words before it."""
    if not reading.clauses:
        return []
    said = reading.clauses[0].subject.split()
    while said and _OWNER.match(said[0]):
        said = said[1:]
    cut = next((n for n, word in enumerate(said) if word.casefold() in _JOINS), len(said))
    found = [word.casefold() for word in said[:cut]]
    if (
        not found
        or len(found) > 4
        or any(word[0].isdigit() for word in found)
        or (len(found) == 1 and found[0] in reading.proper)
    ):
        return []
    return found


def _content(text: str) -> Sequence[str]:
    return [word.removesuffix("'s") for word in words(text) if word not in STOP]
