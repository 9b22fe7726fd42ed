"""Two things of one kind, generated: what is said of the mail service changes nothing that is known of that of maps.

A judge that only learned from pairs about one subject takes another value for a change whatever it is said of. Here a
statement about one thing stands beside the same of its twin, in the same or another value, which both hold; and beside
one about itself, which says the same or clashes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from training.repeats import subject_of

Twin = tuple[str, str, bool]  # the statement that is held, the one after it, and whether they clash

_NAMES = (
    *("Anna", "Ben", "Carla", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Liam", "Mona"),
    *("Nils", "Olga", "Pavel", "Quentin", "Rosa", "Sven", "Tara", "Umar", "Vera", "Wanda", "Yusuf", "Zoe"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "November")
_COLOURS = ("red", "blue", "green", "white", "black", "yellow", "grey", "orange")
_CITIES = ("Lisbon", "Oslo", "Vienna", "Porto", "Turin", "Lyon", "Gdansk", "Leeds", "Bergen", "Malmö")
_NO_NAMES = ("The", "Our", "A", "An", "Mr", "Mrs", "Ms", "Dr", "Old", "Aunt", "Uncle", "Chef", "Professor", "Coach")
# What tells the things of a kind apart, the word of the kind (`{x}` stands for the first), and what is said of one.
_KINDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("mail", "maps", "billing", "login", "search", "payments", "chat", "export", "booking", "photo"),
        (
            "Deploys of the {x} service stop on {day}.", "The {x} service is owned by {name}.",
            "The {x} service listens on port 80{number}.", "The {x} service is written in {language}.",
            "The {x} service keeps its logs for {number} days.", "The {x} service moves to the new cluster in {month}.",
            "{name} is on call for the {x} service.", "The {x} service is frozen until {day}.",
        ),
    ),
    (
        ("orders", "users", "metrics", "audit", "invoices", "sessions", "stock", "events"),
        (
            "The {x} database is backed up on {day}.", "The {x} database runs in {city}.",
            "The {x} table has {number} columns.", "The password of the {x} database is changed every {number} weeks.",
            "{name} looks after the {x} database.", "Nightly jobs on the {x} database start at {hour}.",
        ),
    ),
    (
        ("build", "staging", "test", "print", "backup", "media", "game", "file"),
        (
            "The {x} server stands in {city}.", "The {x} server has {number} GB of memory.",
            "The {x} server is restarted on {day}.", "The {x} server is replaced in {month}.",
            "The key of the {x} server is with {name}.",
        ),
    ),
    (
        ("planning", "budget", "design", "sales", "safety", "review", "board", "parents'"),
        (
            "The {x} meeting is on {day}.", "The {x} meeting starts at {hour}.", "{name} chairs the {x} meeting.",
            "The {x} meeting lasts {number} minutes.", "The {x} meeting was moved to {day}.",
            "The next {x} meeting is in {city}.",
        ),
    ),
    (
        ("yoga", "pottery", "piano", "Spanish", "swimming", "chess", "drawing", "ballet", "judo"),
        (
            "The {x} class is on {day}.", "The {x} lesson begins at {hour}.", "{name} teaches the {x} class.",
            "The {x} class costs {number} euros a month.", "The {x} class has {number} places left.",
            "The {x} course ends in {month}.",
        ),
    ),
    (
        ("road", "cargo", "mountain", "folding", "children's", "racing"),
        (
            "The {x} bike is {colour}.", "The {x} bike is at the shop until {day}.",
            "The {x} bike belongs to {name}.", "The {x} bike cost {number}0 euros.",
            "The lock of the {x} bike opens with 4{number}1.",
        ),
    ),
    (
        ("front", "cellar", "garden", "garage", "attic", "side", "barn", "shed"),
        (
            "The {x} door is {colour}.", "The {x} door is locked at {hour}.", "The key of the {x} door is with {name}.",
            "The {x} door was painted in {month}.", "The code of the {x} door is {number}{number}.",
        ),
    ),
    (
        ("savings", "joint", "business", "holiday", "travel", "rent"),
        (
            "The {x} account holds {number}00 euros.", "The {x} account was opened in {month}.",
            "The {x} account is kept in {city}.", "The rent leaves the {x} account on {day}.",
            "The {x} card expires in {month}.",
        ),
    ),
    (
        ("Meyer", "Novak", "Okafor", "Lindqvist", "Rossi", "Tanaka", "Dubois", "Silva"),
        (
            "The {x} invoice is due on {day}.", "The {x} account is handled by {name}.",
            "The {x} family lives in {city}.", "The {x} contract runs until {month}.",
            "The {x} order is for {number} chairs.", "The call with the {x} people is at {hour}.",
        ),
    ),
    (
        ("Lisbon", "Oslo", "Vienna", "Turin", "Leeds", "Bergen", "Lyon"),
        (
            "The {x} office opens at {hour}.", "The {x} team has {number} people.", "{name} leads the {x} office.",
            "The flight to {x} leaves at {hour}.", "The {x} warehouse closes in {month}.",
            "The trip to {x} is in {month}.", "The hotel in {x} costs {number} euros a night.",
        ),
    ),
    (
        ("Rex", "Luna", "Biscuit", "Momo", "Pepper", "Tofu", "Nala"),
        (
            "{x} sees the vet on {day}.", "{x} weighs {number} kilos.", "{x}'s basket is {colour}.",
            "{x} sleeps at {name}'s.", "{x} gets the pills at {hour}.", "{x} was born in {month}.",
        ),
    ),
    (
        _NAMES,
        (
            "{x} lives in {city}.", "{x} has {number} cousins.", "{x}'s birthday is in {month}.",
            "{x} has the night shift on {day}.", "{x} drives a {colour} van.", "{x}'s train leaves at {hour}.",
            "{x} reports to {name}.", "{x}'s parents live in {city}.", "{x}'s dentist is in {city}.",
        ),
    ),
)  # fmt: skip
_HELD_BACK: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("kitchen", "guest", "music", "laundry", "corner", "meeting"),
        (
            "The {x} room is cleaned on {day}.", "The {x} room was painted {colour}.",
            "The {x} room has {number} lamps.", "{name} has the key of the {x} room.",
            "The {x} room is shut until {month}.",
        ),
    ),
    (
        ("Alder", "Birch", "Cedar", "Maple", "Willow"),
        (
            "The {x} release ships in {month}.", "Project {x} is led by {name}.", "Tests of project {x} run at {hour}.",
            "Project {x} has {number} open tickets.", "Freeze for {x} begins on {day}.",
        ),
    ),
    (
        ("morning", "express", "school", "night", "airport"),
        (
            "The {x} bus leaves at {hour}.", "The {x} bus costs {number} euros.", "{name} drives the {x} bus.",
            "The {x} bus does not run on {day}.", "The {x} bus stops in {city}.",
        ),
    ),
)  # fmt: skip


def made(chance: random.Random, count: int, *, held_back: bool = False) -> Iterator[Twin]:
    """Up to `count` of the templates above, half about the thing itself, half about its twin."""
    kinds = _HELD_BACK if held_back else _KINDS
    for _ in range(count):
        things, templates = chance.choice(kinds)
        one, other = chance.sample(things, 2)
        template = chance.choice(templates)
        held = _fill_template(template, one, chance)
        if chance.random() < 0.5:
            yield (
                held,
                _fill_template(template, other, chance) if chance.random() < 0.7 else held.replace(one, other),
                False,
            )
            continue
        after = _fill_template(template, one, chance)
        if after != held:
            yield held, after, True


def renamed(rows: list[dict[str, Any]], chance: random.Random) -> Iterator[Twin]:
    """Plain pairs that clash or say the same, one of the two told of another subject: both hold."""
    plain = [
        (row["held"], news["text"])
        for row in rows
        for news in row["news"]
        if "speaker" not in news and news["label"] in ("changed", "contradicts", "same")
    ]
    for held, news in plain:
        word = _distinguishing_word(held, news)
        if not word:
            continue
        other = chance.choice(_NAMES if word[0].isupper() else chance.choice(_KINDS[:8])[0])
        if other in held or other in news:
            continue
        pattern = re.compile(rf"\b{re.escape(word)}\b")
        yield (
            (held, pattern.sub(other, news), False)
            if chance.random() < 0.5
            else (pattern.sub(other, held), news, False)
        )


def _fill_template(template: str, thing: str, chance: random.Random) -> str:
    return template.format(
        x=thing,
        day=chance.choice(_DAYS),
        month=chance.choice(_MONTHS),
        name=chance.choice([name for name in _NAMES if name != thing]),
        city=chance.choice([city for city in _CITIES if city != thing]),
        colour=chance.choice(_COLOURS),
        number=chance.randrange(3, 60),
        hour=f"{chance.randrange(6, 22)}:{chance.choice(('00', '15', '30'))}",
        language=chance.choice(("Go", "Rust", "Python", "Java", "Kotlin")),
    )


def _distinguishing_word(held: str, news: str) -> str:
    """The word of the subject by which it is told from others of its kind, where both name it: a name, or what stands
    before the noun. Empty where there is none."""
    subject = subject_of(held)
    words = subject.split(" ")
    if not subject or (len(words) < 2 and not subject[0].isupper()):
        return ""
    names = [word.removesuffix("'s") for word in words if word[0].isupper() and word not in _NO_NAMES]
    choices = names[:1] or (words[1:2] if len(words) > 2 and words[0] in ("The", "Our") else [])
    return next((word for word in choices if re.search(rf"\b{re.escape(word)}\b", news)), "")
