"""Two readings in, out whether one tells of an occasion, and the other of what is so at other times: what happened once
and what happens again and again, two dated events, an exception and the rule. Next: `periods`.
"""

from __future__ import annotations

import re

from memoryapp.detect.clause import Clause
from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.topic import main_verb
from memoryapp.detect.verbs import AUXILIARY
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

A_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_AGAIN = re.compile(
    rf"\b(?:every|each|(?:once|twice|\d+ times) (?:a|an|per|every)|regularly|always|usually|{A_DAY}s|daily|weekly|"
    r"monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:in|on|last|since|until|by|this|back in) (?:early |late |mid-?)?(?:(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)? \w+|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    rf"week|month|year|spring|summer|autumn|fall|winter|night|{A_DAY})\b|\b(?:yesterday|\d+ (?:days|weeks|"
    rf"months|years) ago)\b",
    re.IGNORECASE,
)
_LIGHT = wordset(  # of which two may tell of one event: “got married”, “the wedding took place”
    "be have do get take make go come hold happen begin start become move join leave arrive bear marry "
    "be give see meet "
    "say tell turn run land launch release open publish found build finish end expire complete"
)
_THIS_TIME = re.compile(
    r"\b(?:just this once|for once|exceptionally|this time)\b|"
    r"\bthis (?:week|month|year|\w+day)\b.* (?:because|since|as|due to|instead of)\b",
    re.IGNORECASE,
)
_BACK_TO_NORMAL = re.compile(
    r"\b(?:again|back to (?:normal|work)|recovered|back up|(?:is|are|am) back)\b", re.IGNORECASE
)
_MOSTLY = re.compile(
    r"\b(?:usually|normally|mostly|generally|as a rule|most (?:days|nights|of the time))\b", re.IGNORECASE
)
_IN_A_CASE = re.compile(
    rf"^(?:when|if|whenever|on {A_DAY}s|at weekends|on weekends|during|in) \w+|\b(?:when|whenever|if) ", re.IGNORECASE
)


def for_once(one: Reading, other: Reading) -> bool:
    """“This year we celebrate it on 11 June because …” beside the day it is on: an exception, with its reason."""
    if one.turns or other.turns:
        return False
    told = [bool(_THIS_TIME.search(reading.text)) for reading in (one, other)]
    return told[0] != told[1] or any(
        _MOSTLY.search(rule.text) and _IN_A_CASE.search(case.text) and not _IN_A_CASE.search(rule.text)
        for rule, case in ((one, other), (other, one))
    )


def well_again(was: Reading, again: Reading) -> bool:
    """“Was broken in December”, “works again”."""
    first = [next(iter(words(clause.predicate)), "") for clause in was.clauses]
    return bool(_BACK_TO_NORMAL.search(again.text)) and bool(first) and first[0] in ("was", "were", "had", "went")


def once_and_again(once: Reading, again: Reading) -> bool:
    """“Was replaced in 2021”, “gets serviced every October”: each with a doing of its own."""
    if not once.clauses or not again.clauses or _AGAIN.search(once.text) or not _AGAIN.search(again.text):
        return False
    if not _DATED.search(once.text) or once.denied or again.denied or not _happened(once.clauses[0]):
        return False
    return not any(_told(a) == _told(b) for a in once.clauses for b in again.clauses)


def two_dated_events(one: Reading, other: Reading) -> bool:
    """“Was vaccinated in March”, “was neutered in August”; “bought the car in 2019”, “had it painted in 2021”."""
    if not one.clauses or not other.clauses or one.turns or other.turns or one.denies or other.denies:
        return False
    if not (_DATED.search(one.text) and _DATED.search(other.text)):
        return False
    a, b = one.clauses[0], other.clauses[0]
    if not (_happened(a) and _happened(b)) or a.subject_words != b.subject_words:
        return False
    told = _told(a), _told(b)
    return all(doing and doing not in _LIGHT for doing in told) and told[0] != told[1] and not one_word(*told)


def _happened(clause: Clause) -> bool:
    first = next(iter(words(clause.predicate)), "")
    return clause.event or clause.once or first in ("was", "were", "got", "had")


def _told(clause: Clause) -> str:
    """The verb that tells something: “serviced” of “gets serviced”, “vaccinated” of “was vaccinated”."""
    found = words(clause.predicate)
    if len(found) > 1 and (found[0] in AUXILIARY or found[0] in ("gets", "got", "get")):
        second = next((word for word in found[1:3] if word not in AUXILIARY and word not in STOP), "")
        if second.endswith(("ed", "en")):
            return second.removesuffix("ed")
    return main_verb(clause)
