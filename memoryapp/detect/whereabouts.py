"""Two readings in, out whether one thing is told to be, or one meeting to be held, at two places: “the router stands in
the hallway”, “the router is in the study”. Next: `told`.

Places are the words behind “in”, “at” or “on” at the end of a short sentence, whatever they are; what is there must be
told by the same words. Of places that one may lie in the other nothing is known: it is never sure.
"""

from __future__ import annotations

import re

from memoryapp.detect.fillers import of_two_sorts
from memoryapp.detect.meanings import STOP
from memoryapp.detect.reading import Reading
from memoryapp.detect.related import one_word
from memoryapp.detect.words import meaning, stem, words

_THERE = (
    r"(?:is|are|will be|takes? place|is held|are held|meets?|rehearses?|happens?|stands?|hangs?|is kept|are kept|"
    r"is stored|are stored|was moved|were moved|moved)(?: (?:now|still|currently))?"
)
_AT = r"(?:in|at|on|under|behind|to|into) (?:the |an? |our |my |his |her |their )?"
_IS_AT = re.compile(
    rf"^(?P<what>[^,;]+?) {_THERE} {_AT}(?P<where>[^,;]+?)(?: now| nowadays| these days| instead)?(?:,.*)?\.?$", re.I
)
_KEEPS = re.compile(
    r"^(?:I|we|they|the user|[A-Z]\w+) (?:keeps?|stores?|hangs?|hold|holds) "
    rf"(?P<what>[^,;]+?) {_AT}(?P<where>[^,;]+?)\.?$",
    re.I,
)
_FEW = 4  # words of a place, and of what is there
_VAGUE = frozenset(("place", "order", "use", "time", "way", "room", "home", "office", "house", "city", "town"))


def elsewhere(one: Reading, other: Reading) -> bool:
    """Whether what is there is told by the same words, and the places by wholly others."""
    if one.denied or other.denied or one.when or other.when:
        return False
    a, b = (_told(reading) for reading in (one, other))
    if a is None or b is None or not _alike(a[0], b[0]) or of_two_sorts(frozenset(a[1]), frozenset(b[1])):
        return False
    return not any(one_word(x, y) for x in a[1] for y in b[1])


def _told(reading: Reading) -> tuple[list[str], list[str]] | None:
    found = _IS_AT.match(reading.text) or _KEEPS.match(reading.text)
    if (
        found is None
        or any(letter.isdigit() for letter in reading.text)
        or any(clause.once for clause in reading.clauses)
    ):
        return None
    what, where = (_content(found[part]) for part in ("what", "where"))
    fits = 0 < len(what) <= _FEW and 0 < len(where) <= _FEW and not _VAGUE.issuperset(where)
    return (what, where) if fits and not {"floor", "storey"}.intersection(where) else None


def _alike(ones: list[str], others: list[str]) -> bool:
    """Whether they are the same words: “the data” may be more than “our customer data”."""
    return sorted(map(_form, ones)) == sorted(map(_form, others))


def _form(word: str) -> str:
    return meaning(word) or stem(word)


def _content(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in words(text) if word not in STOP and word != "user"]
