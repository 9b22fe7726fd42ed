"""Two readings in, out whether they are told to exclude each other: by two sides of one facet, a denial of what the
other tells, the end of it, a limit or an amount that has become another. Next: `signs`, `weighed`.

Each needs one subject and one time: “no coffee after lunch” stands beside an espresso at breakfast.
"""

from __future__ import annotations

import re

from memoryapp.detect.alike import FOUND, Alike, compared, contrasts
from memoryapp.detect.amounts import differing
from memoryapp.detect.ceased import ceased, gone
from memoryapp.detect.denial import Denial, undone
from memoryapp.detect.diet import without_substitutes
from memoryapp.detect.fillers import filled_otherwise, passed_on
from memoryapp.detect.frame import tokens
from memoryapp.detect.measures import measured_otherwise
from memoryapp.detect.narrower import siblings
from memoryapp.detect.only import only_and_more
from memoryapp.detect.reading import WHEN, Reading, Word
from memoryapp.detect.related import one_word
from memoryapp.detect.stances import FACETS, OF_A_PART, opposed
from memoryapp.detect.whereabouts import elsewhere
from memoryapp.detect.whose import Whose, others
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem

_FROM_TO = re.compile(
    r"\b(?:changed?|raised?|lowered|increased|decreased|cut|reduced|bumped|pushed(?: back)?|moved|rescheduled|switched"
    r"|renamed|upgraded|downgraded|shifted|postponed|brought forward|extended|shortened|grew|grown|went|gone|dropped"
    r"|rose|risen|fell|fallen|migrated|doubled|halved|transferred)\b[^,.;]{0,40}?\bfrom (?P<was>[^,.;]{1,30}?) to "
    r"(?P<now>[^,.;]{1,30})"
)
_WRITINGS = frozenset(
    stem(word)
    for word in wordset(
        "message description email letter report note summary comment documentation docs title headline code essay "
        "presentation slide post article review caption"
    )
)
_IS_A = re.compile(
    r"^(?P<who>.{2,40}?) is an? (?P<what>[\w -]+?)(?= (?:from|with|who|that|of|in|at|on|for|called|named)\b|[.,;]|$)"
)
UNDONE = 0.9  # from this share on, what one side denies is told by the other
_MOSTLY = 0.6  # of what is left beside a facet: that both speak of it


def told_signs(one: Reading, other: Reading, alike: Alike, heavy: tuple[float, float]) -> dict[str, float]:
    """Of what is known of the world: facets, what a denial undoes, roles and brands; and whether two people
    are meant."""
    topic = max(heavy)
    facets = opposed(one.stances, other.stances)
    of_somebody = [facet for facet in facets if FACETS[facet].of_somebody and not of_two_people(one, other, facet)]
    of_something = [facet for facet in facets if not FACETS[facet].of_somebody]
    two = _two_people(one, other)
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
        if (FACETS[facet].of_writing and asked and not _of_two_writings(alike, one, other))
        or _of_one_topic(one, other, facet)
    ]
    outright = [
        bool(of_somebody) and not named,
        bool(of_topic) and not two and not named,
        undoes >= UNDONE and one.denies != other.denies and not two and _of_one_subject(one, other),
        bool(ceased(one, other) or ceased(other, one)) and not two,
        (_turned_from(one, other) or _turned_from(other, one)) and not two,
        _turned_to(one, other) and not two and not things and topic > FOUND and not events,
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
    outright += [filled, measured, kinds, more, placed]
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
    if not (found[0] and found[1]) or found[0]["who"].casefold() != found[1]["who"].casefold():
        return False
    a, b = (match["what"].casefold().rpartition(" ")[2] for match in found if match)
    return siblings(a, b)


def told_apart(one: Reading, other: Reading) -> list[int]:
    """The facets on which they exclude each other: of one person, or of one topic."""
    found = opposed(one.stances, other.stances)
    asked, two = one.asks and other.asks, _two_people(one, other)
    return [
        facet
        for facet in found
        if (FACETS[facet].of_somebody and not of_two_people(one, other, facet))
        or (
            not FACETS[facet].of_somebody
            and not two
            and ((FACETS[facet].of_writing and asked) or _of_one_topic(one, other, facet))
        )
    ]


def undoing(denying: Reading, affirming: Reading) -> tuple[float, Denial | None]:
    """Who they are of says nothing of what is denied."""
    names = denying.whose.owners | affirming.whose.owners
    lent = {what for what, owner in affirming.of_others.items() if owner not in {*denying.all_words, *names, "user"}}
    told = sorted(set(without_substitutes(affirming.text)) - names - affirming.modifiers - lent)
    return undone(denying.denials, told, affirming.denials)


def of_two_people(one: Reading, other: Reading, facet: int) -> bool:
    """Whether the two stances are of two people. A phrase in the subject is of its owner: “Rosa's son” is one
    Rosa has."""
    return others(_holder(one, facet), _holder(other, facet), in_one=one.all_words, in_other=other.all_words)


def _holder(reading: Reading, facet: int) -> Whose:
    said = reading.stances[facet].said
    in_subject = said in " ".join(tokens(reading.subject))
    return Whose(reading.whose.owners, frozenset()) if in_subject and reading.whose.owners else reading.whose


def _two_people(one: Reading, other: Reading) -> bool:
    return others(one.whose, other.whose, in_one=one.all_words, in_other=other.all_words)


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


def _turned_to(one: Reading, other: Reading) -> bool:
    """Whether one says that an amount has become another than the other's: “raised to 40”, and not only “no
    longer 20”."""
    if one.turns == other.turns:
        return False
    turned = one if one.turns else other
    new = {value.type.partition(" ")[0] for clause in turned.clauses for value in clause.values} | {"rate"}
    sorts = (sort.removeprefix("kind ").partition(" ")[0] for sort in differing(one.amounts, other.amounts))
    return any(sort in new for sort in sorts)


def _turned_from(later: Reading, earlier: Reading) -> bool:
    """Whether the later one says that what the earlier one tells has become something else: “changed from 9090 to
    9191”. Both speak of one thing if they share a word beside that."""
    told = _FROM_TO.search(later.text.casefold())
    if told is None:
        return False
    was, now, known = tokens(told["was"]), tokens(told["now"]), tokens(earlier.text)
    stood = bool(was) and any(known[at : at + len(was)] == was for at in range(len(known)))
    if not stood or (now and now[0] in known):
        return False
    rest = [word.text for word in earlier.words if word.text not in was]
    return any(one_word(word.text, other) for word in later.words if word.text not in was for other in rest)


def _of_two_writings(alike: Alike, one: Reading, other: Reading) -> bool:
    """Whether each names something of its own to be written: “commit messages”, “descriptions of pull requests”."""
    return all(
        any(_is_writing(word) and mark < FOUND for word, mark in zip(reading.words, marks, strict=True))
        for reading, marks in ((one, alike.ones), (other, alike.others))
    )


def _is_writing(word: Word) -> bool:
    return stem(word.text) in _WRITINGS


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


def _of_one_topic(one: Reading, other: Reading, facet: int) -> bool:
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
