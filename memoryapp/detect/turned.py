"""Two readings in, out whether one says that an amount of the other has become another: “changed from 9090 to 9191”,
“raised to 40”. Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.amounts import differing
from memoryapp.detect.frame import tokens
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word

_FROM_TO = re.compile(
    r"\b(?:changed?|raised?|lowered|increased|decreased|cut|reduced|bumped|pushed(?: back)?|moved|rescheduled|switched"
    r"|renamed|upgraded|downgraded|shifted|postponed|brought forward|extended|shortened|grew|grown|went|gone|dropped"
    r"|rose|risen|fell|fallen|migrated|doubled|halved|transferred)\b[^,.;]{0,40}?\bfrom (?P<was>[^,.;]{1,30}?) to "
    r"(?P<now>[^,.;]{1,30})"
)


def turned_to(one: Reading, other: Reading) -> bool:
    """Whether one says that an amount has become another than the other's: “raised to 40”, and not only “no
    longer 20”."""
    if one.turns == other.turns:
        return False
    turned = one if one.turns else other
    new = {value.type.partition(" ")[0] for clause in turned.clauses for value in clause.values} | {"rate"}
    sorts = (sort.removeprefix("kind ").partition(" ")[0] for sort in differing(one.amounts, other.amounts))
    return any(sort in new for sort in sorts)


def turned_from(later: Reading, earlier: Reading) -> bool:
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
