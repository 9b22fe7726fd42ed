"""Two readings in, out whether they are told to exclude each other: by two sides of one facet, a denial of what the
other tells, the end of it, a limit or an amount that has become another. Next: `signs`, `weighed`.

Each needs one subject and one time: “no coffee after lunch” stands beside an espresso at breakfast.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, Alike, contrasts
from memoryapp.detect.amounts import differing
from memoryapp.detect.ceased import ceased, gone
from memoryapp.detect.departed import called_off, departed
from memoryapp.detect.facing import of_one_topic, of_two_people, of_two_writings, served, two_people
from memoryapp.detect.fillers import filled_otherwise, passed_on
from memoryapp.detect.measures import measured_otherwise
from memoryapp.detect.narrower import siblings
from memoryapp.detect.only import only_and_more
from memoryapp.detect.reading import WHEN, Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.stances import FACETS, opposed
from memoryapp.detect.turned import turned_from, turned_to
from memoryapp.detect.undoing import UNDONE, undoing
from memoryapp.detect.whereabouts import elsewhere

_IS_A = re.compile(
    r"^(?P<who>.{2,40}?) is an? (?P<what>[\w -]+?)(?= (?:from|with|who|that|of|in|at|on|for|called|named)\b|[.,;]|$)"
)


def told_signs(one: Reading, other: Reading, alike: Alike, heavy: tuple[float, float]) -> dict[str, float]:
    """Of what is known of the world: facets, what a denial undoes, roles and brands; and whether two people
    are meant."""
    topic = max(heavy)
    facets = opposed(one.stances, other.stances)
    of_somebody = [
        facet
        for facet in facets
        if FACETS[facet].of_somebody and not of_two_people(one, other, facet) and not served(one, other, facet)
    ]
    of_something = [facet for facet in facets if not FACETS[facet].of_somebody]
    two = two_people(one, other)
    differs = bool(differing(one.amounts, other.amounts))
    undoes = max(undoing(one, other)[0], undoing(other, one)[0])
    things = _two_things(one, other, alike)
    events = any(c.event for c in one.clauses) and any(c.event for c in other.clauses)
    clean = _at_one_time(one, other)
    named = _of_two_names(one, other)
    asked = one.asks and other.asks
    of_topic = [
        facet
        for facet in of_something
        if (FACETS[facet].of_writing and asked and not of_two_writings(alike, one, other))
        or of_one_topic(one, other, facet)
    ]
    outright = [
        bool(of_somebody) and not named,
        bool(of_topic) and not two and not named,
        undoes >= UNDONE and one.denies != other.denies and not two and _of_one_subject(one, other),
        bool(ceased(one, other) or ceased(other, one)) and not two,
        (turned_from(one, other) or turned_from(other, one)) and not two,
        turned_to(one, other) and not two and not things and topic > FOUND and not events,
        differs
        and one.limits
        and other.limits
        and one.in_part == other.in_part
        and not two
        and not things
        and topic > FOUND
        and not contrasts(one, other)
        and _of_one_subject(one, other),
    ]
    filled = clean and not two and (filled_otherwise(one, other) or passed_on(one, other) or passed_on(other, one))
    measured = bool(differs and not two and not things and measured_otherwise(one, other))
    kinds = not two and clean and of_two_kinds(one, other)
    more = not two and clean and only_and_more(one, other)
    placed = not two and clean and elsewhere(one, other)
    lost = not named and (departed(one, other) or departed(other, one))
    off = not two and (called_off(one, other) or called_off(other, one))
    outright += [filled, measured, kinds, more, placed, lost, off]
    strange = bool(one.proper - other.known) and bool(other.proper - one.known)
    bare = _rest_covered(one, other, alike)
    brands = [
        kind for kind in one.brands.keys() & other.brands.keys() if one.brands[kind].isdisjoint(other.brands[kind])
    ]
    roles = one.roles & other.roles
    told = max(float(sum(outright)) * clean, float(measured))
    return {
        "facets of somebody": float(min(len(of_somebody), 2)),
        "facets of something": float(min(len(of_something), 2)),
        "facets and topic": float(min(len(of_something), 2)) * topic,
        "undone": undoes,
        "undone, not both deny": undoes * float(one.denies != other.denies),
        "two people": float(two),
        "two things": float(things),
        "filled otherwise": float(filled),
        "measured otherwise": float(measured),
        "told outright": told,
        "amounts in part": float(differs) * float(one.in_part != other.in_part),
        "amounts of one thing": float(differs and one.in_part == other.in_part and not two) * min(bare, topic),
        "facets of one topic": float(bool(of_topic)) * clean,
        "names alone": float(strange) * bare,
        "role filled otherwise": float(bool(roles) and strange and not two),
        "brands differ": float(bool(brands)),
        "brands and topic": float(bool(brands)) * max(topic, bare),
        "amounts and rest": float(differs) * bare,
        "amounts and topic": float(differs) * min(heavy),
        "turn of an amount": float(differs and one.turns != other.turns and not two) * topic,
        "limits differ": float(differs and one.limits and other.limits and one.in_part == other.in_part) * topic,
        "role and rest": float(bool(roles) and strange and not two) * bare,
        "role and brand": float(bool(roles and brands) and not two and one.places == other.places),
        "gone": float(bool(gone(one, other) or gone(other, one))) * clean,
        "turn and topic": float(one.turns != other.turns) * topic,
    }


def of_two_kinds(one: Reading, other: Reading) -> bool:
    """“Luna is a collie”, “Luna is a German shepherd”: of one subject, two kinds under one wider word."""
    if len(one.clauses) != 1 or len(other.clauses) != 1 or one.denied or other.denied:
        return False
    found = [_IS_A.match(reading.text) for reading in (one, other)]
    if not (found[0] and found[1]):
        return False
    who = [frozenset(match["who"].casefold().split()) for match in found if match]
    if who[0] != who[1] and not (who[0] & who[1] & (one.proper | other.proper)):
        return False
    a, b = (match["what"].casefold().rpartition(" ")[2] for match in found if match)
    return siblings(a, b)


def _at_one_time(one: Reading, other: Reading) -> bool:
    """Whether no day, season or meal is told of one side alone that denies: “no coffee after lunch”. What has come to
    an end (“gave it up in the autumn”) did so then, and is over at any time."""
    for sort in WHEN:
        a, b = one.when & sort, other.when & sort
        if (
            (a and b and not a & b)
            or (one.denies and not one.ends and a - b)
            or (other.denies and not other.ends and b - a)
        ):
            return False
    return True


def _of_one_subject(one: Reading, other: Reading) -> bool:
    """Whether the subject of either is spoken of in the other: “guests”, “members” are two."""
    subjects = [[word.text for word in reading.words if word.subject] for reading in (one, other)]
    if not all(subjects):
        return True
    return any(
        one_word(word, known.text)
        for words, known_words in ((subjects[0], other.words), (subjects[1], one.words))
        for word in words
        for known in known_words
    )


def _of_two_names(one: Reading, other: Reading) -> bool:
    """Whether the subject of each calls it by a name of its own: “our eldest, Solveig”, “Nils, our youngest”."""
    sides = [
        {word.text for word in reading.words if word.subject} & reading.proper - known.known
        for reading, known in ((one, other), (other, one))
    ]
    return all(sides)


def _two_things(one: Reading, other: Reading, alike: Alike) -> bool:
    """Whether the subjects are of one kind, each called by a word of its own: “session tokens”, “refresh tokens”."""
    sides = [
        [mark for word, mark in zip(words, marks, strict=True) if word.subject]
        for words, marks in ((one.words, alike.ones), (other.words, alike.others))
    ]
    return all(any(mark < FOUND for mark in side) and any(mark >= FOUND for mark in side) for side in sides)


def _rest_covered(one: Reading, other: Reading, alike: Alike) -> float:
    """How much of what is neither name nor amount is said on the other side, too: of the side that says less."""
    shares = []
    for words, marks in ((one.words, alike.ones), (other.words, alike.others)):
        chosen = [
            mark for word, mark in zip(words, marks, strict=True) if not (word.amount or (word.name and word.inner))
        ]
        if chosen:
            shares.append(sum(chosen) / len(chosen))
    return max(shares, default=0.0)
