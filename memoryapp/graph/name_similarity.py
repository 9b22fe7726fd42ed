"""How similar two names are, and why they may be one.

A name is compared by its `Spelling`: its forms, without all that does not tell names apart. Measures of letters alone
tell look-alikes from other spellings no better than chance, so these are rules; only those of `same_name` are certain
enough to act on without being asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.domain.entity import UNCLEAR, EntityType
from memoryapp.extraction.entities.stoplists import is_common
from memoryapp.graph.known_names import FULL_NAMES, KNOWN_AS, loose

_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_NUMBER = re.compile(r"\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OPENING = {"mt": "mount", "st": "saint", "ft": "fort"}
_TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "professor", "doctor", "sir", "madam", "the"])
_CLOSING = frozenset(["inc", "ltd", "llc", "gmbh", "corp", "corporation", "co", "company", "plc"])
_SMALL = frozenset(["of", "the", "and", "for", "in", "on", "at", "de", "la", "a", "an"])
CERTAIN = 1.0
NEAR = 0.97  # least Jaro–Winkler similarity of two names that differ by a slip of the pen
_LONG_ENOUGH = 6  # letters, for that
_SHORTER = 0.72  # a short form has at most so much of the letters of the long one
_LEAST = 3  # letters of a short form
_INITIALS = 2  # letters of a word in capitals that may have a plural
_VOWELS = frozenset("aeiouy")
_SAME_STILL = frozenset(["", "s", "es", "js", "css", "db", "sql", "lang"])  # what a name may be said with or without
# Of these a part of the name is a name: “Kim” of “Mina Kim”, and not “React” of “React Native”.
_IN_PARTS = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.PLACE})
_STRICT = frozenset({EntityType.PERSON, EntityType.PLACE, EntityType.ORGANIZATION})


# ── rules


@dataclass(frozen=True, slots=True)
class Likeness:
    """`score` 0–1; CERTAIN may be acted on. `reason` for a person, a clause."""

    score: float
    reason: str


def same_name(one: Spelling, other: Spelling) -> Likeness | None:
    """Where both are certainly one name: equal but for case, spaces and punctuation, or both known for one thing."""
    if one.sign and one.sign == other.sign:
        return Likeness(CERTAIN, f"both are names of {one.sign}")
    if one.loose and one.loose == other.loose and one.numbers == other.numbers:
        return Likeness(CERTAIN, "the same name, written another way")
    return None


def likeness_of(one: Spelling, other: Spelling, *, types: tuple[str, str] = ("", "")) -> Likeness | None:
    """How two names may be one, the surest rule first; None where nothing says so, or something says no."""
    if same := same_name(one, other):
        return same
    if Counter(one.numbers) != Counter(other.numbers):
        return None  # another version, another room
    if folds := _fold_likeness(one, other) or _plural_likeness(one, other) or _plural_likeness(other, one):
        return folds
    if short := _nickname(one, other) or _nickname(other, one):
        return short
    if one_word_differs(one, other):
        return None
    return _short_form(one, other, types) or _short_form(other, one, types) or _slip(one, other)


def one_word_differs(one: Spelling, other: Spelling) -> bool:
    """“Minsu Kim” and “Minji Kim”, “staging server” and “production server”, “TypeError” and “ArgumentError”: two on
    purpose. A plural makes no other word."""
    pairs = ((one.words, other.words), (_singular_words(one.parts), _singular_words(other.parts)))
    return any(
        len(ones) == len(others) > 1 and sum((Counter(ones) - Counter(others)).values()) == 1 for ones, others in pairs
    )


def _singular_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.removesuffix("s") for word in words)


def one_goes_on(one: Spelling, other: Spelling) -> bool:
    """“Ruby” and “Ruby Gem”, “git-diff” and “git-diff-tree”, “Webpack” and “Webpacker”: the longer one names a part of
    it, or a kind. “Tailwind CSS” and plurals are the same."""
    short, long = sorted((one.parts, other.parts), key=lambda parts: (len(parts), sum(map(len, parts))))
    if not short or (
        long[: len(short)] != short and not (one.single and other.single and long[0].startswith(short[0]))
    ):
        return False
    return "".join(long).removeprefix("".join(short)) not in _SAME_STILL


def types_fit(one: str, other: str) -> bool:
    """Whether one thing may be of both types: “concept” and “unknown” exclude nothing."""
    if one == other or {one, other} & UNCLEAR:
        return True
    return not {one, other} & _STRICT


def _fold_likeness(one: Spelling, other: Spelling) -> Likeness | None:
    if not one.words or not other.words:
        return None
    if one.words == other.words:
        return Likeness(0.97, "the same name but for accents")
    if one.bare == other.bare:
        return Likeness(0.95, "the same name but for a title, an article or a short form such as “Mt”")
    if sorted(one.words) == sorted(other.words):
        return Likeness(0.94, "the same words in another order")
    if " ".join(one.words) == other.place or " ".join(other.words) == one.place:
        return Likeness(0.93, "a place with and without its region")
    return None


def is_plural(name: str) -> bool:
    """“APIs”, not “DNS” and not “Rails”."""
    return len(name) > _INITIALS and name.endswith("s") and name[:-1].isupper()


def _plural_likeness(one: Spelling, many: Spelling) -> Likeness | None:
    """Of what is written in capitals: “API” and “APIs”. Of words an “s” tells too little, as of “Rail” and “Rails”."""
    if is_plural(many.name) and many.name == f"{one.name}s":
        return Likeness(0.93, f"“{many.name}” is the plural of “{one.name}”")
    return None


def _nickname(short: Spelling, full: Spelling) -> Likeness | None:
    if not short.words or not full.words or full.words[0] not in FULL_NAMES.get(short.words[0], ()):
        return None
    if short.words[1:] == full.words[1:] or len(short.words) == 1:
        return Likeness(0.8, f"“{short.name.split()[0]}” is short for “{full.name.split()[0]}”")
    return None


def _short_form(short: Spelling, full: Spelling, types: tuple[str, str]) -> Likeness | None:
    word = short.single
    if len(word) < 2 or len(word) >= len(full.loose):
        return None
    if full.initials and word == full.initials:
        return Likeness(0.9 if len(word) >= _LEAST else 0.7, f"“{short.name}” are the initials of “{full.name}”")
    if len(word) < _LEAST or is_common(word):
        return None
    if not full.single:
        named = short.capitalised and full.capitalised and len(full.words) <= 3 and set(types) & _IN_PARTS
        if named and types_fit(*types) and word in (full.words[0], full.words[-1]):
            return Likeness(0.72, f"“{short.name}” is a part of “{full.name}”")
        return None
    if len(word) > _SHORTER * len(full.single):
        return None
    # Of people only: “Alex” and “Alexander”. “Vimium” is not Vim, and so it is with nearly all things.
    person = EntityType.PERSON in types and types_fit(*types) and short.capitalised and full.capitalised
    if person and full.single.startswith(word):
        return Likeness(0.7, f"“{full.name}” begins with “{short.name}”")
    bare = word.isascii() and word.isalpha() and not short.name.isupper()
    if bare and word == consonants(full.single):
        return Likeness(0.75, f"“{short.name}” is “{full.name}” without its vowels")
    return None


def consonants(word: str) -> str:
    """What is left of a word without its vowels, but for the first letter: “dlv” of “delve”."""
    return word[:1] + "".join(letter for letter in word[1:] if letter not in _VOWELS)


def _slip(one: Spelling, other: Spelling) -> Likeness | None:
    if min(len(one.loose), len(other.loose)) < _LONG_ENOUGH:
        return None
    likeness = jaro_winkler(fold(one.loose), fold(other.loose))
    return Likeness(round(likeness - 0.17, 3), "almost the same letters") if likeness >= NEAR else None


def jaro_winkler(one: str, other: str) -> float:
    """0–1, 1 for equal texts. Winkler (1990): Jaro's share of common letters in order, raised by 0.1 for each of up to
    four equal letters at the beginning."""
    if one == other:
        return 1.0
    reach = max(len(one), len(other)) // 2 - 1
    taken = [False] * len(other)
    common: list[str] = []
    for at, letter in enumerate(one):
        for place in range(max(0, at - reach), min(len(other), at + reach + 1)):
            if not taken[place] and other[place] == letter:
                taken[place] = True
                common.append(letter)
                break
    if not common:
        return 0.0
    across = [letter for letter, there in zip(other, taken, strict=True) if there]
    turned = sum(a != b for a, b in zip(common, across, strict=True)) / 2
    m = len(common)
    jaro = (m / len(one) + m / len(other) + (m - turned) / m) / 3
    prefix = 0
    while prefix < min(4, len(one), len(other)) and one[prefix] == other[prefix]:
        prefix += 1
    return jaro + prefix * 0.1 * (1 - jaro)


# ── spellings


@dataclass(frozen=True, slots=True)
class Spelling:
    """`words`: folded and in order; `bare`: without titles, articles and the like; `place`: what stands before a comma.
    `sign`: the one name known for it, "" for most. `initials`: of its telling words, "" where it is one word. `parts`:
    its words, those run together by their capitals parted: ("type", "error") of “TypeError”."""

    name: str
    loose: str
    words: tuple[str, ...]
    bare: tuple[str, ...]
    numbers: tuple[str, ...]
    sign: str
    initials: str
    place: str
    parts: tuple[str, ...]

    @property
    def single(self) -> str:
        """Its word, where it is one."""
        return self.words[0] if len(self.words) == 1 else ""

    @property
    def capitalised(self) -> bool:
        """Whether every telling word begins with a capital, or with a letter that has none."""
        telling = [word for word in self.name.split() if word.casefold() not in _SMALL]
        return all(not word[0].islower() for word in telling)


@lru_cache(maxsize=100_000)
def spelling_of(name: str) -> Spelling:
    """A name in the forms that names are compared by."""
    key = loose(name)
    words = _words(name)
    head, comma, region = name.partition(",")
    return Spelling(
        name=name,
        loose=key,
        words=words,
        bare=_bare_words(words),
        numbers=tuple(_NUMBER.findall(unicodedata.normalize("NFKC", name))),
        sign=KNOWN_AS.get(key, ""),
        initials=_initials(name),
        place=" ".join(_words(head)) if comma and region.strip() else "",
        parts=_words(_CAMEL.sub(" ", name)),
    )


def fold(text: str) -> str:
    """Small letters without accents. "Café" → "cafe"; Hangul stays as it is."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c for c in apart if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", kept)


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(name).replace("'", "").replace("’", "")))


def _bare_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """“The St. Moritz Hotel, Inc.” → ("saint", "moritz", "hotel"). Never nothing."""
    left = list(words)
    while len(left) > 1 and left[0] in _TITLES:
        left.pop(0)
    while len(left) > 1 and left[-1] in _CLOSING:
        left.pop()
    if len(left) > 1 and left[0] in _OPENING:
        left[0] = _OPENING[left[0]]
    return tuple(left)


def _initials(name: str) -> str:
    words = [word for word in _WORD.findall(_CAMEL.sub(" ", name)) if word not in _SMALL]
    return fold("".join(word[0] for word in words)) if len(words) > 1 else ""
