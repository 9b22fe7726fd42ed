"""Two captions of one scene, generated: what a picture cannot show at once, and what it can although it looks alike.

Captions are a kind of statement that nobody tells an assistant, and the only one of which large public sets of
contradictions are made. The words here are our own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

_PEOPLE = ("man", "woman", "boy", "girl", "child", "chef", "farmer", "nurse", "skater", "climber", "juggler", "painter")
_BEASTS = ("dog", "cat", "horse", "goat", "duck", "donkey", "parrot", "lamb", "monkey", "camel")
_ACTS = (
    ("peeling", "a potato"), ("slicing", "an onion"), ("playing", "a cello"), ("playing", "a harp"),
    ("riding", "a bicycle"), ("riding", "a scooter"), ("carrying", "a basket"), ("painting", "a fence"),
    ("washing", "a van"), ("reading", "a map"), ("folding", "a blanket"), ("throwing", "a frisbee"),
    ("opening", "a crate"), ("mending", "a net"), ("drawing", "a bridge"), ("holding", "a lantern"),
    ("pushing", "a pram"), ("cutting", "a melon"), ("stirring", "a stew"), ("feeding", "a pigeon"),
)  # fmt: skip
_KINDS = {
    "a potato": ("a vegetable", "a carrot"), "an onion": ("a vegetable", "a leek"), "a melon": ("a fruit", "a peach"),
    "a cello": ("an instrument", "a tuba"), "a harp": ("an instrument", "a trumpet"), "a pigeon": ("a bird", "a swan"),
    "a bicycle": ("a vehicle", "a tractor"), "a scooter": ("a vehicle", "a motorbike"), "a van": ("a vehicle", "a bus"),
}  # fmt: skip
_OPPOSITES = (
    ("standing", "sitting"), ("asleep", "awake"), ("alone", "with two friends"), ("running", "standing still"),
    ("indoors", "outdoors"), ("smiling", "crying"), ("barefoot", "wearing boots"),
    ("empty-handed", "carrying two bags"),
    ("going up the stairs", "going down the stairs"), ("entering the house", "leaving the house"),
    ("in front of the barn", "behind the barn"), ("on the roof", "in the cellar"), ("dry", "soaking wet"),
)  # fmt: skip
_PLACES = ("in a kitchen", "on a beach", "in a meadow", "beside a river", "in a street", "on a stage", "under a tree")
_CLOTHES = ("red", "blue", "green", "yellow", "white", "black", "grey", "purple")
_COUNTS = ("two", "three", "four", "five", "seven")
Scene = tuple[str, str, bool]  # two captions; whether both cannot be of one scene


def scenes(chance: random.Random, count: int) -> Iterator[Scene]:
    """`count` pairs, of each kind about as many."""
    kinds = (
        _denial_scene,
        _opposite_scene,
        _exchange_scene,
        _count_scene,
        _turned_scene,
        _kind,
        _addition_scene,
        _person_scene,
        _clothes_scene,
    )
    for number in range(count):
        yield kinds[number % len(kinds)](chance)


def _act(chance: random.Random) -> tuple[str, str, str]:
    return (chance.choice(_PEOPLE), *chance.choice(_ACTS))


def _with_article(word: str) -> str:
    return f"{'An' if word[0] in 'aeiou' else 'A'} {word}"


def _denial_scene(chance: random.Random) -> Scene:
    who, verb, what = _act(chance)
    place = chance.choice(_PLACES)
    said = f"{_with_article(who)} is {verb} {what}"
    denials = (
        f"The {who} is not {verb} {what}.", f"There is no {who} {verb} {what}.",
        f"{_with_article(who)} isn't {verb} {what}.", f"Nobody is {verb} {what}.", f"No {who} is {verb} anything.",
        f"{_with_article(who)} is not {verb} {what} {place}.",
    )  # fmt: skip
    if chance.random() < 0.6:
        return f"{said} {place}.", chance.choice(denials), True
    _, other_verb, other = _act(chance)
    return (
        f"{said} {place}.",
        f"{_with_article(who)} is {verb} {what} and nobody is {other_verb} {other}.",
        (verb, what)
        == (
            other_verb,
            other,
        ),
    )


def _opposite_scene(chance: random.Random) -> Scene:
    who = chance.choice(_PEOPLE + _BEASTS)
    one, other = chance.sample(chance.choice(_OPPOSITES), 2)
    if chance.random() < 0.5:
        return f"{_with_article(who)} is {one}.", f"The {who} is {other}.", True
    return (
        f"{_with_article(who)} is {one}.",
        f"The {chance.choice([w for w in _PEOPLE if w != who])} is {other}.",
        False,
    )


def _exchange_scene(chance: random.Random) -> Scene:
    """Another object of the same act: of one person at one moment both cannot be, of two people they can."""
    who, verb, what = _act(chance)
    other_who, other_verb, other = _act(chance)
    if what in _KINDS and chance.random() < 0.7:
        return f"{_with_article(who)} is {verb} {what}.", f"The {who} is {verb} {_KINDS[what][1]}.", True
    if other_who == who:
        return f"{_with_article(who)} is {verb} {what}.", f"{_with_article(who)} is {verb} {what} slowly.", False
    return f"{_with_article(who)} is {verb} {what}.", f"{_with_article(other_who)} is {other_verb} {other}.", False


def _count_scene(chance: random.Random) -> Scene:
    who, (verb, what), place = chance.choice(_BEASTS + _PEOPLE), chance.choice(_ACTS), chance.choice(_PLACES)
    many = {"man": "men", "woman": "women", "child": "children"}.get(who, f"{who}s")
    one, other = chance.sample(_COUNTS, 2)
    first = f"{one.capitalize()} {many} are {place}."
    if chance.random() < 0.5:
        return first, f"There are exactly {other} {many} {place}.", True
    if chance.random() < 0.5:
        return first, f"There are no {many} {place}.", True
    return first, f"One of the {many} is {verb} {what}.", False


def _turned_scene(chance: random.Random) -> Scene:
    """Who does it to whom: turned round it is another scene, and may be seen beside the first."""
    one, other = chance.sample(_PEOPLE, 2)
    verb = chance.choice(("chasing", "lifting", "following", "splashing", "photographing", "helping", "pulling"))
    first = f"{_with_article(one)} is {verb} {_with_article(other).lower()}."
    return (
        first,
        chance.choice(
            (
                f"{_with_article(other)} is {verb} {_with_article(one).lower()}.",
                f"{_with_article(other)} is being {'watched'}.",
            )
        ),
        False,
    )


def _kind(chance: random.Random) -> Scene:
    who, place = chance.choice(_PEOPLE), chance.choice(_PLACES)
    what = chance.choice(tuple(_KINDS))
    verb = next(verb for verb, thing in _ACTS if thing == what)
    first = f"{_with_article(who)} is {verb} {what} {place}."
    if chance.random() < 0.5:
        return first, f"{_with_article(who)} is {verb} {_KINDS[what][0]}.", False
    return first, f"Somebody is {verb} {_KINDS[what][0]} {place}.", False


def _addition_scene(chance: random.Random) -> Scene:
    who, verb, what = _act(chance)
    place = chance.choice(_PLACES)
    first, more = (
        f"{_with_article(who)} is {verb} {what}.",
        f"{_with_article(chance.choice(_CLOTHES))} hat lies {place}.",
    )
    return (
        first,
        chance.choice(
            (f"{_with_article(who)} {place} is {verb} {what}.", more, f"Carefully, a {who} is {verb} {what}.")
        ),
        False,
    )


def _person_scene(chance: random.Random) -> Scene:
    one, other = chance.sample(_PEOPLE, 2)
    verb, what = chance.choice(_ACTS)
    first = f"The {one} beside the door is {verb} {what}."
    if chance.random() < 0.5:
        return first, f"The one beside the door who is {verb} {what} is a {other}, not a {one}.", True
    return first, f"Beside the {one} there is a {other} who watches.", False


def _clothes_scene(chance: random.Random) -> Scene:
    who, (one, other) = chance.choice(_PEOPLE), chance.sample(_CLOTHES, 2)
    wear = chance.choice(("coat", "shirt", "scarf", "jacket", "dress"))
    if chance.random() < 0.5:
        return f"The {who} wears a {one} {wear}.", f"The {who}'s {wear} is {other}.", True
    return f"The {who} wears a {one} {wear}.", f"Near the {who} somebody wears a {other} {wear}.", False
