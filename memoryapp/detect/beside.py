"""Two readings in, out whether they plainly tell two things: of two subjects, settings, days, or of what there may be
several. Such pairs are not weighed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoryapp.detect import differ
from memoryapp.detect.alike import FOUND, compared, excluding
from memoryapp.detect.amounts import differing
from memoryapp.detect.attributes import KIN, NOUNS
from memoryapp.detect.ceased import ceased
from memoryapp.detect.denial import denies_another
from memoryapp.detect.frame import exchanges, tokens
from memoryapp.detect.kinds import SEVERAL
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.same_value import same_form
from memoryapp.detect.scope import scopes_differ
from memoryapp.detect.signs import role_passed
from memoryapp.detect.topic import BACK, left_out, main_verb
from memoryapp.detect.undoing import denies_otherwise
from memoryapp.detect.values import Value
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_BEFORE_SEVERAL = frozenset(  # before one of which there may be others
    tuple(pair.split())
    for pair in (
        "allergic to", "next to", "expert in", "good at", "interested in", "member of", "fan of", "friends with",
        "close to", "proud of", "afraid of", "scared of", "tired of", "responsible for", "talks to", "speaks to",
        "spoke to", "writes to",
    )
)  # fmt: skip
_HAS_A = re.compile(r"\b(?:there (?:is|are)|ha[sd]|have|owns?) (?:an?|some) ", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:only|sole|solely|exclusively|entirely|nothing but|just|all|main|best)\b", re.IGNORECASE)
_SET_ON = re.compile(  # the day is what is told, and no scope: “is on Mondays”, “now meets on Tuesdays”
    r"\b(?:is|are|now|happens?|takes? place|held|meets?|comes?|moved|runs?) (?:only )?(?:on|to) \w+days?\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"^(?:the |our |my )?(?P<whose>[\w ]+)'s (?P<what>.+)$")
_OF_IT = re.compile(
    r"^(?:the |an? |our |my )?(?P<part>[\w-]+(?: [\w-]+)?) (?:at|of|in|for|on|to|next to) (?:the )?(?P<whole>.+)$"
)
_NO_LONGER = (
    r"\b(?:not|no longer|instead of|rather than|away from|ditched|dropped|left|replaced|abandoned) "
    r"(?:\w+ ){{0,3}}{value}\b"
)
_SENT_OFF = r"\b{value}\b(?: \w+){{0,6}} (?:off|any ?more|any longer|no longer|not)\b"
_TICKET = re.compile(r"\b[A-Z]{2,}-\d+\b")
_SETTINGS = wordset(
    "staging production prod dev development weekday weekdays weekend weekends summer winter spring autumn reads "
    "writes backend frontend mobile web ios android internal external elder younger older paid unit integration "
    "end-to-end beta enterprise pro kitchen bathroom bedroom"
)


def side_by_side(one: Reading, other: Reading, *, told: bool = False) -> bool:
    """`told`: the two are told to exclude each other, so that what may stand beside each other is no matter."""
    if any(left_out(a, b) for a in one.clauses for b in other.clauses):
        return True
    if bool(BACK.search(one.text)) != bool(BACK.search(other.text)):
        return True
    guards = (_elsewhere, _of_a_part) if told else (*_ALL, _elsewhere, _of_a_part)
    return any(guard(one, other) for guard in guards) or (not told and (_of_kin(one, other) or _of_kin(other, one)))


def _beside(one: Reading, other: Reading) -> bool:
    """Whether the two are alike but for one part of which there may be several (“sells onions”, “sells leeks”), or
    for who it is or what is done (“lives alone”, “works alone”)."""
    found = exchanges(one.text, other.text)
    if len(found) != 1 or not (found[0].was and found[0].now) or excluding(one, other):
        return False
    if (
        found[0].before[-2:] in _BEFORE_SEVERAL
        or (found[0].before and _HAS_A.search(one.text))
        or differ.of_several(one.clauses[0], found[0])
        or not differ.tells_apart(found[0])
    ):
        return True
    verb = len(found[0].before) > max(len(tokens(one.subject)), 1)
    return not verb and not role_passed(one, other, found)


def _one_claim(one: Reading, other: Reading) -> bool:
    """Whether no word, amount or denial tells them apart: “is allergic to peanuts”, “has a peanut allergy”."""
    alike = compared(one.words, other.words)
    if min((*alike.ones, *alike.others), default=0.0) < FOUND or one.denies != other.denies:
        return False
    if excluding(one, other) or differing(one.amounts, other.amounts):
        return False
    return sorted(word.form for word in one.words) != sorted(word.form for word in other.words)


def _come_to_it(one: Reading, other: Reading) -> bool:
    """Whether what the one says has changed has become what the other says: “switched from VS Code to Neovim”."""
    if one.turns == other.turns or differing(one.amounts, other.amounts):
        return False
    held, new = ([value for clause in reading.clauses for value in clause.values] for reading in (one, other))
    if _left_behind(*((new, held, one) if one.turns else (held, new, other))):
        return False
    return any(a.type == b.type and same_form(a.form, b.form, a.type) for a in held for b in new) and not ceased(
        *((other, one) if one.turns else (one, other))
    )


def _left_behind(was: Sequence[Value], now: Sequence[Value], turned: Reading) -> bool:
    """Whether `turned` itself says of what was that it is no longer: “is not on AWS any more, … to Hetzner”."""
    return any(
        old.type == new.type
        and same_form(old.form, new.form, old.type)
        and any(
            re.search(pattern.format(value=re.escape(new.text)), turned.text, re.IGNORECASE)
            for pattern in (_NO_LONGER, _SENT_OFF)
        )
        for old in was
        for new in now
    )


def _other_object(one: Reading, other: Reading) -> bool:
    """“Drinks coffee every morning”, “drinks tea in the evening”: the same done with something else as well."""
    verbs = {main_verb(clause) for reading in (one, other) for clause in reading.clauses}
    if len(verbs) != 1 or not verbs <= differ.OBJECTS or one.turns or other.turns:
        return False
    alone = _ALONE.search(one.text) or _ALONE.search(other.text)
    told_apart = [sort for sort in differing(one.amounts, other.amounts) if sort.removeprefix("kind ") not in SEVERAL]
    return not (alone or told_apart)


def _of_kin(one: Reading, other: Reading) -> bool:
    """Whether one is about somebody of another's, whom the other does not speak of: “Jonas”, “Jonas's sister”."""
    known = [*other.words]
    return any(
        word.subject and word.text in KIN and not any(word.form == w.form or word.matters & w.matters for w in known)
        for word in one.words
    )


def _of_a_part(one: Reading, other: Reading) -> bool:
    """Whether one is of the thing, the other of something of it: “the parser”, “the parser's tests”."""
    owned = [_OWNED.match(subject) for subject in (one.subject, other.subject)]
    if owned[0] and owned[1] and owned[0]["what"] == owned[1]["what"] and owned[0]["whose"] != owned[1]["whose"]:
        return True  # “the user's time zone”, “the server's time zone”
    if _at_it(one.subject, other) or _at_it(other.subject, one):
        return True
    a, b = sorted((one.subject, other.subject), key=len)
    if a in one.whose.owners | other.whose.owners:  # “Hugo”, “Hugo's back”
        return False
    if not a or len(a) <= 3 or a in ("user", "the user") or b.rpartition(" ")[2] in NOUNS:
        return False
    return b.startswith((f"{a}'s ", f"{a}s' "))


def _at_it(part: str, whole: Reading) -> bool:
    """“Parking at the festival”, “the roof of the house”: what is at or of it, and neither an attribute (“the price of
    …”) nor spoken of on the other side, too (“has main as its default branch”)."""
    found = _OF_IT.match(part)
    if found is None or found["whole"] != whole.subject.removeprefix("the ") or found["part"] in NOUNS:
        return False
    return not any(one_word(word, known) for word in words(found["part"]) for known in whole.all_words)


def _denies_another(one: Reading, other: Reading) -> bool:
    """Whether one side denies something that the other does not speak of, and nothing else stands against it."""
    if one.turns or other.turns or bool(one.denials) == bool(other.denials):
        return False
    if any(not sort.startswith("kind ") for sort in differing(one.amounts, other.amounts)):
        return False
    denying, affirming = (one, other) if one.denials else (other, one)
    return denies_another(denying.denials, sorted(affirming.all_words)) and not excluding(one, other)


_ALL = (_beside, _one_claim, _come_to_it, _other_object, _denies_another, denies_otherwise)


def _day_is_told(one: Reading, other: Reading) -> bool:
    """Whether nothing but the day tells them apart, so that it is what is told: “we deploy on Tuesdays”."""
    alike = compared(one.words, other.words)
    return differing(one.amounts, other.amounts) == ["weekday"] and all(
        mark >= FOUND or word.amount or word.light or word.text in (*one.when, *other.when)
        for side, marks in ((one.words, alike.ones), (other.words, alike.others))
        for word, mark in zip(side, marks, strict=True)
    )


def _elsewhere(one: Reading, other: Reading) -> bool:
    """Whether each says where it holds, and they are two places (“in staging”, “in production”) or two tickets."""
    a, b = one.places & _SETTINGS, other.places & _SETTINGS
    tickets = [set(_TICKET.findall(reading.text)) for reading in (one, other)]
    return (
        (
            scopes_differ(one.text, other.text)
            and not (_SET_ON.search(one.text) and _SET_ON.search(other.text))
            and not _day_is_told(one, other)
        )
        or bool(a - b and b - a)
        or (all(tickets) and not set.intersection(*tickets))
    )
