"""Where the walks over entities begin: those the query names, those of whose names it has a word, and those whose names
mean what its words mean."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.limits import Tuning
from memoryapp.encoders import Encoder
from memoryapp.index.graph import Graph
from memoryapp.index.tokens import STOP_WORDS
from memoryapp.retrieve.found import Seed

Vectors = NDArray[np.float32]
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_WORDS = 32  # of a query that are compared, each once
_PER_PROCESS = 8_192  # words whose vector is kept
_CLOSEST = 64  # names that are taken for meant; which of them begin the walk is decided by how rare they are


def seeds_of(
    graph: Graph,
    vector: Vectors | None,
    *,
    named: Sequence[int],
    parts: Mapping[int, float],
    rest: str,
    encoder: Encoder | None,
    tuning: Tuning,
) -> tuple[Seed, ...]:
    """The named ones, those named by a word of their name, then those meant, the closest first. `parts`: these words'
    entities and their weights; `vector`: of the query, None where names alone decide; `rest`: the query without the
    names in it.

    An entity is meant where its name's vector is within `seed_word` of one of the words of the rest, or within
    `seed_query` of the whole query; its weight is the greater cosine. A word of a name means that name and no other:
    “Journal of Psychotherapy” is not about all journals.
    """
    seeds = {code: Seed(code, 1.0, "name") for code in named}
    for code, weight in parts.items():
        seeds.setdefault(code, Seed(code, weight, "part"))
    codes, names = graph.names
    if vector is None or encoder is None or not len(codes) or names.shape[1] != len(vector):
        return tuple(seeds.values())
    for code, cosine, by in _meant(codes, names, vector, _word_vectors(encoder, rest), tuning):
        if code not in seeds:
            seeds[code] = Seed(code, cosine, by)
    return tuple(seeds.values())


def _meant(
    codes: NDArray[np.int32], names: Vectors, vector: Vectors, words: Vectors, tuning: Tuning
) -> Iterator[tuple[int, float, str]]:
    # One vector at a time and without BLAS, for the reason given at index.vectors._products.
    whole, *each = (np.einsum("ij,j->i", names, one) for one in (vector, *words))
    single = np.max(each, axis=0) if each else np.zeros(len(codes), dtype=np.float32)
    by_word = single >= tuning.seed_word
    cosines = np.where(by_word, np.maximum(single, whole), whole)
    meant = np.flatnonzero(by_word | (whole >= tuning.seed_query))
    for row in meant[np.lexsort((codes[meant], -cosines[meant]))][:_CLOSEST].tolist():
        yield int(codes[row]), min(float(cosines[row]), 1.0), "word" if by_word[row] else "query"


def words_of(text: str) -> list[str]:
    """The words of a query that may mean something, in small letters, each once."""
    words = (word.lower() for word in _WORD.findall(text))
    return list(dict.fromkeys(word for word in words if len(word) > 1 and word not in STOP_WORDS))[:_WORDS]


class _Words:
    """The vectors of single words: the same ones come in question after question."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def vectors(self, encoder: Encoder, words: Sequence[str]) -> Vectors:
        """Unit vectors, (words, dimension). Raises EncoderError."""
        with self._lock:
            found = {word: known for word in words if (known := self._known.get((encoder.name, word))) is not None}
        missing = [word for word in words if word not in found]
        if missing:
            fresh = dict(zip(missing, encoder.encode_documents(missing), strict=True))
            found |= fresh
            with self._lock:
                self._known.update({(encoder.name, word): one for word, one in fresh.items()})
                while len(self._known) > _PER_PROCESS:
                    self._known.popitem(last=False)
        return np.stack([found[word] for word in words])


_words = _Words()


def _word_vectors(encoder: Encoder, text: str) -> Vectors:
    """Of the words that are compared; of none where the model takes none of them."""
    words = words_of(text)
    try:
        return _words.vectors(encoder, words) if words else np.zeros((0, 0), dtype=np.float32)
    except EncoderError:
        return np.zeros((0, 0), dtype=np.float32)
