"""A name in, its forms out: how it is written once all that does not tell names apart is taken away."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.graph.known_names import KNOWN_AS, loose

_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_NUMBER = re.compile(r"\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OPENING = {"mt": "mount", "st": "saint", "ft": "fort"}
_TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "professor", "doctor", "sir", "madam", "the"])
_CLOSING = frozenset(["inc", "ltd", "llc", "gmbh", "corp", "corporation", "co", "company", "plc"])
_SMALL = frozenset(["of", "the", "and", "for", "in", "on", "at", "de", "la", "a", "an"])


@dataclass(frozen=True, slots=True)
class Spelled:
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
def spelled(name: str) -> Spelled:
    key = loose(name)
    words = _words(name)
    head, comma, region = name.partition(",")
    return Spelled(
        name=name,
        loose=key,
        words=words,
        bare=_bare(words),
        numbers=tuple(_NUMBER.findall(unicodedata.normalize("NFKC", name))),
        sign=KNOWN_AS.get(key, ""),
        initials=_initials(name),
        place=" ".join(_words(head)) if comma and region.strip() else "",
        parts=_words(_CAMEL.sub(" ", name)),
    )


def folded(text: str) -> str:
    """Small letters without accents. "Café" → "cafe"; Hangul stays as it is."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c for c in apart if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", kept)


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folded(name).replace("'", "").replace("’", "")))


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
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
    return folded("".join(word[0] for word in words)) if len(words) > 1 else ""
