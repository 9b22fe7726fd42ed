"""Two readings in, out whether one tells of somebody who has died, or of a plan that was dropped, and the other as if
it were not so: “Otto sleeps in the kitchen”, “Otto died”; “we spend Christmas in Vienna”, “the Vienna trip is off”.

Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.clause import Clause
from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.topic import main_verb
from memoryapp.detect.verbs import AUXILIARY, PAST
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_DIED = re.compile(
    r"\b(?P<who>(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he user's) [\w-]+|[A-Z]\w+)(?:,? (?:our|my|the|his|her) "
    r"[\w ]+?,?)?(?: [a-z]+)? "
    r"(?:died|passed away|is dead|was put (?:down|to sleep)|has died|has passed away|is no longer alive|"
    r"lost (?:his|her) life)\b"
)
_BEFORE_BIRTH = re.compile(r"\bbefore (?:I|he|she|we|they|the user) (?:was|were) (?:even )?born\b")
_WITH_ME = re.compile(r"\b(?:me|us|with my|with his|with her)\b")
_REMEMBERS = wordset(
    "miss misses mourn remember remembers inherit inherited visit grave funeral name named born memory "
    "bury buried photo "
    "recipe ring house old late"
)
_DROPPED = re.compile(
    r"\b(?:pulled out of|cancell?ed|called off|calling off|(?:is|are) off\b(?! to)|scrapped|backed out of|"
    r"dropped out of|"
    r"decided against|decided not to|(?:is|are|am) not going|will not be (?:going|able|there|running|coming)|"
    r"fell through|(?:stay|staying) (?:at )?home|is not happening|not happening|won't happen|not taking part)\b",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"\b(?:plans?|planning|going to|will|am|are|is|want|wants|intends?|booked|signed up|registered|entered|scheduled|"
    r"takes place|next|this)\b",
    re.IGNORECASE,
)
_EMPTY = wordset("plan trip year month week summer autumn winter spring plans planning going user family next part")
_SHARED = 2  # words that tell the plan, where no name does


def departed(one: Reading, other: Reading) -> bool:
    """Whether `other` says that somebody has died of whom `one` tells what they do, or what is done with them."""
    found = _DIED.search(other.text)
    if found is None or _DIED.search(one.text) or one.denied:
        return False
    who = [word for word in words(found["who"]) if word not in STOP and word != "user"]
    if not who or who[-1] not in one.all_words or _REMEMBERS & one.all_words:
        return False
    if _BEFORE_BIRTH.search(other.text):
        return (
            bool(one.first_person)
            and who[-1] in words(one.clauses[0].subject if one.clauses else "")
            or (bool(_WITH_ME.search(one.text)))
        )
    return any(_at_present(clause) for clause in one.clauses)


def _at_present(clause: Clause) -> bool:
    """Whether it tells what is done, as of today: what somebody is or is called, they may have been."""
    first = next(iter(words(clause.predicate)), "")
    return (
        clause.asserts
        and not clause.event
        and first not in AUXILIARY - {"is", "are"}
        and not (first in PAST and first not in ("put", "let", "read", "cut"))
        and (main_verb(clause) not in ("be", "have") or bool(re.match(r"(?:is|are) \w+ing\b", clause.predicate)))
    )


def called_off(one: Reading, other: Reading) -> bool:
    """Whether `other` says that what `one` says is to be has been dropped."""
    if not _DROPPED.search(other.text) or _DROPPED.search(one.text) or one.denies or not _INTENDED.search(one.text):
        return False
    if any(clause.past or clause.event for clause in one.clauses):
        return False
    known = [word for word in other.words if word.text not in _EMPTY]
    told = [
        word
        for word in one.words
        if word.text not in _EMPTY and not word.amount and word.text not in one.when and not word.light
    ]
    shared = [word for word in told if any(one_word(word.text, same.text) for same in known)]
    names = one.proper - {"i"}
    if (names and not names & other.all_words) or (one.proper - other.known and other.proper - one.known):
        return False
    return len(shared) >= _SHARED or bool(names & other.all_words and shared)
