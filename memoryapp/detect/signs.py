"""Two readings in, the signs for and against a contradiction out, as numbers. Next: `weighed` sums them up.

No sign depends on which of the two was said first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memoryapp.detect.alike import FOUND, Alike, compared, contrasts, excluding
from memoryapp.detect.amounts import differing, lopsided
from memoryapp.detect.ceased import ceased
from memoryapp.detect.frame import Exchange, exchanges, tokens
from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading, Word
from memoryapp.detect.told import told_signs
from memoryapp.detect.wordlist import wordset

Which = Callable[[Word], bool]
_SEVERAL = wordset(  # of these one may have another beside
    "like likes love loves enjoy enjoys use uses know knows have has speak speaks play plays own owns visited support "
    "supports include includes dislike dislikes"
)
_ROLE = re.compile(
    r"\b(?:is|are) (?:the|our|my|his|her|their|[\w-]+'s|sole|head|chief|lead|acting|captain|chair\w*|treasurer|"
    r"secretary|director|president|mayor|coach|owner|maintainer|editor|manager|principal)\b",
    re.IGNORECASE,
)
_MOST_SHARED = 5


def signs(one: Reading, other: Reading, cosine: float) -> dict[str, float]:
    """By name, in a fixed order. `cosine` of the two sentences, as the default model sees it."""
    alike = compared(one.words, other.words)
    differs = bool(differing(one.amounts, other.amounts))
    every = _covered(one, other, alike, lambda word: True)
    heavy = _covered(one, other, alike, lambda word: not word.amount and not word.light)
    subject = max(_covered(one, other, alike, lambda word: word.subject))
    only_one, only_other = one.names - other.known, other.names - one.known
    strange = max(len(only_one), len(only_other))
    found = exchanges(one.text, other.text)
    return {
        "cosine": cosine,
        "cosine high": max(0.0, cosine - 0.8),
        "words covered": max(every),
        "topic covered": min(heavy),
        "names shared": float(len((one.names & other.known) | (other.names & one.known))),
        "subjects exchanged": float(_opens_with(one, only_one) and _opens_with(other, only_other)),
        "amounts differ": float(len(differing(one.amounts, other.amounts))),
        "amounts lopsided": float(lopsided(one.amounts, other.amounts)),
        "words exclude": float(len(excluding(one, other))),
        "two ends": float(contrasts(one, other)),
        "wholly": float(min(one.wholly + other.wholly, 4)),
        **_exchanged(found),
        "frame shared": _shared(one.text, other.text),
        "opening shared": _opening(one, other),
        "role passed": float(role_passed(one, other, found)),
        "over": float(bool(ceased(one, other) or ceased(other, one))),
        "value alone": float(differs and one.places == other.places) * _alone(one, other, alike),
        "both deny": float(one.denies and other.denies),
        "both events": float(_any(one, "event") and _any(other, "event")),
        "one turns": float(one.turns != other.turns),
        "one past": float(_any(one, "past") != _any(other, "past")),
        "only is": float(one.only_is) + float(other.only_is),
        "amounts of one subject": float(differs) * subject,
        "subject unknown": float(subject < 0.3),
        "turn to a name": float(one.turns != other.turns and strange > 0),
        "places differ": float(bool(one.places - other.places) and bool(other.places - one.places)),
        **told_signs(one, other, alike, heavy),
    }


def _covered(one: Reading, other: Reading, alike: Alike, which: Which) -> tuple[float, float]:
    """The mean likeness of the chosen words of each side; ½ where there are none."""
    sides = []
    for words, marks in ((one.words, alike.ones), (other.words, alike.others)):
        chosen = [mark for word, mark in zip(words, marks, strict=True) if which(word)]
        sides.append(sum(chosen) / len(chosen) if chosen else 0.5)
    return sides[0], sides[1]


def _alone(one: Reading, other: Reading, alike: Alike) -> float:
    """1 where nothing but the amounts tells them apart, ½ where one side names one thing more, else 0."""
    left = [
        sum(
            mark < FOUND and not (word.amount or word.light or word.verb)
            for word, mark in zip(words, marks, strict=True)
        )
        for words, marks in ((one.words, alike.ones), (other.words, alike.others))
    ]
    shares = any(mark >= FOUND and not word.amount for word, mark in zip(one.words, alike.ones, strict=True))
    return 0.0 if all(left) or not shares else 0.5 if any(left) else 1.0


def _exchanged(found: Sequence[Exchange]) -> dict[str, float]:
    """Of one exchange in a shared frame: whether it is in the predicate, and how much the frame says."""
    whole = found[0] if len(found) == 1 and found[0].was and found[0].now else None
    before = [word for word in whole.before if word not in STOP] if whole else []
    after = [word for word in whole.after if word not in STOP] if whole else []
    shared = float(min(len(before) + len(after), _MOST_SHARED))
    return {
        "exchanged in predicate": shared if before else 0.0,
        "exchanged": shared,
        "exchanged of several": float(any(word in _SEVERAL for word in before)),
    }


def role_passed(one: Reading, other: Reading, found: Sequence[Exchange]) -> bool:
    """“Ana is captain of …”, “Ben is captain of …”: what only one can be, of two people."""
    exchanged = len(found) == 1 and not found[0].before and found[0].was and found[0].now
    return bool(exchanged) and bool(_ROLE.search(one.text) and _ROLE.search(other.text))


def _opening(one: Reading, other: Reading) -> float:
    """Content words of a shared opening up to the verb and beyond, where both then go on otherwise; at most 3."""
    a, b = tokens(one.text), tokens(other.text)
    size = 0
    while size < min(len(a), len(b)) and a[size] == b[size]:
        size += 1
    opening, rest = a[:size], (set(a[size:]) - STOP, set(b[size:]) - STOP)
    if _any(one, "once") and _any(other, "once"):  # two events: “got new collars”, “got a new place”
        return 0.0
    past_subject = len(opening) > max(len(tokens(one.subject)), len(tokens(other.subject)))
    verbs = all(any(clause.verb for clause in reading.clauses[:1]) for reading in (one, other))
    closed = past_subject and verbs and not any(word in _SEVERAL for word in opening)
    content = [word for word in opening if word not in STOP]
    return float(min(len(content), 3)) if closed and all(rest) else 0.0


def _shared(one: str, other: str) -> float:
    a, b = set(tokens(one)), set(tokens(other))
    return len(a & b) / max(1, min(len(a), len(b)))


def _opens_with(reading: Reading, names: frozenset[str]) -> bool:
    return any(word.subject and word.text in names for word in reading.words)


def _any(reading: Reading, flag: str) -> bool:
    return any(getattr(clause, flag) for clause in reading.clauses)
