"""Names and rare words by memory: what the graph mass of a search walks over.

A memory's phrases are its capitalised phrases, each capitalised word of them, and its terms. In: the words that are
indexed. Out: rows of phrase numbers by slot, and in how many living memories each phrase stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.tokens import STOP_WORDS

FORMAT = 1  # of the rules below
Ints = NDArray[np.int32]
_LONGEST = 6  # words of a phrase that a query may name
_CAPITAL = "A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ"
_NAME = rf"[{_CAPITAL}][\w'’&.-]*"
_PHRASE = re.compile(rf"\b{_NAME}(?:\s+(?:(?:of the|of|the|de)\s+)?{_NAME})*")
_QUERY_WORD = re.compile(r"\w[\w'’&.-]*")
_TERM = "="  # before the key of a term, so that the word “apple” and the name “Apple” are two


class Phrases:
    """Append-only, as slots are: what a reader was given stays as it was. One thread at a time writes."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.keys: list[str] = []
        self._df = np.zeros(256, dtype=np.int32)
        self._word = np.zeros(256, dtype=np.bool_)
        self._flat = np.zeros(1024, dtype=np.int32)
        self._starts = np.zeros(65, dtype=np.int64)  # row of slot i: flat[starts[i]:starts[i + 1]]
        self.n = 0

    def put(self, slot: int, words: str, terms: Iterable[str]) -> None:
        """The row of a new slot; slots come in ascending order, one that is skipped has an empty row."""
        keys = phrases_of(words)
        keys.update(_TERM + term for term in terms)
        codes = [self._number(key) for key in sorted(keys)]  # sorted: a set's order changes from run to run
        end = int(self._starts[self.n])
        self._flat = _room(self._flat, end + len(codes))
        self._flat[end : end + len(codes)] = codes
        self._starts = _room(self._starts, slot + 2)
        self._starts[self.n + 1 : slot + 1] = end
        self._starts[slot + 1] = end + len(codes)
        self.n = slot + 1
        self._df[codes] += 1

    def leave(self, slot: int) -> None:
        """The memory in this slot is gone: its phrases are counted no more."""
        if slot < self.n:
            self._df[self.row(slot)] -= 1

    def row(self, slot: int) -> Ints:
        return self._flat[self._starts[slot] : self._starts[slot + 1]]

    def rows(self, slots: NDArray[np.intp]) -> tuple[Ints, NDArray[np.intp]]:
        """(phrase numbers of all the slots, one after the other; for each the position of its slot in `slots`)."""
        inside = np.flatnonzero(slots < self.n)
        starts = self._starts[slots[inside]]
        sizes = self._starts[slots[inside] + 1] - starts
        ends = np.cumsum(sizes)
        within = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
        return self._flat[np.repeat(starts, sizes) + within], np.repeat(inside, sizes)

    def count(self, codes: Ints) -> Ints:
        """In how many living memories each phrase stands."""
        return self._df[codes]

    def is_word(self, codes: Ints) -> NDArray[np.bool_]:
        """True for terms, False for names."""
        return self._word[codes]

    def named_in(self, query: str, terms: Sequence[str]) -> Ints:
        """Numbers of the phrases that a query names: any run of up to six of its words, and its terms."""
        words = [bare for word in _QUERY_WORD.findall(query) if (bare := _bare_word(word))]
        keys = [_TERM + term for term in terms]
        keys += [
            " ".join(words[start : start + size])
            for size in range(1, _LONGEST + 1)
            for start in range(len(words) - size + 1)
            if size > 1 or words[start] not in STOP_WORDS
        ]
        known = {code for key in keys if (code := self.numbers.get(key)) is not None}
        return np.array(sorted(known), dtype=np.int32)

    def name(self, code: int) -> str:
        """A phrase as it is kept, lower-case; a term without its mark."""
        return self.keys[code].removeprefix(_TERM)

    @property
    def nbytes(self) -> int:
        return self._flat.nbytes + self._starts.nbytes + self._df.nbytes + self._word.nbytes

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is kept on disk besides the keys: all rows, one after the other, and how long each is."""
        sizes = np.diff(self._starts[: self.n + 1])
        return {"codes": self._flat[: self._starts[self.n]].copy(), "sizes": sizes}

    def kept(self, slots: NDArray[np.intp]) -> Phrases:
        """The same with these slots only, renumbered in their order, and without phrases that nothing holds."""
        codes, owners = self.rows(slots)
        used, renumbered = np.unique(codes, return_inverse=True)
        sizes = np.bincount(owners, minlength=len(slots)).astype(np.int64)
        keys = [self.keys[code] for code in used.tolist()]
        return Phrases.of(renumbered.astype(np.int32), sizes, keys, np.ones(len(slots), dtype=np.bool_))

    @classmethod
    def of(cls, codes: Ints, sizes: NDArray[np.int64], keys: list[str], alive: NDArray[np.bool_]) -> Phrases:
        """From what `arrays` gave; `alive` says which rows count."""
        made = cls()
        made.numbers = {key: number for number, key in enumerate(keys)}
        made.keys = list(keys)
        made.n = len(sizes)
        made._flat = np.array(codes, dtype=np.int32)
        made._starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        counted = codes[np.repeat(alive[: made.n], sizes)]
        made._df = _room(np.bincount(counted, minlength=len(keys)).astype(np.int32), 256)
        made._word = _room(np.array([key.startswith(_TERM) for key in keys], dtype=np.bool_), 256)
        return made

    def _number(self, key: str) -> int:
        known = self.numbers.get(key)
        if known is None:
            known = len(self.numbers)
            self._df = _room(self._df, known + 1)
            self._word = _room(self._word, known + 1)
            self._word[known] = key.startswith(_TERM)
            self.keys.append(key)
            self.numbers[key] = known
        return known


def phrases_of(text: str) -> set[str]:
    """Capitalised phrases, lower-case, without stop words at their ends, and each single word of them."""
    found = set()
    for match in _PHRASE.finditer(text):
        words = [bare for word in match.group().split() if (bare := _bare_word(word))]
        while words and words[0] in STOP_WORDS:
            del words[0]
        while words and words[-1] in STOP_WORDS:
            del words[-1]
        if words:
            found.add(" ".join(words))
            found.update(word for word in words if word not in STOP_WORDS and len(word) > 1)
    return {phrase for phrase in found if len(phrase) > 1}


def _bare_word(word: str) -> str:
    """Without outer punctuation and the possessive, lower-case."""
    return word.strip(".,'’&-").removesuffix("'s").removesuffix("’s").lower()


def _room(array: NDArray[Any], size: int) -> NDArray[Any]:
    """The array, or a copy half as large again, so that it holds `size`."""
    if size <= len(array):
        return array
    grown = np.zeros(max(size, len(array) + len(array) // 2), dtype=array.dtype)
    grown[: len(array)] = array
    return grown
