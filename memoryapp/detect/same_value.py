"""Two values of one attribute: whether they say the same (Seoul, “Seoul, Korea”; 14:00, 2 pm; two weeks, 14 days)."""

from __future__ import annotations

import re

from memoryapp.detect.kinds import ALIASES
from memoryapp.detect.values import Value, values
from memoryapp.detect.words import clean, content, words

_NUMBER = re.compile(r"\d+")
_ARTICLE = re.compile(r"^(?:the|a|an|our|my|his|her|their)\s+", re.IGNORECASE)


def same_value(one: str, other: str) -> bool:
    """True where both may be the same value in other words."""
    a, b = plain(one), plain(other)
    if a == b:
        return True
    if korean_script(a) and korean_script(b) and _NUMBER.search(a) and _NUMBER.search(b):
        return a in b or b in a or (_NUMBER.findall(a) == _NUMBER.findall(b) and a[-1] == b[-1])
    typed_a, typed_b = values(clean(one)), values(clean(other))
    shared = {value.type for value in typed_a} & {value.type for value in typed_b}
    if shared:
        return all(agree(typed_a, typed_b, kind) for kind in shared)
    if korean_script(a) or korean_script(b):
        return (
            korean_script(a) != korean_script(b) or a.startswith(b) or b.startswith(a)
        )  # across scripts nothing is known
    words_a, words_b = set(words(a)), set(words(b))
    if words_a and words_b and (words_a <= words_b or words_b <= words_a):
        return True
    means_a, means_b = content(one), content(other)
    return bool(means_a and means_b) and (means_a <= means_b or means_b <= means_a)


def agree(ones: tuple[Value, ...], others: tuple[Value, ...], kind: str) -> bool:
    """Whether the values of one type have one in common."""
    return any(
        same_form(one.form, other.form, kind)
        for one in ones
        if one.type == kind
        for other in others
        if other.type == kind
    )


def same_form(one: str, other: str, kind: str) -> bool:
    """Forms of one type; what a date leaves open agrees with anything, 3 with 3.11 of a version."""
    if kind == "date":
        return all(x == y or "-" in (x[:1], y[:1]) for x, y in zip(_parts(one), _parts(other), strict=True))
    if kind == "clock" and (one.endswith("?") or other.endswith("?")):
        return (int(one[:2]) - int(other[:2])) % 12 == 0 and one[3:5] == other[3:5]
    if kind == "version":
        return one == other or one.startswith(other + ".") or other.startswith(one + ".")
    if kind == "licence":
        return one == other or one.startswith(other) or other.startswith(one)
    return one == other


def plain(value: str) -> str:
    low = " ".join(_ARTICLE.sub("", clean(value)).casefold().strip(" .,:'\"").split())
    return ALIASES.get(low, low)


def korean_script(text: str) -> bool:
    return any("\uac00" <= letter <= "\ud7a3" for letter in text)


def _parts(date: str) -> tuple[str, str, str]:
    return date[:4], date[5:7], date[8:]
