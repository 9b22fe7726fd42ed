"""Two readings in, out whether what they tell is of two bearers: memory and a disk, an entry fee and a parking fee, the
room on the third floor and the one on the first, a café and its kitchen.

Told by the noun that an amount measures, and by what tells the one subject from others of its kind. Next: `parted`.
"""

from __future__ import annotations

import re

from memoryapp.detect.amounts import differing
from memoryapp.detect.meanings import STOP
from memoryapp.detect.narrower import siblings
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.verbs import AUXILIARY, DOING, PAST, THIRD
from memoryapp.detect.words import words

_UNIT = (
    r"(?:[kmgt]b(?:it)?|gbit|mbit|kg|g|mg|grams?|kilos?|lit(?:re|er)s?|ml|inch(?:es)?|cm|mm|m|km|"
    r"(?:square |cubic )?met(?:re|er)s?|"
    r"kilomet(?:re|er)s?|miles?|feet|euros?|dollars?|pounds?|francs?|eur|usd|cups?|glass(?:es)?|bottles?|tablets?|"
    r"spoons?|tablespoons?|teaspoons?|slices?|watts?|bar|degrees?|percent)"
)
_END = (
    r"a|an|the|per|each|every|for|in|on|at|to|from|by|with|and|or|but|when|if|while|after|before|since|until|than|"
    r"is|are|was|were|has|have|had|this|that|these|those|last|next|off|now|more|less|as|it|he|she|we|they|i|so|because|"
    r"of|up|down|into|out|over|under|again|instead|only|total|altogether|today|yesterday|tomorrow|left|net|gross|"
    r"monthly|yearly|weekly|daily|once|twice|not|no|about|around|roughly|almost|nearly"
)
_AFTER = re.compile(
    rf"(?:[€$£]\s?\d[\d.,]*|\b\d[\d.,]*[\s-]?{_UNIT})[\s-]+(?:of (?:the )?)?"
    rf"(?P<what>(?!(?:{_END})\b)[A-Za-z][\w-]*(?: (?!(?:{_END})\b)[A-Za-z][\w-]*){{0,2}})",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"\b(?:an?|the|one) (?P<what>(?:[a-z-]+ )?[a-z-]+) (?:of|with) (?:about |around )?\d[\d.,]*[\s-]?{_UNIT}",
    re.IGNORECASE,
)
_IN_WHICH = re.compile(
    rf"\b\d[\d.,]*[\s-]?{_UNIT} (?:in|on|into|from) (?:my|our|his|her|their|the) (?P<what>[\w-]+ [\w-]+)", re.IGNORECASE
)
_FROM_ON = re.compile(
    r"\b(?P<what>[A-Za-z][\w+#-]*) (?:version )?\d[\d.]*(?: (?:and|or) (?:up|later|above|newer|higher|older|below)|\+)"
)
_OWN = re.compile(r"\b(?:my|our|his|her|their) (?P<what>[a-z]+)\b", re.IGNORECASE)
_PLACED = re.compile(
    r"^(?:(?i:the|my|our|his|her|their)|[A-Z]\w+'s) (?P<noun>[\w-]+(?: [\w-]+){0,2}?) "
    r"(?P<at>on|in|at|from|under|near|behind|beside|for|by|with|to|that touch(?:es)?|about) "
    r"(?:the |my |our |his |her |a |an )?(?P<where>(?:\d+(?:st|nd|rd|th)|[A-Za-z][\w-]*)(?: [\w-]+){1,})",
)
_KIND_OF = re.compile(
    r"^(?P<noun>[A-Za-z][\w-]*(?: [\w-]+){0,2}?) that (?P<at>touch|use|change|concern|come from|go to|involve) "
    r"(?P<where>[\w-]+(?: [\w-]+)+)"
)
_PART = re.compile(r"^(?:the |our |my )?(?P<whole>[\w-]+)'s (?P<part>[\w-]+) (?P<verb>\w+)", re.IGNORECASE)
_WHOLE = re.compile(r"^(?:the |our |my )?(?P<whole>[\w-]+) (?P<verb>\w+)", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?i:the|our|my) (?P<noun>[a-z-]+) (?P<verb>[a-z]+s)\b")
_SUPERLATIVE = re.compile(
    r"\bthe (?:only|\w{2,}est|most \w+|least \w+|best|worst)(?: \w+)? (?:in|of|on|at|among) (?:the |our |my |his |her |"
    r"their |its )?(?P<among>[\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"\b(?:until|till|before|by|instead)\b", re.IGNORECASE)
_POINTS = frozenset(("version", "weekday"))
_ANYTHING = frozenset(("anything", "everything", "nothing", "anyone", "anybody", "everyone", "everybody", "any", "all"))
_LIKE = re.compile(
    r"\b(?P<state>afraid|allergic|scared|fond|proud|responsible|included|good|bad|interested|jealous|used|sensitive|"
    r"intolerant|open|closed) (?:not )?(?P<how>of|to|for|with|in|at|about) (?P<what>[^,.;]+)",
    re.IGNORECASE,
)


def of_two_bearers(one: Reading, other: Reading) -> bool:
    """Whether what differs is of two things. `one` and `other` differ in something."""
    if one.wholly and other.wholly:
        return False
    return (
        _measures_another(one, other)
        or _from_another_on(one, other)
        or _of_another_possession(one, other)
        or _placed_apart(one, other)
        or _part_and_whole(one, other)
        or _part_and_whole(other, one)
        or _towards_another(one, other)
        or _two_subjects(one, other)
        or _first_among_others(one, other)
        or _of_another_version(one, other)
    )


def _measures_another(one: Reading, other: Reading) -> bool:
    """“16 GB of RAM”, “a 512 GB SSD”; “a 10 euro entry fee”, “a 5 euro parking fee”."""
    if one.turns or other.turns or not differing(one.amounts, other.amounts):
        return False
    for pattern in (_AFTER, _BEFORE, _IN_WHICH):
        found = [[match["what"] for match in pattern.finditer(reading.text)] for reading in (one, other)]
        if all(len(side) == 1 for side in found):
            a, b = (_noun(words(side[0])) for side in found)
            if a and b and a[-1] == b[-1] and any(side[0][0].isupper() for side in found):
                continue  # a make is no kind: “a 27-inch Dell monitor”
            if _two_nouns(a, b, one, other, heads=pattern is not _IN_WHICH):
                return True
    return False


def _from_another_on(one: Reading, other: Reading) -> bool:
    """“Supports iOS 16 and up”, “supports Android 11 and up”: what the bound is of stands before its number."""
    if one.turns or other.turns:
        return False
    a, b = ([match["what"].casefold() for match in _FROM_ON.finditer(reading.text)] for reading in (one, other))
    return bool(a and b and not set(a) & other.all_words and not set(b) & one.all_words)


def _of_another_possession(one: Reading, other: Reading) -> bool:
    """“My coffee without sugar”, “milk in my tea”: each tells of one of two of a kind."""
    a, b = ([match["what"].casefold() for match in _OWN.finditer(reading.text)] for reading in (one, other))
    return any(siblings(x, y) and x not in other.all_words and y not in one.all_words for x in a for y in b)


def _noun(phrase: list[str]) -> list[str]:
    """Up to its last word that is no verb: “parking fee”, not “fee applies”."""
    kept: list[str] = []
    for word in phrase:
        if kept and (word in AUXILIARY or word in THIRD or word in PAST):
            break
        kept.append(word)
    return kept


def _two_nouns(a: list[str], b: list[str], one: Reading, other: Reading, *, heads: bool) -> bool:
    if not a or not b:
        return False
    strange = [
        [word for word in side if not any(one_word(word, known) for known in reading.all_words)]
        for side, reading in ((a, other), (b, one))
    ]
    if a[-1] == b[-1] or one_word(a[-1], b[-1]):
        return bool(strange[0] and strange[1]) and a[-1] == b[-1]
    if not heads:
        return False
    return a[-1] in strange[0] and b[-1] in strange[1]


def _placed_apart(one: Reading, other: Reading) -> bool:
    """“The meeting room on the third floor”, “the meeting room on the first floor”: in the subject, with more told."""
    for pattern in (_PLACED, _KIND_OF):
        a, b = pattern.match(one.text), pattern.match(other.text)
        if not (a and b) or a["at"] != b["at"] or _has_verb(a["noun"]) or _has_verb(b["noun"]):
            continue
        if words(a["noun"])[-1] != words(b["noun"])[-1]:
            continue
        x, y = words(a["where"]), words(b["where"])
        if x[0] == y[0] or one_word(x[0], y[0]) or x[0] in other.all_words or y[0] in one.all_words:
            continue
        return x[0] not in STOP and y[0] not in STOP
    return False


def _has_verb(noun: str) -> bool:
    found = words(noun)
    return any(word in AUXILIARY or (n and (word in THIRD or word in PAST)) for n, word in enumerate(found)) or (
        len(found) == 1 and found[0] in DOING
    )


def _part_and_whole(part: Reading, whole: Reading) -> bool:
    """“The café's kitchen opens at half past eleven”, “the café opens at eight”."""
    a, b = _PART.match(part.text), _WHOLE.match(whole.text)
    return bool(
        a
        and b
        and a["whole"].casefold() == b["whole"].casefold()
        and a["verb"].casefold() == b["verb"].casefold()
        and a["verb"].casefold() not in AUXILIARY
        and a["part"].casefold() not in whole.all_words
    )


def _towards_another(one: Reading, other: Reading) -> bool:
    """“Afraid of thunder”, “not afraid of other dogs”."""
    a, b = _LIKE.search(one.text), _LIKE.search(other.text)
    if not (a and b) or (a["state"], a["how"]) != (b["state"], b["how"]) or one.denies == other.denies:
        return False
    if any(_ANYTHING.intersection(words(match["what"])) for match in (a, b)):
        return False
    sides = [[word for word in words(match["what"]) if word not in STOP] for match in (a, b)]
    return all(sides) and not any(one_word(x, y) for x in sides[0] for y in sides[1])


def _first_among_others(one: Reading, other: Reading) -> bool:
    """“The youngest in her family”, “the oldest in our team”."""
    a, b = _SUPERLATIVE.search(one.text), _SUPERLATIVE.search(other.text)
    if not (a and b):
        return False
    sides = [[word for word in words(match["among"]) if word not in STOP] for match in (a, b)]
    return all(sides) and not any(one_word(x, y) for x in sides[0] for y in sides[1])


def _of_another_version(one: Reading, other: Reading) -> bool:
    """“No longer supports Python 3.8”, “supports 3.11”: what is denied is of another version or day."""
    if one.denied == other.denied or one.limits or other.limits or _UP_TO.search(one.text + other.text):
        return False
    return any(
        sort in one.amounts and sort in other.amounts and one.amounts[sort].isdisjoint(other.amounts[sort])
        for sort in _POINTS
    )


def _two_subjects(one: Reading, other: Reading) -> bool:
    """“The balcony faces south”, “the bedroom faces east”: of two things the same doing is told."""
    a, b = _SUBJECT.match(one.text), _SUBJECT.match(other.text)
    if not (a and b) or a["verb"] != b["verb"] or a["verb"] in AUXILIARY or one.turns or other.turns:
        return False
    x, y = a["noun"].casefold(), b["noun"].casefold()
    return not (one_word(x, y) or x in other.all_words or y in one.all_words)
