"""Two readings in, out how much of what the one denies the other tells: “never been to Japan”, “three weeks in Osaka”.

Who does not like cooking may cook, and who does not play football may watch it. Next: `told`.
"""

from __future__ import annotations

import re

from memoryapp.detect.denial import Denial, undone
from memoryapp.detect.diet import without_substitutes
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.topic import main_verb
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

UNDONE = 0.9  # from this share on, what one side denies is told by the other
_PARTLY = 0.5
_NOT_LIKED = re.compile(r"\bnot (?:really |much |particularly )?(?:like|enjoy|love|care for|fond of|keen on)\b", re.I)
_LIKED = re.compile(
    r"\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy\w*|favou?rite|fan|ador\w+|best|fond|prefer\w*|keen|happy)\b",
    re.I,
)
_OTHER_DOINGS = wordset("watch read collect teach coach sell write draw paint photograph film follow study")


def undoing(denying: Reading, affirming: Reading) -> tuple[float, Denial | None]:
    """Who they are of says nothing of what is denied."""
    names = denying.whose.owners | affirming.whose.owners
    lent = {what for what, owner in affirming.of_others.items() if owner not in {*denying.all_words, *names, "user"}}
    told = sorted(set(without_substitutes(affirming.text)) - names - affirming.modifiers - lent)
    share, denial = undone(denying.denials, told, affirming.denials)
    if denial and share >= UNDONE and (_only_not_liked(denial, affirming) or _done_otherwise(denial, affirming)):
        return _PARTLY, denial
    return share, denial


def _only_not_liked(denial: Denial, affirming: Reading) -> bool:
    """“Does not like cooking” denies that somebody likes it, not that they do it."""
    return bool(_NOT_LIKED.search(denial.said)) and not _LIKED.search(affirming.text)


def _done_otherwise(denial: Denial, affirming: Reading) -> bool:
    """“Does not play football” does not deny that somebody watches it."""
    doings = {main_verb(clause) for clause in affirming.clauses} & _OTHER_DOINGS
    return bool(doings) and not any(one_word(doing, word) for doing in doings for word in words(denial.said))


def denies_otherwise(one: Reading, other: Reading) -> bool:
    """Whether what the one denies leaves room for what the other tells, though both name the same."""
    return any(
        _only_not_liked(denial, affirming) or _done_otherwise(denial, affirming)
        for denying, affirming in ((one, other), (other, one))
        if len(denying.denials) == 1 and not affirming.denied
        for denial in denying.denials
    )
