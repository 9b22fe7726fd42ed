"""Two readings in, out whether each bears a label of its own, so that they are of two things: the January bill and the
February bill, the first attempt and the second, the B1 exam and the B2 exam, what won in 2022 and what won in 2023.

A label tells two things apart only where something else differs, too; alone it may be what has changed.
"""

from __future__ import annotations

import re

from memoryapp.detect.kinds import KIND_OF
from memoryapp.detect.reading import Reading
from memoryapp.detect.wordlist import wordset

_NTH = re.compile(r"\b(\d+)(?:st|nd|rd|th) ([a-z]+)", re.IGNORECASE)
_PLACED = wordset(  # of which one is on one at a time: the number is the value
    "floor storey grade year class place row level position person century edition of january february march "
    "april may june july august september october november december month week day semester term birthday anniversary"
)
_CODE = re.compile(r"\b(?P<before>[A-Za-z]+ )?(?P<code>[A-Z]{1,3}-?\d+)\b")
_OF_A_PLACE = wordset("gate room seat row hall platform at to from on")
_YEAR = re.compile(
    r"(?<!until )(?<!by )(?<!since )(?<!expires in )(?<!ends in )(?<!due in )(?<!out in )\b(?P<year>(?:19|20)\d\d)\b"
    r"(?! ?(?:euros?|dollars?|people|-))"
)
_MONTH_OF = re.compile(
    r"\b(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)(?:'s)? "
    r"(?=[a-z])(?!is\b|was\b|and\b|or\b|to\b|at\b|the\b|in\b|for\b|with\b|this\b|last\b|next\b|by\b|on\b|after\b)"
)
_NAMED = re.compile(  # “Project Larkspur is …”, “Version 2 of the parser …”: named at the head, so no value
    r"^(?:The |Our |My )?(?i:project|version|release|chapter|volume|episode|building|course|module|cluster|branch|"
    r"client|customer|route|line|squad) (?P<name>[A-Z][\w-]*|[\d.]*\d)(?=[ ,'’])"
)
_IN_KIND = re.compile(r"\b(?i:on|in|for|under|with) (?:the |an? )?(?P<kind>[A-Z][\w.+#]*(?: [A-Z][\w.+#]*)?)")
_SETTING = frozenset(("os", "browser", "programming"))
_TIMELESS = slice(2, None)


def labelled(one: Reading, other: Reading) -> bool:
    """Whether each bears a label of its own, and neither says that the one has become the other."""
    if one.turns or other.turns:
        return False
    ever = one.never or other.never or one.wholly or other.wholly  # “never”, “every”: at whatever time
    sorts = list(zip(_labels(one.text), _labels(other.text), strict=True))
    return any(left and right and left.isdisjoint(right) for left, right in (sorts[_TIMELESS] if ever else sorts))


def named_apart(one: Reading, other: Reading) -> bool:
    """Whether the two are about things of one kind with names of their own: Project Larkspur, Project Thistle."""
    names = [_NAMED.match(reading.text) for reading in (one, other)]
    return bool(names[0] and names[1] and names[0]["name"] != names[1]["name"]) and not (one.turns or other.turns)


def _labels(text: str) -> tuple[frozenset[str], ...]:
    """Of a statement: the ordinals with their nouns, codes, years, months of something, settings by their kind."""
    nth = {number for number, noun in _NTH.findall(text) if noun.casefold() not in _PLACED}
    codes = {
        match["code"] for match in _CODE.finditer(text) if (match["before"] or "").strip().casefold() not in _OF_A_PLACE
    }
    months = {match["month"] for match in _MONTH_OF.finditer(text)}
    settings = {
        match["kind"].casefold()
        for match in _IN_KIND.finditer(text)
        if _SETTING.intersection(KIND_OF.get(match["kind"].casefold(), ()))
    }
    return tuple(map(frozenset, (years(text), months, nth, codes, settings)))


def years(text: str) -> frozenset[str]:
    return frozenset(match["year"] for match in _YEAR.finditer(text))
