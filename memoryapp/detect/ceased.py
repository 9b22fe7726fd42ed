"""Two readings in, out what one affirms and the other says is over: “chats in Slack”, “swapped Slack for …”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading, Word
from memoryapp.detect.related import one_word
from memoryapp.detect.words import words

_MOST = 5  # words of what is over
_ENDING = re.compile(
    r"\b(?:swapped|replac(?:ed|es|ing)|exchanged|traded(?: in)?|ditch(?:ed|ing)|dump(?:ed|ing)|ripped(?: out)?|"
    r"(?<!\bmy )(?<!\bhis )(?<!\bher )(?<!\btheir )(?<!\byour )(?<!\bour )(?<!\bthe )"
    r"left(?! (?:hand|knee|foot|leg|arm|ankle|eye|ear)\b)|"
    r"leaving|drop(?:ped|ping)|abandon(?:ed|ing)|retired|retiring|moved (?:me |us |him |her )?(?:off|away from|out of|"
    r"on from|from)|switch(?:ed|ing) (?:away |over )?from|migrat(?:ed|ing) (?:off|away from|from)|"
    r"g[ai]v(?:e|en|ing) up(?: on)?|stopp(?:ed|ing)|quit(?:ting)?|cancell?(?:ed|ing)|no longer|instead of|rather than|"
    r"remov(?:ed|ing)|decommissioned|shut down|wiped|taken over from|took over from|rules out|sold|got rid of|"
    r"threw(?: \w+)? away|broke up with|parted with|stepp(?:ed|ing) down as|resign(?:ed|ing) (?:as|from)|"
    r"terminat(?:ed|ing)|dropped out of|parted (?:ways )?with|split up with|transferred out of|t(?:ook|"
    r"aken) (?:\w+ )?out of|"
    r"clos(?:ed|ing)|rehomed|let go of|done with|finished with|parted from|"
    r"lost interest in|(?:over|passed|changed) from|moved .{3,40} from|swaps)\s+(?P<x>(?:[^.;]|\.(?=\d))*)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:(?:was|were|is|are|has been|have been|got|being|had been|has|have) (?:now |since |just |"
    r"later |finally |completely )?(?:removed|decommissioned|shut down|wiped|retired|dropped|abandoned|cancell?ed|"
    r"archived|replaced|ripped out|given up|called off|disconnected|closed|sold|stolen|stopped|discontinued|"
    r"gone(?=\s*(?:[.,;:!]|$)| (?:now|for good|from|since|missing|already|by)\b)|"
    r"scrapped|lapsed|expired|excluded|revoked|withdrawn|disabled|ended|over|off(?! to\b)|unused|defunct|"
    r"swapped|handed|passed|history|"
    r"fallen through|terminated|rolled back|taken out|taken down|switched off|turned off|let go|rehomed|dismantled|"
    r"written off|demolished)|fell through|lapsed|ended|expired)\b",
    re.IGNORECASE,
)
_IS_SOMETHING = re.compile(
    r" is (?:something|a habit|one thing) .{2,30}? (?:has |have )?(?:since )?(?:quit|dropped|given up|"
    r"stopped|gave up|abandoned|no longer|dislikes|avoids|left)",
    re.IGNORECASE,
)
_BORDER = re.compile(r"[;,]|\.(?!\d)")
_CUT = re.compile(
    r"\s(?:for|in|on|at|to|from|with|by|after|before|since|because|as|and|but|which|who|that|when|while|during|so|"
    r"altogether|entirely|any ?more|out)\b|[,;:]",
    re.IGNORECASE,
)
_DOING = re.compile(  # what was done with it is not what is over
    r"^(?:\w+ly )?(?:attends?|goes|go|going|uses?|using|drives?|has|have|having|belongs?|takes?|taking|taken|doing|do|"
    r"does|works?|working|plays?|playing|running|holds?|wears?|drinks?|eats?|lives?|owns?|learning|is|be|being|been|"
    r"an?|the|on|to|in|at|his|her|their|our|my|its)\b\s*",
    re.IGNORECASE,
)
_BEHIND = re.compile(r" (?:in|of|for|from|with|at|to) (?P<rest>[^,.;]+)")
_ELSEWHERE = re.compile(r"(?:from|of|to|with|for|as|in|on|at|by)\b", re.IGNORECASE)
_ONE_OF_THEM = re.compile(r"\b(?:this|that|last|next|today|yesterday|old|still)\b", re.IGNORECASE)
_LET_GO = re.compile(r"\blet (?P<x>[A-Z]\w+|our \w+|my \w+|the \w+) go\b")
_HOLDING = frozenset(("subscription", "membership", "account", "contract", "lessons", "classes", "course"))
_EVERYTHING = frozenset(("everything", "all", "it", "everyone"))
_EMPTY = frozenset(("user", "i", "my", "something", "place", "support", "use", "altogether", "good"))


def ceased(one: Reading, other: Reading) -> str:
    """What `one` affirms and `other` says is over, in the words of `other`; "" where it says no such thing.

    All of its words stand in the predicate of `one`, and the subject of `one` is spoken of in `other`, too.
    """
    if one.denied or any(clause.past or clause.planned for clause in one.clauses):
        return ""
    if any(clause.planned for clause in other.clauses):
        return ""
    affirmed = [word for word in one.words if not word.subject]
    about = _content(one.subject)
    for phrase in _over(other.text):
        whole = _content(phrase)
        said = [word for word in whole if word not in _HOLDING] or whole
        if _of_another(phrase, one, other):
            continue
        if not said or len(said) > _MOST or not all(_among(word, affirmed) for word in said):
            continue
        rest = [word for word in about if word not in _EVERYTHING and not any(one_word(word, over) for over in said)]
        same = (
            all(_among(word, other.words) for word in rest) if rest else (bool(about) or _one_speaker(one, other, said))
        )
        if same:
            return phrase.strip()
    return ""


def _of_another(phrase: str, one: Reading, other: Reading) -> bool:
    """Whether what is over is of something by another name: “shares in BP” beside shares in Shell."""
    begin = other.text.find(phrase)
    behind = _BEHIND.match(other.text, begin + len(phrase.rstrip())) if begin >= 0 else None
    if behind is None:
        return False
    names = {name.casefold() for name in re.findall(r"[A-Z][\w.-]*", behind["rest"])}
    return bool(names & other.proper - one.known) and bool(one.proper - other.known)


def gone(one: Reading, other: Reading) -> str:
    """What `one` says something of, as of today, and `other` says is over as a whole: “the contract runs until May”."""
    if one.denied or any(clause.past or clause.planned or clause.once for clause in (*one.clauses, *other.clauses[:0])):
        return ""
    about = [word for word in one.words if word.subject]
    for phrase in _over(other.text):
        said = _content(phrase)
        if said and about and all(_among(word, about) for word in said) and len(said) * 2 >= len(about):
            return phrase.strip()
    return ""


def _one_speaker(one: Reading, other: Reading, said: list[str]) -> bool:
    """“I”, “my” or “the user” on both sides, or so much of what is over that it needs no speaker."""
    return bool(one.first_person) and (one.first_person == other.first_person or len(said) > 1)


def _over(text: str) -> Iterator[str]:
    """The phrases of what a text says is over."""
    for match in _ENDING.finditer(text):
        phrase, bare = "", match["x"]
        while phrase != bare:
            phrase, bare = bare, _DOING.sub("", bare)
        yield from _whole(_CUT.split(phrase, maxsplit=1)[0])
    for match in _LET_GO.finditer(text):
        yield from _whole(match["x"])
    for pattern in (_ENDED, _IS_SOMETHING):
        for match in pattern.finditer(text):
            yield from _whole(_BORDER.split(text[: match.start()])[-1])


def _whole(phrase: str) -> Iterator[str]:
    phrase = phrase.strip()
    if phrase and not _ELSEWHERE.match(phrase) and not _ONE_OF_THEM.search(phrase):
        yield phrase


def _content(text: str) -> list[str]:
    bare = (word.removesuffix("'s") for word in words(text) if word not in STOP)
    return [word for word in bare if word not in _EMPTY]


def _among(word: str, found: Iterable[Word]) -> bool:
    return any(one_word(word, other.text) for other in found)
