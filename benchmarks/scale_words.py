"""Words for a space that grows: the same number gives the same text on every machine, whatever was written before.

Common words come often and rare ones seldom, as in any language (Zipf's law), so that lists of postings are as uneven
as real ones. Entities are named by two made-up words; some are referred to by much, most by little.
"""

from __future__ import annotations

import random

VOCABULARY = 20_000
ENTITIES = 0.1  # a memory
REFERENCES = 2.5  # of a memory, on the mean
_SKEW = 2.5  # how much more often the first entities are referred to than the last
_VERBS = ("moved", "chose", "dropped", "measured", "keeps", "prefers", "backs up", "replaced", "reviewed", "joined")
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_SEED = 20_260_221


def chance(number: int, *, what: str = "") -> random.Random:
    """Where memory `number` gets its luck from."""
    return random.Random(f"{_SEED} {what} {number}")


def word(rank: int) -> str:
    """The word of this rank, from 0: at least two syllables, no word twice."""
    rest, letters = rank + len(_SYLLABLES), ""
    while rest:
        rest, place = divmod(rest, len(_SYLLABLES))
        letters += _SYLLABLES[place]
    return letters


def words(luck: random.Random, count: int) -> str:
    """`count` words; the one of rank r comes about 1/r as often as the first."""
    return " ".join(word(int(VOCABULARY ** luck.random()) - 1) for _ in range(count))


def entities_by(number: int) -> int:
    """How many entities there are once memory `number` is written."""
    return max(4, int(number * ENTITIES))


def entity_name(place: int) -> str:
    """Names of two words; each fortieth is the one before it, spelt otherwise."""
    one, other = word(place * 7).capitalize(), word(place * 3 + 500).capitalize()
    return f"{one} {other}" if place % 40 else f"{word((place + 1) * 7)}-{word((place + 1) * 3 + 500)}"


def entities_of(number: int) -> list[int]:
    """Places of the two or three entities that memory `number` refers to, each among those there are by then."""
    luck, there = chance(number, what="names"), entities_by(number)
    many = 2 + (luck.random() < REFERENCES - 2)
    return list(dict.fromkeys(int(there * luck.random() ** _SKEW) for _ in range(many)))


def sentence(number: int) -> str:
    """What a turn, a note or a fact says: two or three of its entities by name, and ten to thirty words."""
    luck = chance(number)
    named = [entity_name(place) for place in entities_of(number)]
    body = words(luck, luck.randint(10, 30))
    rest = f" with {' and '.join(named[1:])}" if named[1:] else ""
    return f"{named[0]} {luck.choice(_VERBS)} {body}{rest}."


def question(number: int) -> str:
    """What somebody asks who wants memory `number`: one of its names, and words of the same language."""
    luck = chance(number, what="question")
    return f"what did {entity_name(entities_of(number)[0])} do about {words(luck, 3)} {number}"
