"""Two readings in, out what the one denies and the other affirms: “never been to Japan”, “three weeks in Osaka”.

A denial is at least as wide as what it undoes: all it names is named by the other side, or something that falls under
it (`narrower`). “No coffee after noon” denies no espresso at breakfast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.detect.clause import Clause
from memoryapp.detect.meanings import STOP
from memoryapp.detect.narrower import under
from memoryapp.detect.related import one_word
from memoryapp.detect.verbs import BASES, DOING, PAST, THIRD
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import words

_DENIAL = re.compile(
    r"\b(?:(?:do|does|did|has|have|had|is|are|was|were|can|could|am) not(?: yet)?|never|no longer|no|nobody|no one|"
    r"nothing|without|none of|not (?:a|an|any)|cannot|neither)\b(?! (?:only|one of|just)\b)\s+(?P<x>[^.;,!?]*)",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s(?:because|since|but|and|so|which|who|that|when|while|although|as|until|any ?more|any longer|yet|"
    r"(?:in|for) (?:\d+|a few|several|many|over) .*|(?:in|for) (?:years|ages|months|weeks|decades)|in "
    r"(?:my|his|her|their) life|"
    r"at the moment|right now|to be)\b.*$",
    re.IGNORECASE,
)
_LIGHT = wordset(
    "have has had own owns owned get gets got do does use uses used using take takes took taken taking go goes "
    "went gone "
    "make makes made touch touches touched be been visit visited know knows knew known want wants need needs needed "
    "keep keeps kept set foot speak speaks spoken word single kind sort type user allowed own possess any ever put "
    "invest invests left find found give gave given come came been food run runs really set play plays played much "
    "many exist exists happen happens there somebody anybody everybody like likes liked love loves enjoy enjoys "
    "stand bear mind environment system foot step available team company people"
)
_OF_THAT = re.compile(  # “doesn't open until nine”, “doesn't remember what it is called”: denied of that alone
    r"\b(?:until|before|unless|what|where|when|why|how|whether|if)\b", re.IGNORECASE
)
_FILLER = re.compile(r"\s(?:at all|whatsoever|of any kind|ever)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|their|his|her|my|our|its|this|that|these|those)\b", re.IGNORECASE)
_DONE = {
    "seen": "see", "flown": "fly", "eaten": "eat", "driven": "drive", "ridden": "ride", "swum": "swim",
    "written": "write", "worn": "wear", "drunk": "drink", "drawn": "draw", "sung": "sing", "begun": "begin",
    "chosen": "choose",
}  # fmt: skip
_LOOSE = 0.8  # of “without”, which mostly denies it of something else
_MOST = 5  # words of a denial: a longer one denies something more particular


@dataclass(frozen=True, slots=True)
class Denial:
    """`named`: what it denies, in words that tell; `doings`: the verbs among them."""

    said: str
    named: tuple[str, ...]
    doings: tuple[str, ...]


def denials(line: str) -> tuple[Denial, ...]:
    """Of a `written` line."""
    return tuple(_denials(line))


def undone(
    denied: Sequence[Denial], affirmed: Sequence[str], affirmed_denials: Sequence[Denial]
) -> tuple[float, Denial | None]:
    """(how much of it, the denial) of the one denial that the other side's words undo the most: 1 where they
    name all it
    denies, ½ where all but its verb are found."""
    beside = {word for denial in affirmed_denials for word in (*denial.named, *denial.doings)}
    free = [word for word in affirmed if word not in beside]
    best: tuple[float, Denial | None] = (0.0, None)
    for denial in denied:
        share = _share(denial, free)
        if denial.said.casefold().startswith("without"):
            share *= _LOOSE if denial.named else 0
        if share > best[0]:
            best = share, denial
    return best


def denies_another(denied: Sequence[Denial], affirmed: Sequence[str]) -> bool:
    """Whether nothing of what is denied is spoken of on the other side: “speaks no Spanish”, “speaks Portuguese”."""
    named = [word for denial in denied for word in denial.named]
    return bool(named) and not any(_named(word, affirmed) for word in named)


def _share(denial: Denial, free: Sequence[str]) -> float:
    named = [_named(word, free) for word in denial.named]
    doing = [_named(word, free) for word in denial.doings]
    if named:
        return (1.0 if all(doing) else 0.8) if all(named) else 0.0
    return 0.9 if doing and all(doing) else 0.0


def _named(word: str, free: Sequence[str]) -> bool:
    return any(one_word(word, other) or under(other, word) for other in free)


def _denials(line: str) -> Iterator[Denial]:
    for match in _DENIAL.finditer(line):
        if _OF_THAT.search(match["x"]):
            continue
        scope = _CUT.sub("", _FILLER.sub("", f" {match['x']}")).strip()
        said = [_DONE.get(word, word) for word in (bare.removesuffix("'s") for bare in words(scope))]
        light = frozenset[str]() if _DEFINITE.search(scope) else _LIGHT  # “nobody used the budget”: there is one
        heavy = [word for word in said if word not in STOP and word not in light]
        doings = tuple(word for word in heavy if _does(word))
        named = tuple(word for word in heavy if not _does(word))
        if 0 < len(heavy) <= _MOST:
            yield Denial(f"{match.group()[: match.start('x') - match.start()].strip()} {scope}", named, doings)


def _does(word: str) -> bool:
    return word in BASES or word in PAST or word in THIRD or word in DOING


def tells_of_experience(clause: Clause) -> bool:
    """Whether a past clause can undo a “never”: it tells what was, neither asked nor planned."""
    return not (clause.planned or clause.question)
